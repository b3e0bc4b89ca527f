//! Pieces that go: steps, slides, hops, leaps, and from anywhere to anywhere.

use super::action::{Action, Move};
use super::context::{Context, Registers};
use super::directions::Direction;
use super::functions::{Function, Result};
use super::lower::{Lower, unsupported};
use super::moves::Generator;
use crate::compile::{Ludeme, Value};

impl Lower<'_> {
    pub(super) fn step(&mut self, l: &Ludeme) -> Result<Generator> {
        if l.labelled("stack").is_some() {
            return Err(unsupported(l));
        }
        let (from, to) = (self.from(l)?, self.to(l)?);
        let directions = self.direction_or(l, "direction", Direction::Adjacent)?;
        if to.region.is_some() {
            return Err(unsupported(l));
        }
        Ok(Box::new(move |c, out| {
            for from in from(c) {
                let Ok(at) = usize::try_from(from) else { continue };
                let here = Registers { from, ..c.at };
                let directions = c.with(here, |c| directions(c));
                let (facing, equipment) = (c.facing(from), c.equipment);
                for ray in equipment.directions.select(at, &directions, facing) {
                    let site = ray.sites[0] as i32;
                    to.go(c, from, site, out);
                }
            }
        }))
    }

    pub(super) fn slide(&mut self, l: &Ludeme) -> Result<Generator> {
        if l.labelled("stack").is_some() || l.typed("string").is_some() {
            return Err(unsupported(l));
        }
        let (from, to) = (self.from(l)?, self.to(l)?);
        let directions = self.direction_or(l, "direction", Direction::Adjacent)?;
        let (condition, least, most) = match l.typed("between") {
            Some(Value::Call(between)) => {
                for label in ["before", "after", "trail"] {
                    if between.labelled(label).is_some() {
                        return Err(unsupported(between));
                    }
                }
                if between.typed("apply").is_some() {
                    return Err(unsupported(between));
                }
                let condition = match between.labelled("if") {
                    Some(value) => Some(self.bool(value, between)?),
                    None => None,
                };
                let (least, most) = self.range(between)?;
                (condition, least, most)
            }
            _ => (None, None, None),
        };
        Ok(Box::new(move |c, out| {
            for from in from(c) {
                let Ok(at) = usize::try_from(from) else { continue };
                let here = Registers { from, ..c.at };
                let directions = c.with(here, |c| directions(c));
                let (facing, equipment) = (c.facing(from), c.equipment);
                let least = least.as_ref().map_or(1, |f| f(c));
                let most = most.as_ref().map_or(i32::MAX, |f| f(c));
                for ray in equipment.directions.select(at, &directions, facing) {
                    for (k, &site) in ray.sites.iter().enumerate() {
                        let (site, steps) = (site as i32, k as i32 + 1);
                        if steps > most {
                            break;
                        }
                        let at = Registers { from, to: site, between: site, ..c.at };
                        let free = match &condition {
                            Some(f) => c.with(at, |c| f(c)),
                            None => c.is_empty(site),
                        };
                        let mover = c.state.mover;
                        if free {
                            let mut actions = Vec::new();
                            if steps >= least && to.applies(c, at, &mut actions) {
                                actions.push(Action::Move { from, to: site });
                                out.push(Move { mover, from, to: site, actions, then: Vec::new() });
                            }
                            continue;
                        }
                        let stops = to.condition.is_some() || to.apply.is_some();
                        let mut actions = Vec::new();
                        if stops && steps >= least && to.allows(c, at, &mut actions) {
                            actions.push(Action::Move { from, to: site });
                            out.push(Move { mover, from, to: site, actions, then: Vec::new() });
                        }
                        break;
                    }
                }
            }
        }))
    }

    pub(super) fn hop(&mut self, l: &Ludeme) -> Result<Generator> {
        if l.labelled("stack").is_some() {
            return Err(unsupported(l));
        }
        let (from, to) = (self.from(l)?, self.to(l)?);
        let directions = self.direction_or(l, "direction", Direction::Adjacent)?;
        if to.region.is_some() {
            return Err(unsupported(l));
        }
        let number = |label: &str, of: &Ludeme, this: &mut Self| match of.labelled(label) {
            Some(value) => this.int(value, of).map(Some),
            None => Ok(None),
        };
        let (mut condition, mut least, mut most, mut before, mut after, mut apply) =
            (None, None, None, None, None, None);
        if let Some(Value::Call(between)) = l.typed("between") {
            if between.labelled("trail").is_some() {
                return Err(unsupported(between));
            }
            before = number("before", between, self)?;
            after = number("after", between, self)?;
            condition = match between.labelled("if") {
                Some(value) => Some(self.bool(value, between)?),
                None => None,
            };
            (least, most) = self.range(between)?;
            apply = self.apply(between)?;
        }
        Ok(Box::new(move |c, out| {
            for from in from(c) {
                let Ok(at) = usize::try_from(from) else { continue };
                let here = Registers { from, ..c.at };
                let directions = c.with(here, |c| directions(c));
                let (facing, equipment) = (c.facing(from), c.equipment);
                let bound = |f: &Option<Function<i32>>, c: &mut Context<'_>, d: i32| {
                    f.as_ref().map_or(d, |f| f(c))
                };
                let (least, most) = (bound(&least, c, 1), bound(&most, c, 1));
                let (before, after) = (bound(&before, c, 0), bound(&after, c, 0));
                for ray in equipment.directions.select(at, &directions, facing) {
                    let hurdle = |c: &mut Context<'_>, site: i32| match &condition {
                        Some(f) => {
                            let at = Registers { from, to: site, between: site, ..c.at };
                            c.with(at, |c| f(c))
                        }
                        None => !c.is_empty(site),
                    };
                    // Empty sites up to the hurdles.
                    let mut first = 0;
                    while first < ray.sites.len()
                        && (first as i32) < before
                        && c.is_empty(ray.sites[first] as i32)
                        && !hurdle(c, ray.sites[first] as i32)
                    {
                        first += 1;
                    }
                    let mut n = 0;
                    while let Some(&site) = ray.sites.get(first + n)
                        && (n as i32) < most
                        && hurdle(c, site as i32)
                    {
                        n += 1;
                    }
                    for jumped in (1..=n).filter(|&n| n as i32 >= least) {
                        let over = &ray.sites[first..first + jumped];
                        for step in 0..=after {
                            let Some(&site) = ray.sites.get(first + jumped + step as usize) else {
                                break;
                            };
                            let site = site as i32;
                            let last = over[jumped - 1] as i32;
                            let mut actions = Vec::new();
                            let at = Registers { from, to: site, between: last, ..c.at };
                            if !to.allows(c, at, &mut actions) {
                                if step > 0 || !c.is_empty(site) {
                                    break;
                                }
                                continue;
                            }
                            let mut allowed = true;
                            if let Some((condition, effect)) = &apply {
                                for &between in over {
                                    let at = Registers {
                                        from,
                                        to: site,
                                        between: between as i32,
                                        ..c.at
                                    };
                                    c.with(at, |c| {
                                        if condition.as_ref().is_some_and(|f| !f(c)) {
                                            allowed = false;
                                        } else if let Some(effect) = effect {
                                            let mut made = Vec::new();
                                            effect(c, &mut made);
                                            actions
                                                .extend(made.into_iter().flat_map(|m| m.actions));
                                        }
                                    });
                                }
                            }
                            if allowed {
                                actions.push(Action::Move { from, to: site });
                                let mover = c.state.mover;
                                out.push(Move { mover, from, to: site, actions, then: Vec::new() });
                            }
                            if !c.is_empty(site) {
                                break;
                            }
                        }
                    }
                }
            }
        }))
    }

    /// Jumps along walks, such as a knight's: `F` goes a step, `L` and `R` turn.
    pub(super) fn leap(&mut self, l: &Ludeme) -> Result<Generator> {
        for label in ["forward", "rotations"] {
            if l.labelled(label).is_some() {
                return Err(unsupported(l));
            }
        }
        let (from, to) = (self.from(l)?, self.to(l)?);
        let walks = l.args.iter().flatten().find_map(|(_, v)| match v {
            Value::List(walks) => Some(walks),
            _ => None,
        });
        let mut table: Vec<Vec<u32>> = vec![Vec::new(); self.equipment.elements().len()];
        for walk in walks.ok_or_else(|| unsupported(l))? {
            let Value::List(steps) = walk else { return Err(unsupported(l)) };
            let words: Vec<&str> = steps.iter().filter_map(Value::word).collect();
            for (site, ends) in table.iter_mut().enumerate() {
                for end in self.walk(site, &words) {
                    if !ends.contains(&end) {
                        ends.push(end);
                    }
                }
            }
        }
        Ok(Box::new(move |c, out| {
            for from in from(c) {
                let Some(ends) = usize::try_from(from).ok().and_then(|f| table.get(f)) else {
                    continue;
                };
                for &site in ends {
                    to.go(c, from, site as i32, out);
                }
            }
        }))
    }

    /// Where a walk ends, begun in every direction across a side.
    pub(super) fn walk(&self, site: usize, steps: &[&str]) -> Vec<u32> {
        let directions = &self.equipment.directions;
        // The directions across sides that the board has, clockwise.
        let mut bearings: Vec<f64> = Vec::new();
        for ray in directions.rays.iter().flatten().filter(|r| r.relation.orthogonal) {
            if !bearings.iter().any(|b| super::directions::turn(*b, ray.bearing) < 1.0) {
                bearings.push(ray.bearing);
            }
        }
        bearings.sort_by(f64::total_cmp);
        let n = bearings.len();
        let step = |at: usize, heading: usize| {
            let rays = directions.rays[at].iter().filter(|r| r.relation.orthogonal);
            let mut near =
                rays.filter(|r| super::directions::turn(r.bearing, bearings[heading]) < 10.0);
            near.next().map(|r| r.sites[0] as usize)
        };
        let mut ends = Vec::new();
        for first in 0..n {
            let (mut at, mut heading, mut inside) = (site, first, true);
            for word in steps {
                match *word {
                    "L" => heading = (heading + n - 1) % n,
                    "R" => heading = (heading + 1) % n,
                    _ => match step(at, heading) {
                        Some(next) => at = next,
                        None => {
                            inside = false;
                            break;
                        }
                    },
                }
            }
            if inside {
                ends.push(at as u32);
            }
        }
        ends
    }

    pub(super) fn carry(&mut self, l: &Ludeme) -> Result<Generator> {
        for label in ["count", "copy", "stack"] {
            if l.labelled(label).is_some() {
                return Err(unsupported(l));
            }
        }
        if l.typed("roleType").is_some() {
            return Err(unsupported(l));
        }
        let (from, to) = (self.from(l)?, self.to(l)?);
        Ok(Box::new(move |c, out| {
            for from in from(c) {
                if c.what(from) == 0 {
                    continue;
                }
                let at = Registers { from, ..c.at };
                let sites = match &to.region {
                    Some(region) => c.with(at, |c| region(c)),
                    None => vec![c.at.to],
                };
                for site in sites {
                    if site >= 0 {
                        to.go(c, from, site, out);
                    }
                }
            }
        }))
    }
}
