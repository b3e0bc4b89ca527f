//! The nodes of a lowered program.
//!
//! A description is lowered to a tree of nodes: numbers, conditions, regions, lists, directions, players and moves. A node
//! can be evaluated, walked, printed, and asked which parts of the state it reads and writes. The hash of a state and the
//! bookkeeping of play follow from those answers, so a ludeme cannot be forgotten there.

use super::sites::Sites;

/// Parts of the state, as bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Parts(u64);

macro_rules! parts {
    ($($(#[$meta:meta])* $name:ident $text:literal)*) => {
        parts!(@bits 0u64; $($(#[$meta])* $name)*);
        impl Parts {
            /// Every part with its name.
            pub(crate) const NAMES: &'static [(Parts, &'static str)] = &[$((Parts::$name, $text)),*];
        }
    };
    (@bits $bit:expr;) => {};
    (@bits $bit:expr; $(#[$meta:meta])* $name:ident $($rest:tt)*) => {
        impl Parts {
            $(#[$meta])*
            pub(crate) const $name: Parts = Parts(1 << $bit);
        }
        parts!(@bits $bit + 1; $($rest)*);
    };
}

parts! {
    /// The pieces on the sites, and their owners.
    CELLS "pieces"
    /// The pieces under the top of a stack.
    STACKS "stacks"
    /// How many pieces a site holds.
    COUNTS "counts"
    /// Local states of pieces.
    STATES "states"
    /// Values of pieces.
    VALUES "values"
    /// The rotations of pieces.
    ROTATIONS "rotations"
    /// The player to move, the one before and the next one.
    TURN "turn"
    /// The player who had the turn before this one.
    BEFORE "turn before"
    /// The last move.
    LAST "last move"
    /// The counter that rules may set.
    COUNTER "counter"
    /// The number of moves and turns so far.
    CLOCK "clock"
    /// How many players passed in a row.
    PASSES "passes"
    /// The sites that the piece of this turn has visited.
    VISITED "visited"
    /// Sites and values that wait for the next move.
    PENDING "pending"
    /// Pieces that leave at the end of the turn.
    CLEARING "to clear"
    /// Scores, values, amounts of players and the pot.
    SCORES "scores"
    /// The variables of the rules.
    VARS "variables"
    /// The teams of the players.
    TEAMS "teams"
    /// The sites that are hidden from each player.
    HIDDEN "hidden"
    /// Remembered values.
    MEMORY "memory"
    /// Earlier positions, as a set.
    HISTORY "history"
    /// Earlier positions, in order.
    TRAIL "trail"
    /// The position that rules keep in mind.
    STORED "stored position"
    /// The sites at which actions of the last move began and ended.
    TOUCHED "touched"
    /// The pieces that the last move went over.
    CROSSED "crossed"
    /// The values of the dice.
    DICE "dice"
    /// Numbers that chance draws while a move is made.
    DRAWS "draws"
    /// The players who had no move when last asked, and the players who are still in the game.
    PLAYERS "players"
    /// Proposals, votes and triggered events.
    BALLOTS "ballots"
    /// The order in which groups of pieces came, see `State::order`.
    ORDER "order"
    /// Where pieces are on tracks.
    TRACKS "tracks"
    /// Seeds that are sown.
    SOWING "sowing"
    /// The lists of the sites of pieces, see `State::relisted`.
    LISTS "lists of pieces"
    /// The pieces at the start, by site.
    START "start"
}

impl Parts {
    /// No part.
    pub(crate) const NONE: Parts = Parts(0);

    /// Is one of these parts among them?
    pub(crate) fn has(self, some: Parts) -> bool {
        self.0 & some.0 != 0
    }

    /// Are all of these among some?
    pub(crate) fn within(self, some: Parts) -> bool {
        self.0 & !some.0 == 0
    }

    /// The union of two sets of parts.
    pub(crate) const fn and(self, other: Parts) -> Parts {
        Parts(self.0 | other.0)
    }
}

impl std::ops::BitOr for Parts {
    type Output = Parts;

    fn bitor(self, other: Parts) -> Parts {
        self.and(other)
    }
}

impl std::ops::BitOrAssign for Parts {
    fn bitor_assign(&mut self, other: Parts) {
        *self = self.and(other);
    }
}

impl std::fmt::Display for Parts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names = Parts::NAMES.iter().filter(|(part, _)| self.has(*part)).map(|(_, name)| *name);
        f.write_str(&names.collect::<Vec<_>>().join(", "))
    }
}

/// The iterators that a value depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Iterators(u8);

impl Iterators {
    /// No iterator, and nothing else but parts of the state and where pieces look.
    pub(crate) const NONE: Iterators = Iterators(0);
    /// `(from)`.
    pub(crate) const FROM: Iterators = Iterators(1);
    /// `(to)`.
    pub(crate) const TO: Iterators = Iterators(2);
    /// `(between)`.
    pub(crate) const BETWEEN: Iterators = Iterators(4);
    /// `(site)`.
    pub(crate) const SITE: Iterators = Iterators(8);
    /// Any iterators, or more: they are not told.
    pub(crate) const ALL: Iterators = Iterators(u8::MAX);

    /// These without others, which have values of their own inside.
    pub(crate) fn without(self, bound: Iterators) -> Iterators {
        if self == Iterators::ALL { self } else { Iterators(self.0 & !bound.0) }
    }
}

impl std::ops::BitOr for Iterators {
    type Output = Iterators;

    fn bitor(self, other: Iterators) -> Iterators {
        Iterators(self.0 | other.0)
    }
}

/// A node of a program.
pub(crate) trait Node: Send + Sync {
    /// The ludeme that it comes from, as the language writes it.
    fn name(&self) -> &'static str;

    /// The parts of the state that it looks at itself, apart from its fields.
    fn reads(&self) -> Parts {
        Parts::NONE
    }

    /// The parts of the state that its effects change, apart from its fields.
    fn writes(&self) -> Parts {
        Parts::NONE
    }

    /// The iterators that it looks at itself, apart from its fields. A node says so where it looks at nothing but these, its
    /// fields, the parts of the state that it reads, and where pieces look.
    fn iterators(&self) -> Iterators {
        Iterators::ALL
    }

    /// Does it ask whether a site is empty?
    fn asks_for_empty(&self) -> bool {
        false
    }

    /// Goes over its fields, each with its name.
    fn fields(&self, visit: &mut dyn FnMut(&'static str, &dyn Field));
}

/// A field of a node: a value, or other nodes.
pub(crate) trait Field {
    /// The field as text.
    fn show(&self, out: &mut String);

    /// Goes over the nodes in it.
    fn nodes(&self, _visit: &mut dyn FnMut(&dyn Node)) {}

    /// The parts of the state that it reads without a node of its own.
    fn reads(&self) -> Parts {
        Parts::NONE
    }

    /// The iterators that it depends on.
    fn iterators(&self) -> Iterators {
        Iterators::ALL
    }

    /// Is there nothing to show?
    fn is_absent(&self) -> bool {
        false
    }
}

/// The iterators that a node and all nodes below it depend on.
pub(crate) fn iterators(node: &(impl Node + ?Sized)) -> Iterators {
    let mut all = node.iterators();
    node.fields(&mut |_, field| all = all | field.iterators());
    all
}

/// Goes over a node and all nodes below it, parents first.
pub(crate) fn walk(node: &dyn Node, visit: &mut dyn FnMut(&dyn Node)) {
    visit(node);
    node.fields(&mut |_, field| field.nodes(&mut |inner| walk(inner, visit)));
}

/// The parts of the state that a node and all nodes below it read, and those that they write.
pub(crate) fn touched(node: &dyn Node) -> (Parts, Parts) {
    let (mut reads, mut writes) = (Parts::NONE, Parts::NONE);
    walk(node, &mut |node| {
        reads |= node.reads();
        writes |= node.writes();
        node.fields(&mut |_, field| reads |= field.reads());
    });
    (reads, writes)
}

/// The parts of the state that the nodes of a field read, and those that they write.
pub(crate) fn touched_by(field: &dyn Field) -> (Parts, Parts) {
    let (mut reads, mut writes) = (field.reads(), Parts::NONE);
    field.nodes(&mut |node| {
        let (more, changed) = touched(node);
        reads |= more;
        writes |= changed;
    });
    (reads, writes)
}

/// Appends a node as text: its name, and its fields with their names.
pub(crate) fn show(node: &dyn Node, out: &mut String) {
    out.push('(');
    // Spaces of a name do not break lines, see `Lud::code`.
    out.extend(node.name().chars().map(|letter| if letter == ' ' { '\u{a0}' } else { letter }));
    node.fields(&mut |name, field| {
        if !field.is_absent() {
            out.push(' ');
            out.push_str(name);
            out.push(':');
            field.show(out);
        }
    });
    out.push(')');
}

macro_rules! shown {
    ($($type:ty),*) => {$(
        impl Field for $type {
            fn show(&self, out: &mut String) {
                out.push_str(&self.to_string());
            }

            fn iterators(&self) -> Iterators {
                Iterators::NONE
            }
        }
    )*};
}

shown!(i32, u16, u32, usize);

impl Field for bool {
    fn show(&self, out: &mut String) {
        out.push_str(if *self { "True" } else { "False" });
    }

    fn iterators(&self) -> Iterators {
        Iterators::NONE
    }

    fn is_absent(&self) -> bool {
        !self
    }
}

impl Field for Sites {
    fn show(&self, out: &mut String) {
        let sites: Vec<String> =
            self.iter().take(MOST_SHOWN).map(|site| site.to_string()).collect();
        out.push('{');
        out.push_str(&sites.join(" "));
        out.push_str(if self.len() > MOST_SHOWN { " …}" } else { "}" });
    }

    fn iterators(&self) -> Iterators {
        Iterators::NONE
    }
}

/// No more elements of a list are shown.
const MOST_SHOWN: usize = 12;

impl<T: Field> Field for Option<T> {
    fn show(&self, out: &mut String) {
        self.iter().for_each(|field| field.show(out));
    }

    fn nodes(&self, visit: &mut dyn FnMut(&dyn Node)) {
        self.iter().for_each(|field| field.nodes(visit));
    }

    fn reads(&self) -> Parts {
        self.as_ref().map_or(Parts::NONE, Field::reads)
    }

    fn iterators(&self) -> Iterators {
        self.as_ref().map_or(Iterators::NONE, Field::iterators)
    }

    fn is_absent(&self) -> bool {
        self.as_ref().is_none_or(Field::is_absent)
    }
}

impl<T: Field> Field for Vec<T> {
    fn show(&self, out: &mut String) {
        out.push('{');
        for (number, field) in self.iter().take(MOST_SHOWN).enumerate() {
            out.push_str(if number == 0 { "" } else { " " });
            field.show(out);
        }
        out.push_str(if self.len() > MOST_SHOWN { " …}" } else { "}" });
    }

    fn nodes(&self, visit: &mut dyn FnMut(&dyn Node)) {
        self.iter().for_each(|field| field.nodes(visit));
    }

    fn reads(&self) -> Parts {
        self.iter().fold(Parts::NONE, |parts, field| parts | field.reads())
    }

    fn iterators(&self) -> Iterators {
        self.iter().fold(Iterators::NONE, |all, field| all | field.iterators())
    }

    fn is_absent(&self) -> bool {
        self.is_empty()
    }
}

macro_rules! pointer {
    ($($type:ident),*) => {$(
        impl<T: Field + ?Sized> Field for $type<T> {
            fn show(&self, out: &mut String) {
                (**self).show(out);
            }

            fn nodes(&self, visit: &mut dyn FnMut(&dyn Node)) {
                (**self).nodes(visit);
            }

            fn reads(&self) -> Parts {
                (**self).reads()
            }

            fn iterators(&self) -> Iterators {
                (**self).iterators()
            }

            fn is_absent(&self) -> bool {
                (**self).is_absent()
            }
        }
    )*};
}

use std::sync::Arc;
pointer!(Box, Arc);

macro_rules! tuple {
    ($($type:ident $number:tt),*) => {
        impl<$($type: Field),*> Field for ($($type,)*) {
            fn show(&self, out: &mut String) {
                out.push('[');
                $(
                    out.push_str(if $number == 0 { "" } else { " " });
                    self.$number.show(out);
                )*
                out.push(']');
            }

            fn nodes(&self, visit: &mut dyn FnMut(&dyn Node)) {
                $(self.$number.nodes(visit);)*
            }

            fn reads(&self) -> Parts {
                Parts::NONE $(| self.$number.reads())*
            }

            fn iterators(&self) -> Iterators {
                Iterators::NONE $(| self.$number.iterators())*
            }
        }
    };
}

tuple!(A 0, B 1);
tuple!(A 0, B 1, C 2);

/// Something worked out when the rules were lowered, which no walk needs to look into.
pub(crate) struct Table<T>(pub(crate) T);

impl<T> std::ops::Deref for Table<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> Field for Table<T> {
    fn show(&self, out: &mut String) {
        out.push('…');
    }

    fn iterators(&self) -> Iterators {
        Iterators::NONE
    }

    fn is_absent(&self) -> bool {
        true
    }
}

/// Declares the struct of a node: its name in the language, the iterators that it looks at itself, where it tells, what it reads and
/// writes, and its fields.
macro_rules! node {
    (
        $(#[$meta:meta])*
        $vis:vis struct $name:ident = $text:literal
        $(, iterators $($iterator:ident)|+)? $(, reads $($reads:ident)|+)? $(, writes $($writes:ident)|+)?
        { $($(#[$about:meta])* $fvis:vis $field:ident: $type:ty),* $(,)? }
    ) => {
        $(#[$meta])*
        $vis struct $name { $($(#[$about])* $fvis $field: $type),* }

        impl $crate::engine::node::Node for $name {
            fn name(&self) -> &'static str {
                $text
            }

            $(fn iterators(&self) -> $crate::engine::node::Iterators {
                $crate::engine::node::Iterators::NONE $(| $crate::engine::node::Iterators::$iterator)+
            })?

            $(fn reads(&self) -> $crate::engine::node::Parts {
                $crate::engine::node::Parts::NONE $(.and($crate::engine::node::Parts::$reads))+
            })?

            $(fn writes(&self) -> $crate::engine::node::Parts {
                $crate::engine::node::Parts::NONE $(.and($crate::engine::node::Parts::$writes))+
            })?

            fn fields(
                &self,
                _visit: &mut dyn FnMut(&'static str, &dyn $crate::engine::node::Field),
            ) {
                $(_visit(stringify!($field), &self.$field);)*
            }
        }
    };
}

/// Lets a node be a field of another one without a box.
macro_rules! inner {
    ($type:ty) => {
        impl $crate::engine::node::Field for $type {
            fn show(&self, out: &mut String) {
                $crate::engine::node::show(self, out);
            }

            fn nodes(&self, visit: &mut dyn FnMut(&dyn $crate::engine::node::Node)) {
                visit(self);
            }

            fn iterators(&self) -> $crate::engine::node::Iterators {
                $crate::engine::node::iterators(self)
            }
        }
    };
}

pub(crate) use {inner, node};
