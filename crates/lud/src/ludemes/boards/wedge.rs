//! `(wedge …)`: a wedge, such as the ends of some boards of alquerque.

use super::{GraphArgs, Result, graph};
use crate::board::{Graph, shapes};
use crate::ludemes::Form;

pub(in crate::ludemes) const FORMS: &[Form] =
    &[graph("wedge dim [dim]", "A wedge.", "(wedge 3)", read)];

fn read(args: &mut GraphArgs<'_, '_>) -> Result<Graph> {
    let rows = args.size("dim")?;
    let columns = args.try_size("dim")?.unwrap_or(3);
    args.check(rows * columns)?;
    Ok(shapes::wedge(rows, columns))
}
