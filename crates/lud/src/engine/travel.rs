//! Pieces that go: steps, slides, hops, leaps, shots, and from anywhere to anywhere.

use std::sync::Arc;

use super::action::{Action, Kind, Moves, NONE};
use super::context::{Context, Registers};
use super::directions::{Direction, Dirs, turn};
use super::equipment::Equipment;
use super::functions::{Bool, Int, Result};
use super::lots::Candidates;
use super::lower::{Lower, unsupported};
use super::moves::Generator;
use super::parts::{Apply, Bounds, Gait, To};
use super::test::{FREE, Place, Test, holds, is_of, mask_or};
use crate::compile::{Ludeme, Value};

/// Walks, whether only forward, and whether in all directions.
pub(super) type Walks = (Vec<Vec<String>>, bool, bool);

/// By facing and site: where they end.
pub(super) type Ends = Arc<Vec<Vec<Vec<u32>>>>;

fn bound(f: &Option<Int>, c: &mut Context<'_>, default: i32) -> i32 {
    f.as_ref().map_or(default, |f| f.get(c))
}

/// As the directions of a step see it: inside another move `(from)` is where that one begins.
fn outer(c: &Context<'_>, at: Registers) -> Registers {
    Registers { from: if c.at.from >= 0 { c.at.from } else { at.from }, ..at }
}

