//! `(hex …)`: hexagonal cells. Boards of triangles share its shapes.

use super::{GraphArgs, Outline, Result, graph};
use crate::board::tiling::{self, Place};
use crate::board::{Graph, mosaic};
use crate::ludemes::Form;

pub(in crate::ludemes) const FORMS: &[Form] = &[
    graph("hex [hexShapeType] dim [dim]", "Hexagonal cells.", "(hex 5)", read),
    graph("hex (poly | {dim})", "Hexagonal cells in an outline.", "(hex {3 4 5})", read),
];

fn read(args: &mut GraphArgs<'_, '_>) -> Result<Graph> {
    let (places, upright) = match args.try_outline()? {
        // Hexagons of side 1 are wider apart than vertices.
        Some(outline) => (within(&outline, 3.0f64.sqrt()), true),
        None => {
            let shape = args.word("hexShapeType");
            shaped(args, shape, 0)?
        }
    };
    Ok(tiling::hexagons(&places, upright))
}

/// The places inside an outline, `step` apart from one another.
pub(super) fn within(outline: &Outline, step: f64) -> Vec<Place> {
    match outline {
        Outline::Sides(sides) => tiling::outline(sides, step),
        Outline::Polygon(polygon) => mosaic::inside_polygon(polygon, step),
    }
}

/// The places of a shape whose sides are `more` longer than the description says, and whether it stands upright.
pub(super) fn shaped(
    args: &mut GraphArgs<'_, '_>,
    shape: Option<&str>,
    more: i32,
) -> Result<(Vec<Place>, bool)> {
    let first = args.size("dim")? as i32 + more;
    let second = args.try_size("dim")?.map(|size| size as i32 + more);
    let height = second.unwrap_or(first);
    let widest = first.max(height) as usize;
    args.check(match shape {
        Some("Rectangle") => first as usize * height as usize,
        _ => widest * widest,
    })?;
    Ok(match (shape, second) {
        (None | Some("Hexagon"), None) => (tiling::hexagon(first), true),
        (None | Some("Hexagon"), Some(second)) => (tiling::alternating(first, second), true),
        (Some("Limping"), _) => (tiling::alternating(first, first + 1), true),
        (Some("Diamond"), None) => (tiling::diamond(first, first), false),
        (Some("Diamond" | "Prism"), _) => (tiling::prism(first, height), false),
        (Some("Triangle"), _) => (tiling::triangle(first), true),
        (Some("Rectangle" | "Square"), _) => (tiling::staggered(first, height), true),
        (Some("Star"), _) => (tiling::star(first), true),
        (Some(other), _) => {
            return Err(args.fault(format!("the shape {other} is not supported")));
        }
    })
}

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::sites_on;

    #[test]
    fn a_hexagon_of_three_cells_a_side_has_nineteen() {
        assert_eq!(sites_on("(hex 3)", "", "(sites Board)").len(), 19);
        assert_eq!(sites_on("(hex 3)", "", "(sites Around 9)").len(), 6);
    }
}
