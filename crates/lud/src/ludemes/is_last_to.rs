//! `(is LastTo …)` and `(is LastFrom …)`: on which kind of site did the last move end or begin?

use super::prelude::*;
use crate::board::SiteType;

pub(super) const FORMS: &[Form] = &[
    condition(
        "is isGraphType=LastTo siteType",
        "The last move ended on a site of this kind.",
        "(is LastTo Vertex)",
        |args| read(args, true),
    )
    .own_sites(),
    condition(
        "is isGraphType=LastFrom siteType",
        "The last move began on a site of this kind.",
        "(is LastFrom Cell)",
        |args| read(args, false),
    )
    .own_sites(),
];

fn read(args: &mut Args<'_, '_, '_>, to: bool) -> Result<Bool> {
    let kind = args.word("siteType").and_then(SiteType::named);
    let kind = kind.ok_or_else(|| args.unsupported())?;
    let board = kind == args.lower.equipment.board.sites;
    let last = args.lower.last();
    Ok(Bool::of(IsLastOn { to, board, hand: kind == SiteType::Cell, last }))
}

node! {
    /// The last move ended, or began, on the board or in a hand.
    struct IsLastOn = "is LastTo" {
        /// Its end, or its origin.
        to: bool,
        /// Is it so on the board?
        board: bool,
        /// Is it so in a hand? Hands are cells.
        hand: bool,
        last: Last,
    }
}

impl Condition for IsLastOn {
    fn holds(&self, c: &mut Context<'_>) -> bool {
        let last = c.state.s.last;
        let site = if self.to { last.to(self.last) } else { last.from(self.last) };
        if c.equipment.on_board.contains(site) { self.board } else { self.hand && site >= 0 }
    }
}
