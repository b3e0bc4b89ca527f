//! `(is Full)` and `(is Pending)`: is the board full, does something wait for this move?

use super::prelude::*;

pub(super) const FORMS: &[Form] = &[
    condition(
        "is isSimpleType=Full",
        "No site of the board is empty.",
        "(end (if (is Full) (result Mover Draw)))",
        |_| Ok(Bool::of(IsFull {})),
    ),
    condition(
        "is isSimpleType=Pending",
        "`(set Pending)` was an effect of the last move.",
        "(if (is Pending) (forEach Piece))",
        |_| Ok(Bool::of(IsPending {})),
    ),
];

node! {
    /// No site of the board is empty.
    struct IsFull = "is Full", reads CELLS {}
}

impl Condition for IsFull {
    fn holds(&self, c: &mut Context<'_>) -> bool {
        let mut empty = c.sites();
        Region::Empty.fill(c, &mut empty);
        let full = empty.is_empty();
        c.free(empty);
        full
    }
}

node! {
    /// Something waits for this move.
    struct IsPending = "is Pending", reads PENDING {}
}

impl Condition for IsPending {
    fn holds(&self, c: &mut Context<'_>) -> bool {
        !c.state.pending.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::holds;

    #[test]
    fn a_board_is_full_where_no_site_is_empty() {
        assert!(holds("(place \"Disc1\" {0 1 2 3 4 5 6 7 8})", "(is Full)"));
        assert!(!holds("(place \"Disc1\" {0 1 2 3 4 5 6 7})", "(is Full)"));
    }
}
