//! `(is Tree …)`, `(is SpanningTree …)`, `(is CaterpillarTree …)`, `(is RegularGraph …)`: the edges of players as graphs.

use super::prelude::*;
use crate::board::SiteType;

pub(super) const FORMS: &[Form] = &[
    condition(
        "is isTreeType=Tree (player | roleType)",
        "The edges have no circle.",
        "(is Tree Mover)",
        |args| tree(args, Shape::Tree),
    ),
    condition(
        "is isTreeType=SpanningTree (player | roleType)",
        "The edges are a tree of all vertices.",
        "(is SpanningTree Mover)",
        |args| tree(args, Shape::Spanning),
    ),
    condition(
        "is isTreeType=CaterpillarTree (player | roleType)",
        "The edges are a tree of all vertices that is a path without its leaves.",
        "(is CaterpillarTree Mover)",
        |args| tree(args, Shape::Caterpillar),
    ),
    condition(
        "is isTreeType=TreeCentre (player | roleType)",
        "The vertex of the last move is the centroid of its tree of edges.",
        "(is TreeCentre Mover)",
        centre,
    ),
    condition(
        "is RegularGraph (player | roleType) ([k:int] | [odd:boolean] | [even:boolean])",
        "All vertices have the same number of edges: this number, or an odd or even one.",
        "(is RegularGraph Mover k:2)",
        regular,
    ),
];

fn edges(args: &Args<'_, '_, '_>) -> Result<Table<Edges>> {
    let equipment = args.lower.equipment;
    if !equipment.has_kind(SiteType::Edge) {
        return Err(args.unsupported());
    }
    let graph = &equipment.board.graph;
    let site = |edge: usize| equipment.converted(edge as i32, SiteType::Edge);
    let sites = (0..graph.edges.len()).map(site).collect();
    Ok(Table(Edges { ends: graph.edges.clone(), vertices: graph.vertices.len(), sites }))
}

fn tree(args: &mut Args<'_, '_, '_>, shape: Shape) -> Result<Bool> {
    let (edges, who) = (edges(args)?, args.who(&["player", "roleType"])?);
    Ok(Bool::of(IsTree { shape: Table(shape), who, edges }))
}

fn centre(args: &mut Args<'_, '_, '_>) -> Result<Bool> {
    let (edges, who) = (edges(args)?, args.who(&["player", "roleType"])?);
    let vertex = args.lower.site_on(Int::LastTo(args.lower.last()), SiteType::Vertex);
    Ok(Bool::of(IsCentre { who, vertex, edges }))
}

fn regular(args: &mut Args<'_, '_, '_>) -> Result<Bool> {
    let (edges, who) = (edges(args)?, args.who(&["player", "roleType"])?);
    let (k, odd, even) = (args.try_int("k")?, args.flag("odd", false)?, args.flag("even", false)?);
    Ok(Bool::of(IsRegular { who, k, odd, even, edges }))
}

/// A kind of tree.
#[derive(Clone, Copy)]
enum Shape {
    Tree,
    Spanning,
    Caterpillar,
}

/// The edges of a board.
struct Edges {
    /// By edge: its ends.
    ends: Vec<(usize, usize)>,
    vertices: usize,
    /// By edge: its site.
    sites: Vec<i32>,
}

impl Edges {
    /// The ends of an edge.
    fn ends(&self, edge: i32) -> (usize, usize) {
        self.ends[edge as usize]
    }

    /// By vertex: how many of these edges end there.
    fn degrees(&self, own: &[i32], degrees: &mut Vec<i32>) {
        degrees.clear();
        degrees.resize(self.vertices, 0);
        for &edge in own {
            let (a, b) = self.ends(edge);
            degrees[a] += 1;
            degrees[b] += 1;
        }
    }

    /// Evaluates with the edges of some owners and a list for the work.
    fn of<T>(
        &self,
        c: &mut Context<'_>,
        who: u32,
        f: impl FnOnce(&mut Vec<i32>, &mut Vec<i32>) -> T,
    ) -> T {
        let (mut own, mut work) = (c.list(), c.list());
        own.extend((0..self.ends.len()).filter_map(|edge| {
            let what = c.what(self.sites[edge]);
            (what != 0 && who >> c.owner(what) & 1 == 1).then_some(edge as i32)
        }));
        let result = f(&mut own, &mut work);
        c.free_list(own);
        c.free_list(work);
        result
    }

    /// Are there edges, and no circle? They need not hang together (decided by Nedilmarth on "Graph2", end of its record).
    fn forest(&self, own: &[i32], root: &mut Vec<i32>) -> bool {
        root.clear();
        root.extend(0..self.vertices as i32);
        fn find(root: &[i32], at: usize) -> i32 {
            let mut at = at as i32;
            while root[at as usize] != at {
                at = root[at as usize];
            }
            at
        }
        for &edge in own {
            let (a, b) = self.ends(edge);
            let (a, b) = (find(root, a), find(root, b));
            if a == b {
                return false;
            }
            root[a as usize] = b;
        }
        !own.is_empty()
    }

    /// How many vertices hang together with one over these edges, without those at another vertex.
    fn part(&self, own: &[i32], from: usize, without: Option<usize>, seen: &mut Vec<i32>) -> usize {
        seen.clear();
        seen.push(from as i32);
        let mut next = 0;
        while let Some(&at) = seen.get(next) {
            next += 1;
            let ends = own.iter().map(|&edge| self.ends(edge));
            let ends = ends.filter(|&(a, b)| without.is_none_or(|v| a != v && b != v));
            for to in ends.filter_map(|ends| other_end(ends, at as usize)) {
                if !seen.contains(&(to as i32)) {
                    seen.push(to as i32);
                }
            }
        }
        seen.len()
    }

