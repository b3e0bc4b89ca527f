//! The ludemes of the language, one file each, or one for a family that shares nearly everything.
//!
//! A file lists its forms as the language writes them, with their meaning and an example, and the reader that makes a
//! node of the arguments. The node is a struct with typed fields; it says how it is evaluated and which parts of the
//! state it reads and writes. All forms together are the table of the language, see [`FORMS`]; forms of one keyword are tried
//! in the order of the modules below.

pub(crate) mod boards;

pub(crate) mod items;

mod structure;

mod add;
mod ahead;
mod all_passed;
mod all_sites;
mod arithmetic;
mod ballot;
mod bet;
mod can_move;
mod capture;
mod cell;
mod compare;
mod count;
mod count_biggest_line;
mod count_pieces;
mod counter;
mod crossing;
pub(crate) mod directions;
mod distance;
mod do_moves;
mod edge;
mod enclose;
mod end;
pub(crate) mod floats;
mod for_each;
mod for_each_die;
mod for_each_direction;
mod for_each_piece;
mod from_to;
mod groups;
mod hop;
mod id;
mod is_angle;
mod is_connected;
mod is_empty;
mod is_even;
mod is_full;
mod is_hidden;
mod is_in;
mod is_last_to;
mod is_line;
mod is_loop;
mod is_path;
mod is_player;
mod is_pyramid_corners;
mod is_related;
mod is_repeat;
mod is_target;
mod is_threatened;
mod is_tree;
mod is_within;
pub(crate) mod iterators;
mod join;
mod large_piece;
mod last;
pub(crate) mod leap;
mod limits;
pub(crate) mod lists;
mod logic;
mod matches;
mod max_moves;
mod memory;
mod meta;
mod no_moves;
mod pass;
mod paths;
mod pattern;
mod place;
mod places;
mod players;
pub(crate) mod prelude;
mod promote;
mod push;
pub(crate) mod puzzle;
mod random;
mod random_moves;
mod ranges;
mod remove;
mod score;
mod select;
mod set_next_player;
mod set_site;
pub(crate) mod sets;
mod shoot;
mod sites_around;
mod sites_board;
mod sites_direction;
mod sites_edges;
mod sites_hand;
mod sites_incident;

// `(sites)` alone also fits the forms by name.
mod sites_pending;

mod sites_named;
mod sites_occupied;
mod sites_of_moves;
mod sites_row;
mod slide;
mod slide_on_loops;
mod sow;
mod stack;
mod start;
mod step;
mod swap;
mod track;
mod trigger;
pub(crate) mod turn;
mod was_pass;
mod where_is;
mod words;

mod missing;

#[cfg(test)]
pub(crate) mod testing;

use self::boards::GraphArgs;
use self::items::{AddItem, Stage};
use crate::board::{Board, Graph};
use crate::engine::args::Args;
use crate::engine::condition::Bool;
use crate::engine::directions::Dirs;
use crate::engine::end::{EndRule, Verdict};
use crate::engine::functions::{Int, Ints, Region, Result};
use crate::engine::moves::Generator;
use crate::engine::node::{Iterators, Parts};
use crate::engine::opening::Opening;
use crate::engine::parts::Bounds;
use crate::engine::rules::Meta;

/// Makes a node of the arguments of a ludeme.
pub(crate) type Reader<T> = fn(&mut Args<'_, '_, '_>) -> Result<T>;

/// The reader of a form.
#[derive(Clone, Copy)]
pub(crate) enum Read {
    /// A condition.
    Condition(Reader<Bool>),
    /// A number.
    Number(Reader<Int>),
    /// A list of numbers.
    List(Reader<Ints>),
    /// A set of sites.
    Region(Reader<Region>),
    /// Directions.
    Directions(Reader<Dirs>),
    /// Moves or effects.
    Moves(Reader<Generator>),
    /// A range of numbers.
    Range(Reader<Bounds>),
    /// A rule of the start.
    Start(Reader<Opening>),
    /// A rule of the end.
    End(Reader<EndRule>),
    /// A result.
    Verdict(Reader<Verdict>),
    /// A rule that holds throughout a game.
    Meta(Reader<Meta>),
    /// A number that describes a board, from others.
    Dimension(fn(&[f64]) -> Option<f64>),
    /// The graph of a board.
    Graph(fn(&mut GraphArgs<'_, '_>) -> Result<Graph>),
    /// A board.
    Board(fn(&mut GraphArgs<'_, '_>) -> Result<Board>),
    /// Another item of the equipment.
    Item(Stage, AddItem),
    /// A part of other forms, which read it.
    Part,
    /// Nothing yet.
    Unsupported,
}

/// The kinds of sites that a form may name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SitesOf {
    /// The kind on which pieces stand, in hands as well as on the board.
    Any,
    /// The kind on which pieces stand, on the board alone.
    Board,
    /// The reader looks at them itself.
    Own,
    /// None: a kind of site says nothing.
    None,
}

