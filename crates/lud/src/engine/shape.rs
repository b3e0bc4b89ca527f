//! Shapes on the board: sites that hold what lies on them, patterns, loops, and what touches what.

use super::context::Context;
use super::directions::Direction;
use super::functions::{Bool, Int, Region, Result, Who};
use super::lower::{Lower, unsupported};
use crate::board::SiteType;
use crate::compile::{Ludeme, Value};

/// Goes over walks until it is told to stop.
type EachWalk = Box<dyn Fn(&mut Context<'_>, &mut dyn FnMut(&[i32]) -> bool) + Send + Sync>;

impl Lower<'_> {
    /// `(is Flat …)`: all sites of the layer below that a site rests on are taken.
    pub(crate) fn flat(&mut self, l: &Ludeme) -> Result<Bool> {
        let site = match l.typed("int") {
            Some(value) => self.int(value, l)?,
            None => Int::To,
        };
        let elements = self.equipment.elements();
        let below: Vec<Vec<i32>> = elements
            .iter()
            .map(|e| {
                let under = |&&n: &&usize| elements[n].layer + 1 == e.layer;
                e.adjacent.iter().filter(under).map(|&n| n as i32).collect()
            })
            .collect();
        Ok(Box::new(move |c| {
            let site = site.get(c);
            let below = usize::try_from(site).ok().and_then(|s| below.get(s));
            below.is_some_and(|list| list.iter().all(|&s| c.what(s) != 0))
        }))
    }

    /// What looks for patterns: pieces on all sites of a walk from a site, in one of the directions.
    /// Goes over the walks that are such until `f` says no.
    fn each_pattern(&mut self, l: &Ludeme) -> Result<EachWalk> {
        let from = match l.labelled("from") {
            Some(value) => self.int(value, l)?,
            None => Int::LastTo(self.last()),
        };
        let mut whats = Vec::new();
        match (l.labelled("what"), l.labelled("whats")) {
            (Some(value), _) => whats.push(self.int(value, l)?),
            (None, Some(Value::List(list))) => {
                for value in list {
                    whats.push(self.int(value, l)?);
                }
            }
            (None, Some(_)) => return Err(unsupported(l)),
            (None, None) => {}
        }
        let Some(Value::List(steps)) = l.arg(1) else { return Err(unsupported(l)) };
        let steps: Option<Vec<String>> =
            steps.iter().map(|v| v.word().map(str::to_owned)).collect();
        let steps = steps.ok_or_else(|| unsupported(l))?;
        // By site: the sites of each walk, itself first.
        let walks: Vec<Vec<Vec<i32>>> =
            (0..self.equipment.elements().len()).map(|site| self.walked(site, &steps)).collect();
        Ok(Box::new(move |c, f| {
            let site = from.get(c);
            let Some(walks) = usize::try_from(site).ok().and_then(|s| walks.get(s)) else {
                return;
            };
            let mut kinds = c.list();
            kinds.extend(whats.iter().map(|w| w.get(c)));
            if whats.is_empty() {
                kinds.push(c.what(site) as i32);
            }
            for walk in walks {
                let mut pairs = walk.iter().zip(kinds.iter().cycle());
                let fits = pairs.all(|(&s, &kind)| kind > 0 && c.what(s) as i32 == kind);
                if fits && !f(walk) {
                    break;
                }
            }
            c.free_list(kinds);
        }))
    }

    /// `(is Pattern …)`.
    pub(crate) fn pattern(&mut self, l: &Ludeme) -> Result<Bool> {
        let each = self.each_pattern(l)?;
        Ok(Box::new(move |c| {
            let mut found = false;
            each(c, &mut |_| {
                found = true;
                false
            });
            found
        }))
    }

    /// `(sites Pattern …)`: the sites of all patterns that are there.
    pub(crate) fn pattern_region(&mut self, l: &Ludeme) -> Result<Region> {
        let each = self.each_pattern(l)?;
        Ok(Region::new(move |c, out| {
            each(c, &mut |walk| {
                walk.iter().for_each(|&site| out.insert(site));
                true
            });
        }))
    }

    /// All sites of the walks from a site, one for each direction in which they stay on the board.
    fn walked(&self, site: usize, steps: &[String]) -> Vec<Vec<i32>> {
        let prefixes = (0..=steps.len()).filter(|&n| n == 0 || steps[n - 1] == "F");
        let prefixes: Vec<usize> = prefixes.collect();
        let whole = self.walk(site, steps);
        let ends = |n: usize| self.walk(site, &steps[..n]);
        let all: Vec<Vec<(f64, u32)>> = prefixes.iter().map(|&n| ends(n)).collect();
        whole
            .iter()
            .map(|&(bearing, _)| {
                let at = |list: &Vec<(f64, u32)>| {
                    list.iter().find(|(b, _)| *b == bearing).map(|&(_, end)| end as i32)
                };
                all.iter().filter_map(at).collect()
            })
            .collect()
    }

    /// `(is Loop …)`: pieces of a player around at least one site.
    pub(crate) fn closed_loop(&mut self, l: &Ludeme) -> Result<Bool> {
        self.refuse(l, &["path"])?;
        let inside: Vec<Who> = match (l.labelled("surround"), l.arg(2)) {
            (Some(value), _) => vec![self.roles(value, l)?],
            (None, Some(Value::List(list))) => {
                list.iter().map(|v| self.roles(v, l)).collect::<Result<_>>()?
            }
            _ => Vec::new(),
        };
        let owner = match l.arg(4) {
            Some(value) => self.int(value, l)?,
            None => Int::Mover,
        };
        let start = match l.arg(5) {
            Some(value) => self.region(value, l)?,
            None => Region::One(Int::LastTo(self.last())),
        };
        let (near, directions) = (self.near(l)?, self.direction_or(l, Direction::Adjacent)?);
        let border = self.sites_of(self.equipment.named.outer.iter().map(|&i| i as i32));
        let closed = move |c: &mut Context<'_>, site: i32| {
            let owner = owner.get(c);
            if c.who(site) as i32 != owner {
                return false;
            }
            let inside =
                (!inside.is_empty()).then(|| inside.iter().fold(0, |bits, who| bits | who.get(c)));
            let mut ring = c.sites();
            super::groups::group(c, site, &near, None, &mut ring);
            // What the outside reaches without stepping on the group.
            let mut outside = c.sites();
            let mut todo = c.list();
            todo.extend(border.iter().filter(|&s| !ring.contains(s)));
            todo.iter().for_each(|&s| outside.insert(s));
            let equipment = c.equipment;
            let step = |&ray: &u32| equipment.directions.line(ray)[0] as i32;
            while let Some(here) = todo.pop() {
                for next in directions.rays(c, here).iter().map(step) {
                    if !ring.contains(next) && !outside.contains(next) {
                        outside.insert(next);
                        todo.push(next);
                    }
                }
            }
            let found = equipment.on_board.iter().any(|s| {
                let fits = inside.is_none_or(|who| who >> c.who(s) & 1 == 1);
                let enclosed = match ring.contains(s) {
                    // One of the group itself, in the midst of others.
                    true => {
                        let all = directions.rays(c, s);
                        !border.contains(s) && all.iter().map(step).all(|n| ring.contains(n))
                    }
                    false => !outside.contains(s),
                };
                enclosed && fits
            });
            c.free(ring);
            c.free(outside);
            c.free_list(todo);
            found
        };
        Ok(Box::new(move |c| {
            let mut found = false;
            start.each(c, |c, site| {
                found = closed(c, site);
                !found
            });
            found
        }))
    }

    /// `(sites Incident …)`: what of one kind touches something of another.
    pub(crate) fn incident(&mut self, l: &Ludeme) -> Result<Region> {
        let kind = |value: Option<&Value>| match value.and_then(Value::word) {
            Some("Cell") => Ok(SiteType::Cell),
            Some("Edge") => Ok(SiteType::Edge),
            Some("Vertex") => Ok(SiteType::Vertex),
            _ => Err(unsupported(l)),
        };
        let (to, of) = (kind(l.arg(1))?, kind(l.labelled("of"))?);
        let board = &self.equipment.board;
        // Whose something is can be told of what pieces stand on.
        let who = match l.typed("roleType").or(l.labelled("owner")) {
            Some(value) if to == board.sites => Some(self.roles(value, l)?),
            Some(_) => return Err(unsupported(l)),
            None => None,
        };
        if self.equipment.board.topology.elements(to).len() > self.equipment.sites {
            return Err(unsupported(l));
        }
        let incidence = board.incidence();
        let elements = board.topology.elements(of);
        let table: Vec<Vec<u32>> = (0..elements.len())
            .map(|i| match of == to {
                // Those of the same kind that touch it.
                true => elements[i].adjacent.iter().map(|&n| n as u32).collect(),
                false => incidence.of(of, i, to),
            })
            .collect();
        let at = self.int(l.labelled("at").ok_or_else(|| unsupported(l))?, l)?;
        Ok(Region::new(move |c, out| {
            let at = at.get(c);
            let who = who.as_ref().map(|who| who.get(c));
            let list = usize::try_from(at).ok().and_then(|i| table.get(i));
            for &site in list.into_iter().flatten() {
                let site = site as i32;
                if who.is_none_or(|w| w >> c.who(site) & 1 == 1) {
                    out.insert(site);
                }
            }
        }))
    }

    /// By edge: those that cross it, on boards whose edges pieces stand on.
    fn crossings(&self, l: &Ludeme) -> Result<Vec<Vec<i32>>> {
        if self.equipment.board.sites != SiteType::Edge {
            return Err(unsupported(l));
        }
        let graph = &self.equipment.board.graph;
        let ends = |edge: &(usize, usize)| (graph.vertices[edge.0], graph.vertices[edge.1]);
        let cross = |one: &(usize, usize), other: &(usize, usize)| {
            let ((a, b), (c, d)) = (ends(one), ends(other));
            crate::board::operate::crossing(a, b, c, d).is_some()
        };
        let all = graph.edges.iter();
        Ok(all
            .map(|one| {
                let others = graph.edges.iter().enumerate();
                others.filter(|(_, other)| cross(one, other)).map(|(i, _)| i as i32).collect()
            })
            .collect())
    }

    /// `(is Crossing …)`: do two edges cross?
    pub(crate) fn is_crossing(&mut self, l: &Ludeme) -> Result<Bool> {
        let crossings = self.crossings(l)?;
        let (a, b) = (self.int_at(l, 1)?, self.int_at(l, 2)?);
        Ok(Box::new(move |c| {
            let (a, b) = (a.get(c), b.get(c));
            let others = usize::try_from(a).ok().and_then(|a| crossings.get(a));
            others.is_some_and(|others| others.contains(&b))
        }))
    }

    /// `(sites Crossing …)`: somebody's edges that cross another.
    pub(crate) fn crossing_region(&mut self, l: &Ludeme) -> Result<Region> {
        let crossings = self.crossings(l)?;
        let at = self.int(l.labelled("at").ok_or_else(|| unsupported(l))?, l)?;
        let who = self.optional_roles(l)?.unwrap_or(Who::Const(u32::MAX));
        Ok(Region::new(move |c, out| {
            let (at, who) = (at.get(c), who.get(c));
            let others = usize::try_from(at).ok().and_then(|at| crossings.get(at));
            for &edge in others.into_iter().flatten() {
                let what = c.what(edge);
                if what != 0 && who >> c.owner(what) & 1 == 1 {
                    out.insert(edge);
                }
            }
        }))
    }

    /// `(is Path …)`: are the edges of a player that hang together with the last one a path of such
    /// a length? A closed one is a circle through it, whatever hangs on to it.
    pub(crate) fn path(&mut self, l: &Ludeme) -> Result<Bool> {
        if self.equipment.board.sites != SiteType::Edge {
            return Err(unsupported(l));
        }
        self.same_site_type(l)?;
        let from = match l.labelled("from") {
            Some(value) => self.int(value, l)?,
            None => Int::LastTo(self.last()),
        };
        let who = self
            .roles(l.typed("player").or(l.typed("roleType")).ok_or_else(|| unsupported(l))?, l)?;
        let Some(Value::Call(range)) = l.labelled("length") else { return Err(unsupported(l)) };
        let range = self.bounds(range)?;
        let closed = self.optional_bool(l, "closed")?;
        let graph = &self.equipment.board.graph;
        let ends = graph.edges.clone();
        let mut at = vec![Vec::new(); graph.vertices.len()];
        for (edge, &(a, b)) in ends.iter().enumerate() {
            at[a].push(edge);
            at[b].push(edge);
        }
        Ok(Box::new(move |c| {
            let Ok(edge) = usize::try_from(from.get(c)) else { return false };
            let Some(&(a, b)) = ends.get(edge) else { return false };
            let who = who.get(c);
            let least = range.least.as_ref().map_or(0, |f| f.get(c));
            let most = range.most.as_ref().map_or(i32::MAX, |f| f.get(c));
            let closed = closed.as_ref().is_some_and(|f| f(c));
            let own = |edge: usize| {
                let what = c.what(edge as i32);
                what != 0 && who >> c.owner(what) & 1 == 1
            };
            if !own(edge) {
                return false;
            }
            let far = |edge: usize, from: usize| match ends[edge] {
                (a, b) if a == from => b,
                (a, _) => a,
            };
            if closed {
                // All ways from one of its ends to the other, by depth.
                let mut way: Vec<(usize, usize)> = vec![(a, 0)];
                while let Some(&mut (vertex, ref mut next)) = way.last_mut() {
                    let Some(&step) = at[vertex].get(*next) else {
                        way.pop();
                        continue;
                    };
                    *next += 1;
                    let to = far(step, vertex);
                    let length = way.len() as i32 + 1;
                    if step == edge || !own(step) || length > most {
                        continue;
                    }
                    if to == b && length >= least {
                        return true;
                    }
                    if to != b && way.iter().all(|&(passed, _)| passed != to) {
                        way.push((to, 0));
                    }
                }
                return false;
            }
            let (mut edges, mut vertices) = (vec![edge], Vec::new());
            let mut todo = vec![a, b];
            while let Some(vertex) = todo.pop() {
                if vertices.contains(&vertex) {
                    continue;
                }
                vertices.push(vertex);
                let mine = || at[vertex].iter().copied().filter(|&edge| own(edge));
                if mine().count() > 2 {
                    return false;
                }
                for step in mine() {
                    if !edges.contains(&step) {
                        edges.push(step);
                    }
                    todo.push(far(step, vertex));
                }
            }
            let length = edges.len() as i32;
            vertices.len() == edges.len() + 1 && (least..=most).contains(&length)
        }))
    }
}
