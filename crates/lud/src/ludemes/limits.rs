//! `(value Pending)`, `(value MoveLimit)`, `(value TurnLimit)`, `(cost …)`: other numbers.

use super::prelude::*;
use crate::engine::play;

pub(super) const FORMS: &[Form] = &[
    number(
        "value valueSimpleType=Pending",
        "The value that waits for this move; 0 for none.",
        "(value Pending)",
        |_| Ok(Int::of(PendingValue {})),
    ),
    number(
        "value valueSimpleType=MoveLimit",
        "The number of moves after which a game is drawn.",
        "(value MoveLimit)",
        |_| Ok(Int::Const(play::MOST_MOVES as i32)),
    ),
    number(
        "value valueSimpleType=TurnLimit",
        "The number of turns of a player after which a game is drawn.",
        "(value TurnLimit)",
        |_| Ok(Int::Const(play::MOST_TURNS as i32)),
    ),
    number(
        "cost [siteType] (at:int | in:region)",
        "What the sites cost together.",
        "(cost at:(to))",
        |args| Ok(Int::of(Cost { region: args.one_region(&["at", "in"])? })),
    )
    .on_all_kinds(),
];

node! {
    /// The last value that waits.
    struct PendingValue = "value Pending", reads PENDING {}
}

impl Number for PendingValue {
    fn get(&self, c: &mut Context<'_>) -> i32 {
        c.state.pending.last().copied().unwrap_or(0)
    }
}

node! {
    /// The cost of a site, see `Rules::costs`.
    struct Cost = "cost" { region: Region }
}

impl Number for Cost {
    fn get(&self, c: &mut Context<'_>) -> i32 {
        let mut sum = 0i32;
        self.region.each(c, |c, site| {
            let cost = c.rules.costs.iter().rev().find(|(other, _)| *other == site);
            sum = sum.wrapping_add(cost.map_or(0, |cost| cost.1));
            true
        });
        sum
    }
}
