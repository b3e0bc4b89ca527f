//! `(celtic …)`: celtic knots.

use super::{GraphArgs, Result, graph};
use crate::board::{Graph, mosaic};
use crate::ludemes::{Form, missing};

pub(in crate::ludemes) const FORMS: &[Form] = &[
    graph("celtic dim [dim]", "Celtic knots.", "(celtic 3)", read),
    missing("graph", "celtic (poly | {dim})", "no public board has this shape"),
];

fn read(args: &mut GraphArgs<'_, '_>) -> Result<Graph> {
    let (rows, columns) = args.rows_and_columns()?;
    Ok(mosaic::celtic(rows, columns))
}
