//! `(tri …)`: triangular cells.

use super::{GraphArgs, Result, graph, hex};
use crate::board::Graph;
use crate::board::tiling::{self, SiteType};
use crate::ludemes::Form;

pub(in crate::ludemes) const FORMS: &[Form] = &[
    graph("tri [triShapeType] dim [dim]", "Triangular cells.", "(tri 5)", read),
    graph("tri (poly | {dim})", "Triangular cells in an outline.", "(tri {3 4})", read),
];

fn read(args: &mut GraphArgs<'_, '_>) -> Result<Graph> {
    // Cells have one vertex more to a side.
    let more = i32::from(args.sites() == SiteType::Cell);
    let mut places = match args.try_outline()? {
        Some(outline) => hex::within(&outline, 1.0),
        None => {
            // One number alone is the side of a triangle, two are those of a hexagon.
            let shape = args.word("triShapeType");
            let alone = shape.is_none() && args.ludeme.values().count() == 1;
            hex::shaped(args, if alone { Some("Triangle") } else { shape }, more)?.0
        }
    };
    places.sort_unstable_by_key(|place| (place.1, place.0));
    Ok(tiling::triangles(&places))
}