impl Lower<'_> {
    /// A whole stack goes, unless it is said from which level.
    fn gait(&self, l: &Ludeme) -> Gait {
        let level =
            matches!(l.typed("from"), Some(Value::Call(f)) if f.labelled("level").is_some());
        if Self::flag(l, "stack") && !level { Gait::Stack } else { Gait::Piece }
    }

    pub(super) fn step(&mut self, l: &Ludeme) -> Result<Generator> {
        let (gait, from, to) = (self.gait(l), self.from(l)?, self.to(l)?);
        let directions = self.direction_or(l, Direction::Adjacent)?;
        let most = directions.widest();
        Ok(self.moves_from(from, Step { to, directions, gait, most }))
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
        let mut range = Bounds::NONE;
        let (mut trail, mut apply) = (None, None);
        if let Some(Value::Call(between)) = l.typed("between") {
            self.refuse(between, &["before", "after"])?;
            apply = self.apply(between)?;
            condition = self.optional_test(between, "if")?;
            range = self.range(between)?;
            trail = self.optional_int(between, "trail")?;
        }
        let most = directions.longest(&self.equipment.directions);
        Ok(self
            .moves_from(from, Slide { to, directions, gait, condition, range, trail, apply, most }))
    }

    /// Slides along a track, both ways.
    fn slide_on_track(&mut self, l: &Ludeme, name: &str) -> Result<Generator> {
        let (from, to) = (self.from(l)?, self.to(l)?);
        let gait = self.gait(l);
        let mut condition = None;
        let mut range = Bounds::NONE;
        if let Some(Value::Call(between)) = l.typed("between") {
            condition = self.optional_test(between, "if")?;
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
                                Some(test) => test.holds(c, here),
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
        let mut range = Bounds::NONE;
        if let Some(Value::Call(between)) = l.typed("between") {
            self.refuse(between, &["trail"])?;
            before = self.optional_int(between, "before")?;
            after = self.optional_int(between, "after")?;
            condition = self.optional_test(between, "if")?;
            range = self.range(between)?;
            apply = self.apply(between)?;
        }
        // Over so many pieces to the site behind: one move in each direction.
        let one = |bound: &Option<Int>, n| bound.as_ref().is_none_or(|b| b.fixed() == Some(n));
        let over_one = range.least.is_none() && one(&range.most, 1);
        let single = (range.exact || over_one) && one(&after, 0);
        let short = over_one && one(&before, 0) && one(&after, 0);
        let most = if single { directions.widest() } else { 0 };
        Ok(self.moves_from(
            from,
            Hop { to, directions, gait, condition, before, after, range, apply, ends, short, most },
        ))
    }

    /// Jumps along walks, such as a knight's: `F` goes a step, `L` and `R` turn.
    pub(super) fn leap(&mut self, l: &Ludeme) -> Result<Generator> {
        // How walks turn on these boards is not known: recorded games show other ends.
        let mut knots = false;
        self.game.walk(&mut |k| knots |= k.signature().keyword == "celtic");
        if knots {
            return Err(unsupported(l));
        }
        let forward = Self::flag(l, "forward");
        let rotations = !matches!(l.labelled("rotations"), Some(Value::Bool(false)));
        let (from, to) = (self.from(l)?, self.to(l)?);
        let walks = l.args().iter().flatten().find_map(|(_, v)| match v {
            Value::List(walks) => Some(walks),
            _ => None,
        });
        let walks =
            walk_words(walks.ok_or_else(|| unsupported(l))?).ok_or_else(|| unsupported(l))?;
        let tables = self.leaps(walks, forward, rotations);
        let most = tables.iter().flatten().map(Vec::len).max().unwrap_or(0) as u32;
        Ok(self.moves_from(from, Leap { to, tables, most }))
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
            Some(Value::Call(between)) => self.optional_test(between, "if")?,
            _ => None,
        };
        let most = directions.longest(&self.equipment.directions);
        let shot = Shot { what, to, directions, condition, most };
        Ok(match from {
            Some(from) => self.moves_from(from, shot),
            None => {
                let from = self.origin_at(Int::LastTo);
                self.moves_from(from, shot)
            }
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
        let (from, mut to) = (self.from(l)?, self.to(l)?);
        let region = to.region.take();
        let carry = self.trial(Carry { to, gait, count, copy, mover });
        Ok(Box::new(move |c, out| {
            from.each(c, out, |c, at, out| {
                if c.what(at.from) == 0 {
                    return;
                }
                let Some(region) = &region else {
                    let to = c.at.to;
                    return carry.kind.attempt(c, at, to as u32, out);
                };
                // While the region is worked out, `(to)` is where the move begins if nowhere else.
                let to = if at.to < 0 { at.from } else { at.to };
                c.with(Registers { to, ..at }, |c| carry.each(c, region, at, out));
            });
        }))
    }
}

/// A step to a neighbour, by direction.
struct Step {
    to: To,
    directions: Dirs,
    gait: Gait,
    most: u32,
}

impl Candidates for Step {
    fn most(&self) -> u32 {
        self.most
    }

    fn reach(&self, equipment: &Equipment) -> Vec<u64> {
        if !self.to.narrow {
            return Vec::new();
        }
        self.directions.reach(&equipment.directions, equipment.sites, false)
    }

    fn attempt(&self, c: &mut Context<'_>, at: Registers, number: u32, out: &mut Moves) {
        let rays = c.with(outer(c, at), |c| self.directions.rays(c, at.from));
        if let Some(&ray) = rays.get(number as usize) {
            let to = c.equipment.directions.line(ray)[0] as i32;
            self.to.go(c, Registers { to, ..at }, self.gait, out);
        }
    }

    fn all(&self, c: &mut Context<'_>, at: Registers, out: &mut Moves) {
        let rays = c.with(outer(c, at), |c| self.directions.rays(c, at.from));
        let open = mask_or(self.to.condition.as_ref(), c, &[Place::To], u32::MAX);
        for &ray in rays.iter() {
            let to = c.equipment.directions.line(ray)[0] as i32;
            if !self.to.aims(to, out) || open.is_some_and(|mask| !is_of(c, mask, to)) {
                continue;
            }
            self.to.go(c, Registers { to, ..at }, self.gait, out);
            if out.full() {
                return;
            }
        }
    }
}

/// The site that is so many places along some rays.
fn nth<'a>(c: &Context<'a>, rays: &[u32], mut number: usize) -> Option<(&'a [u32], usize)> {
    for &ray in rays {
        let line = c.equipment.directions.line(ray);
        if number < line.len() {
            return Some((line, number));
        }
        number -= line.len();
    }
    None
}

/// By ray: the sites, at most so many, up to the first that is not of these owners.
fn walks<'a>(
    c: &Context<'a>,
    rays: &[u32],
    free: u32,
    most: i32,
) -> impl Iterator<Item = &'a [u32]> {
    rays.iter().map(move |&ray| {
        let line = c.equipment.directions.line(ray);
        let line = &line[..line.len().min(most.max(0) as usize)];
        let far = line.iter().take_while(|&&site| is_of(c, free, site as i32)).count();
        &line[..far]
    })
}

/// How many sites such walks reach.
fn reached(c: &Context<'_>, rays: &[u32], free: u32, most: i32) -> u32 {
    walks(c, rays, free, most).map(|walk| walk.len() as u32).sum()
}

