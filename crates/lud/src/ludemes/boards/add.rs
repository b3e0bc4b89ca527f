//! `(add …)`: a graph with more vertices, edges or cells.

use super::{GraphArgs, Result, graph};
use crate::board::{Graph, operate};
use crate::compile::Value;
use crate::ludemes::Form;

pub(in crate::ludemes) const FORMS: &[Form] = &[graph(
    "add [graph] [vertices:{{float}}] ([edges:{{{float}}}] | [Edges:{{dim}}]) [edgesCurved:{{{float}}}] ([cells:{{{float}}}] | [Cells:{{dim}}]) [connect:boolean]",
    "A graph with more vertices, edges or cells.",
    "(add (square 3) edges:{{{0 0} {2 2}}})",
    read,
)];

fn read(args: &mut GraphArgs<'_, '_>) -> Result<Graph> {
    let mut graph = if args.has("graph") { args.graph()? } else { Graph::default() };
    if let Some(list) = args.take("vertices") {
        for point in args.points_in_space(list)? {
            graph.vertex(point);
        }
    }
    for pair in args.take("edges").map_or(&[][..], Value::items) {
        if let [a, b] = args.vertices_of(pair, &mut graph, true)?[..] {
            graph.edge(a, b);
        }
    }
    // The graph has only the two ends of a curve.
    for curve in args.take("edgesCurved").map_or(&[][..], Value::items) {
        let [from, to, ..] = args.points_in_space(curve)?[..] else {
            return Err(args.fault("a curve has two ends"));
        };
        let (a, b) = (graph.vertex(from), graph.vertex(to));
        graph.edge(a, b);
    }
    for cell in args.take("cells").map_or(&[][..], Value::items) {
        let around = args.vertices_of(cell, &mut graph, true)?;
        graph.face(&around);
    }
    if args.flag("connect", false)? {
        operate::connect(&mut graph);
    }
    Ok(graph)
}
