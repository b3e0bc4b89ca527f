//! Boards of edges as graphs: trees, and graphs whose vertices all have as many edges.

use super::context::Context;
use super::functions::{Bool, Result};
use super::lower::{Lower, unsupported};
use crate::board::SiteType;
use crate::compile::{Ludeme, Value};

/// The edges of some players.
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
}

impl Lower<'_> {
    /// `(is Tree …)`, `(is SpanningTree …)`, `(is CaterpillarTree …)` and `(is RegularGraph …)`.
    pub(crate) fn is_graph(&mut self, l: &Ludeme, first: &str) -> Result<Bool> {
        if self.equipment.board.sites != SiteType::Edge {
            return Err(unsupported(l));
        }
        let who = self.roles(l.arg(1).ok_or_else(|| unsupported(l))?, l)?;
        let graph = &self.equipment.board.graph;
        let edges = Edges { ends: graph.edges.clone(), vertices: graph.vertices.len() };
        Ok(match first {
            "RegularGraph" => {
                let wanted = self.optional_int(l, "k")?;
                let odd = matches!(l.labelled("odd"), Some(Value::Bool(true)));
                let even = matches!(l.labelled("even"), Some(Value::Bool(true)));
                Box::new(move |c| {
                    let who = who.get(c);
                    let degrees = edges.degrees(&edges.of(c, who));
                    let Some(&k) = degrees.first() else { return false };
                    degrees.iter().all(|&n| n == k)
                        && wanted.as_ref().is_none_or(|w| w.get(c) == k as i32)
                        && !(odd && k % 2 == 0 || even && k % 2 == 1)
                })
            }
            "Tree" => Box::new(move |c| {
                let who = who.get(c);
                edges.tree(&edges.of(c, who))
            }),
            "SpanningTree" => Box::new(move |c| {
                let who = who.get(c);
                let own = edges.of(c, who);
                own.len() + 1 == edges.vertices && edges.tree(&own)
            }),
            "CaterpillarTree" => Box::new(move |c| {
                let who = who.get(c);
                let own = edges.of(c, who);
                if !edges.tree(&own) {
                    return false;
                }
                // Without its leaves it is a path.
                let degrees = edges.degrees(&own);
                let inner = |&&edge: &&usize| {
                    let (a, b) = edges.ends[edge];
                    degrees[a] > 1 && degrees[b] > 1
                };
                let spine: Vec<usize> = own.iter().filter(inner).copied().collect();
                edges.degrees(&spine).into_iter().all(|n| n <= 2)
            }),
            _ => return Err(unsupported(l)),
        })
    }
}
