//! Moves, and the changes of the state that they are made of.

use super::lots::Lot;
use super::state::OFF;

/// A change of the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// New pieces.
    Add {
        /// The site.
        to: i32,
        /// Which.
        what: u16,
        /// How many.
        count: u16,
        /// The local state of the pieces, if any.
        state: i16,
        /// Does the piece go on top of the pieces that are there?
        stack: bool,
    },
    /// A piece goes elsewhere; from the top where no level is given.
    Move {
        /// From here.
        from: i32,
        /// From this level, -1 being the top.
        level: i16,
        /// To there.
        to: i32,
        /// Under so many levels counted from below; -1 is on top.
        onto: i16,
    },
    /// A whole stack goes elsewhere, or what lies on a level and above.
    MoveStack {
        /// From here.
        from: i32,
        /// From this level on.
        level: i16,
        /// To there.
        to: i32,
    },
    /// Some pieces of a pile go elsewhere.
    MoveCount {
        /// From here.
        from: i32,
        /// To there.
        to: i32,
        /// The number of pieces.
        count: u16,
    },
    /// Seeds are sown.
    Sow {
        /// From here.
        from: i32,
        /// To there.
        to: i32,
        /// The number of pieces.
        count: u16,
    },
    /// A piece of the same kind comes to be elsewhere.
    Copy {
        /// Like the one here.
        from: i32,
        /// The site.
        to: i32,
    },
    /// A piece leaves the game; the top where the level is -1.
    Remove {
        /// The site.
        at: i32,
        /// The level of the stack.
        level: i16,
        /// The number of pieces of a pile; all if it is not one.
        count: u16,
    },
    /// A piece becomes another.
    Promote {
        /// The site.
        at: i32,
        /// The kind that it becomes.
        what: u16,
    },
    /// A piece is put into a stack.
    Insert {
        /// The site.
        to: i32,
        /// The level of the stack.
        level: i16,
        /// The kind of piece.
        what: u16,
    },
    /// Two pieces change places.
    Swap(i32, i32),
    /// Nothing happens.
    Pass,
    /// A site is pointed at.
    Select,
    /// The player who moves next.
    Next(u16),
    /// A number of the state.
    Number(u16, i32),
    /// Adds to a number of the state.
    More(u16, i32),
    /// The counter.
    Counter(i32),
    /// The number that rules keep for a while.
    Temp(i32),
    /// A local state.
    State {
        /// The site.
        at: i32,
        /// The level of the stack; -1 is the top.
        level: i16,
        /// The new one.
        value: i16,
    },
    /// A piece's value.
    Value {
        /// The site.
        at: i32,
        /// The level of the stack; -1 is the top.
        level: i16,
        /// The new one.
        value: i16,
    },
    /// A piece's rotation.
    Rotation(i32, i16),
    /// A site's count, and of what.
    Count {
        /// The site.
        at: i32,
        /// The number of pieces.
        count: u16,
        /// The kind of the pieces; 0 leaves it as it is.
        what: u16,
    },
    /// Something waits.
    Pending(i32),
    /// A piece leaves at the end of the turn.
    Clear(i32),
    /// The two players change sides.
    SwapPlayers(u16, u16),
    /// A value is remembered, under a name's number; only once if the flag says so.
    Remember(u16, i32, bool),
    /// A value is forgotten.
    Forget(u16, i32),
    /// All of a name's values are forgotten; all names' where it is the largest number.
    ForgetAll(u16),
    /// The position is kept in mind.
    Store,
    /// A die is used.
    UseDie(u16),
    /// A die shows something.
    Die {
        /// The site of the die.
        site: i32,
        /// The number of the die.
        die: u16,
        /// The face's number.
        face: u16,
    },
    /// Do all dice show the same?
    DiceEqual(bool),
    /// Something is triggered for a player.
    Trigger(u16),
    /// Something is proposed.
    Propose(u16),
    /// A player votes.
    Vote(u16, u16),
    /// The pot.
    Pot(i32),
    /// A site is hidden from a player, or shown.
    Hide {
        /// Which.
        at: i32,
        /// From whom.
        player: u16,
        /// Is the site hidden from now on?
        hidden: bool,
        /// Is the whole site hidden, or only a part of the piece on it?
        whole: bool,
    },
}

