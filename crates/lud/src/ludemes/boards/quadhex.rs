//! `(quadhex …)`: a hexagon of quadrilaterals.

use super::{GraphArgs, Result, graph};
use crate::board::{Graph, mosaic};
use crate::ludemes::Form;

pub(in crate::ludemes) const FORMS: &[Form] =
    &[graph("quadhex dim [thirds:boolean]", "A hexagon of quadrilaterals.", "(quadhex 3)", read)
        .refuses("thirds: no public board has them")];

fn read(args: &mut GraphArgs<'_, '_>) -> Result<Graph> {
    let layers = args.size("dim")?;
    if args.flag("thirds", false)? {
        return Err(args.unsupported());
    }
    args.check(layers * layers * 6)?;
    Ok(mosaic::quadhex(layers))
}
