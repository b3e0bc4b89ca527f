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
