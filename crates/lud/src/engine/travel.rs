//! Pieces that go: steps, slides, hops, leaps, shots, and from anywhere to anywhere.

use std::sync::Arc;

use super::action::{Action, Kind, Moves, NONE};
use super::context::{Context, Registers};
use super::directions::{Direction, turn};
use super::functions::{Int, Result, holds};
use super::lower::{Lower, unsupported};
use super::moves::Generator;
use super::parts::{Bounds, Gait};
use crate::compile::{Ludeme, Value};

/// Walks, whether only forward, and whether in all directions.
pub(super) type Leap = (Vec<Vec<String>>, bool, bool);

/// By facing and site: where they end.
pub(super) type Ends = Arc<Vec<Vec<Vec<u32>>>>;

fn bound(f: &Option<Int>, c: &mut Context<'_>, default: i32) -> i32 {
    f.as_ref().map_or(default, |f| f.get(c))
}

impl Lower<'_> {
    fn gait(&self, l: &Ludeme) -> Gait {
        if Self::flag(l, "stack") { Gait::Stack } else { Gait::Piece }
    }

    pub(super) fn step(&mut self, l: &Ludeme) -> Result<Generator> {
        let gait = self.gait(l);
        let (from, to) = (self.from(l)?, self.to(l)?);
        let directions = self.direction_or(l, Direction::Adjacent)?;
        Ok(Box::new(move |c, out| {
            from.each(c, out, |c, at, out| {
                let rays = c.with(at, |c| directions.rays(c, at.from));
                let equipment = c.equipment;
                for &ray in rays.iter() {
                    let site = equipment.directions.line(ray)[0] as i32;
                    to.go(c, Registers { to: site, ..at }, gait, out);
                    if out.full() {
                        return;
                    }
                }
            });
        }))
    }

    pub(super) fn slide(&mut self, l: &Ludeme) -> Result<Generator> {
        if let Some(Value::Str(track)) = l.typed("string") {
            let track = track.clone();
            return match track.as_str() {
                "AllTracks" => self.slide_on_loops(l),
                _ => self.slide_on_track(l, &track),
            };
        }
        let gait = self.gait(l);
        let (from, mut to) = (self.from(l)?, self.to(l)?);
        to.apply.iter_mut().for_each(|apply| apply.strict = true);
        let directions = self.direction_or(l, Direction::Adjacent)?;
        let mut condition = None;
        let mut range = Bounds { least: None, most: None };
        let (mut trail, mut apply) = (None, None);
        if let Some(Value::Call(between)) = l.typed("between") {
            self.refuse(between, &["before", "after"])?;
            apply = self.apply(between)?;
            condition = self.optional_bool(between, "if")?;
            range = self.range(between)?;
            trail = self.optional_int(between, "trail")?;
        }
        let stops = to.condition.is_some();
        let to = Arc::new(to);
        let allows = to.clone();
        // Ends on a site after what applies to those that are passed.
        let land = move |c: &mut Context<'_>, passed: &[u32], here: Registers, out: &mut Moves| {
            let Some(apply) = &apply else { return to.go_on(c, here, gait, out) };
            let mark = out.actions.len();
            for &between in passed.iter().rev() {
                apply.run(c, Registers { between: between as i32, ..here }, out);
            }
            match to.applies(c, here, out) {
                Some(then) => to.close(c, here, gait, mark, then, out),
                None => out.actions.truncate(mark),
            }
            out.actions.len() > mark
        };
        Ok(Box::new(move |c, out| {
            from.each(c, out, |c, at, out| {
                let rays = c.with(at, |c| directions.rays(c, at.from));
                let equipment = c.equipment;
                let least = bound(&range.least, c, 1);
                let most = bound(&range.most, c, i32::MAX);
                for &ray in rays.iter() {
                    let line = equipment.directions.line(ray);
                    for (k, &site) in line.iter().enumerate() {
                        let (site, steps) = (site as i32, k as i32 + 1);
                        if steps > most || out.full() {
                            break;
                        }
                        let here = Registers { to: site, between: site, ..at };
                        let free = match &condition {
                            Some(f) => c.with(here, |c| f(c)),
                            None => c.is_empty(site),
                        };
                        if !free {
                            if stops && steps >= least && allows.allows(c, here) {
                                land(c, &line[..k], here, out);
                            }
                            break;
                        }
                        if steps < least {
                            continue;
                        }
                        if land(c, &line[..k], here, out)
                            && let Some(trail) = &trail
                        {
                            let what = trail.get(c).max(0) as u16;
                            let left =
                                std::iter::once(at.from).chain(line[..k].iter().map(|&s| s as i32));
                            for to in left {
                                out.actions.push(Action::Add {
                                    to,
                                    what,
                                    count: 1,
                                    state: 0,
                                    stack: false,
                                });
                            }
                            let end = out.actions.len() as u32;
                            if let Some(head) = out.heads.last_mut() {
                                head.end = end;
                            }
                        }
                    }
                }
            });
        }))
    }

    /// Slides along a track, both ways.
    fn slide_on_track(&mut self, l: &Ludeme, name: &str) -> Result<Generator> {
        let (from, to) = (self.from(l)?, self.to(l)?);
        let gait = self.gait(l);
        let mut condition = None;
        let mut range = Bounds { least: None, most: None };
        if let Some(Value::Call(between)) = l.typed("between") {
            condition = self.optional_bool(between, "if")?;
            range = self.range(between)?;
        }
        let all = &self.equipment.tracks;
        let exact = all.iter().any(|t| t.name == name);
        let named = |t: &&_| -> bool {
            let t: &super::track::Track = t;
            if exact { t.name == name } else { t.name.contains(name) }
        };
        let tracks: Vec<_> = all.iter().filter(named).cloned().collect();
        let stops = to.condition.is_some();
        Ok(Box::new(move |c, out| {
            from.each(c, out, |c, at, out| {
                let least = bound(&range.least, c, 1);
                let most = bound(&range.most, c, i32::MAX);
                for track in &tracks {
                    let places = (0..track.sites.len()).filter(|&i| track.sites[i] == at.from);
                    for place in places.collect::<Vec<_>>() {
                        for steps in 1..=(track.sites.len() as i32) {
                            let Some(next) = track.step(place, steps) else { break };
                            let site = track.sites[next];
                            if steps > most || site < 0 || site == at.from && next == place {
                                break;
                            }
                            let here = Registers { to: site, between: site, ..at };
                            let free = match &condition {
                                Some(f) => c.with(here, |c| f(c)),
                                None => c.is_empty(site),
                            };
                            if !free {
                                if stops && steps >= least {
                                    to.go(c, here, gait, out);
                                }
                                break;
                            }
                            if steps >= least {
                                to.go_on(c, here, gait, out);
                            }
                        }
                    }
                }
            });
        }))
    }

    pub(super) fn hop(&mut self, l: &Ludeme) -> Result<Generator> {
        let gait = self.gait(l);
        let (from, mut to) = (self.from(l)?, self.to(l)?);
        to.apply.iter_mut().for_each(|apply| apply.strict = true);
        // Where what applies has a condition, it tells where the hop ends, and that of the site
        // only how far it goes on.
        let ends = to.apply.as_ref().is_some_and(|a| a.condition.is_some() && a.effect.is_some());
        let directions = self.direction_or(l, Direction::Adjacent)?;
        let (mut condition, mut before, mut after, mut apply) = (None, None, None, None);
        let mut range = Bounds { least: None, most: None };
        if let Some(Value::Call(between)) = l.typed("between") {
            self.refuse(between, &["trail"])?;
            before = self.optional_int(between, "before")?;
            after = self.optional_int(between, "after")?;
            condition = self.optional_bool(between, "if")?;
            range = self.range(between)?;
            apply = self.apply(between)?;
        }
        Ok(Box::new(move |c, out| {
            from.each(c, out, |c, at, out| {
                let rays = c.with(at, |c| directions.rays(c, at.from));
                let equipment = c.equipment;
                let (least, most) = (bound(&range.least, c, 1), bound(&range.most, c, 1));
                let (before, after) = (bound(&before, c, 0), bound(&after, c, 0));
                for &ray in rays.iter() {
                    let line = equipment.directions.line(ray);
                    let hurdle = |c: &mut Context<'_>, site: i32| match &condition {
                        Some(f) => c.with(Registers { to: site, between: site, ..at }, |c| f(c)),
                        None => true,
                    };
                    // Empty sites up to the hurdles.
                    let mut first = 0;
                    while first < line.len()
                        && (first as i32) < before
                        && c.is_empty(line[first] as i32)
                        && !hurdle(c, line[first] as i32)
                    {
                        first += 1;
                    }
                    let mut n = 0;
                    while let Some(&site) = line.get(first + n)
                        && (n as i32) < most
                        && hurdle(c, site as i32)
                    {
                        n += 1;
                    }
                    for jumped in (0..=n).filter(|&n| n as i32 >= least) {
                        let over = &line[first..first + jumped];
                        for step in 0..=after {
                            let Some(&site) = line.get(first + jumped + step as usize) else {
                                break;
                            };
                            let site = site as i32;
                            let last = over.last().map_or(at.from, |&s| s as i32);
                            let here = Registers { to: site, between: last, ..at };
                            let passes = to.allows(c, here);
                            if ends && passes && c.is_empty(site) {
                                continue;
                            }
                            if !passes && (!ends || c.is_empty(site)) {
                                if step > 0 || !c.is_empty(site) {
                                    break;
                                }
                                continue;
                            }
                            let mark = out.actions.len();
                            let mut then = to.applies(c, here, out);
                            for &between in over {
                                let (Some(apply), Some(chain)) = (&apply, then) else { break };
                                let here = Registers { between: between as i32, ..here };
                                then = apply
                                    .run(c, here, out)
                                    .map(|t| if t == NONE { chain } else { t });
                            }
                            match then {
                                Some(then) => to.close(c, here, gait, mark, then, out),
                                None => out.actions.truncate(mark),
                            }
                            if !c.is_empty(site) || out.full() {
                                break;
                            }
                        }
                    }
                }
            });
        }))
    }

    /// Jumps along walks, such as a knight's: `F` goes a step, `L` and `R` turn.
    pub(super) fn leap(&mut self, l: &Ludeme) -> Result<Generator> {
        let forward = Self::flag(l, "forward");
        let rotations = !matches!(l.labelled("rotations"), Some(Value::Bool(false)));
        let (from, to) = (self.from(l)?, self.to(l)?);
        let walks = l.args.iter().flatten().find_map(|(_, v)| match v {
            Value::List(walks) => Some(walks),
            _ => None,
        });
        let walks =
            walk_words(walks.ok_or_else(|| unsupported(l))?).ok_or_else(|| unsupported(l))?;
        let tables = self.leaps(walks, forward, rotations);
        Ok(Box::new(move |c, out| {
            from.each(c, out, |c, at, out| {
                let table = if tables.len() == 1 { 0 } else { c.facing(at.from) };
                let ends = usize::try_from(at.from).ok().and_then(|f| tables[table].get(f));
                for &site in ends.into_iter().flatten() {
                    to.go(c, Registers { to: site as i32, ..at }, Gait::Piece, out);
                    if out.full() {
                        return;
                    }
                }
            });
        }))
    }

    /// Where a walk ends, begun in every direction across a side: the first bearing and the end.
    pub(super) fn walk(&self, site: usize, steps: &[String]) -> Vec<(f64, u32)> {
        let directions = &self.equipment.directions;
        let bearings = &directions.orthogonal;
        let n = bearings.len();
        let step = |at: usize, heading: usize| {
            let mut near = directions.of(at).filter(|&r| {
                let ray = &directions.rays[r as usize];
                let level = ray.relation.orthogonal && ray.relation.up == 0;
                level && turn(ray.bearing, bearings[heading]) < 10.0
            });
            near.next().map(|r| directions.line(r)[0] as usize)
        };
        let mut ends = Vec::new();
        for (first, &bearing) in bearings.iter().enumerate() {
            let (mut at, mut heading, mut inside) = (site, first, true);
            for word in steps {
                match word.as_str() {
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
                ends.push((bearing, at as u32));
            }
        }
        ends
    }

    /// By facing and site: where walks end.
    fn leaps(&self, walks: Vec<Vec<String>>, forward: bool, rotations: bool) -> Ends {
        let leap = (walks, forward, rotations);
        let known =
            self.tables.leaps.borrow().iter().find(|(k, _)| *k == leap).map(|(_, t)| t.clone());
        if let Some(known) = known {
            return known;
        }
        let walks = &leap.0;
        let facings: Vec<usize> = match forward || !rotations {
            true => (0..16).collect(),
            false => vec![0],
        };
        let sites = self.equipment.elements().len();
        let mut tables: Vec<Vec<Vec<u32>>> = Vec::new();
        for &facing in &facings {
            let mut table: Vec<Vec<u32>> = vec![Vec::new(); sites];
            if facings.len() == 1 || self.facings.contains(&facing) {
                for walk in walks {
                    for (site, ends) in table.iter_mut().enumerate() {
                        for (heading, end) in self.walk(site, walk) {
                            let bend = turn(heading, facing as f64 * 22.5);
                            let there = self.equipment.elements()[end as usize].centre;
                            let here = self.equipment.elements()[site].centre;
                            let (sin, cos) = (facing as f64 * 22.5).to_radians().sin_cos();
                            let ahead = (there[0] - here[0]) * sin + (there[1] - here[1]) * cos;
                            if !rotations && bend > 1.0 || forward && ahead <= 0.01 {
                                continue;
                            }
                            if !ends.contains(&end) {
                                ends.push(end);
                            }
                        }
                    }
                }
            }
            tables.push(table);
        }
        let tables = Arc::new(tables);
        self.tables.leaps.borrow_mut().push((leap, tables.clone()));
        tables
    }

    /// A piece is shot from a site along a line.
    pub(super) fn shoot(&mut self, l: &Ludeme) -> Result<Generator> {
        let what = self.piece(l)?;
        let from = match l.typed("from") {
            Some(_) => Some(self.from(l)?),
            None => None,
        };
        let to = self.to(l)?;
        let directions = self.direction_or(l, Direction::Adjacent)?;
        let condition = match l.typed("between") {
            Some(Value::Call(between)) => self.optional_bool(between, "if")?,
            _ => None,
        };
        let shoot = move |c: &mut Context<'_>, at: Registers, out: &mut Moves| {
            let what = what.get(c);
            let rays = c.with(at, |c| directions.rays(c, at.from));
            let equipment = c.equipment;
            for &ray in rays.iter() {
                for &site in equipment.directions.line(ray) {
                    let here = Registers { to: site as i32, between: site as i32, ..at };
                    let open = match &to.condition {
                        Some(f) => c.with(here, |c| f(c)),
                        None => c.is_empty(site as i32),
                    };
                    if open && what > 0 {
                        let first = out.actions.len();
                        let Some(then) = to.applies(c, here, out) else { continue };
                        let (to, what) = (site as i32, what as u16);
                        out.actions.push(Action::Add {
                            to,
                            what,
                            count: 1,
                            state: 0,
                            stack: false,
                        });
                        let head = out.close(first, c.state.s.mover, Kind::Add, to, to);
                        (head.then, head.extra) = (then, what);
                    }
                    let free = match &condition {
                        Some(f) => c.with(here, |c| f(c)),
                        None => c.is_empty(site as i32),
                    };
                    if !free || out.full() {
                        break;
                    }
                }
            }
        };
        Ok(match from {
            Some(from) => Box::new(move |c, out| from.each(c, out, &shoot)),
            None => Box::new(move |c, out| {
                let at = Registers { from: c.state.s.last_to, ..c.at };
                shoot(c, at, out);
            }),
        })
    }

    pub(super) fn carry(&mut self, l: &Ludeme) -> Result<Generator> {
        let count = self.optional_int(l, "count")?;
        let copy = self.optional_bool(l, "copy")?;
        let gait = self.gait(l);
        let mover = match l.typed("roleType") {
            Some(value) => Some(self.player_value(value, l)?),
            None => None,
        };
        let (from, to) = (self.from(l)?, self.to(l)?);
        Ok(Box::new(move |c, out| {
            from.each(c, out, |c, at, out| {
                if c.what(at.from) == 0 {
                    return;
                }
                let copy = copy.as_ref().is_some_and(|f| c.with(at, |c| f(c)));
                let carry = |c: &mut Context<'_>, site: i32, out: &mut Moves| {
                    if site < 0 {
                        return;
                    }
                    let here = Registers { to: site, ..at };
                    if !holds(to.condition.as_ref(), c, here) {
                        return;
                    }
                    let at_move = out.heads.len();
                    if count.is_none() && !copy {
                        to.go_on(c, here, gait, out);
                    } else {
                        let first = out.actions.len();
                        let Some(then) = to.applies(c, here, out) else {
                            out.actions.truncate(first);
                            return;
                        };
                        let (from, to) = (at.from, site);
                        out.actions.push(match &count {
                            Some(count) if !copy => {
                                let count = c.with(at, |c| count.get(c)).clamp(0, 60_000);
                                match gait {
                                    Gait::Stack if c.rules.stacking => {
                                        let level = (c.state.height(from) - count).max(0) as i16;
                                        Action::MoveStack { from, level, to }
                                    }
                                    _ => Action::MoveCount { from, to, count: count as u16 },
                                }
                            }
                            _ => Action::Copy { from, to },
                        });
                        out.close(first, c.state.s.mover, Kind::Go, from, to).then = then;
                    }
                    if let (Some(mover), Some(head)) = (&mover, out.heads.get(at_move).copied()) {
                        let mover = c.with(here, |c| mover.get(c)).max(0) as u16;
                        out.heads[at_move] = super::action::Head { mover, ..head };
                    }
                };
                match &to.region {
                    None => {
                        let site = c.at.to;
                        carry(c, site, out);
                    }
                    Some(region) => {
                        // While the region is worked out, `(to)` is where the move begins if nowhere
                        // else.
                        let to = if at.to < 0 { at.from } else { at.to };
                        let before = std::mem::replace(&mut c.at, Registers { to, ..at });
                        region.each(c, |c, site| {
                            let inner = std::mem::replace(&mut c.at, before);
                            carry(c, site, out);
                            c.at = inner;
                            !out.full()
                        });
                        c.at = before;
                    }
                }
            });
        }))
    }
}

/// The words of walks such as `{{F F R F}}`.
pub(super) fn walk_words(walks: &[Value]) -> Option<Vec<Vec<String>>> {
    walks
        .iter()
        .map(|walk| match walk {
            Value::List(steps) => {
                Some(steps.iter().filter_map(Value::word).map(str::to_owned).collect())
            }
            _ => None,
        })
        .collect()
}
