//! The surroundings of a ludeme while it is evaluated.

use super::action::{Action, Moves};
use super::equipment::Equipment;
use super::journal;
use super::lots::Lot;
use super::once::Known;
use super::rules::Rules;
use super::sites::{self, Sites};
use super::state::{Cell, OFF, State};
use super::ways::Ways;

/// The values of iterators such as `(from)` and `(to)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Registers {
    /// `(from)`.
    pub(crate) from: i32,
    /// `(to)`.
    pub(crate) to: i32,
    /// `(between)`.
    pub(crate) between: i32,
    /// `(site)`.
    pub(crate) site: i32,
    /// `(player)`.
    pub(crate) player: i32,
    /// `(value)`.
    pub(crate) value: i32,
    /// `(level)`.
    pub(crate) level: i32,
    /// `(pips)`.
    pub(crate) pips: i32,
    /// `(track)`.
    pub(crate) track: i32,
    /// `(edge)`.
    pub(crate) edge: i32,
    /// The team whose players `(team)` lists; the mover's where there is none.
    pub(crate) team: i32,
}

impl Registers {
    /// Nothing set.
    pub(crate) const NONE: Registers = Registers {
        from: OFF,
        to: OFF,
        between: OFF,
        site: OFF,
        player: OFF,
        value: OFF,
        level: OFF,
        pips: OFF,
        track: OFF,
        edge: OFF,
        team: OFF,
    };
}

/// Memory that is used again and again, so that play does not allocate.
#[derive(Debug, Default)]
pub struct Pad {
    sites: Vec<Sites>,
    /// A list of moves has many fields: it goes to and fro as a pointer.
    #[allow(clippy::vec_box)]
    moves: Vec<Box<Moves>>,
    lists: Vec<Vec<i32>>,
    actions: Vec<Vec<Action>>,
    pub(crate) marks: Vec<journal::Mark>,
    /// Sites still to be looked at.
    pub todo: Vec<i32>,
    /// Sites that were found.
    pub list: Vec<i32>,
    pub(crate) lots: Vec<Vec<Lot>>,
    /// How many more moves a turn has after a position, while lengths of turns are measured.
    pub(crate) lengths: rustc_hash::FxHashMap<u64, u32>,
    /// The steps of ways.
    pub(crate) ways: Ways,
    /// A state on which a rule of the start is tried.
    pub(crate) copy: State,
    /// Regions that hold for the state as it is.
    pub(crate) known: Known,
}

/// The question while nodes are evaluated: the legal moves, unless it says otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Asked {
    /// How deep one question such as "can X move?" is inside another.
    pub(crate) depth: u8,
    /// Could an opponent take a piece? Within this question, nothing is threatened.
    pub(crate) threat: bool,
    /// How many moves has a turn? Within this question, all moves count.
    pub(crate) turn_length: bool,
    /// How deep one look ahead is inside another. Chance is not known ahead.
    pub(crate) ahead: u32,
    /// How deep pieces that move as other pieces do are inside one another.
    pub(crate) borrowed: u8,
}

/// A state, the rules that apply to it, and the iterators.
pub(crate) struct Context<'a> {
    /// The equipment.
    pub(crate) equipment: &'a Equipment,
    /// The rules.
    pub(crate) rules: &'a Rules,
    /// The state.
    pub(crate) state: &'a mut State,
    /// The iterators.
    pub(crate) at: Registers,
    /// The question.
    pub(crate) asked: Asked,
    /// Memory for lists and sets of sites.
    pub(crate) pad: &'a mut Pad,
    /// Chance is asked for: dice have to be thrown before moves can be told.
    pub(crate) wants_dice: bool,
    /// The actions so far, where they must be known.
    pub(crate) record: Option<Vec<Action>>,
    /// The sites that `(sites)` stands for.
    pub(crate) region: Option<Sites>,
    /// Where the direction that is gone through leads, in sixteenths of a turn.
    pub(crate) heading: Option<usize>,
    /// Where every piece looks for the moment.
    pub(crate) looks: Option<usize>,
    /// The consequences that follow moves now.
    pub(crate) follow: super::joint::Follow,
    /// The draws of chance that count now.
    pub(crate) draws: super::chance::Draws,
    /// How many numbers of the tape were used for this move.
    pub(crate) drawn: usize,
    /// The draw of chance before the move can be made.
    pub(crate) wants: Option<(i32, i32)>,
    /// The level at which the last `(forEach Level …)` ended, which is `(level)` from then on.
    pub(crate) left_level: Option<i32>,
}