/// How the consequence `(then …)` of a form follows from its moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ThenOf {
    /// All moves share it.
    Shared,
    /// Each move has it.
    Each,
    /// All moves share it, and a pass for want of moves has it, too, where the form is the whole play of a phase.
    Phase,
    /// The reader takes it itself.
    Own,
    /// The consequence never follows.
    Ignored,
}

/// The part of a form in ways from site to site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// None.
    None,
    /// It is a step, of which a way may consist.
    Step,
    /// It goes ways of the steps that it names.
    Along,
}

impl std::fmt::Debug for Form {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "({})", self.text)
    }
}

/// A form of the language.
pub(crate) struct Form {
    /// The type of its value.
    pub(crate) makes: &'static str,
    /// As the language writes it. `type=A|B` stands for the words `A` and `B` of an enumeration, `-` for none.
    pub(crate) text: &'static str,
    /// The meaning of the form.
    pub(crate) meaning: &'static str,
    /// A part of a description that uses it.
    pub(crate) example: &'static str,
    /// The parts of the state that a game has because it uses this form.
    pub(crate) needs: Parts,
    /// The kinds of sites that the form may name.
    pub(crate) sites: SitesOf,
    /// May it name any kind of sites that has pieces?
    pub(crate) all_kinds: bool,
    /// The labels or types of numbers that are sites, besides `at:`, `from:` and `through:`.
    pub(crate) site_slots: &'static [&'static str],
    /// Does it count sites, of whatever kind they are?
    pub(crate) counts_sites: bool,
    /// Does it try moves, so that the state changes and is put back?
    pub(crate) looks_ahead: bool,
    /// Does chance draw its value?
    pub(crate) draws: bool,
    /// The iterator that it is.
    pub(crate) iterator: Iterators,
    /// Its part in ways from site to site.
    pub(crate) way: Way,
    /// Does it only ask of which kind a site is, so that no piece need stand on the kind that it names?
    pub(crate) asks_for_kind: bool,
    /// Are its arguments the constraints of a deduction puzzle?
    pub(crate) constrains: bool,
    /// How its consequence follows.
    pub(crate) then: ThenOf,
    /// The parts of the state that a game has because it uses this form with this label.
    pub(crate) needs_with: (&'static str, Parts),
    /// Does it join the moves of other forms, so that it is a decision where one of them is?
    pub(crate) joins: bool,
    /// The uses of the form that are refused, with the reason; empty where none is.
    pub(crate) refuses: &'static str,
    /// The reader that makes a node of it.
    pub(crate) read: Read,
}

/// A form that makes something.
pub(crate) const fn form(
    makes: &'static str,
    text: &'static str,
    meaning: &'static str,
    example: &'static str,
    read: Read,
) -> Form {
    Form {
        makes,
        text,
        meaning,
        example,
        needs: Parts::NONE,
        sites: SitesOf::Any,
        all_kinds: false,
        site_slots: &[],
        counts_sites: false,
        looks_ahead: false,
        draws: false,
        iterator: Iterators::NONE,
        way: Way::None,
        asks_for_kind: false,
        constrains: false,
        then: ThenOf::Shared,
        needs_with: ("", Parts::NONE),
        joins: false,
        refuses: "",
        read,
    }
}