impl Action {
    /// Where it begins, and where it ends, if anywhere.
    pub fn sites(self) -> (Option<i32>, Option<i32>) {
        match self {
            Action::Move { from, to, .. }
            | Action::MoveStack { from, to, .. }
            | Action::MoveCount { from, to, .. }
            | Action::Sow { from, to, .. }
            | Action::Copy { from, to }
            | Action::Swap(from, to) => (Some(from), Some(to)),
            Action::Add { to, .. } | Action::Insert { to, .. } => (Some(to), Some(to)),
            Action::Remove { at, .. }
            | Action::Promote { at, .. }
            | Action::State { at, .. }
            | Action::Value { at, .. }
            | Action::Count { at, .. }
            | Action::Rotation(at, _)
            | Action::Clear(at) => (Some(at), Some(at)),
            _ => (None, None),
        }
    }
}

/// No consequence.
pub(crate) const NONE: u32 = u32::MAX;

/// A move: what it does, and what follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// The player who makes it.
    pub mover: u16,
    /// Where it begins.
    pub from: i32,
    /// Where it ends.
    pub to: i32,
    /// The level where it begins; -1 if it has none.
    pub level: i16,
    /// The kind of the move.
    pub kind: Kind,
    /// A number that tells it from others of its kind: a piece, a vote.
    pub extra: u16,
    /// The first action of the move.
    pub first: u32,
    /// … to here.
    pub end: u32,
    /// The last of its consequences in [`Moves::chain`].
    pub then: u32,
    /// The last of the conditions in [`Moves::conditions`] that are still to be looked at.
    pub check: u32,
}

/// The kinds of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Kind {
    /// Something that follows, not chosen.
    Effect,
    /// The end of sowing.
    Sown,
    /// A piece goes.
    Go,
    /// A piece comes.
    Add,
    /// A piece leaves.
    Remove,
    /// A piece changes.
    Promote,
    /// A site is pointed at.
    Select,
    /// The player passes.
    Pass,
    /// The players change sides.
    Swap,
    /// A number is set on a site.
    Set,
    /// Something is proposed.
    Propose,
    /// A vote.
    Vote,
    /// A bet.
    Bet,
    /// Two pieces change places.
    Exchange,
    /// The next game of a match begins.
    NextGame,
}

/// A condition on what comes after a move.
#[derive(Clone, Copy, Debug)]
pub struct Condition {
    /// By its number in [`Rules::checks`](super::Rules).
    pub number: u32,
    /// The consequences that the move has before it is looked at.
    pub then: u32,
    /// The one to be looked at before, if any.
    pub before: u32,
}

/// A list of moves.
#[derive(Clone, Debug)]
pub struct Moves {
    /// The moves.
    pub heads: Vec<Head>,
    /// The actions of all moves.
    pub actions: Vec<Action>,
    /// Consequences: a number of `Rules::thens` and the one before.
    pub chain: Vec<(u32, u32)>,
    /// Conditions that were put off, see `Condition`.
    pub conditions: Vec<Condition>,
    /// The number that is enough; 0 stands for all.
    pub enough: u32,
    /// One of the moves is all that is wanted: conditions on what comes after may be looked at
    /// later, and moves need not be listed.
    pub lazy: bool,
    /// Only moves that capture on this site are wanted; a negative number asks for all moves.
    pub target: i32,
    /// Moves that are not listed.
    pub lots: Vec<Lot>,
}

impl Default for Moves {
    fn default() -> Moves {
        Moves {
            heads: Vec::new(),
            actions: Vec::new(),
            chain: Vec::new(),
            conditions: Vec::new(),
            enough: 0,
            lazy: false,
            target: OFF,
            lots: Vec::new(),
        }
    }
}

impl Moves {
    /// Takes all out.
    #[inline]
    pub fn clear(&mut self) {
        self.heads.clear();
        self.actions.clear();
        self.chain.clear();
        self.conditions.clear();
        self.enough = 0;
        self.lazy = false;
        self.target = OFF;
        self.lots.clear();
    }

