//! `(ahead …)`: the site so many steps in a direction.

use super::prelude::*;
use crate::engine::directions::end;

pub(super) const FORMS: &[Form] = &[number(
    "ahead [siteType] int [steps:int] [direction]",
    "The site so many steps in the direction, forward where it is left out. At the border it is the site itself.",
    "(to (ahead (from) steps:2 Forward))",
    |args| {
        let (site, steps) = (args.int("int")?, args.int_or("steps", 1)?);
        let directions = match args.take("direction") {
            Some(value) => args.lower.directions(value, args.ludeme)?,
            None => args.lower.forward(),
        };
        let ends = match steps.fixed() {
            Some(steps) => directions.ends(args.lower.equipment, steps),
            None => Vec::new(),
        };
        Ok(Int::of(Ahead { site, steps, directions, ends: Table(ends) }))
    },
).on_all_kinds().sites_in(&["int"])
.on_board()];

node! {
    /// The site so many steps in a direction.
    struct Ahead = "ahead", iterators NONE {
        site: Int,
        steps: Int,
        directions: Dirs,
        /// By where a piece looks, if that matters, and site: the site ahead. Empty where more decides it.
        ends: Table<Vec<Vec<i32>>>,
    }
}

impl Number for Ahead {
    fn get(&self, c: &mut Context<'_>) -> i32 {
        let site = self.site.get(c);
        if !self.ends.is_empty() {
            let facing = if self.ends.len() == 1 { 0 } else { c.facing(site) };
            let ends = self.ends.get(facing).map_or(&[][..], |ends| ends);
            return usize::try_from(site).ok().and_then(|site| ends.get(site)).map_or(site, |&s| s);
        }
        let steps = self.steps.get(c);
        let rays = self.directions.rays(c, site);
        end(c.equipment, site, &rays, steps)
    }
}

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::number;

    #[test]
    fn ahead_is_so_many_steps_away_or_the_site_itself_at_the_border() {
        assert_eq!(number("", "(ahead 1 N)"), 4);
        assert_eq!(number("", "(ahead 1 steps:2 N)"), 7);
        assert_eq!(number("", "(ahead 1 steps:3 N)"), 1);
        assert_eq!(number("", "(ahead 1 steps:0 N)"), 1);
        assert_eq!(number("", "(ahead 1 steps:(count Pieces) N)"), 1);
        assert_eq!(number("(place \"Disc1\" 0)", "(ahead 1 steps:(count Pieces) N)"), 4);
    }
}