/// The site of a number that such walks reach, after those that are passed.
fn reached_by<'a>(
    c: &Context<'a>,
    rays: &[u32],
    free: u32,
    most: i32,
    number: u32,
) -> Option<(&'a [u32], i32)> {
    let mut left = number as usize;
    for walk in walks(c, rays, free, most) {
        if let Some(&site) = walk.get(left) {
            return Some((&walk[..left], site as i32));
        }
        left -= walk.len();
    }
    None
}

/// A slide, by the site that it ends on.
struct Slide {
    to: To,
    directions: Dirs,
    gait: Gait,
    condition: Option<Test>,
    range: Bounds,
    trail: Option<Int>,
    apply: Option<Apply>,
    most: u32,
}

impl Slide {
    /// May a slide go on over a site?
    fn free(&self, c: &mut Context<'_>, here: Registers) -> bool {
        match &self.condition {
            Some(test) => test.holds(c, here),
            None => c.is_empty(here.to),
        }
    }

    /// Does it stop on a site, be it free or not?
    fn stops(&self, c: &mut Context<'_>, here: Registers, far: bool) -> bool {
        far && self.to.condition.is_some() && self.to.allows(c, here)
    }

    /// Whose sites it may pass, and on whose it stops, where nothing else is asked for.
    fn masks(&self, c: &Context<'_>) -> Option<(u32, u32)> {
        let free = mask_or(self.condition.as_ref(), c, &[Place::To, Place::Between], FREE)?;
        let stops = mask_or(self.to.condition.as_ref(), c, &[Place::To], 0)?;
        Some((free, stops))
    }

    /// Whose sites it passes and how far, where each of them is a move.
    fn plain(&self, c: &mut Context<'_>) -> Option<(u32, i32)> {
        if self.range.least.is_some() || self.to.apply.is_some() {
            return None;
        }
        match self.masks(c)? {
            // What it would stop on it can't even reach.
            (free, 0) => Some((free, bound(&self.range.most, c, i32::MAX))),
            _ => None,
        }
    }

    /// Does it stop on the site that is so many places along a line, and may it pass it?
    #[inline]
    fn look(
        &self,
        c: &mut Context<'_>,
        at: Registers,
        masks: Option<(u32, u32)>,
        site: i32,
        far: bool,
    ) -> (bool, bool) {
        if let Some((free, stop)) = masks {
            let stops = far && is_of(c, stop, site);
            return (stops, !stops && is_of(c, free, site));
        }
        let here = Registers { to: site, between: site, ..at };
        let stops = self.stops(c, here, far);
        (stops, !stops && self.free(c, here))
    }

    /// What applies to the sites that are passed, and to the last.
    fn end(&self, c: &mut Context<'_>, passed: &[u32], here: Registers, out: &mut Moves) {
        let mark = out.actions.len();
        if let Some(apply) = &self.apply {
            for &between in passed.iter().rev() {
                apply.run(c, Registers { between: between as i32, ..here }, out);
            }
        }
        let Some(then) = self.to.applies(c, here, out) else {
            out.actions.truncate(mark);
            return;
        };
        self.to.close(c, here, self.gait, mark, then, out);
        if let Some(trail) = &self.trail {
            let what = trail.get(c).max(0) as u16;
            for to in std::iter::once(here.from).chain(passed.iter().map(|&s| s as i32)) {
                out.actions.push(Action::Add { to, what, count: 1, state: 0, stack: false });
            }
            let end = out.actions.len() as u32;
            if let Some(head) = out.heads.last_mut() {
                head.end = end;
            }
        }
    }
}

impl Candidates for Slide {
    fn most(&self) -> u32 {
        self.most
    }

    fn reach(&self, equipment: &Equipment) -> Vec<u64> {
        if !self.to.narrow || self.apply.is_some() {
            return Vec::new();
        }
        self.directions.reach(&equipment.directions, equipment.sites, true)
    }

    fn count(&self, c: &mut Context<'_>, at: Registers) -> Option<u32> {
        let (free, most) = self.plain(c)?;
        let rays = c.with(at, |c| self.directions.rays(c, at.from));
        Some(reached(c, &rays, free, most))
    }

    fn nth(&self, c: &mut Context<'_>, at: Registers, number: u32, out: &mut Moves) {
        let Some((free, most)) = self.plain(c) else { return };
        let rays = c.with(at, |c| self.directions.rays(c, at.from));
        if let Some((passed, site)) = reached_by(c, &rays, free, most, number) {
            self.end(c, passed, Registers { to: site, between: site, ..at }, out);
        }
    }

