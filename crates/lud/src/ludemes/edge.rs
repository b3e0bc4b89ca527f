//! `(edge …)`: the edge between two vertices, or the one that is gone through.

use super::prelude::*;
use crate::board::SiteType;
use rustc_hash::FxHashMap;

pub(super) const FORMS: &[Form] = &[
    number(
        "edge int int",
        "The edge between two vertices; -1 where there is none.",
        "(is Empty Edge (edge (from) (to)))",
        read,
    ),
    number("edge", "The edge that is gone through.", "(is Empty Edge (edge))", |_| {
        Ok(Int::of(TheEdge {}))
    }),
];

fn read(args: &mut Args<'_, '_, '_>) -> Result<Int> {
    let (from, to) = (args.int("int")?, args.int("int")?);
    let equipment = args.lower.equipment;
    let vertex = |vertex: usize| equipment.converted(vertex as i32, SiteType::Vertex);
    let mut edges = FxHashMap::default();
    for (number, &(a, b)) in equipment.board.graph.edges.iter().enumerate() {
        let edge = equipment.converted(number as i32, SiteType::Edge);
        edges.insert((vertex(a), vertex(b)), edge);
        edges.insert((vertex(b), vertex(a)), edge);
    }
    let on = |site: Int| args.lower.site_on(site, SiteType::Vertex);
    Ok(Int::of(Edge { from: on(from), to: on(to), edges: Table(edges) }))
}

node! {
    /// The edge between two vertices.
    struct Edge = "edge" { from: Int, to: Int, edges: Table<FxHashMap<(i32, i32), i32>> }
}

impl Number for Edge {
    fn get(&self, c: &mut Context<'_>) -> i32 {
        let ends = (self.from.get(c), self.to.get(c));
        self.edges.get(&ends).copied().unwrap_or(OFF)
    }
}

node! {
    /// The edge that is gone through.
    struct TheEdge = "edge" {}
}

impl Number for TheEdge {
    fn get(&self, c: &mut Context<'_>) -> i32 {
        c.at.edge
    }
}
