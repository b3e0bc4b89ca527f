//! Moves, and the changes of the state that they are made of.

use super::context::Context;
use super::state::OFF;

/// A change of the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// A new piece.
    Add {
        /// Where.
        to: i32,
        /// Which.
        what: i32,
        /// How many.
        count: i32,
    },
    /// A piece goes elsewhere.
    Move {
        /// From here.
        from: i32,
        /// To there.
        to: i32,
    },
    /// A piece leaves the game.
    Remove(i32),
    /// A piece becomes another.
    Promote {
        /// Where.
        at: i32,
        /// What it becomes.
        what: i32,
    },
    /// Two pieces change places.
    Swap(i32, i32),
    /// Nothing happens.
    Pass,
    /// A site is pointed at.
    Select,
    /// Who moves next.
    Next(usize),
    /// A variable.
    Var(usize, i32),
    /// A player's score.
    Score(usize, i32),
    /// A player's value.
    PlayerValue(usize, i32),
    /// The counter.
    Counter(i32),
    /// A local state.
    Local(i32, i32),
    /// A piece's value.
    Value(i32, i32),
    /// A site's count.
    Count(i32, i32),
    /// Something waits.
    Pending(i32),
    /// A piece leaves at the end of the turn.
    Clear(i32),
    /// The two players change sides.
    SwapPlayers,
}

/// A move: what it does, and what follows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// Who makes it.
    pub mover: usize,
    /// Where it begins.
    pub from: i32,
    /// Where it ends.
    pub to: i32,
    /// What it does.
    pub actions: Vec<Action>,
    /// The consequences, by number, in order.
    pub then: Vec<u32>,
}

impl Move {
    pub(super) fn new(c: &Context<'_>, from: i32, to: i32, action: Action) -> Move {
        Move { mover: c.state.mover, from, to, actions: vec![action], then: Vec::new() }
    }

    /// The pass.
    pub fn pass(mover: usize) -> Move {
        Move { mover, from: OFF, to: OFF, actions: vec![Action::Pass], then: Vec::new() }
    }

    /// Is it the pass?
    pub fn is_pass(&self) -> bool {
        self.actions.contains(&Action::Pass)
    }
}
