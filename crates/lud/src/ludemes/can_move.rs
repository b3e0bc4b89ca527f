//! `(can Move …)`: is one of some moves legal?

use super::prelude::*;
use crate::engine::{lots, questions};

pub(super) const FORMS: &[Form] = &[condition(
    "can Move moves",
    "One of the moves is legal.",
    "(if (can Move (forEach Piece)) (moveAgain))",
    |args| Ok(Bool::of(CanMove { moves: args.moves("moves")? })),
)
.looks_ahead()];

node! {
    /// The moves that are asked about are not empty.
    struct CanMove = "can Move" { moves: Generator }
}

impl Condition for CanMove {
    fn holds(&self, c: &mut Context<'_>) -> bool {
        let mut out = c.moves();
        // Where the positions of a turn count, a move must not lead back to one of them.
        let repeat = c.rules.no_repeat.is_some_and(|repeat| repeat.in_turn());
        (out.enough, out.lazy) = (u32::from(!repeat), repeat || !c.rules.checks.is_empty());
        self.moves.generate(c, &mut out);
        out.lazy = false;
        let fits = if repeat { questions::holds } else { questions::checked };
        let some = lots::any(c, &mut out, fits);
        c.free_moves(out);
        some
    }
}

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::holds;

    #[test]
    fn some_move_can_be_made() {
        let can = "(can Move (move Step (from 0) (to if:(is Empty (to)))))";
        assert!(holds("(place \"Disc1\" 0)", can));
        assert!(!holds("(place \"Disc1\" {0 1 3 4})", can));
    }
}
