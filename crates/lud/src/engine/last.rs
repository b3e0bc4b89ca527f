//! The last move, and who may read it.
//!
//! The hash of a state leaves the last move out unless the rules read it, so that positions reached in several
//! ways stay equal. A read needs a [`Last`], which is a field of the node that reads: so the program knows that it reads
//! the last move.

use super::node::{Field, Parts};
use super::state::OFF;

/// The permission to read the last move.
#[derive(Clone, Copy, Debug)]
pub struct Last(());

/// The last move that had a place on the board, or the last pass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct LastMove {
    from: i32,
    to: i32,
    after: i32,
    levels: (i16, i16),
}

impl LastMove {
    /// Before the first move.
    pub(crate) const NONE: LastMove = LastMove { from: OFF, to: OFF, after: 0, levels: (0, 0) };

    /// Where it began.
    #[inline]
    pub fn from(self, _: Last) -> i32 {
        self.from
    }

    /// Where it ended.
    #[inline]
    pub fn to(self, _: Last) -> i32 {
        self.to
    }

    /// Where it ended with its consequences.
    #[inline]
    pub fn after(self, _: Last) -> i32 {
        self.after
    }

    /// The level on which it began, and the level on which it ended.
    #[inline]
    pub fn levels(self, _: Last) -> (i16, i16) {
        self.levels
    }

    /// A new last move.
    #[inline]
    pub(crate) fn set(&mut self, from: i32, to: i32, levels: (i16, i16)) {
        *self = LastMove { from, to, after: to, levels };
    }

    /// A consequence ended somewhere else.
    #[inline]
    pub(crate) fn set_after(&mut self, to: i32) {
        self.after = to;
    }

    /// All fields with their names, for the notation of positions: `f` may change them.
    pub(crate) fn fields(&mut self, f: &mut dyn FnMut(&str, &mut i64)) {
        let mut field = |name, value: i64| {
            let mut value = value;
            f(name, &mut value);
            value
        };
        self.from = field("from", self.from.into()).try_into().unwrap_or(OFF);
        self.to = field("to", self.to.into()).try_into().unwrap_or(OFF);
        self.after = field("after", self.after.into()).try_into().unwrap_or(OFF);
        self.levels.0 = field("fromlevel", self.levels.0.into()).try_into().unwrap_or(0);
        self.levels.1 = field("tolevel", self.levels.1.into()).try_into().unwrap_or(0);
    }
}

impl Last {
    /// See [`Lower::last`](super::lower::Lower::last).
    pub(crate) fn new() -> Last {
        Last(())
    }
}

impl Field for Last {
    fn show(&self, out: &mut String) {
        out.push_str("(last)");
    }

    fn reads(&self) -> Parts {
        Parts::LAST
    }

    fn is_absent(&self) -> bool {
        true
    }
}