    /// Is a vertex the centroid of its tree: without it no part has more than half of the vertices (decided by Ilpion,
    /// ply 4 of its second record)?
    fn centre(&self, own: &[i32], vertex: usize, work: &mut Vec<i32>) -> bool {
        let all = self.part(own, vertex, None, work);
        let next = own.iter().filter_map(|&edge| other_end(self.ends(edge), vertex));
        let mut next = next.peekable();
        next.peek().is_some() && next.all(|v| 2 * self.part(own, v, Some(vertex), work) <= all)
    }

    /// Is a tree a path without its leaves? Leaves none but the edges of that path.
    fn caterpillar(&self, own: &mut Vec<i32>, degrees: &mut Vec<i32>) -> bool {
        self.degrees(own, degrees);
        own.retain(|&edge| {
            let (a, b) = self.ends(edge);
            degrees[a] > 1 && degrees[b] > 1
        });
        self.degrees(own, degrees);
        degrees.iter().all(|&n| n <= 2)
    }
}

/// The vertex at the other end of an edge, if the edge ends at a vertex.
fn other_end((a, b): (usize, usize), at: usize) -> Option<usize> {
    match at {
        _ if a == at => Some(b),
        _ if b == at => Some(a),
        _ => None,
    }
}

node! {
    /// The edges of players are a tree.
    struct IsTree = "is Tree", reads CELLS { shape: Table<Shape>, who: Who, edges: Table<Edges> }
}

impl Condition for IsTree {
    fn holds(&self, c: &mut Context<'_>) -> bool {
        let (who, edges) = (self.who.get(c), &self.edges);
        edges.of(c, who, |own, work| {
            let spanning = own.len() + 1 == edges.vertices;
            edges.forest(own, work)
                && match *self.shape {
                    Shape::Tree => true,
                    Shape::Spanning => spanning,
                    // The largest one (decided by SpanRups with "CaterpillarTree1", ply 1).
                    Shape::Caterpillar => spanning && edges.caterpillar(own, work),
                }
        })
    }
}

node! {
    /// A vertex is the centre of its tree.
    struct IsCentre = "is TreeCentre", reads CELLS { who: Who, vertex: Int, edges: Table<Edges> }
}

impl Condition for IsCentre {
    fn holds(&self, c: &mut Context<'_>) -> bool {
        let (who, vertex, edges) = (self.who.get(c), self.vertex.get(c), &self.edges);
        let vertex = usize::try_from(c.equipment.element(vertex)).unwrap_or(usize::MAX);
        vertex < edges.vertices && edges.of(c, who, |own, work| edges.centre(own, vertex, work))
    }
}

node! {
    /// All vertices have the same number of edges of players.
    struct IsRegular = "is RegularGraph", reads CELLS {
        who: Who,
        k: Option<Int>,
        odd: bool,
        even: bool,
        edges: Table<Edges>,
    }
}

impl Condition for IsRegular {
    fn holds(&self, c: &mut Context<'_>) -> bool {
        let (who, edges) = (self.who.get(c), &self.edges);
        let same = edges.of(c, who, |own, degrees| {
            edges.degrees(own, degrees);
            let first = degrees.first().copied();
            first.filter(|&first| degrees.iter().all(|&n| n == first))
        });
        let Some(same) = same else { return false };
        self.k.as_ref().is_none_or(|wanted| wanted.get(c) == same)
            && !(self.odd && same % 2 == 0 || self.even && same % 2 == 1)
    }
}

#[cfg(test)]
mod tests {
    use crate::engine::{Moves, Pad};
    use crate::ludemes::testing::game;

    /// Does a condition hold for the first player's edges of a square of four cells? Its 12 edges are numbered as the board's.
    fn edges(start: &str, condition: &str) -> bool {
        let game = game(&format!(
            "(game \"Edges\" (players 2) (equipment {{(board (square 2) use:Edge) (piece \"Line\" Each)}})
                (rules (start {{{start}}}) (play (move Select (from (if {condition} (sites {{0}})))))
                    (end (if (is Full) (result Mover Win)))))"
        ))
        .expect("a game");
        let (mut pad, mut moves) = (Pad::default(), Moves::default());
        game.legal(&mut game.start(), &mut pad, &mut moves);
        moves.heads.iter().any(|head| head.from == 0)
    }

    #[test]
    fn edges_without_a_circle_are_a_tree() {
        assert!(!edges("", "(is Tree P1)"));
        assert!(edges("(place \"Line1\" 0)", "(is Tree P1)"));
        assert!(!edges("(place \"Line2\" 0)", "(is Tree P1)"));
        let all = "(place \"Line1\" {0 1 2 3 4 5 6 7 8 9 10 11})";
        assert!(!edges(all, "(is Tree P1)"));
        assert!(!edges("(place \"Line1\" 0)", "(is SpanningTree P1)"));
    }

    #[test]
    fn a_graph_is_regular_where_all_vertices_have_as_many_edges() {
        assert!(edges("", "(is RegularGraph P1 k:0)"));
        assert!(!edges("(place \"Line1\" 0)", "(is RegularGraph P1)"));
        assert!(!edges("", "(is RegularGraph P1 odd:True)"));
    }
}