    fn attempt(&self, c: &mut Context<'_>, at: Registers, number: u32, out: &mut Moves) {
        let rays = c.with(at, |c| self.directions.rays(c, at.from));
        let Some((line, last)) = nth(c, &rays, number as usize) else { return };
        if last as i32 >= bound(&self.range.most, c, i32::MAX) {
            return;
        }
        let least = bound(&self.range.least, c, 1);
        let masks = self.masks(c);
        for (k, &site) in line[..=last].iter().enumerate() {
            let (site, far) = (site as i32, k as i32 + 1 >= least);
            let (stops, free) = self.look(c, at, masks, site, far);
            if k == last && far && (stops || free) {
                let here = Registers { to: site, between: site, ..at };
                self.end(c, &line[..k], here, out);
            } else if !free {
                break;
            }
        }
    }

    fn all(&self, c: &mut Context<'_>, at: Registers, out: &mut Moves) {
        let rays = c.with(at, |c| self.directions.rays(c, at.from));
        let least = bound(&self.range.least, c, 1);
        let most = bound(&self.range.most, c, i32::MAX);
        let (equipment, masks) = (c.equipment, self.masks(c));
        for &ray in rays.iter() {
            let line = equipment.directions.line(ray);
            let any = self.apply.is_some();
            if !any && !line.iter().any(|&site| self.to.aims(site as i32, out)) {
                continue;
            }
            for (k, &site) in line.iter().enumerate() {
                if k as i32 >= most || out.full() {
                    break;
                }
                let (site, far) = (site as i32, k as i32 + 1 >= least);
                let (stops, free) = self.look(c, at, masks, site, far);
                if far && (stops || free) && (any || self.to.aims(site, out)) {
                    let here = Registers { to: site, between: site, ..at };
                    self.end(c, &line[..k], here, out);
                }
                if !free {
                    break;
                }
            }
        }
    }
}

/// A hop over pieces, by direction.
struct Hop {
    to: To,
    directions: Dirs,
    gait: Gait,
    condition: Option<Test>,
    before: Option<Int>,
    after: Option<Int>,
    range: Bounds,
    apply: Option<Apply>,
    /// Where what applies has a condition, it tells where the hop ends, and that of the site only
    /// how far it goes on.
    ends: bool,
    /// Does it go over one piece to the site behind?
    short: bool,
    most: u32,
}

impl Hop {
    /// Over whose pieces it goes, and to whose sites, where it goes over one and nothing else is asked for.
    fn masks(&self, c: &Context<'_>) -> Option<(u32, u32)> {
        if !self.short || self.ends {
            return None;
        }
        let over = [Place::To, Place::Between];
        let over = mask_or(self.condition.as_ref(), c, &over, u32::MAX)?;
        Some((over, mask_or(self.to.condition.as_ref(), c, &[Place::To], u32::MAX)?))
    }

    /// Can there be a hop along a line?
    #[inline]
    fn may(c: &Context<'_>, masks: Option<(u32, u32)>, line: &[u32]) -> bool {
        let Some((over, to)) = masks else { return true };
        match *line {
            [first, second, ..] => is_of(c, over, first as i32) && is_of(c, to, second as i32),
            _ => false,
        }
    }

    fn hurdle(&self, c: &mut Context<'_>, at: Registers, site: u32) -> bool {
        let site = site as i32;
        holds(self.condition.as_ref(), c, Registers { to: site, between: site, ..at })
    }

    /// All along a line.
    fn along(&self, c: &mut Context<'_>, at: Registers, line: &[u32], out: &mut Moves) {
        // Over one, or if only the least is said, over as many as there are.
        let far = if self.range.least.is_some() { i32::MAX } else { 1 };
        let (least, most) = (bound(&self.range.least, c, 1), bound(&self.range.most, c, far));
        let (before, after) = (bound(&self.before, c, 0), bound(&self.after, c, 0));
        // Empty sites up to the hurdles.
        let mut first = 0;
        while first < line.len()
            && (first as i32) < before
            && c.is_empty(line[first] as i32)
            && !self.hurdle(c, at, line[first])
        {
            first += 1;
        }
        let mut n = 0;
        while let Some(&site) = line.get(first + n)
            && (n as i32) < most
            && self.hurdle(c, at, site)
        {
            n += 1;
        }
        for jumped in (0..=n).filter(|&n| (least..=most).contains(&(n as i32))) {
            let over = &line[first..first + jumped];
            for step in 0..=after {
                let Some(&site) = line.get(first + jumped + step as usize) else { break };
                let site = site as i32;
                let last = over.last().map_or(at.from, |&s| s as i32);
                let here = Registers { to: site, between: last, ..at };
                let passes = self.to.allows(c, here);
                if self.ends && passes && c.is_empty(site) {
                    continue;
                }
                if !passes && (!self.ends || c.is_empty(site)) {
                    if step > 0 || !c.is_empty(site) {
                        break;
                    }
                    continue;
                }
                let mark = out.actions.len();
                let mut then = self.to.applies(c, here, out);
                for &between in over {
                    let (Some(apply), Some(chain)) = (&self.apply, then) else { break };
                    let here = Registers { between: between as i32, ..here };
                    then = apply.run(c, here, out).map(|t| if t == NONE { chain } else { t });
                }
                match then {
                    Some(then) => self.to.close(c, here, self.gait, mark, then, out),
                    None => out.actions.truncate(mark),
                }
                if !c.is_empty(site) || out.full() {
                    break;
                }
            }
        }
    }
}