/// A form that is a condition.
pub(crate) const fn condition(
    text: &'static str,
    meaning: &'static str,
    example: &'static str,
    read: Reader<Bool>,
) -> Form {
    form("boolean", text, meaning, example, Read::Condition(read))
}

/// A form that is a number.
pub(crate) const fn number(
    text: &'static str,
    meaning: &'static str,
    example: &'static str,
    read: Reader<Int>,
) -> Form {
    form("int", text, meaning, example, Read::Number(read))
}

/// A form that is a list of numbers.
pub(crate) const fn list(
    text: &'static str,
    meaning: &'static str,
    example: &'static str,
    read: Reader<Ints>,
) -> Form {
    form("ints", text, meaning, example, Read::List(read))
}

/// A form that is a set of sites.
pub(crate) const fn region(
    text: &'static str,
    meaning: &'static str,
    example: &'static str,
    read: Reader<Region>,
) -> Form {
    form("region", text, meaning, example, Read::Region(read))
}

/// A form that is some directions.
pub(crate) const fn directions(
    text: &'static str,
    meaning: &'static str,
    example: &'static str,
    read: Reader<Dirs>,
) -> Form {
    form("direction", text, meaning, example, Read::Directions(read))
}

/// A form that is a move of a player's choice.
pub(crate) const fn decision(
    text: &'static str,
    meaning: &'static str,
    example: &'static str,
    read: Reader<Generator>,
) -> Form {
    form("moves", text, meaning, example, Read::Moves(read)).then(ThenOf::Each)
}

/// A rule of the start.
pub(crate) const fn start(
    text: &'static str,
    meaning: &'static str,
    example: &'static str,
    read: Reader<Opening>,
) -> Form {
    form("startRule", text, meaning, example, Read::Start(read))
}

/// A part of other forms, which read it.
pub(crate) const fn part(
    makes: &'static str,
    text: &'static str,
    meaning: &'static str,
    example: &'static str,
) -> Form {
    form(makes, text, meaning, example, Read::Part)
}

/// A form that has no reader, and why.
pub(crate) const fn missing(makes: &'static str, text: &'static str, why: &'static str) -> Form {
    form(makes, text, "", "", Read::Unsupported).refuses(why)
}

/// A form that is an effect, or that joins moves.
pub(crate) const fn effect(
    text: &'static str,
    meaning: &'static str,
    example: &'static str,
    read: Reader<Generator>,
) -> Form {
    form("effect", text, meaning, example, Read::Moves(read))
}

impl Form {
    /// Some uses of the form are refused: which, and why.
    pub(crate) const fn refuses(mut self, why: &'static str) -> Form {
        self.refuses = why;
        self
    }

    /// A game that uses the form has these parts of the state.
    pub(crate) const fn needs(mut self, parts: Parts) -> Form {
        self.needs = parts;
        self
    }

    /// The form is about the board, never about a hand.
    pub(crate) const fn on_board(mut self) -> Form {
        self.sites = SitesOf::Board;
        self
    }

    /// The form is about no sites.
    pub(crate) const fn siteless(mut self) -> Form {
        self.sites = SitesOf::None;
        self
    }

    /// The form's reader looks at the kind of sites itself.
    pub(crate) const fn own_sites(mut self) -> Form {
        self.sites = SitesOf::Own;
        self
    }

    /// The form may name any kind of sites that has pieces.
    pub(crate) const fn on_all_kinds(mut self) -> Form {
        self.all_kinds = true;
        self
    }

