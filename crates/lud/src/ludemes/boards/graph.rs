//! `(graph …)`: vertices and edges.

use super::{GraphArgs, Result, graph};
use crate::board::Graph;
use crate::ludemes::Form;

pub(in crate::ludemes) const FORMS: &[Form] = &[graph(
    "graph vertices:{{float}} [edges:{{int}}]",
    "A graph of vertices and edges.",
    "(graph vertices:{{0 0} {1 0}} edges:{{0 1}})",
    read,
)];

fn read(args: &mut GraphArgs<'_, '_>) -> Result<Graph> {
    let vertices = args.value("vertices")?;
    let mut graph = Graph { vertices: args.points_in_space(vertices)?, ..Graph::default() };
    for pair in args.take("edges").map_or(&[][..], |list| list.items()) {
        let [a, b] = args.numbers(pair)?[..] else {
            return Err(args.fault("an edge has two ends"));
        };
        let last = graph.vertices.len() as f64;
        if !(0.0..last).contains(&a) || !(0.0..last).contains(&b) {
            return Err(args.fault("there is no such vertex"));
        }
        // An edge that is written twice is one edge (decided by CrossGeo on "Graph2", whose edges 23 24 and 24 23 are one).
        graph.edge(a as usize, b as usize);
    }
    graph.make_faces();
    Ok(graph)
}
