//! `(is Crossing …)` and `(sites Crossing …)`: edges that cross one another.

use super::prelude::*;
use crate::board::SiteType;
use crate::board::operate::crossing;

pub(super) const FORMS: &[Form] = &[
    condition("is Crossing int int", "The two edges cross.", "(is Crossing (last To) 5)", |args| {
        let crossings = crossings(args)?;
        Ok(Bool::of(IsCrossing { a: args.int("int")?, b: args.int("int")?, crossings }))
    })
    .refuses("edges that cross are known only where pieces stand on edges"),
    region(
        "sites Crossing at:int ([player] | [roleType])",
        "The edges of the players that cross the edge.",
        "(sites Crossing at:(to) Next)",
        |args| {
            let (crossings, at) = (crossings(args)?, args.int("at")?);
            let who = args.try_who(&["player", "roleType"])?.unwrap_or(Who::Const(u32::MAX));
            Ok(Region::of_node(SitesCrossing { at, who, crossings }))
        },
    )
    .refuses("edges that cross are known only where pieces stand on edges"),
];

/// By edge: the edges that cross it, on boards whose edges pieces stand on.
fn crossings(args: &Args<'_, '_, '_>) -> Result<Table<Vec<Vec<i32>>>> {
    let board = &args.lower.equipment.board;
    if board.sites != SiteType::Edge {
        return Err(args.unsupported());
    }
    let graph = &board.graph;
    let ends = |edge: &(usize, usize)| (graph.vertices[edge.0], graph.vertices[edge.1]);
    let cross = |one: &(usize, usize), other: &(usize, usize)| {
        let ((a, b), (c, d)) = (ends(one), ends(other));
        crossing(a, b, c, d).is_some()
    };
    let of = |one: &(usize, usize)| {
        let others = graph.edges.iter().enumerate().filter(|(_, other)| cross(one, other));
        others.map(|(number, _)| number as i32).collect()
    };
    Ok(Table(graph.edges.iter().map(of).collect()))
}

node! {
    /// Two edges cross.
    struct IsCrossing = "is Crossing" { a: Int, b: Int, crossings: Table<Vec<Vec<i32>>> }
}

impl Condition for IsCrossing {
    fn holds(&self, c: &mut Context<'_>) -> bool {
        let (a, b) = (self.a.get(c), self.b.get(c));
        let others = usize::try_from(a).ok().and_then(|a| self.crossings.get(a));
        others.is_some_and(|others| others.contains(&b))
    }
}

node! {
    /// Edges of players that cross an edge.
    struct SitesCrossing = "sites Crossing", reads CELLS {
        at: Int,
        who: Who,
        crossings: Table<Vec<Vec<i32>>>,
    }
}

impl SiteSet for SitesCrossing {
    fn fill(&self, c: &mut Context<'_>, out: &mut Sites) {
        let (at, who) = (self.at.get(c), self.who.get(c));
        let others = usize::try_from(at).ok().and_then(|at| self.crossings.get(at));
        for &edge in others.into_iter().flatten() {
            let what = c.what(edge);
            if what != 0 && who >> c.owner(what) & 1 == 1 {
                out.insert(edge);
            }
        }
    }
}
