//! Ludemes that make moves.

use super::context::{Context, Registers};
use super::directions::Direction;
use super::functions::Function;
use super::lower::{Lower, unsupported};
use super::state::OFF;
use crate::compile::{Ludeme, Value};
use crate::error::Fault;

type Result<T> = std::result::Result<T, Fault>;

/// Appends moves.
pub type Generator = Box<dyn Fn(&mut Context<'_>, &mut Vec<Move>) + Send + Sync>;

/// A change of the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// A new piece.
    Add {
        /// Where.
        to: i32,
        /// Which.
        what: i32,
        /// How many.
        count: i32,
    },
    /// A piece goes elsewhere.
    Move {
        /// From here.
        from: i32,
        /// To there.
        to: i32,
    },
    /// A piece leaves the game.
    Remove(i32),
    /// A piece becomes another.
    Promote {
        /// Where.
        at: i32,
        /// What it becomes.
        what: i32,
    },
    /// Two pieces change places.
    Swap(i32, i32),
    /// Nothing happens.
    Pass,
    /// A site is pointed at.
    Select,
    /// Who moves next.
    Next(usize),
    /// A variable.
    Var(usize, i32),
    /// A player's score.
    Score(usize, i32),
    /// A player's value.
    PlayerValue(usize, i32),
    /// The counter.
    Counter(i32),
    /// A local state.
    Local(i32, i32),
    /// A piece's value.
    Value(i32, i32),
    /// A site's count.
    Count(i32, i32),
    /// Something waits.
    Pending(i32),
    /// A piece leaves at the end of the turn.
    Clear(i32),
    /// The two players change sides.
    SwapPlayers,
}

/// A move: what it does, and what follows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// Who makes it.
    pub mover: usize,
    /// Where it begins.
    pub from: i32,
    /// Where it ends.
    pub to: i32,
    /// What it does.
    pub actions: Vec<Action>,
    /// The consequences, by number, in order.
    pub then: Vec<u32>,
}

impl Move {
    fn new(c: &Context<'_>, from: i32, to: i32, action: Action) -> Move {
        Move { mover: c.state.mover, from, to, actions: vec![action], then: Vec::new() }
    }

    /// The pass.
    pub fn pass(mover: usize) -> Move {
        Move { mover, from: OFF, to: OFF, actions: vec![Action::Pass], then: Vec::new() }
    }

    /// Is it the pass?
    pub fn is_pass(&self) -> bool {
        self.actions.contains(&Action::Pass)
    }
}

/// An end of a range, where there is one.
type Bound = Option<Function<i32>>;

/// What applies to a site: under a condition, an effect.
type Apply = (Option<Function<bool>>, Option<Generator>);

/// The part `(to …)` of a move.
struct To {
    region: Option<Function<Vec<i32>>>,
    condition: Option<Function<bool>>,
    apply: Option<Apply>,
}

impl To {
    /// Checks the condition for a site, and appends what applies to it.
    fn allows(&self, c: &mut Context<'_>, at: Registers, effects: &mut Vec<Action>) -> bool {
        self.condition.as_ref().is_none_or(|f| c.with(at, |c| f(c))) && self.applies(c, at, effects)
    }

    /// Appends what applies to a site; false where it may not.
    fn applies(&self, c: &mut Context<'_>, at: Registers, effects: &mut Vec<Action>) -> bool {
        c.with(at, |c| {
            let Some((condition, effect)) = &self.apply else { return true };
            if condition.as_ref().is_some_and(|f| !f(c)) {
                return false;
            }
            if let Some(effect) = effect {
                let mut out = Vec::new();
                effect(c, &mut out);
                effects.extend(out.into_iter().flat_map(|m| m.actions));
            }
            true
        })
    }
}