    /// How many there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.heads.len()
    }

    /// Is there none?
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// Are there enough?
    #[inline]
    pub fn full(&self) -> bool {
        self.enough > 0 && self.heads.len() >= self.enough as usize
    }

    /// The actions of a move.
    #[inline]
    pub fn actions(&self, head: Head) -> &[Action] {
        self.actions.get(head.first as usize..head.end as usize).unwrap_or(&[])
    }

    /// A move of all actions since `first`.
    #[inline]
    pub fn close(
        &mut self,
        first: usize,
        mover: usize,
        kind: Kind,
        from: i32,
        to: i32,
    ) -> &mut Head {
        let at = self.heads.len();
        self.heads.push(Head {
            mover: mover as u16,
            from,
            to,
            level: -1,
            kind,
            extra: 0,
            first: first as u32,
            end: self.actions.len() as u32,
            then: NONE,
            check: NONE,
        });
        &mut self.heads[at]
    }

    /// A move of one action.
    #[inline]
    pub fn push(
        &mut self,
        mover: usize,
        kind: Kind,
        from: i32,
        to: i32,
        action: Action,
    ) -> &mut Head {
        let first = self.actions.len();
        self.actions.push(action);
        self.close(first, mover, kind, from, to)
    }

    /// Something that follows.
    #[inline]
    pub fn effect(&mut self, action: Action) {
        self.push(0, Kind::Effect, OFF, OFF, action);
    }

    /// A pass.
    pub fn pass(&mut self, mover: usize) {
        self.push(mover, Kind::Pass, OFF, OFF, Action::Pass);
    }

    /// Gives the moves from `first` on a consequence more.
    pub fn follow(&mut self, first: usize, then: u32, shared: bool) {
        let mut last = (NONE, NONE);
        for head in &mut self.heads[first..] {
            if last.1 == NONE || last.0 != head.then {
                self.chain.push((then, head.then));
                last = (head.then, self.chain.len() as u32 - 1);
            }
            head.then = last.1;
        }
        for k in first + 1..if shared { self.heads.len() } else { 0 } {
            if self.repeats(k) {
                self.chain.push((then, self.heads[k].then));
                let twice = self.chain.len() as u32 - 1;
                (self.heads[k - 1].then, self.heads[k].then) = (twice, twice);
            }
        }
    }

    /// Is a move of this list the one before it, listed once more?
    pub(crate) fn repeats(&self, k: usize) -> bool {
        k > 0 && {
            let (before, this) = (self.heads[k - 1], self.heads[k]);
            before.first == this.first && this.end > this.first
        }
    }

    /// Gives the moves and lots from these on a condition more.
    pub(crate) fn check(&mut self, first: usize, first_lot: usize, number: u32) {
        let conditions = &mut self.conditions;
        let mut add = |then: u32, check: &mut u32| {
            let same = conditions
                .last()
                .filter(|last| (last.number, last.then, last.before) == (number, then, *check));
            if same.is_none() {
                conditions.push(Condition { number, then, before: *check });
            }
            *check = conditions.len() as u32 - 1;
        };
        self.heads[first..].iter_mut().for_each(|head| add(head.then, &mut head.check));
        self.lots[first_lot..].iter_mut().for_each(|lot| add(lot.then, &mut lot.check));
    }

    /// Gives the lots from `first` on a consequence more.
    pub(crate) fn follow_lots(&mut self, first: usize, then: u32) {
        for lot in &mut self.lots[first..] {
            self.chain.push((then, lot.then));
            lot.then = self.chain.len() as u32 - 1;
        }
    }

    /// Appends a move of another list.
    pub fn take(&mut self, other: &Moves, head: Head) {
        let first = self.actions.len();
        self.actions.extend_from_slice(other.actions(head));
        let then = self.chained(other, head.then);
        self.heads.push(Head { first: first as u32, end: self.actions.len() as u32, then, ..head });
    }

    /// Appends a chain of consequences of another list.
    pub fn chained(&mut self, other: &Moves, then: u32) -> u32 {
        self.chained_to(NONE, other, then)
    }

    /// Appends a chain of consequences of another list to one of this.
    pub fn chained_to(&mut self, first: u32, other: &Moves, then: u32) -> u32 {
        match other.chain.get(then as usize) {
            None => first,
            Some(&(number, before)) => {
                let before = self.chained_to(first, other, before);
                self.chain.push((number, before));
                self.chain.len() as u32 - 1
            }
        }
    }

    /// The consequences of a move, in order.
    pub fn thens(&self, head: Head, f: &mut impl FnMut(u32)) {
        self.walk(head.then, f);
    }

    fn walk(&self, then: u32, f: &mut impl FnMut(u32)) {
        if let Some(&(number, before)) = self.chain.get(then as usize) {
            self.walk(before, f);
            f(number);
        }
    }
}