    /// The numbers of these slots are sites, too.
    pub(crate) const fn sites_in(mut self, slots: &'static [&'static str]) -> Form {
        self.site_slots = slots;
        self
    }

    /// The form counts sites of any kind.
    pub(crate) const fn counts_sites(mut self) -> Form {
        self.counts_sites = true;
        self
    }

    /// The form tries moves: the state changes and is put back.
    pub(crate) const fn looks_ahead(mut self) -> Form {
        self.looks_ahead = true;
        self
    }

    /// Chance draws its value.
    pub(crate) const fn draws(mut self) -> Form {
        self.draws = true;
        self
    }

    /// It is this iterator.
    pub(crate) const fn iterator(mut self, iterator: Iterators) -> Form {
        self.iterator = iterator;
        self
    }

    /// Its part in ways from site to site.
    pub(crate) const fn way(mut self, way: Way) -> Form {
        self.way = way;
        self
    }

    /// It only asks of which kind a site is.
    pub(crate) const fn asks_for_kind(mut self) -> Form {
        self.asks_for_kind = true;
        self
    }

    /// Its arguments are the constraints of a deduction puzzle.
    pub(crate) const fn constrains(mut self) -> Form {
        self.constrains = true;
        self
    }

    /// A game that uses the form with this label has these parts of the state.
    pub(crate) const fn needs_with(mut self, label: &'static str, parts: Parts) -> Form {
        self.needs_with = (label, parts);
        self
    }

    /// With this label, sites hold piles of pieces.
    pub(crate) const fn counts(self, label: &'static str) -> Form {
        self.needs_with(label, Parts::COUNTS)
    }

    /// The form joins the moves of other forms.
    pub(crate) const fn joins(mut self) -> Form {
        self.joins = true;
        self
    }

    /// How its consequence follows.
    pub(crate) const fn then(mut self, then: ThenOf) -> Form {
        self.then = then;
        self
    }

    /// The form with its own words instead of the enumeration.
    pub(crate) fn plain(&self) -> String {
        let tokens = self.text.split(' ').filter_map(|token| match token.split_once('=') {
            Some((kind, list)) if !kind.is_empty() && kind != "!" && kind != "<" && kind != ">" => {
                let words = list.trim_end_matches(']');
                (words != "-").then(|| words.to_owned())
            }
            _ => Some(token.to_owned()),
        });
        tokens.collect::<Vec<_>>().join(" ")
    }

    /// The form as the table has it, and the words of the enumeration that it is about.
    pub(crate) fn split(&self) -> (String, Vec<&'static str>) {
        let mut words = Vec::new();
        let tokens = self.text.split(' ').map(|token| match token.split_once('=') {
            Some((kind, list)) if !kind.is_empty() && kind != "!" && kind != "<" && kind != ">" => {
                words = list.trim_end_matches(']').split('|').collect();
                format!("{kind}{}", if token.ends_with(']') { "]" } else { "" })
            }
            _ => token.to_owned(),
        });
        (tokens.collect::<Vec<_>>().join(" "), words)
    }
}

/// All forms, in the order of the modules above. The build script finds every module that lists forms.
pub(crate) static FORMS: &[&[Form]] = include!(concat!(env!("OUT_DIR"), "/forms.rs"));

pub(crate) use self::slide_on_loops::add_loops;

/// Every enumeration of the language with its words.
pub(crate) fn words() -> impl Iterator<Item = (&'static str, &'static str)> {
    words::WORDS.iter().copied()
}

#[cfg(test)]
mod tests {
    use super::testing::load;

    fn ask(board: &str, region: &str) -> Result<crate::engine::Lud, String> {
        load(board, "", &format!("(move Select (from {region}))"))
    }

    #[test]
    fn sites_of_another_kind_are_refused_where_a_form_does_not_know_them() {
        let vertices = "(square 3) use:Vertex";
        assert!(ask(vertices, "(sites Empty Vertex)").is_ok());
        assert!(ask(vertices, "(sites Empty Cell)").is_ok());
        assert!(ask(vertices, "(sites Group Cell at:0)").is_ok());
        assert!(ask(vertices, "(sites Distance Edge from:0 (range 1 2))").is_ok());
        assert!(ask(vertices, "(sites LargePiece Cell at:0)").is_err());
        // Hands have cells.
        assert!(ask(vertices, "(if (is Empty Cell (handSite P1)) (sites {0}))").is_ok());
    }

    #[test]
    fn words_that_have_no_meaning_yet_are_not_taken_for_names() {
        assert!(ask("(square 3)", "(sites Mover)").is_ok());
        assert!(ask("(square 3)", "(sites \"B2\")").is_ok());
        assert!(ask("(square 3)", "(sites Winning Mover)").is_err());
    }
}
