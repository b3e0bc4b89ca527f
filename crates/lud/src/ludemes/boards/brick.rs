//! `(brick …)`: a wall of bricks.

use super::{GraphArgs, Result, graph};
use crate::board::{Graph, mosaic};
use crate::ludemes::Form;

pub(in crate::ludemes) const FORMS: &[Form] = &[graph(
    "brick [brickShapeType] dim [dim] [trim:boolean]",
    "A wall of bricks.",
    "(brick 4 6)",
    read,
)
.refuses("diamonds, prisms and trimmed walls: no public board has them")];

fn read(args: &mut GraphArgs<'_, '_>) -> Result<Graph> {
    let shape = args.word("brickShapeType");
    let (rows, columns) = args.rows_and_columns()?;
    if !matches!(shape, None | Some("Square" | "Rectangle")) || args.flag("trim", false)? {
        return Err(args.unsupported());
    }
    let (rows, columns) = (rows as i32, columns as i32);
    let row = |y: i32| (0..columns).map(move |x| (2 * x + y % 2, y));
    Ok(mosaic::bricks(&(0..rows).flat_map(row).collect::<Vec<_>>()))
}
