//! `(was Pass)`: was the last move a pass?

use super::prelude::*;

pub(super) const FORMS: &[Form] = &[condition(
    "was Pass",
    "The last move was a pass.",
    "(end (if (was Pass) (result Mover Loss)))",
    |args| Ok(Bool::of(WasPass { last: args.lower.last() })),
)];

node! {
    /// The last move was a pass.
    struct WasPass = "was Pass" { last: Last }
}

impl Condition for WasPass {
    fn holds(&self, c: &mut Context<'_>) -> bool {
        c.state.s.last.to(self.last) == OFF && c.state.s.moves > 0
    }
}

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::played;

    #[test]
    fn the_last_move_was_a_pass() {
        let play = "(if (was Pass) (move Add (to (sites {4}))) (move Pass))";
        let end = "(if (is Full) (result Mover Win))";
        assert_eq!(played("", play, end, 1).cell(4).what, 0);
        assert_ne!(played("", play, end, 2).cell(4).what, 0);
    }
}
