//! `(renumber …)`, `(recoordinate …)`: the numbers and the coordinates of sites.

use super::{GraphArgs, Result, graph};
use crate::board::Graph;
use crate::ludemes::Form;

pub(in crate::ludemes) const FORMS: &[Form] = &[
    graph(
        "recoordinate [siteType] [siteType] [siteType] graph",
        "A graph with new coordinates.",
        "(recoordinate (square 3))",
        recoordinate,
    ),
    graph(
        "renumber [siteType] [siteType] [siteType] graph",
        "A graph numbered from the bottom left.",
        "(renumber (square 3))",
        renumber,
    ),
];

/// The kinds of sites that are named.
fn kinds<'l>(args: &mut GraphArgs<'_, 'l>) -> Vec<&'l str> {
    std::iter::from_fn(|| args.word("siteType")).collect()
}

/// Coordinates are made when the board is ready, so nothing is left to do.
fn recoordinate(args: &mut GraphArgs<'_, '_>) -> Result<Graph> {
    kinds(args);
    args.graph()
}

fn renumber(args: &mut GraphArgs<'_, '_>) -> Result<Graph> {
    let kinds = kinds(args);
    let numbered = |kind: &str| kinds.is_empty() || kinds.contains(&kind);
    let mut graph = args.graph()?;
    graph.reorder_some(numbered("Vertex"), numbered("Edge"), numbered("Cell"));
    Ok(graph)
}
