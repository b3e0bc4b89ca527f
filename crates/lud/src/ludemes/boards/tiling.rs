//! `(tiling …)`: cells of a tiling by several polygons.

use super::{GraphArgs, Result, graph, hex};
use crate::board::mosaic::Mosaic;
use crate::board::{Graph, tiling};
use crate::ludemes::Form;

pub(in crate::ludemes) const FORMS: &[Form] = &[
    graph("tiling tilingType dim [dim]", "Cells of a tiling.", "(tiling T488 4)", read),
    graph(
        "tiling tilingType (poly | {dim})",
        "Cells of a tiling in an outline.",
        "(tiling T488 {2 2})",
        read,
    ),
];

fn read(args: &mut GraphArgs<'_, '_>) -> Result<Graph> {
    let word = args.word("tilingType");
    let mosaic = word.and_then(Mosaic::named).ok_or_else(|| args.unsupported())?;
    if let Some(outline) = args.try_outline()? {
        return Ok(mosaic.graph(&hex::within(&outline, 1.0)));
    }
    let first = args.size("dim")?;
    let second = args.try_size("dim")?;
    args.check(first * second.unwrap_or(first) * 8)?;
    let (first, second) = (first as i32, second.map(|size| size as i32));
    Ok(mosaic.graph(&match (mosaic.is_hexagonal(), second) {
        (true, None) => tiling::hexagon(first),
        (true, Some(second)) => tiling::alternating(first, second),
        (false, _) => {
            let columns = second.unwrap_or(first);
            (0..first).flat_map(|row| (0..columns).map(move |column| (column, row))).collect()
        }
    }))
}
