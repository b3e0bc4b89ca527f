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
    /// By vertex: how many of these edges end there.
    fn degrees(&self, own: &[usize]) -> Vec<usize> {
        let mut degrees = vec![0; self.vertices];
        for &edge in own {
            let (a, b) = self.ends[edge];
            degrees[a] += 1;
            degrees[b] += 1;
        }
        degrees
    }

    /// The edges of some owners.
    fn of(&self, c: &Context<'_>, who: u32) -> Vec<usize> {
        let own = |&edge: &usize| {
            let what = c.what(self.sites[edge]);
            what != 0 && who >> c.owner(what) & 1 == 1
        };
        (0..self.ends.len()).filter(own).collect()
    }

    /// Are there edges, and no circle? They need not hang together (decided by Nedilmarth on "Graph2", end of its record).
    fn forest(&self, own: &[usize]) -> bool {
        let mut root: Vec<usize> = (0..self.vertices).collect();
        fn find(root: &[usize], mut at: usize) -> usize {
            while root[at] != at {
                at = root[at];
            }
            at
        }
        for &edge in own {
            let (a, b) = self.ends[edge];
            let (a, b) = (find(&root, a), find(&root, b));
            if a == b {
                return false;
            }
            root[a] = b;
        }
        !own.is_empty()
    }

    /// How many vertices hang together with one over these edges, without those at another vertex.
    fn part(&self, own: &[usize], from: usize, without: Option<usize>) -> usize {
        let mut seen = vec![false; self.vertices];
        let mut todo = vec![from];
        let mut count = 0;
        while let Some(at) = todo.pop() {
            if std::mem::replace(&mut seen[at], true) {
                continue;
            }
            count += 1;
            let ends = own.iter().map(|&edge| self.ends[edge]);
            let ends = ends.filter(|&(a, b)| without.is_none_or(|v| a != v && b != v));
            let next = ends.filter_map(|(a, b)| match at {
                _ if a == at => Some(b),
                _ if b == at => Some(a),
                _ => None,
            });
            todo.extend(next);
        }
        count
    }

    /// Is a vertex the centroid of its tree: without it no part has more than half of the vertices (decided by Ilpion,
    /// ply 4 of its second record)?
    fn centre(&self, own: &[usize], vertex: usize) -> bool {
        let all = self.part(own, vertex, None);
        let next = own.iter().map(|&edge| self.ends[edge]).filter_map(|(a, b)| match vertex {
            _ if a == vertex => Some(b),
            _ if b == vertex => Some(a),
            _ => None,
        });
        let mut next = next.peekable();
        next.peek().is_some() && next.all(|v| 2 * self.part(own, v, Some(vertex)) <= all)
    }

    /// Is a tree a path without its leaves?
    fn caterpillar(&self, own: &[usize]) -> bool {
        let degrees = self.degrees(own);
        let inner = |&&edge: &&usize| {
            let (a, b) = self.ends[edge];
            degrees[a] > 1 && degrees[b] > 1
        };
        let spine: Vec<usize> = own.iter().filter(inner).copied().collect();
        self.degrees(&spine).into_iter().all(|n| n <= 2)
    }
}

node! {
    /// The edges of players are a tree.
    struct IsTree = "is Tree", reads CELLS { shape: Table<Shape>, who: Who, edges: Table<Edges> }
}

impl Condition for IsTree {
    fn holds(&self, c: &mut Context<'_>) -> bool {
        let who = self.who.get(c);
        let own = self.edges.of(c, who);
        let spanning = own.len() + 1 == self.edges.vertices;
        self.edges.forest(&own)
            && match *self.shape {
                Shape::Tree => true,
                Shape::Spanning => spanning,
                // The largest one (decided by SpanRups with "CaterpillarTree1", ply 1).
                Shape::Caterpillar => spanning && self.edges.caterpillar(&own),
            }
    }
}

node! {
    /// A vertex is the centre of its tree.
    struct IsCentre = "is TreeCentre", reads CELLS { who: Who, vertex: Int, edges: Table<Edges> }
}

impl Condition for IsCentre {
    fn holds(&self, c: &mut Context<'_>) -> bool {
        let (who, vertex) = (self.who.get(c), self.vertex.get(c));
        let own = self.edges.of(c, who);
        let vertex = c.equipment.element(vertex);
        usize::try_from(vertex)
            .is_ok_and(|vertex| vertex < self.edges.vertices && self.edges.centre(&own, vertex))
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
        let who = self.who.get(c);
        let degrees = self.edges.degrees(&self.edges.of(c, who));
        let Some(&k) = degrees.first() else { return false };
        degrees.iter().all(|&n| n == k)
            && self.k.as_ref().is_none_or(|wanted| wanted.get(c) == k as i32)
            && !(self.odd && k % 2 == 0 || self.even && k % 2 == 1)
    }
}
