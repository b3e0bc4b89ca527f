//! `(hole …)`, `(clip …)`, `(keep …)`: a graph without the elements inside or outside a polygon.

use super::graph;
use crate::board::operate;
use crate::ludemes::Form;

pub(in crate::ludemes) const FORMS: &[Form] = &[
    graph(
        "clip graph poly",
        "A graph without what is inside a polygon.",
        "(clip (square 4) (poly {{0 0} {0 2} {2 2}}))",
        |args| {
            let (mut graph, polygon) = (args.graph()?, args.polygon()?);
            operate::clip(&mut graph, &polygon);
            Ok(graph)
        },
    ),
    graph(
        "hole graph poly",
        "A graph with a hole.",
        "(hole (square 5) (poly {{1 1} {1 4} {4 4} {4 1}}))",
        |args| {
            let (mut graph, polygon) = (args.graph()?, args.polygon()?);
            operate::cut(&mut graph, &polygon, false);
            Ok(graph)
        },
    ),
    graph(
        "keep graph poly",
        "A graph without what is outside a polygon.",
        "(keep (hex 4) (poly {{0 0} {0 4} {4 4}}))",
        |args| {
            let (mut graph, polygon) = (args.graph()?, args.polygon()?);
            operate::keep(&mut graph, &polygon);
            Ok(graph)
        },
    ),
];

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::sites_on;

    #[test]
    fn cells_inside_a_polygon_are_kept() {
        let inside = "(poly {{-0.1 -0.1} {-0.1 2.1} {2.1 2.1} {2.1 -0.1}})";
        let board = format!("(keep (square 4) {inside})");
        assert_eq!(sites_on(&board, "", "(sites Board)").len(), 4);
    }
}
