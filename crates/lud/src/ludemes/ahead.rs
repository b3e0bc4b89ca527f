//! `(ahead …)`: the site so many steps in a direction.

use super::prelude::*;

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
        Ok(Int::of(Ahead { site, steps, directions }))
    },
)
.on_board()];

node! {
    /// The site so many steps in a direction.
    struct Ahead = "ahead" { site: Int, steps: Int, directions: Dirs }
}

impl Number for Ahead {
    fn get(&self, c: &mut Context<'_>) -> i32 {
        let (site, steps) = (self.site.get(c), self.steps.get(c));
        let rays = self.directions.rays(c, site);
        let Some(&ray) = rays.first() else { return site };
        let line = c.equipment.directions.line(ray);
        match steps {
            ..=0 => site,
            _ => line.get(steps as usize - 1).map_or(site, |&s| s as i32),
        }
    }
}
