//! `(concentric …)`: rings around a centre.

use super::{GraphArgs, MOST, Result, graph};
use crate::board::Graph;
use crate::board::shapes::{self, Rings};
use crate::board::tiling::SiteType;
use crate::compile::Value;
use crate::ludemes::Form;

pub(in crate::ludemes) const FORMS: &[Form] = &[graph(
    "concentric (concentricShapeType | sides:dim | {dim}) [rings:dim] [steps:dim] [midpoints:boolean] [joinMidpoints:boolean] [joinCorners:boolean] [stagger:boolean]",
    "Rings around a centre.",
    "(concentric Square rings:3)",
    read,
)];

fn read(args: &mut GraphArgs<'_, '_>) -> Result<Graph> {
    let rings = args.try_size("rings")?.unwrap_or(3);
    // Steps are drawn, not played on.
    args.try_size("steps")?;
    let midpoints = args.flag("midpoints", true)?;
    let join_midpoints = args.flag("joinMidpoints", true)?;
    let join_corners = args.flag("joinCorners", false)?;
    let stagger = args.flag("stagger", false)?;
    let sides = match args.word("concentricShapeType") {
        Some("Square") => 4,
        Some("Triangle") => 3,
        Some("Hexagon") => 6,
        Some(_) => return Err(args.unsupported()),
        None => match args.try_size("sides")? {
            Some(sides) => sides,
            None => {
                let counts = args.value("{dim}")?;
                return circles(args, counts, stagger);
            }
        },
    };
    args.check(rings * sides)?;
    let graph = shapes::rings(Rings { sides, rings, midpoints, join_midpoints, join_corners });
    Ok(Graph { pivot: Some([0.0; 3]), ..graph })
}

/// Circles with so many sites each.
fn circles(args: &GraphArgs<'_, '_>, counts: &Value, stagger: bool) -> Result<Graph> {
    let counts = args.numbers(counts)?;
    let most = MOST as f64;
    if counts.is_empty() || counts.iter().any(|count| count.fract() != 0.0 || count.abs() > most) {
        return Err(args.fault("numbers of sites on circles are expected"));
    }
    if counts.iter().map(|count| count.abs()).sum::<f64>() > most {
        return Err(args.fault(format!("a board of more than {MOST} sites")));
    }
    let counts: Vec<i32> = counts.into_iter().map(|count| count as i32).collect();
    let graph = if args.sites() == SiteType::Cell && counts.len() > 1 {
        shapes::circles_of_cells(&counts, stagger)
    } else {
        shapes::circles(&counts)
    };
    Ok(Graph { pivot: Some([0.0; 3]), ..graph })
}
