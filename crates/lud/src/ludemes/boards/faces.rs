//! `(makeFaces …)`, `(splitCrossings …)`, `(subdivide …)`, `(trim …)`: a graph whose edges enclose other cells.

use super::{GraphArgs, Result, graph};
use crate::board::{Graph, operate};
use crate::ludemes::Form;

/// Crossings are sought between no more edges.
const MOST_CROSSING: usize = 400;

pub(in crate::ludemes) const FORMS: &[Form] = &[
    graph(
        "makeFaces graph",
        "A graph whose faces are cells.",
        "(makeFaces (square 3))",
        make_faces,
    ),
    graph(
        "splitCrossings graph",
        "A graph with vertices where edges cross.",
        "(splitCrossings (square 3))",
        split_crossings,
    ),
    graph(
        "subdivide graph [min:dim]",
        "Cells with more sides are divided.",
        "(subdivide (tiling T3464 2) min:6)",
        subdivide,
    ),
    graph("trim graph", "A graph without loose edges.", "(trim (square 3))", trim),
];

fn make_faces(args: &mut GraphArgs<'_, '_>) -> Result<Graph> {
    let mut graph = args.graph()?;
    graph.make_faces();
    Ok(graph)
}

fn split_crossings(args: &mut GraphArgs<'_, '_>) -> Result<Graph> {
    let mut graph = args.graph()?;
    if graph.edges.len() > MOST_CROSSING {
        return Err(args.fault(format!("more than {MOST_CROSSING} edges to split")));
    }
    operate::split_crossings(&mut graph);
    Ok(graph)
}

fn subdivide(args: &mut GraphArgs<'_, '_>) -> Result<Graph> {
    let mut graph = args.graph()?;
    let least = args.try_size("min")?.unwrap_or(1);
    operate::subdivide(&mut graph, least);
    Ok(graph)
}

fn trim(args: &mut GraphArgs<'_, '_>) -> Result<Graph> {
    let mut graph = args.graph()?;
    operate::trim(&mut graph);
    Ok(graph)
}

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::sites_on;

    #[test]
    fn faces_are_the_cells_that_edges_enclose() {
        assert_eq!(sites_on("(makeFaces (square 2))", "", "(sites Board)").len(), 4);
    }
}
