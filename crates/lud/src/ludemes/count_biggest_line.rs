//! `(count SizeBiggestLine …)`: the length of the longest line of pieces.

use super::is_line::Axes;
use super::prelude::*;

pub(super) const FORMS: &[Form] = &[number(
    "count SizeBiggestLine [siteType] [absoluteDirection] [If:boolean]",
    "The length of the longest line of sites for whose `(to)` the condition holds, or that are occupied.",
    "(count SizeBiggestLine)",
    |args| {
        let directions = args.directions(Direction::Adjacent)?;
        let axes = Table(Axes::new(directions, args.lower.equipment, true));
        let place = Table(args.place());
        Ok(Int::of(BiggestLine { axes, condition: args.try_bool("if")?, place }))
    },
).on_all_kinds()
.on_board()];

node! {
    /// The length of the longest line.
    struct BiggestLine = "count SizeBiggestLine", reads CELLS {
        axes: Table<Axes>,
        condition: Option<Bool>,
        place: Table<Sites>,
    }
}

impl Number for BiggestLine {
    fn get(&self, c: &mut Context<'_>) -> i32 {
        let mut fit = c.sites();
        for site in self.place.iter() {
            let at = Registers { to: site, site, ..c.at };
            if self.condition.as_ref().map_or(c.what(site) != 0, |f| f.holds_at(c, at)) {
                fit.insert(site);
            }
        }
        let mut most = 0;
        for site in fit.iter() {
            self.axes.any(c, site, |_, ways| {
                let run = |way: &[u32]| {
                    way.iter().take_while(|&&s| fit.contains(s as i32)).count() as i32
                };
                most = most.max(1 + ways.into_iter().map(run).sum::<i32>());
                false
            });
            most = most.max(1);
        }
        c.free(fit);
        most
    }
}
