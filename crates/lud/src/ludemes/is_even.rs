//! `(is Even …)`, `(is Odd …)`, `(is Visited …)`, `(is AnyDie …)`, `(is Flat …)`: conditions on one number or site.

use super::prelude::*;

pub(super) const FORMS: &[Form] = &[
    condition(
        "is isIntegerType=Odd [int]",
        "The number is odd.",
        "(is Odd (count Moves))",
        |args| Ok(Bool::of(Parity { number: args.int("int")?, odd: true })),
    ),
    condition(
        "is isIntegerType=Even [int]",
        "The number is even.",
        "(is Even (count Moves))",
        |args| Ok(Bool::of(Parity { number: args.int("int")?, odd: false })),
    ),
    condition(
        "is isIntegerType=Visited [int]",
        "The piece that moves has been on the site in this turn.",
        "(to if:(not (is Visited (to))))",
        |args| Ok(Bool::of(IsVisited { site: args.int("int")? })),
    ),
    condition(
        "is isIntegerType=AnyDie [int]",
        "A die that is not used yet shows the number.",
        "(is AnyDie 6)",
        |args| Ok(Bool::of(IsAnyDie { number: args.int("int")? })),
    ),
    condition(
        "is isIntegerType=Flat [int]",
        "All sites of the layer below on which the site rests are occupied.",
        "(to if:(is Flat))",
        flat,
    ),
];

node! {
    /// A number is odd, or even.
    struct Parity = "is Odd" { number: Int, odd: bool }
}

impl Condition for Parity {
    fn holds(&self, c: &mut Context<'_>) -> bool {
        self.number.get(c).rem_euclid(2) == i32::from(self.odd)
    }
}

node! {
    /// The piece of this turn has been on a site.
    struct IsVisited = "is Visited", reads VISITED { site: Int }
}

impl Condition for IsVisited {
    fn holds(&self, c: &mut Context<'_>) -> bool {
        let site = self.site.get(c);
        c.state.visited.contains(&site)
    }
}

node! {
    /// A die that is not used shows a number.
    struct IsAnyDie = "is AnyDie", reads DICE { number: Int }
}

impl Condition for IsAnyDie {
    fn holds(&self, c: &mut Context<'_>) -> bool {
        let (number, layout) = (self.number.get(c), c.rules.layout);
        (0..layout.dice).any(|die| c.state.numbers[layout.die(die)] == number)
    }
}

fn flat(args: &mut Args<'_, '_, '_>) -> Result<Bool> {
    let site = args.try_int("int")?.unwrap_or(Int::To);
    let below = crate::engine::pyramid::layers(args.lower.equipment.elements(), false);
    Ok(Bool::of(IsFlat { site, below: Table(below) }))
}

node! {
    /// All sites below a site are occupied.
    struct IsFlat = "is Flat", reads CELLS {
        site: Int,
        /// By site: the sites one layer below that touch it.
        below: Table<Vec<Vec<i32>>>,
    }
}

impl Condition for IsFlat {
    fn holds(&self, c: &mut Context<'_>) -> bool {
        let site = self.site.get(c);
        let below = usize::try_from(site).ok().and_then(|site| self.below.get(site));
        below.is_some_and(|list| list.iter().all(|&site| c.what(site) != 0))
    }
}

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::holds;

    #[test]
    fn numbers_are_odd_or_even() {
        assert!(holds("", "(is Even 4)") && !holds("", "(is Odd 4)"));
        assert!(holds("", "(is Odd 7)") && !holds("", "(is Even 7)"));
    }
}
