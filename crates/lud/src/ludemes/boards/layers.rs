//! `(layers …)`: a graph several times, one above the other.

use super::{GraphArgs, Result, graph};
use crate::board::{Graph, operate};
use crate::ludemes::Form;

pub(in crate::ludemes) const FORMS: &[Form] =
    &[graph("layers dim graph", "Several layers of a graph.", "(layers 3 (square 3))", read)];

fn read(args: &mut GraphArgs<'_, '_>) -> Result<Graph> {
    let layers = args.size("dim")?;
    let ground = args.graph()?;
    args.check(layers * ground.vertices.len())?;
    Ok(operate::layers(&ground, layers))
}
