//! `(is PyramidCorners …)`: are the corners of a pyramid and its top among some sites?

use super::prelude::*;

pub(super) const FORMS: &[Form] = &[condition(
    "is PyramidCorners [siteType] [froms:region]",
    "The four corners and the top of a pyramid are among the sites.",
    "(is PyramidCorners froms:(sites Occupied by:Mover))",
    read,
)
.on_board()];

fn read(args: &mut Args<'_, '_, '_>) -> Result<Bool> {
    let sites = args.region("froms")?;
    let elements = args.lower.equipment.elements();
    let near = |a: f64, b: f64| (a - b).abs() < 0.01;
    let mut pyramids: Vec<Vec<i32>> = Vec::new();
    for (top, peak) in elements.iter().enumerate() {
        for layer in 0..peak.layer {
            let half = (peak.layer - layer) as f64 / 2.0;
            let corner = |(x, y): (f64, f64)| {
                elements.iter().position(|element| {
                    element.layer == layer
                        && near(element.centre[0], peak.centre[0] + x * half)
                        && near(element.centre[1], peak.centre[1] + y * half)
                })
            };
            let corners = [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)].map(corner);
            let all: Option<Vec<usize>> = corners.into_iter().collect();
            if let Some(mut all) = all {
                all.push(top);
                pyramids.push(all.into_iter().map(|site| site as i32).collect());
            }
        }
    }
    Ok(Bool::of(IsPyramidCorners { sites, pyramids: Table(pyramids) }))
}

node! {
    /// A pyramid is among some sites.
    struct IsPyramidCorners = "is PyramidCorners" {
        sites: Region,
        /// The corners and the top of every pyramid of the board.
        pyramids: Table<Vec<Vec<i32>>>,
    }
}

impl Condition for IsPyramidCorners {
    fn holds(&self, c: &mut Context<'_>) -> bool {
        self.sites.of(c, |_, sites| {
            self.pyramids.iter().any(|all| all.iter().all(|&site| sites.contains(site)))
        })
    }
}