impl Context<'_> {
    /// Is nothing looked at that ends before a move is made: no direction that is gone through, no region?
    #[inline]
    pub(crate) fn is_straight(&self) -> bool {
        self.heading.is_none() && self.looks.is_none() && self.region.is_none()
    }

    /// The piece on a site.
    #[inline]
    pub(crate) fn cell(&self, site: i32) -> Cell {
        self.state.cell(site)
    }

    /// The component on a site; 0 for none, or for a site that is none.
    #[inline]
    pub(crate) fn what(&self, site: i32) -> usize {
        self.state.cell(site).what.into()
    }

    /// The owner of the piece on a site; 0 for no owner.
    #[inline]
    pub(crate) fn who(&self, site: i32) -> usize {
        self.owner(self.what(site))
    }

    /// The owner of a component.
    #[inline]
    pub(crate) fn owner(&self, what: usize) -> usize {
        self.equipment.owners.get(what).map_or(0, |&owner| owner.into())
    }

    /// Is a site of the game, and nothing on it?
    #[inline]
    pub(crate) fn is_empty(&self, site: i32) -> bool {
        sites::contains(self.state.empty(self.rules.layout), site)
    }

    /// Where the piece on a site looks: a sixteenth of a turn each, from the north.
    pub(crate) fn facing(&self, site: i32) -> usize {
        if let Some(looks) = self.looks {
            return looks;
        }
        let cell = self.cell(site);
        let (what, turned) = (usize::from(cell.what), cell.rotation as usize);
        if turned == 0
            && let Some(&Some(looks)) = self.equipment.looks.get(what)
        {
            return looks.into();
        }
        let component = self.equipment.components.get(what);
        if let Some(facing) = component.and_then(|k| k.facing) {
            return (facing + turned * self.equipment.turn) % 16;
        }
        let owner = self.owner(what);
        let owner =
            if owner == 0 || owner > self.equipment.players { self.state.s.mover } else { owner };
        let facing = self.equipment.facing.get(owner).copied().unwrap_or(0);
        (facing + turned * self.equipment.turn) % 16
    }

    /// Are two players on the same side?
    #[inline]
    pub(crate) fn friends(&self, a: usize, b: usize) -> bool {
        a == b
            || self.rules.teams && {
                let layout = self.rules.layout;
                let team = |p: usize| {
                    if p == 0 || p > layout.players {
                        0
                    } else {
                        self.state.numbers[layout.team(p)]
                    }
                };
                team(a) != 0 && team(a) == team(b)
            }
    }

    /// Evaluates once for each team that has players.
    pub(crate) fn each_team(&mut self, mut f: impl FnMut(&mut Self)) {
        let layout = self.rules.layout;
        for team in 1..=layout.players as i32 {
            let member = |player: usize| self.state.numbers[layout.team(player)] == team;
            if (1..=layout.players).any(member) {
                self.with(Registers { team, ..self.at }, &mut f);
            }
        }
    }

    /// Evaluates while something else is asked.
    #[inline]
    pub(crate) fn asking<T>(&mut self, asked: Asked, f: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.asked, asked);
        let result = f(self);
        self.asked = before;
        result
    }

    /// Evaluates with other iterators, which are put back afterwards.
    #[inline]
    pub(crate) fn with<T>(&mut self, at: Registers, f: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.at, at);
        self.keep_level();
        let result = f(self);
        self.at = before;
        self.keep_level();
        result
    }

    /// The level that was left behind stays.
    #[inline]
    fn keep_level(&mut self) {
        if let Some(level) = self.left_level {
            self.at.level = level;
        }
    }

    /// Evaluates for a piece: with its site and level as `(from)`, `(site)` and `(level)`.
    #[inline]
    pub(crate) fn with_piece<T>(
        &mut self,
        site: i32,
        level: i32,
        f: impl FnOnce(&mut Self) -> T,
    ) -> T {
        self.left_level = None;
        let at = &mut self.at;
        let before = (at.from, at.site, at.level);
        (at.from, at.site, at.level) = (site, site, level);
        let result = f(self);
        (self.at.from, self.at.site, self.at.level) = before;
        self.keep_level();
        result
    }

    /// Evaluates with a site as `(site)` and `(to)`.
    #[inline]
    pub(crate) fn with_site<T>(&mut self, site: i32, f: impl FnOnce(&mut Self) -> T) -> T {
        let before = (self.at.site, self.at.to);
        (self.at.site, self.at.to) = (site, site);
        self.keep_level();
        let result = f(self);
        (self.at.site, self.at.to) = before;
        self.keep_level();
        result
    }

    /// An empty set of sites from the pad.
    #[inline]
    pub(crate) fn sites(&mut self) -> Sites {
        match self.pad.sites.pop() {
            // One of a game with another board is of no use here.
            Some(mut set) if set.words().len() == self.rules.layout.words => {
                set.clear();
                set
            }
            _ => Sites::new(self.equipment.sites),
        }
    }

    /// The empty sites of the board, in a set from the pad.
    #[inline]
    pub(crate) fn empty_sites(&mut self) -> Sites {
        let words = self.rules.layout.words;
        let spare = self.pad.sites.pop().filter(|set| set.words().len() == words);
        let mut set = spare.unwrap_or_else(|| Sites::new(self.equipment.sites));
        set.set_both(self.state.empty(self.rules.layout), self.equipment.on_board.words());
        set
    }

    /// Gives a set back.
    #[inline]
    pub(crate) fn free(&mut self, set: Sites) {
        self.pad.sites.push(set);
    }

    /// An empty list of moves from the pad.
    #[inline]
    pub(crate) fn moves(&mut self) -> Box<Moves> {
        let mut moves = self.pad.moves.pop().unwrap_or_default();
        moves.clear();
        moves
    }

    /// Gives a list back.
    #[inline]
    pub(crate) fn free_moves(&mut self, moves: Box<Moves>) {
        self.pad.moves.push(moves);
    }

    /// An empty list of numbers from the pad.
    pub(crate) fn list(&mut self) -> Vec<i32> {
        let mut list = self.pad.lists.pop().unwrap_or_default();
        list.clear();
        list
    }

    /// Gives a list of numbers back.
    pub(crate) fn free_list(&mut self, list: Vec<i32>) {
        self.pad.lists.push(list);
    }

    /// Evaluates `f` and returns the actions that it performs, in a list from the pad.
    pub(crate) fn recorded(&mut self, f: impl FnOnce(&mut Self)) -> Vec<Action> {
        let fresh = self.actions();
        let outer = self.record.replace(fresh);
        f(self);
        std::mem::replace(&mut self.record, outer).unwrap_or_default()
    }

    /// An empty list of actions from the pad.
    pub(crate) fn actions(&mut self) -> Vec<Action> {
        let mut actions = self.pad.actions.pop().unwrap_or_default();
        actions.clear();
        actions
    }

    /// Gives a list of actions back.
    pub(crate) fn free_actions(&mut self, actions: Vec<Action>) {
        self.pad.actions.push(actions);
    }

    /// Evaluates while `(sites)` stands for some sites.
    pub(crate) fn with_region<T>(&mut self, region: &Sites, f: impl FnOnce(&mut Self) -> T) -> T {
        let mut copy = self.sites();
        copy.add(region.words());
        let before = self.region.replace(copy);
        let result = f(self);
        if let Some(copy) = std::mem::replace(&mut self.region, before) {
            self.free(copy);
        }
        result
    }

    /// Looks at a condition on what comes after a move. A turn that goes on
    /// counts as over there (decided by Shantarad, ply 35).
    pub(crate) fn afterwards(&mut self, condition: &super::condition::Bool) -> bool {
        let (mover, next) = (self.state.s.mover, self.state.s.next);
        if next == mover {
            self.state.s.next = mover % self.equipment.players.max(1) + 1;
        }
        let result = condition.holds(self);
        self.state.s.next = next;
        result
    }

    /// Evaluates on the state as it will be after a change, and takes the change back.
    pub(crate) fn ahead<T>(
        &mut self,
        change: impl FnOnce(&mut Context<'_>),
        look: impl FnOnce(&mut Context<'_>) -> T,
    ) -> T {
        let at = self.at;
        let asked = Asked { ahead: self.asked.ahead + 1, ..self.asked };
        journal::begin(self);
        let result = self.asking(asked, |c| {
            change(c);
            look(c)
        });
        journal::roll_back(self);
        self.at = at;
        result
    }
}
