//! `(is Tree …)`, `(is SpanningTree …)`, `(is CaterpillarTree …)`, `(is RegularGraph …)`: the edges of players as graphs.

use super::prelude::*;
use crate::board::SiteType;

pub(super) const FORMS: &[Form] = &[
    condition(
        "is isTreeType=Tree (player | roleType)",
        "The edges hang together without a circle.",
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
        "The edges are a tree that is a path without its leaves.",
        "(is CaterpillarTree Mover)",
        |args| tree(args, Shape::Caterpillar),
    ),
    condition(
        "is RegularGraph (player | roleType) ([k:int] | [odd:boolean] | [even:boolean])",
        "All vertices have the same number of edges: this number, or an odd or even one.",
        "(is RegularGraph Mover k:2)",
        regular,
    ),
];

fn edges(args: &Args<'_, '_, '_>) -> Result<Table<Edges>> {
    let board = &args.lower.equipment.board;
    if board.sites != SiteType::Edge {
        return Err(args.unsupported());
    }
    let graph = &board.graph;
    Ok(Table(Edges { ends: graph.edges.clone(), vertices: graph.vertices.len() }))
}

fn tree(args: &mut Args<'_, '_, '_>, shape: Shape) -> Result<Bool> {
    let (edges, who) = (edges(args)?, args.who(&["player", "roleType"])?);
    Ok(Bool::of(IsTree { shape: Table(shape), who, edges }))
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
            let what = c.what(edge as i32);
            what != 0 && who >> c.owner(what) & 1 == 1
        };
        (0..self.ends.len()).filter(own).collect()
    }

    /// Do edges hang together, without a circle?
    fn tree(&self, own: &[usize]) -> bool {
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
        let touched = self.degrees(own).into_iter().filter(|&n| n > 0).count();
        !own.is_empty() && touched == own.len() + 1
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
        self.edges.tree(&own)
            && match *self.shape {
                Shape::Tree => true,
                Shape::Spanning => own.len() + 1 == self.edges.vertices,
                Shape::Caterpillar => self.edges.caterpillar(&own),
            }
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
