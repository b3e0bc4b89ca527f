//! `(is Path …)`: are a player's edges a path of some length, or a circle?

use super::prelude::*;
use crate::board::SiteType;
use crate::engine::parts::Bounds;

pub(super) const FORMS: &[Form] = &[condition(
    "is Path siteType [from:int] (player | roleType) length:range [closed:boolean]",
    "The player's edges that hang together with the edge are a path of this length; or the player's vertices, joined by edges. A closed path is a circle through \
     the edge, whatever hangs on to it.",
    "(is Path Edge Mover length:(exact 3))",
    read,
)
.on_board()];

fn read(args: &mut Args<'_, '_, '_>) -> Result<Bool> {
    let (kind, board) = (args.kind(), &args.lower.equipment.board);
    let word = args.word("siteType").and_then(SiteType::named).unwrap_or(kind);
    if word == SiteType::Cell || !args.lower.equipment.has_kind(word) {
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
    let first = args.lower.equipment.sites_on(word).first().unwrap_or(0);
    let ways = Ways { ends, at, first, vertices: word == SiteType::Vertex };
    Ok(Bool::of(IsPath { from, who, length, closed, ways: Table(ways) }))
}

/// The edges of a board, and where the sites of the form's kind of elements begin.
struct Ways {
    /// By edge: its ends.
    ends: Vec<(usize, usize)>,
    /// By vertex: its edges.
    at: Vec<Vec<usize>>,
    first: i32,
    /// Are paths made of vertices?
    vertices: bool,
}

node! {
    /// Edges or vertices of a player are a path, or a circle.
    struct IsPath = "is Path", reads CELLS {
        from: Int,
        who: Who,
        length: Bounds,
        closed: Option<Bool>,
        ways: Table<Ways>,
    }
}

impl Condition for IsPath {
    fn holds(&self, c: &mut Context<'_>) -> bool {
        let first = self.ways.first;
        let Ok(start) = usize::try_from(self.from.get(c).saturating_sub(first)) else {
            return false;
        };
        let who = self.who.get(c);
        let length = self.length.range(c, 0);
        let closed = self.closed.as_ref().is_some_and(|closed| closed.holds(c));
        let mut lists = Lists { one: c.list(), two: c.list(), three: c.list() };
        let own = |number: usize| {
            let what = c.what(number as i32 + first);
            what != 0 && who >> c.owner(what) & 1 == 1
        };
        let ways = &*self.ways;
        let all = if ways.vertices { ways.at.len() } else { ways.ends.len() };
        let holds = start < all
            && own(start)
            && match (ways.vertices, closed) {
                (true, _) => ways.joins(start, &own, length, closed, &mut lists),
                (false, true) => ways.is_circle(start, &own, length, &mut lists),
                (false, false) => ways.is_path(start, &own, length, &mut lists),
            };
        for list in [lists.one, lists.two, lists.three] {
            c.free_list(list);
        }
        holds
    }
}

/// Lists for the work.
struct Lists {
    one: Vec<i32>,
    two: Vec<i32>,
    three: Vec<i32>,
}

/// The least and the greatest length.
type Length = (i32, i32);

impl Ways {
    /// Are the vertices that hang together with one a path, or a circle? The length is their number (decided by option `Vertex` of
    /// DisPath, ply 8).
    fn joins(
        &self,
        start: usize,
        own: &dyn Fn(usize) -> bool,
        (least, most): Length,
        closed: bool,
        Lists { one: seen, .. }: &mut Lists,
    ) -> bool {
        seen.push(start as i32);
        let (mut next, mut joints) = (0, 0);
        while let Some(&vertex) = seen.get(next) {
            next += 1;
            let vertex = vertex as usize;
            let near = || self.at[vertex].iter().map(|&edge| self.far(edge, vertex));
            let count = near().filter(|&other| own(other)).count();
            if count > 2 {
                return false;
            }
            joints += count;
            for other in near().filter(|&other| own(other)).map(|other| other as i32) {
                if !seen.contains(&other) {
                    seen.push(other);
                }
            }
        }
        // Every edge of the path was counted at both of its ends.
        let edges = seen.len() - usize::from(!closed);
        joints == 2 * edges && (least..=most).contains(&(seen.len() as i32))
    }

    /// The other end of an edge.
    fn far(&self, edge: usize, from: usize) -> usize {
        let (a, b) = self.ends[edge];
        if a == from { b } else { a }
    }

    /// Goes all ways from one end of an edge to the other, by depth.
    fn is_circle(
        &self,
        edge: usize,
        own: &dyn Fn(usize) -> bool,
        (least, most): Length,
        lists: &mut Lists,
    ) -> bool {
        let (start, goal) = self.ends[edge];
        // The vertices of the way, and for each the number of its next edge.
        let (way, turns) = (&mut lists.one, &mut lists.two);
        way.push(start as i32);
        turns.push(0);
        while let (Some(&vertex), Some(next)) = (way.last(), turns.last_mut()) {
            let vertex = vertex as usize;
            let Some(&step) = self.at[vertex].get(*next as usize) else {
                way.pop();
                turns.pop();
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
            if to != goal && !way.contains(&(to as i32)) {
                way.push(to as i32);
                turns.push(0);
            }
        }
        false
    }

    /// Follows the edges from one: no vertex may have three, and there is no circle.
    fn is_path(
        &self,
        edge: usize,
        own: &dyn Fn(usize) -> bool,
        (least, most): Length,
        Lists { one: edges, two: vertices, three: todo }: &mut Lists,
    ) -> bool {
        edges.push(edge as i32);
        let (a, b) = self.ends[edge];
        todo.extend([a as i32, b as i32]);
        while let Some(vertex) = todo.pop() {
            if vertices.contains(&vertex) {
                continue;
            }
            vertices.push(vertex);
            let vertex = vertex as usize;
            let mine = || self.at[vertex].iter().copied().filter(|&edge| own(edge));
            if mine().count() > 2 {
                return false;
            }
            for step in mine() {
                if !edges.contains(&(step as i32)) {
                    edges.push(step as i32);
                }
                todo.push(self.far(step, vertex) as i32);
            }
        }
        let length = edges.len() as i32;
        vertices.len() == edges.len() + 1 && (least..=most).contains(&length)
    }
}
