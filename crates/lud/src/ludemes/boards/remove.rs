//! `(remove …)`: a graph without some cells, edges or vertices.

use super::{GraphArgs, Result, graph};
use crate::board::{Graph, operate};
use crate::compile::Value;
use crate::ludemes::Form;

pub(in crate::ludemes) const FORMS: &[Form] = &[
    graph(
        "remove graph ([cells:{{{float}}}] | [Cells:{dim}]) ([edges:{{{float}}}] | [Edges:{{dim}}]) ([vertices:{{float}}] | [Vertices:{dim}]) [trimEdges:boolean]",
        "A graph without some cells, edges or vertices.",
        "(remove (square 3) cells:{4})",
        read,
    ),
    graph(
        "remove graph poly [trimEdges:boolean]",
        "A graph without what is inside a polygon.",
        "(remove (square 3) (poly {{0 0} {0 1} {1 1}}))",
        inside,
    ),
];

fn inside(args: &mut GraphArgs<'_, '_>) -> Result<Graph> {
    let mut graph = args.round_graph()?;
    let polygon = args.polygon()?;
    let trim = args.flag("trimEdges", true)?;
    operate::cut(&mut graph, &polygon, trim);
    Ok(graph)
}

fn read(args: &mut GraphArgs<'_, '_>) -> Result<Graph> {
    let mut graph = args.round_graph()?;
    let trim = args.flag("trimEdges", true)?;
    if let Some(list) = args.take("cells") {
        let numbers = cells(args, list, &graph)?;
        operate::remove_faces(&mut graph, &numbers, trim);
    }
    for pair in args.take("edges").map_or(&[][..], Value::items) {
        if let [a, b] = args.vertices_of(pair, &mut graph, false)?[..] {
            operate::remove_edge(&mut graph, a, b);
        }
    }
    if let Some(list) = args.take("vertices") {
        if matches!(list.items().first(), Some(Value::List(_))) {
            for point in args.points_in_space(list)? {
                if let Some(found) = graph.find(point) {
                    graph.remove_vertices(|vertex| vertex == found);
                }
            }
        } else {
            let gone = args.numbers(list)?;
            graph.remove_vertices(|vertex| gone.contains(&(vertex as f64)));
        }
    }
    Ok(graph)
}

/// The numbers of cells: as they are given, or those with these corners.
fn cells(args: &GraphArgs<'_, '_>, list: &Value, graph: &Graph) -> Result<Vec<usize>> {
    if !matches!(list.items().first(), Some(Value::List(_))) {
        let numbers = args.numbers(list)?;
        return Ok(numbers.into_iter().filter(|n| *n >= 0.0).map(|n| n as usize).collect());
    }
    let mut found = Vec::new();
    for cell in list.items() {
        let points = args.points_in_space(cell)?;
        let corners: Option<Vec<usize>> = points.iter().map(|point| graph.find(*point)).collect();
        let same = |face: &Vec<usize>| {
            corners.as_ref().is_some_and(|corners| {
                corners.len() == face.len() && corners.iter().all(|corner| face.contains(corner))
            })
        };
        found.extend(graph.faces.iter().position(same));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::sites_on;

    #[test]
    fn a_removed_cell_is_no_site() {
        let board = "(remove (square 3) cells:{4})";
        assert_eq!(sites_on(board, "", "(sites Board)").len(), 8);
        assert_eq!(sites_on(board, "", "(sites Around 0)").len(), 2);
    }
}
