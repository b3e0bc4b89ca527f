//! `(rectangle …)`: square cells in rows and columns.

use super::{GraphArgs, Result, graph};
use crate::board::{Graph, tiling};
use crate::ludemes::Form;

pub(in crate::ludemes) const FORMS: &[Form] = &[graph(
    "rectangle dim [dim] [diagonals:diagonalsType]",
    "Square cells in a rectangle.",
    "(rectangle 6 7)",
    read,
)];

fn read(args: &mut GraphArgs<'_, '_>) -> Result<Graph> {
    let (rows, columns) = args.rows_and_columns()?;
    let diagonals = args.diagonals()?;
    Ok(tiling::rectangle(rows, columns, args.sites(), diagonals))
}
