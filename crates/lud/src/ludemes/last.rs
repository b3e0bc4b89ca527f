//! `(last To)`, `(last From)`, `(last LevelTo)`, `(last LevelFrom)`, `(last Between)`: the last move.

use super::prelude::*;

pub(super) const FORMS: &[Form] = &[
    number(
        "last lastType=To [afterConsequence:boolean]",
        "The end of the last move, or, after its consequences, the end of the last of these.",
        "(is Empty (last To))",
        |args| {
            let last = args.lower.last();
            Ok(match args.flag("afterConsequence", false)? {
                true => of(Which::After, last),
                false => Int::LastTo(last),
            })
        },
    ),
    number(
        "last lastType=From [afterConsequence:boolean]",
        "The origin of the last move, or, after its consequences, the origin of the last of these.",
        "(last From)",
        |args| match args.flag("afterConsequence", false)? {
            true => read(args, Which::FromAfter),
            false => read(args, Which::From),
        },
    )
    // The origin of the last consequence is among the sites that the last move touched.
    .needs_with("afterConsequence", Parts::TOUCHED),
    number(
        "last lastType=LevelFrom [afterConsequence:boolean]",
        "The level at which the last move began.",
        "(last LevelFrom)",
        |args| read(args, Which::LevelFrom),
    ),
    number(
        "last lastType=LevelTo [afterConsequence:boolean]",
        "The level at which the last move ended.",
        "(last LevelTo)",
        |args| read(args, Which::LevelTo),
    ),
    region(
        "last Between",
        "The occupied sites that the last move went over.",
        "(remove (last Between))",
        |_| Ok(Region::of_node(LastBetween {})),
    )
    .needs(Parts::CROSSED),
];

/// A property of the last move.
#[derive(Clone, Copy)]
enum Which {
    After,
    FromAfter,
    From,
    LevelFrom,
    LevelTo,
}

fn read(args: &mut Args<'_, '_, '_>, which: Which) -> Result<Int> {
    // Consequences have no levels of their own.
    args.take("afterConsequence");
    let last = args.lower.last();
    Ok(of(which, last))
}

fn of(which: Which, last: Last) -> Int {
    Int::of(OfLast { which: Table(which), last })
}

/// The origin of the last move.
pub(super) fn last_from(last: Last) -> Int {
    of(Which::From, last)
}

node! {
    /// A number of the last move.
    struct OfLast = "last" { which: Table<Which>, last: Last }
}

impl Number for OfLast {
    fn get(&self, c: &mut Context<'_>) -> i32 {
        let last = c.state.s.last;
        match *self.which {
            Which::After => last.after(self.last),
            Which::FromAfter => {
                c.state.touched[0].last().copied().unwrap_or_else(|| last.from(self.last))
            }
            Which::From => last.from(self.last),
            Which::LevelFrom => last.levels(self.last).0.into(),
            Which::LevelTo => last.levels(self.last).1.into(),
        }
    }
}

node! {
    /// The sites that the last move went over.
    struct LastBetween = "last Between", reads CROSSED {}
}

impl SiteSet for LastBetween {
    fn fill(&self, c: &mut Context<'_>, out: &mut Sites) {
        c.state.touched[2].iter().for_each(|&site| out.insert(site));
    }
}

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::after;

    #[test]
    fn a_consequence_knows_where_the_move_began_and_ended() {
        let go = |site: &str| {
            format!(
                "(move (from 0) (to (sites {{4 8}})) (then (add (piece \"Rock0\") (to {site}))))"
            )
        };
        assert_eq!(after("(place \"Disc1\" 0)", &go("(last From)"), 8), "0:0 8:1");
        assert_eq!(after("(place \"Disc1\" 0)", &go("(ahead (last To) S)"), 8), "5:0 8:1");
    }
}
