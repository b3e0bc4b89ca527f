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
    .own_sites()
    .asks_for_kind(),
    condition(
        "is isGraphType=LastFrom siteType",
        "The last move began on a site of this kind.",
        "(is LastFrom Cell)",
        |args| read(args, false),
    )
    .own_sites()
    .asks_for_kind(),
];

fn read(args: &mut Args<'_, '_, '_>, to: bool) -> Result<Bool> {
    let kind = args.word("siteType").and_then(SiteType::named);
    let kind = kind.ok_or_else(|| args.unsupported())?;
    let last = args.lower.last();
    Ok(Bool::of(IsLastOn { to, kind: Table(kind), last }))
}

node! {
    /// The last move ended, or began, on the board or in a hand.
    struct IsLastOn = "is LastTo" {
        /// The end of the last move, or its origin?
        to: bool,
        kind: Table<SiteType>,
        last: Last,
    }
}

impl Condition for IsLastOn {
    fn holds(&self, c: &mut Context<'_>) -> bool {
        let last = c.state.s.last;
        let site = if self.to { last.to(self.last) } else { last.from(self.last) };
        // Hands have cells.
        let hand = || (site >= 0).then_some(SiteType::Cell);
        c.equipment.kind_of(site).or_else(hand) == Some(*self.kind)
    }
}
