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

#[cfg(test)]
mod tests {
    use crate::engine::{Moves, Pad};
    use crate::ludemes::testing::game;

    #[test]
    fn edges_cross_where_they_share_no_end() {
        let ask = |condition: &str| {
            let text = format!(
                "(game \"Edges\" (players 2) (equipment {{(board (graph
                    vertices:{{{{0 0}} {{2 2}} {{0 2}} {{2 0}} {{4 0}}}} edges:{{{{0 1}} {{2 3}} {{3 4}}}})
                    use:Edge) (piece \"Mark\" Each) (piece \"Line\" Shared)}})
                    (rules (start (set Shared Edge (sites Board Edge)))
                        (play (move Remove (sites Occupied by:Shared)))
                        (end (if {condition} (result Mover Win)))))"
            );
            let game = game(&text).expect("a game");
            let (mut state, mut pad, mut moves) = (game.start(), Pad::default(), Moves::default());
            game.legal(&mut state, &mut pad, &mut moves);
            let first = moves.heads[0];
            game.apply(&mut state, &mut pad, &moves, first);
            state.s.over
        };
        assert!(ask("(is Crossing 0 1)") && !ask("(is Crossing 1 2)") && !ask("(is Crossing 0 2)"));
        // The first edge has been taken away.
        assert!(ask("(= (sites {1}) (sites Crossing at:0 All))"));
        assert!(ask("(= 0 (count Sites in:(sites Crossing at:1 All)))"));
        assert!(ask("(is LastTo Edge)") && !ask("(is LastTo Vertex)"));
    }
}