impl Candidates for Hop {
    fn most(&self) -> u32 {
        self.most
    }

    fn attempt(&self, c: &mut Context<'_>, at: Registers, number: u32, out: &mut Moves) {
        let rays = c.with(at, |c| self.directions.rays(c, at.from));
        let equipment = c.equipment;
        if let Some(&ray) = rays.get(number as usize) {
            let line = equipment.directions.line(ray);
            if Self::may(c, self.masks(c), line) {
                self.along(c, at, line, out);
            }
        }
    }

    fn all(&self, c: &mut Context<'_>, at: Registers, out: &mut Moves) {
        let rays = c.with(at, |c| self.directions.rays(c, at.from));
        let (equipment, masks) = (c.equipment, self.masks(c));
        for &ray in rays.iter() {
            let line = equipment.directions.line(ray);
            if Self::may(c, masks, line) {
                self.along(c, at, line, out);
            }
        }
    }
}

/// A leap, by its end.
struct Leap {
    to: To,
    /// By where the piece looks, if that matters, and site.
    tables: Ends,
    most: u32,
}

impl Leap {
    fn ends(&self, c: &Context<'_>, from: i32) -> &[u32] {
        let table = if self.tables.len() == 1 { 0 } else { c.facing(from) };
        let table = self.tables.get(table).map_or(&[][..], |t| t);
        usize::try_from(from).ok().and_then(|f| table.get(f)).map_or(&[], |ends| ends)
    }
}

impl Candidates for Leap {
    fn most(&self) -> u32 {
        self.most
    }

    fn reach(&self, equipment: &Equipment) -> Vec<u64> {
        if !self.to.narrow {
            return Vec::new();
        }
        let words = equipment.sites.div_ceil(64);
        let mut bits = vec![0; words * equipment.sites];
        for table in self.tables.iter() {
            for (from, ends) in table.iter().enumerate() {
                for &to in ends {
                    bits[words * from + (to as usize >> 6)] |= 1 << (to & 63);
                }
            }
        }
        bits
    }

    fn attempt(&self, c: &mut Context<'_>, at: Registers, number: u32, out: &mut Moves) {
        if let Some(&site) = self.ends(c, at.from).get(number as usize) {
            self.to.go(c, Registers { to: site as i32, ..at }, Gait::Piece, out);
        }
    }

    fn all(&self, c: &mut Context<'_>, at: Registers, out: &mut Moves) {
        for &site in self.ends(c, at.from) {
            if !self.to.aims(site as i32, out) {
                continue;
            }
            self.to.go(c, Registers { to: site as i32, ..at }, Gait::Piece, out);
            if out.full() {
                return;
            }
        }
    }
}

/// A piece that is shot, by the site that it falls on.
struct Shot {
    what: Int,
    to: To,
    directions: Dirs,
    condition: Option<Test>,
    most: u32,
}

impl Shot {
    /// Over whose sites it flies, where it may fall on each of them.
    fn plain(&self, c: &Context<'_>) -> Option<u32> {
        let free = mask_or(self.condition.as_ref(), c, &[Place::To, Place::Between], FREE)?;
        let open = mask_or(self.to.condition.as_ref(), c, &[Place::To], FREE)?;
        (free == open && self.to.apply.is_none()).then_some(free)
    }

    /// May it fly on over a site?
    fn free(&self, c: &mut Context<'_>, here: Registers) -> bool {
        match &self.condition {
            Some(test) => test.holds(c, here),
            None => c.is_empty(here.to),
        }
    }

