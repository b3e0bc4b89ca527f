//! `(is Path …)`: are a player's edges a path of some length, or a circle?

use super::prelude::*;
use crate::board::SiteType;
use crate::engine::parts::Bounds;

pub(super) const FORMS: &[Form] = &[condition(
    "is Path siteType [from:int] (player | roleType) length:range [closed:boolean]",
    "The player's edges that hang together with the edge are a path of this length. A closed path is a circle through \
     the edge, whatever hangs on to it.",
    "(is Path Edge Mover length:(exact 3))",
    read,
)
    .refuses("paths over vertices: the only record is one option of DisPath")
.on_board()];

fn read(args: &mut Args<'_, '_, '_>) -> Result<Bool> {
    let board = &args.lower.equipment.board;
    if board.sites != SiteType::Edge {
        return Err(args.unsupported());
    }
    let ends = board.graph.edges.clone();
    let mut at = vec![Vec::new(); board.graph.vertices.len()];
    for (edge, &(a, b)) in ends.iter().enumerate() {
        at[a].push(edge);
        at[b].push(edge);
    }
    let (from, who) = (args.site_or_last("from")?, args.who(&["player", "roleType"])?);
    let length = args.range("length")?;
    let closed = args.try_bool("closed")?;
    Ok(Bool::of(IsPath { from, who, length, closed, ends: Table(ends), at: Table(at) }))
}

node! {
    /// Edges of a player are a path, or a circle.
    struct IsPath = "is Path", reads CELLS {
        from: Int,
        who: Who,
        length: Bounds,
        closed: Option<Bool>,
        /// By edge: its ends.
        ends: Table<Vec<(usize, usize)>>,
        /// By vertex: its edges.
        at: Table<Vec<Vec<usize>>>,
    }
}

impl Condition for IsPath {
    fn holds(&self, c: &mut Context<'_>) -> bool {
        let Ok(edge) = usize::try_from(self.from.get(c)) else { return false };
        let who = self.who.get(c);
        let length = self.length.range(c, 0);
        let closed = self.closed.as_ref().is_some_and(|closed| closed.holds(c));
        let own = |edge: usize| {
            let what = c.what(edge as i32);
            what != 0 && who >> c.owner(what) & 1 == 1
        };
        if edge >= self.ends.len() || !own(edge) {
            return false;
        }
        match closed {
            true => self.is_circle(edge, &own, length),
            false => self.is_path(edge, &own, length),
        }
    }
}

/// The least and the greatest length.
type Length = (i32, i32);

impl IsPath {
    /// The other end of an edge.
    fn far(&self, edge: usize, from: usize) -> usize {
        let (a, b) = self.ends[edge];
        if a == from { b } else { a }
    }

    /// Goes all ways from one end of an edge to the other, by depth.
    fn is_circle(&self, edge: usize, own: &dyn Fn(usize) -> bool, (least, most): Length) -> bool {
        let (start, goal) = self.ends[edge];
        let mut way: Vec<(usize, usize)> = vec![(start, 0)];
        while let Some(&mut (vertex, ref mut next)) = way.last_mut() {
            let Some(&step) = self.at[vertex].get(*next) else {
                way.pop();
                continue;
            };
            *next += 1;
            let to = self.far(step, vertex);
            let length = way.len() as i32 + 1;
            if step == edge || !own(step) || length > most {
                continue;
            }
            if to == goal && length >= least {
                return true;
            }
            if to != goal && way.iter().all(|&(passed, _)| passed != to) {
                way.push((to, 0));
            }
        }
        false
    }

    /// Follows the edges from one: no vertex may have three, and there is no circle.
    fn is_path(&self, edge: usize, own: &dyn Fn(usize) -> bool, (least, most): Length) -> bool {
        let (mut edges, mut vertices) = (vec![edge], Vec::new());
        let (a, b) = self.ends[edge];
        let mut todo = vec![a, b];
        while let Some(vertex) = todo.pop() {
            if vertices.contains(&vertex) {
                continue;
            }
            vertices.push(vertex);
            let mine = || self.at[vertex].iter().copied().filter(|&edge| own(edge));
            if mine().count() > 2 {
                return false;
            }
            for step in mine() {
                if !edges.contains(&step) {
                    edges.push(step);
                }
                todo.push(self.far(step, vertex));
            }
        }
        let length = edges.len() as i32;
        vertices.len() == edges.len() + 1 && (least..=most).contains(&length)
    }
}
