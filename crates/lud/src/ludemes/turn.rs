//! `(mover)`, `(next)`, `(prev)`: whose turn it is, was, and will be.

use super::prelude::*;

pub(super) const FORMS: &[Form] = &[
    number("mover", "The player who moves.", "(= (mover) P1)", |_| Ok(Int::Mover)),
    number("next", "The player who moves next.", "(= (next) P1)", |_| Ok(Int::Next)),
    number(
        "prev [prevType]",
        "The player who moved before, or who had the turn before this one.",
        "(= (prev) (mover))",
        |args| {
            Ok(match args.word("prevType") {
                Some("MoverLastTurn") => Int::of(MoverLastTurn {}),
                _ => prev(),
            })
        },
    ),
];

/// The player who moved before.
pub(crate) fn prev() -> Int {
    Int::of(Prev {})
}

node! {
    /// The player who moved before.
    struct Prev = "prev", reads TURN {}
}

impl Number for Prev {
    fn get(&self, c: &mut Context<'_>) -> i32 {
        c.state.s.prev as i32
    }
}

node! {
    /// The player who had the turn before this one.
    struct MoverLastTurn = "prev MoverLastTurn", reads BEFORE {}
}

impl Number for MoverLastTurn {
    fn get(&self, c: &mut Context<'_>) -> i32 {
        c.state.s.before as i32
    }
}

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::number;

    #[test]
    fn players_have_numbers_by_the_turn() {
        assert_eq!((number("", "(mover)"), number("", "(next)")), (1, 2));
    }
}
