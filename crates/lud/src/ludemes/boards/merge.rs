//! `(merge …)`, `(union …)`, `(intersect …)`: a graph made of several.

use super::{GraphArgs, Result, graph};
use crate::board::{Graph, operate};
use crate::ludemes::Form;

pub(in crate::ludemes) const FORMS: &[Form] = &[
    graph(
        "intersect graph graph",
        "The common part of two graphs.",
        "(intersect (square 4) (rectangle 2 5))",
        |args| Ok(operate::intersect(&args.graphs()?)),
    ),
    graph(
        "intersect {graph}",
        "The common part of graphs.",
        "(intersect {(square 4) (rectangle 2 5)})",
        |args| Ok(operate::intersect(&args.graphs()?)),
    ),
    graph(
        "merge graph graph [connect:boolean]",
        "Two graphs with their common vertices made one.",
        "(merge (square 3) (shift 3 0 (square 2)))",
        |args| joined(args, operate::merge),
    ),
    graph(
        "merge {graph} [connect:boolean]",
        "Graphs with their common vertices made one.",
        "(merge {(square 3) (shift 3 0 (square 2))})",
        |args| joined(args, operate::merge),
    ),
    graph(
        "union graph graph [connect:boolean]",
        "Two graphs together.",
        "(union (square 3) (square 2))",
        |args| joined(args, operate::union),
    ),
    graph(
        "union {graph} [connect:boolean]",
        "Graphs together.",
        "(union {(square 3) (square 2)})",
        |args| joined(args, operate::union),
    ),
];

fn joined(args: &mut GraphArgs<'_, '_>, join: fn(&[Graph]) -> Graph) -> Result<Graph> {
    let mut graph = join(&args.graphs()?);
    if args.flag("connect", false)? {
        operate::connect(&mut graph);
    }
    Ok(graph)
}

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::sites_on;

    #[test]
    fn graphs_are_joined_where_they_touch() {
        let board = "(merge (square 2) (shift 2 0 (square 2)))";
        assert_eq!(sites_on(board, "", "(sites Board)").len(), 8);
        assert_eq!(sites_on(board, "", "(sites Around 1 Orthogonal)").len(), 3);
    }
}