impl Lower<'_> {
    /// A generator of moves or effects.
    pub fn moves(&mut self, value: &Value, of: &Ludeme) -> Result<Generator> {
        match value {
            Value::Call(l) => self.moves_of(l),
            _ => Err(unsupported(of)),
        }
    }

    fn list(&mut self, l: &Ludeme) -> Result<Vec<Generator>> {
        let mut parts = Vec::new();
        for (_, value) in l.args.iter().flatten() {
            match value {
                Value::List(list) => {
                    for value in list {
                        parts.push(self.moves(value, l)?);
                    }
                }
                Value::Call(k) if k.signature().result == "then" => {}
                value => parts.push(self.moves(value, l)?),
            }
        }
        Ok(parts)
    }

    /// Adds the consequences of a form to its moves.
    fn with_then(&mut self, l: &Ludeme, moves: Generator) -> Result<Generator> {
        let Some(Value::Call(then)) = l.typed("then") else { return Ok(moves) };
        if then.labelled("applyAfterAllMoves").is_some() {
            return Err(unsupported(then));
        }
        let effect = self.moves(then.arg(0).ok_or_else(|| unsupported(then))?, then)?;
        let number = self.thens.len() as u32;
        self.thens.push(effect);
        Ok(Box::new(move |c, out| {
            let first = out.len();
            moves(c, out);
            out[first..].iter_mut().for_each(|m| m.then.push(number));
        }))
    }

    fn moves_of(&mut self, l: &Ludeme) -> Result<Generator> {
        self.same_site_type(l)?;
        let first = l.arg(0).and_then(Value::word).unwrap_or_default().to_owned();
        let keyword = l.signature().keyword.clone();
        let moves: Generator = match (keyword.as_str(), first.as_str()) {
            ("move", "Add") | ("add", _) => self.add(l)?,
            ("move", "Step") | ("step", _) => self.step(l)?,
            ("move", "Slide") | ("slide", _) => self.slide(l)?,
            ("move", "Hop") | ("hop", _) => self.hop(l)?,
            ("move", "Leap") | ("leap", _) => self.leap(l)?,
            ("move", "Remove") | ("remove", _) => self.remove(l)?,
            ("move", "Pass") | ("pass", _) => {
                Box::new(|c, out| out.push(Move::pass(c.state.mover)))
            }
            ("move", "Select") | ("select", _) => self.select(l)?,
            ("move", "Promote") | ("promote", _) => self.promote(l)?,
            ("move", "") | ("fromTo", _) => self.carry(l)?,
            ("forEach", "Piece") => self.for_each_piece(l)?,
            ("forEach", "Site") => {
                if l.labelled("noMoveYet").is_some() {
                    return Err(unsupported(l));
                }
                let region = self.region(l.typed("region").ok_or_else(|| unsupported(l))?, l)?;
                let moves = self.moves(l.typed("moves").ok_or_else(|| unsupported(l))?, l)?;
                Box::new(move |c, out| {
                    for site in region(c) {
                        let at = Registers { site, ..c.at };
                        c.with(at, |c| moves(c, out));
                    }
                })
            }
            ("or", _) | ("and", _) => {
                let parts = self.list(l)?;
                Box::new(move |c, out| parts.iter().for_each(|part| part(c, out)))
            }
            ("seq", _) => return Err(unsupported(l)),
            ("priority", _) => {
                let parts = self.list(l)?;
                Box::new(move |c, out| {
                    let first = out.len();
                    for part in &parts {
                        part(c, out);
                        if out.len() > first {
                            return;
                        }
                    }
                })
            }
            ("if", _) => {
                let condition = self.bool(l.arg(0).ok_or_else(|| unsupported(l))?, l)?;
                let yes = self.moves(l.arg(1).ok_or_else(|| unsupported(l))?, l)?;
                let no = match l.arg(2) {
                    Some(value) => Some(self.moves(value, l)?),
                    None => None,
                };
                Box::new(move |c, out| {
                    if condition(c) {
                        yes(c, out);
                    } else if let Some(no) = &no {
                        no(c, out);
                    }
                })
            }
            ("do", _) => self.do_moves(l)?,
            ("moveAgain", _) => Box::new(|c, out| {
                let mover = c.state.mover;
                out.push(Move::new(c, OFF, OFF, Action::Next(mover)));
            }),
            ("apply", _) => {
                let condition = match l.labelled("if") {
                    Some(value) => Some(self.bool(value, l)?),
                    None => None,
                };
                let effect = self.moves(l.typed("effect").ok_or_else(|| unsupported(l))?, l)?;
                Box::new(move |c, out| {
                    if condition.as_ref().is_none_or(|f| f(c)) {
                        effect(c, out);
                    }
                })
            }
            ("custodial", _) => self.custodial(l)?,
            ("set", _) => self.set(l, &first)?,
            ("addScore", _) => {
                let who = self.player(l, 0)?;
                let more = self.int(l.typed("int").ok_or_else(|| unsupported(l))?, l)?;
                Box::new(move |c, out| {
                    let (player, more) = (who(c), more(c));
                    let score = c.state.score.get(player).copied().unwrap_or(0).wrapping_add(more);
                    out.push(Move::new(c, OFF, OFF, Action::Score(player, score)));
                })
            }
            ("swap", "Pieces") => {
                let a = self.int(l.arg(1).ok_or_else(|| unsupported(l))?, l)?;
                let b = self.int(l.arg(2).ok_or_else(|| unsupported(l))?, l)?;
                Box::new(move |c, out| {
                    let (a, b) = (a(c), b(c));
                    out.push(Move::new(c, a, b, Action::Swap(a, b)));
                })
            }
            _ => return Err(unsupported(l)),
        };
        self.with_then(l, moves)
    }

    fn to(&mut self, l: &Ludeme) -> Result<To> {
        let Some(Value::Call(to)) = l.typed("to") else {
            return Ok(To { region: None, condition: None, apply: None });
        };
        self.same_site_type(to)?;
        if to.labelled("level").is_some() || to.typed("rotations").is_some() {
            return Err(unsupported(to));
        }
        let region = match to.typed("region").or(to.typed("int")) {
            Some(value) => Some(self.region(value, to)?),
            None => None,
        };
        let condition = match to.labelled("if") {
            Some(value) => Some(self.bool(value, to)?),
            None => None,
        };
        let apply = self.apply(to)?;
        Ok(To { region, condition, apply })
    }

    fn apply(&mut self, of: &Ludeme) -> Result<Option<Apply>> {
        let Some(Value::Call(apply)) = of.typed("apply") else { return Ok(None) };
        let condition = match apply.labelled("if") {
            Some(value) => Some(self.bool(value, apply)?),
            None => None,
        };
        let effect = match apply.typed("effect") {
            Some(value) => Some(self.moves(value, apply)?),
            None => None,
        };
        Ok(Some((condition, effect)))
    }

    /// Where moves begin: the sites of `(from …)`, or `(from)`.
    fn from(&mut self, l: &Ludeme) -> Result<Function<Vec<i32>>> {
        let Some(Value::Call(from)) = l.typed("from") else {
            return Ok(Box::new(|c| vec![c.at.from]));
        };
        self.same_site_type(from)?;
        if from.labelled("level").is_some() {
            return Err(unsupported(from));
        }
        let region = match from.typed("region").or(from.typed("int")) {
            Some(value) => self.region(value, from)?,
            None => Box::new(|c: &mut Context<'_>| vec![c.at.from]),
        };
        let condition = match from.labelled("if") {
            Some(value) => Some(self.bool(value, from)?),
            None => None,
        };
        Ok(Box::new(move |c| {
            let sites = region(c);
            match &condition {
                None => sites,
                Some(f) => sites
                    .into_iter()
                    .filter(|&from| {
                        let at = Registers { from, site: from, ..c.at };
                        c.with(at, |c| f(c))
                    })
                    .collect(),
            }
        }))
    }

    fn add(&mut self, l: &Ludeme) -> Result<Generator> {
        if l.labelled("stack").is_some() {
            return Err(unsupported(l));
        }
        let what = self.piece(l)?;
        let count = match l.labelled("count") {
            Some(value) => self.int(value, l)?,
            None => Box::new(|_: &mut Context<'_>| 1),
        };
        let to = self.to(l)?;
        Ok(Box::new(move |c, out| {
            let sites = match &to.region {
                Some(region) => region(c),
                None => vec![c.at.to],
            };
            let (what, count) = (what(c), count(c));
            for site in sites {
                if site < 0 {
                    continue;
                }
                let mut actions = Vec::new();
                let at = Registers { to: site, site, ..c.at };
                if to.allows(c, at, &mut actions) {
                    actions.push(Action::Add { to: site, what, count });
                    let mover = c.state.mover;
                    out.push(Move { mover, from: site, to: site, actions, then: Vec::new() });
                }
            }
        }))
    }

    fn step(&mut self, l: &Ludeme) -> Result<Generator> {
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
                    let mut actions = Vec::new();
                    if to.allows(c, Registers { from, to: site, ..c.at }, &mut actions) {
                        actions.push(Action::Move { from, to: site });
                        let mover = c.state.mover;
                        out.push(Move { mover, from, to: site, actions, then: Vec::new() });
                    }
                }
            }
        }))
    }

    fn slide(&mut self, l: &Ludeme) -> Result<Generator> {
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

    fn range(&mut self, l: &Ludeme) -> Result<(Bound, Bound)> {
        let Some(Value::Call(range)) = l.typed("range") else { return Ok((None, None)) };
        let mut bound = |slot: usize| match range.arg(slot) {
            Some(value) => self.int(value, range).map(Some),
            None => Ok(None),
        };
        Ok(match range.signature().keyword.as_str() {
            "range" => {
                let low = bound(0)?;
                let high = bound(1)?;
                match high {
                    Some(high) => (low, Some(high)),
                    None => (low, bound(0)?),
                }
            }
            "exact" => (bound(0)?, bound(0)?),
            "max" => (None, bound(0)?),
            "min" => (bound(0)?, None),
            _ => return Err(unsupported(range)),
        })
    }

    fn hop(&mut self, l: &Ludeme) -> Result<Generator> {
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
    fn leap(&mut self, l: &Ludeme) -> Result<Generator> {
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
                    let site = site as i32;
                    let mut actions = Vec::new();
                    if to.allows(c, Registers { from, to: site, ..c.at }, &mut actions) {
                        actions.push(Action::Move { from, to: site });
                        let mover = c.state.mover;
                        out.push(Move { mover, from, to: site, actions, then: Vec::new() });
                    }
                }
            }
        }))
    }

    /// Where a walk ends, begun in every direction across a side.
    fn walk(&self, site: usize, steps: &[&str]) -> Vec<u32> {
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

    fn remove(&mut self, l: &Ludeme) -> Result<Generator> {
        for label in ["level", "count"] {
            if l.labelled(label).is_some() {
                return Err(unsupported(l));
            }
        }
        let late = match l.labelled("at").and_then(Value::word) {
            None => false,
            Some("EndOfTurn") => true,
            Some(_) => return Err(unsupported(l)),
        };
        let region =
            self.region(l.typed("int").or(l.typed("region")).ok_or_else(|| unsupported(l))?, l)?;
        Ok(Box::new(move |c, out| {
            for site in region(c) {
                if c.what(site) != 0 {
                    let action = if late { Action::Clear(site) } else { Action::Remove(site) };
                    out.push(Move::new(c, site, site, action));
                }
            }
        }))
    }

    fn select(&mut self, l: &Ludeme) -> Result<Generator> {
        if l.typed("roleType").is_some() {
            return Err(unsupported(l));
        }
        let (from, to) = (self.from(l)?, self.to(l)?);
        let has_to = l.typed("to").is_some();
        Ok(Box::new(move |c, out| {
            for from in from(c) {
                if from < 0 {
                    continue;
                }
                if !has_to {
                    out.push(Move::new(c, from, from, Action::Select));
                    continue;
                }
                let sites = match &to.region {
                    Some(region) => {
                        let at = Registers { from, ..c.at };
                        c.with(at, |c| region(c))
                    }
                    None => vec![from],
                };
                for site in sites {
                    let mut actions = Vec::new();
                    if to.allows(c, Registers { from, to: site, ..c.at }, &mut actions) {
                        actions.push(Action::Select);
                        let mover = c.state.mover;
                        out.push(Move { mover, from, to: site, actions, then: Vec::new() });
                    }
                }
            }
        }))
    }

    fn promote(&mut self, l: &Ludeme) -> Result<Generator> {
        let owner = match l.typed("roleType").or(l.typed("player")) {
            Some(value) => Some(self.roles(value, l)?),
            None => None,
        };
        let site = match l.typed("int") {
            Some(value) => self.int(value, l)?,
            None => Box::new(|c: &mut Context<'_>| c.at.to),
        };
        let names = match l.typed("piece") {
            Some(Value::Call(piece)) => match piece.arg(0) {
                Some(Value::List(list)) => Some(
                    list.iter()
                        .map(|v| {
                            if let Value::Str(s) = v {
                                Ok(s.clone())
                            } else {
                                Err(unsupported(piece))
                            }
                        })
                        .collect::<Result<Vec<String>>>()?,
                ),
                _ => None,
            },
            _ => None,
        };
        let what = if names.is_some() { None } else { Some(self.piece(l)?) };
        Ok(Box::new(move |c, out| {
            let at = site(c);
            let owner = owner.as_ref().and_then(|w| w(c).first().copied());
            let mover = owner.unwrap_or(c.state.mover);
            let mut push = |c: &Context<'_>, what: i32| {
                if at >= 0 && what > 0 {
                    out.push(Move::new(c, at, at, Action::Promote { at, what }));
                }
            };
            match (&names, &what) {
                (Some(names), _) => {
                    for name in names {
                        let all = &c.equipment.components;
                        let own = all.iter().position(|k| k.stem == *name && k.owner == mover);
                        let what = own.or_else(|| all.iter().position(|k| k.name == *name));
                        push(c, what.map_or(OFF, |n| n as i32));
                    }
                }
                (None, Some(what)) => {
                    let what = what(c);
                    push(c, what);
                }
                (None, None) => {}
            }
        }))
    }

    fn carry(&mut self, l: &Ludeme) -> Result<Generator> {
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
                    if site < 0 {
                        continue;
                    }
                    let mut actions = Vec::new();
                    if to.allows(c, Registers { from, to: site, ..c.at }, &mut actions) {
                        actions.push(Action::Move { from, to: site });
                        let mover = c.state.mover;
                        out.push(Move { mover, from, to: site, actions, then: Vec::new() });
                    }
                }
            }
        }))
    }

    fn for_each_piece(&mut self, l: &Ludeme) -> Result<Generator> {
        for label in ["on", "top"] {
            if l.labelled(label).is_some() {
                return Err(unsupported(l));
            }
        }
        if l.labelled("container").is_some() {
            return Err(unsupported(l));
        }
        let names: Option<Vec<String>> = {
            let strings: Vec<String> = l
                .args
                .iter()
                .flatten()
                .flat_map(|(_, v)| match v {
                    Value::Str(s) => vec![s.clone()],
                    Value::List(list) => list
                        .iter()
                        .filter_map(|v| if let Value::Str(s) = v { Some(s.clone()) } else { None })
                        .collect(),
                    _ => Vec::new(),
                })
                .collect();
            if strings.is_empty() { None } else { Some(strings) }
        };
        let who = match (l.typed("roleType"), l.typed("player")) {
            (Some(value), _) | (None, Some(value)) => self.roles(value, l)?,
            _ => Box::new(|c: &mut Context<'_>| vec![c.state.mover]),
        };
        let own = match l.typed("moves") {
            Some(value) => Some(self.moves(value, l)?),
            None => None,
        };
        Ok(Box::new(move |c, out| {
            let who = who(c);
            let n = c.equipment.elements().len();
            let (equipment, rules) = (c.equipment, c.rules);
            for site in 0..n {
                let what = usize::from(c.state.what[site]);
                if what == 0 {
                    continue;
                }
                let Some(k) = equipment.components.get(what) else { continue };
                let named = names
                    .as_ref()
                    .is_none_or(|list| list.iter().any(|name| *name == k.stem || *name == k.name));
                if !named || !who.contains(&k.owner) {
                    continue;
                }
                let at =
                    Registers { from: site as i32, site: site as i32, to: site as i32, ..c.at };
                c.with(at, |c| match &own {
                    Some(moves) => moves(c, out),
                    None => {
                        if let Some(Some(moves)) = rules.pieces.get(what) {
                            moves(c, out);
                        }
                    }
                });
            }
        }))
    }

    fn do_moves(&mut self, l: &Ludeme) -> Result<Generator> {
        if l.labelled("next").is_some() {
            return Err(unsupported(l));
        }
        let moves = self.moves(l.arg(0).ok_or_else(|| unsupported(l))?, l)?;
        let condition = match l.labelled("ifAfterwards") {
            Some(value) => Some(self.bool(value, l)?),
            None => None,
        };
        Ok(Box::new(move |c, out| {
            let mut all = Vec::new();
            moves(c, &mut all);
            match &condition {
                None => out.extend(all),
                Some(f) => out.extend(all.into_iter().filter(|m| {
                    let mut after = c.clone();
                    super::rules::make(&mut after, m);
                    f(&mut after)
                })),
            }
        }))
    }

    fn custodial(&mut self, l: &Ludeme) -> Result<Generator> {
        let from = match l.typed("from") {
            Some(_) => self.from(l)?,
            None => Box::new(|c: &mut Context<'_>| vec![c.state.last.map_or(OFF, |x| x.1)]),
        };
        let directions = self.direction_or(l, "absoluteDirection", Direction::Adjacent)?;
        let to = self.to(l)?;
        let has_to = l.typed("to").is_some();
        let (mut condition, mut most, mut apply) = (None, None, None);
        if let Some(Value::Call(between)) = l.typed("between") {
            condition = match between.labelled("if") {
                Some(value) => Some(self.bool(value, between)?),
                None => None,
            };
            most = self.range(between)?.1;
            apply = self.apply(between)?;
        }
        Ok(Box::new(move |c, out| {
            for from in from(c) {
                let Ok(at) = usize::try_from(from) else { continue };
                let (directions, equipment) = (directions(c), c.equipment);
                let most = most.as_ref().map_or(i32::MAX, |f| f(c));
                for ray in equipment.directions.select(at, &directions, 0.0) {
                    let mut n = 0;
                    while let Some(&site) = ray.sites.get(n) {
                        let site = site as i32;
                        let r = Registers { from, to: site, between: site, ..c.at };
                        let flanked = match &condition {
                            Some(f) => c.with(r, |c| f(c)),
                            None => {
                                let owner = c.who(site);
                                owner != 0 && owner != c.state.mover
                            }
                        };
                        if !flanked {
                            break;
                        }
                        n += 1;
                    }
                    let Some(&end) = ray.sites.get(n) else { continue };
                    if n == 0 || n as i32 > most {
                        continue;
                    }
                    let end = end as i32;
                    let mut actions = Vec::new();
                    let r = Registers { from, to: end, ..c.at };
                    let closed = if has_to {
                        to.allows(c, r, &mut actions)
                    } else {
                        c.what(end) != 0 && c.who(end) == c.state.mover
                    };
                    if !closed {
                        continue;
                    }
                    for &between in &ray.sites[..n] {
                        let between = between as i32;
                        let r = Registers { from, to: end, between, ..c.at };
                        match &apply {
                            Some((condition, effect)) => c.with(r, |c| {
                                if condition.as_ref().is_none_or(|f| f(c))
                                    && let Some(effect) = effect
                                {
                                    effect(c, out);
                                }
                            }),
                            None => {
                                out.push(Move::new(c, between, between, Action::Remove(between)))
                            }
                        }
                    }
                }
            }
        }))
    }

    fn set(&mut self, l: &Ludeme, first: &str) -> Result<Generator> {
        let number = |this: &mut Self| match l.typed("int") {
            Some(value) => this.int(value, l),
            None => Err(unsupported(l)),
        };
        Ok(match first {
            "NextPlayer" => {
                let who = self.player(l, 1)?;
                Box::new(move |c, out| {
                    let player = who(c);
                    out.push(Move::new(c, OFF, OFF, Action::Next(player)));
                })
            }
            "Var" => {
                let name = match l.typed("string") {
                    Some(Value::Str(name)) => name.clone(),
                    _ => String::new(),
                };
                let (var, value) = (self.var(&name), number(self)?);
                Box::new(move |c, out| {
                    let value = value(c);
                    out.push(Move::new(c, OFF, OFF, Action::Var(var, value)));
                })
            }
            "Score" | "Value" if l.labelled("at").is_none() => {
                let (who, value) = (self.player(l, 1)?, number(self)?);
                let score = first == "Score";
                Box::new(move |c, out| {
                    let (player, value) = (who(c), value(c));
                    let action = if score {
                        Action::Score(player, value)
                    } else {
                        Action::PlayerValue(player, value)
                    };
                    out.push(Move::new(c, OFF, OFF, action));
                })
            }
            "State" | "Value" | "Count" => {
                if l.labelled("level").is_some() {
                    return Err(unsupported(l));
                }
                let at = self.int(l.labelled("at").ok_or_else(|| unsupported(l))?, l)?;
                let value = number(self)?;
                let action: fn(i32, i32) -> Action = match first {
                    "State" => Action::Local,
                    "Value" => Action::Value,
                    _ => Action::Count,
                };
                Box::new(move |c, out| {
                    let (at, value) = (at(c), value(c));
                    out.push(Move::new(c, OFF, OFF, action(at, value)));
                })
            }
            "Counter" => {
                let value = match l.typed("int") {
                    Some(value) => self.int(value, l)?,
                    None => Box::new(|_: &mut Context<'_>| -1),
                };
                Box::new(move |c, out| {
                    let value = value(c);
                    out.push(Move::new(c, OFF, OFF, Action::Counter(value)));
                })
            }
            "Pending" => {
                let sites = match l.typed("int").or(l.typed("region")) {
                    Some(value) => self.region(value, l)?,
                    None => Box::new(|_: &mut Context<'_>| vec![1]),
                };
                Box::new(move |c, out| {
                    for site in sites(c) {
                        out.push(Move::new(c, OFF, OFF, Action::Pending(site)));
                    }
                })
            }
            _ => return Err(unsupported(l)),
        })
    }
}
