//! `(value Random …)` and `(sites Random …)`: numbers and sites that chance draws at the start or while a move is made.

use super::prelude::*;
use crate::engine::parts::Bounds;

pub(super) const FORMS: &[Form] = &[
    number(
        "value Random range",
        "A number of the range, each as likely.",
        "(addScore Mover (value Random (range 1 6)))",
        |args| {
            let listed = may_draw(args)?;
            let range = args.range("range")?;
            if range.least.is_none() || range.most.is_none() {
                return Err(args.unsupported());
            }
            Ok(Int::of(RandomValue { range, listed }))
        },
    )
    .draws()
    .refuses("numbers that decide which moves there are: chance does not draw these"),
    region(
        "sites Random [region] [num:int]",
        "So many sites of the region, each as likely.",
        "(remove (sites Random (sites Occupied by:Mover) num:1))",
        |args| {
            let listed = may_draw(args)?;
            let region = args.try_region(&["region"])?.unwrap_or(Region::Empty);
            Ok(Region::of_node(RandomSites { region, num: args.int_or("num", 1)?, listed }))
        },
    )
    .draws(),
];

/// Chance may be asked at the start and while a move is made. For a move that is listed, it draws the numbers of effects and of
/// counts once the move is chosen, but it cannot draw which moves there are.
/// Is it such a move?
fn may_draw(args: &mut Args<'_, '_, '_>) -> Result<bool> {
    let lower = &mut args.lower;
    if lower.following > 0 || lower.starting {
        return Ok(false);
    }
    if lower.listing == 0 {
        return Err(args.unsupported());
    }
    lower.draws_for_listed = true;
    Ok(true)
}

node! {
    /// A number that chance draws.
    struct RandomValue = "value Random", reads DRAWS { range: Bounds, listed: bool }
}

impl Number for RandomValue {
    fn get(&self, c: &mut Context<'_>) -> i32 {
        let (least, most) = self.range.range(c, 0);
        match self.listed {
            true => c.draw_for_listed(least, most),
            false => c.draw(least, most),
        }
    }
}

node! {
    /// Sites that chance draws.
    struct RandomSites = "sites Random", reads DRAWS { region: Region, num: Int, listed: bool }
}

impl SiteSet for RandomSites {
    fn fill(&self, c: &mut Context<'_>, out: &mut Sites) {
        let mut left = c.sites();
        self.region.fill(c, &mut left);
        for _ in 0..self.num.get(c).max(0) {
            let count = left.len() as i32;
            if count == 0 {
                break;
            }
            let drawn = match self.listed {
                true => c.draw_for_listed(0, count - 1),
                false => c.draw(0, count - 1),
            };
            let site = left.nth(drawn as usize);
            left.remove(site);
            out.insert(site);
        }
        c.free(left);
    }
}
