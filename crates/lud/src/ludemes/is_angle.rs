//! `(is Acute …)`, `(is Right …)`, `(is Obtuse …)`, `(is Reflex …)`: angles between the neighbours of a site.

use super::prelude::*;

pub(super) const FORMS: &[Form] = &[
    condition(
        "is isAngleType=Acute [siteType] at:int boolean boolean",
        "Two neighbours of the site, for whose `(site)` the first and the second condition hold, make an angle of less than 90 degrees.",
        "(is Acute at:(last To) (is Enemy (who at:(site))) (is Enemy (who at:(site))))",
        |args| read(args, |angle| angle < 90.0 - SLACK),
    ).on_all_kinds()
    .on_board(),
    condition(
        "is isAngleType=Right [siteType] at:int boolean boolean",
        "The same with a right angle.",
        "(is Right at:(last To) (is Enemy (who at:(site))) (is Enemy (who at:(site))))",
        |args| read(args, |angle| (angle - 90.0).abs() <= SLACK),
    ).on_all_kinds()
    .on_board(),
    condition(
        "is isAngleType=Obtuse [siteType] at:int boolean boolean",
        "The same with an angle between 90 and 180 degrees.",
        "(is Obtuse at:(last To) (is Enemy (who at:(site))) (is Enemy (who at:(site))))",
        |args| read(args, |angle| angle > 90.0 + SLACK && angle < 180.0 - SLACK),
    ).on_all_kinds()
    .on_board(),
    condition(
        "is isAngleType=Reflex [siteType] at:int boolean boolean",
        "The same with an angle, clockwise from the first to the second, of more than 180 degrees.",
        "(is Reflex at:(last To) (is Enemy (who at:(site))) (is Enemy (who at:(site))))",
        |args| read(args, |angle| angle > 180.0 + SLACK),
    ).on_all_kinds()
    .on_board(),
];

/// Angles that differ by less are the same, in degrees.
const SLACK: f64 = 0.5;

fn read(args: &mut Args<'_, '_, '_>, fits: fn(f64) -> bool) -> Result<Bool> {
    let (at, rays) = (args.int("at")?, args.lower.rays(&[Direction::Adjacent]).distinct());
    let (left, right) = (args.bool("boolean")?, args.bool("boolean")?);
    Ok(Bool::of(IsAngle { at, rays, left, right, fits: Table(fits) }))
}

node! {
    /// Two neighbours of a site make an angle.
    struct IsAngle = "is angle" {
        at: Int,
        rays: Dirs,
        left: Bool,
        right: Bool,
        /// Is an angle of so many degrees meant?
        fits: Table<fn(f64) -> bool>,
    }
}

impl Condition for IsAngle {
    fn holds(&self, c: &mut Context<'_>) -> bool {
        let site = self.at.get(c);
        let rays = self.rays.rays(c, site);
        let equipment = c.equipment;
        let end = |ray: u32| equipment.directions.line(ray).first().map(|&site| site as i32);
        let bearing = |ray: u32| equipment.directions.rays[ray as usize].bearing;
        let asks = |c: &mut Context<'_>, condition: &Bool, ray: u32| {
            end(ray).is_some_and(|site| condition.holds_at(c, Registers { site, ..c.at }))
        };
        rays.iter().any(|&left| {
            asks(c, &self.left, left)
                && rays.iter().any(|&right| {
                    let angle = (bearing(right) - bearing(left)).rem_euclid(360.0);
                    // Either side may be the first, but for angles of more than 180 degrees.
                    let fits = (*self.fits)(angle) || angle > 180.0 && (*self.fits)(360.0 - angle);
                    left != right && fits && asks(c, &self.right, right)
                })
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::holds;

    #[test]
    fn angles_are_measured_between_neighbours() {
        let own = "(is Mover (who at:(site))) (is Enemy (who at:(site))))";
        let is = |start: &str, kind: &str| holds(start, &format!("(is {kind} at:4 {own}"));
        // To the east and to the north-east, the north, the north-west.
        let east = "(place \"Disc1\" 5)";
        let acute = format!("{east} (place \"Disc2\" 8)");
        assert!(is(&acute, "Acute") && !is(&acute, "Right") && !is(&acute, "Obtuse"));
        assert!(is(&format!("{east} (place \"Disc2\" 7)"), "Right"));
        assert!(is(&format!("{east} (place \"Disc2\" 6)"), "Obtuse"));
        assert!(is(&format!("{east} (place \"Disc2\" 7)"), "Reflex"));
        let straight = format!("{east} (place \"Disc2\" 3)");
        assert!(["Acute", "Right", "Obtuse", "Reflex"].iter().all(|kind| !is(&straight, kind)));
    }
}