    /// Falls on a site, if it may.
    fn land(&self, c: &mut Context<'_>, what: i32, here: Registers, out: &mut Moves) {
        let open = match &self.to.condition {
            Some(test) => test.holds(c, here),
            None => c.is_empty(here.to),
        };
        if !open || what <= 0 {
            return;
        }
        let first = out.actions.len();
        let Some(then) = self.to.applies(c, here, out) else {
            out.actions.truncate(first);
            return;
        };
        let (to, what) = (here.to, what as u16);
        out.actions.push(Action::Add { to, what, count: 1, state: 0, stack: false });
        let head = out.close(first, c.state.s.mover, Kind::Add, to, to);
        (head.then, head.extra) = (then, what);
    }
}

impl Candidates for Shot {
    fn most(&self) -> u32 {
        self.most
    }

    fn count(&self, c: &mut Context<'_>, at: Registers) -> Option<u32> {
        let free = self.plain(c)?;
        let rays = c.with(at, |c| self.directions.rays(c, at.from));
        Some(reached(c, &rays, free, i32::MAX))
    }

    fn nth(&self, c: &mut Context<'_>, at: Registers, number: u32, out: &mut Moves) {
        let Some(free) = self.plain(c) else { return };
        let rays = c.with(at, |c| self.directions.rays(c, at.from));
        if let Some((_, site)) = reached_by(c, &rays, free, i32::MAX, number) {
            let what = self.what.get(c);
            self.land(c, what, Registers { to: site, between: site, ..at }, out);
        }
    }

    fn attempt(&self, c: &mut Context<'_>, at: Registers, number: u32, out: &mut Moves) {
        let what = self.what.get(c);
        let rays = c.with(at, |c| self.directions.rays(c, at.from));
        let Some((line, last)) = nth(c, &rays, number as usize) else { return };
        let here = |site: u32| Registers { to: site as i32, between: site as i32, ..at };
        let free = mask_or(self.condition.as_ref(), c, &[Place::To, Place::Between], FREE);
        if line[..last].iter().all(|&site| match free {
            Some(free) => is_of(c, free, site as i32),
            None => self.free(c, here(site)),
        }) {
            self.land(c, what, here(line[last]), out);
        }
    }

    fn all(&self, c: &mut Context<'_>, at: Registers, out: &mut Moves) {
        let what = self.what.get(c);
        let rays = c.with(at, |c| self.directions.rays(c, at.from));
        let equipment = c.equipment;
        for &ray in rays.iter() {
            for &site in equipment.directions.line(ray) {
                let here = Registers { to: site as i32, between: site as i32, ..at };
                self.land(c, what, here, out);
                if !self.free(c, here) || out.full() {
                    break;
                }
            }
        }
    }
}

/// A piece goes from anywhere to anywhere, by site.
struct Carry {
    to: To,
    gait: Gait,
    count: Option<Int>,
    copy: Option<Bool>,
    mover: Option<Int>,
}

impl Candidates for Carry {
    fn most(&self) -> u32 {
        1
    }

    fn attempt(&self, c: &mut Context<'_>, at: Registers, number: u32, out: &mut Moves) {
        let site = number as i32;
        let here = Registers { to: site, ..at };
        if site < 0 || !self.to.allows(c, here) {
            return;
        }
        let at_move = out.heads.len();
        let copy = self.copy.as_ref().is_some_and(|f| c.with(at, |c| f(c)));
        if self.count.is_none() && !copy {
            self.to.go_on(c, here, self.gait, out);
        } else {
            let first = out.actions.len();
            let Some(then) = self.to.applies(c, here, out) else {
                out.actions.truncate(first);
                return;
            };
            let (from, to) = (at.from, site);
            out.actions.push(match &self.count {
                Some(count) if !copy => {
                    let count = c.with(at, |c| count.get(c)).clamp(0, 60_000);
                    match self.gait {
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
        if let (Some(mover), Some(head)) = (&self.mover, out.heads.get(at_move).copied()) {
            let mover = c.with(here, |c| mover.get(c)).max(0) as u16;
            out.heads[at_move] = super::action::Head { mover, ..head };
        }
    }

    fn aims(&self, site: i32, out: &Moves) -> bool {
        self.to.aims(site, out)
    }

    fn all(&self, c: &mut Context<'_>, at: Registers, out: &mut Moves) {
        self.attempt(c, at, at.to as u32, out);
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
