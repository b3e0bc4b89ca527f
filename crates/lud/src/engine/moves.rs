//! Ludemes that make moves; which file makes the others.

use super::action::{Action, Kind, Moves, NONE};
use super::choose::in_turn;
use super::context::{Context, Registers};
use super::functions::{Bool, Int, Region, Result, at_site, ones};
use super::lots::{Bound, Candidates};
use super::lower::{Lower, unsupported};
use super::parts::To;
use super::state::OFF;
use crate::compile::{Ludeme, Value};

/// Appends moves to a list.
pub(crate) type Generator = Box<dyn Fn(&mut Context<'_>, &mut Moves) + Send + Sync>;

impl Lower<'_> {
    /// A generator of moves or effects.
    pub(crate) fn moves(&mut self, value: &Value, of: &Ludeme) -> Result<Generator> {
        match value {
            Value::Call(l) => self.moves_of(l),
            _ => Err(unsupported(of)),
        }
    }

    /// That of the slot of moves.
    pub(crate) fn typed_moves(&mut self, l: &Ludeme) -> Result<Generator> {
        self.moves(l.typed("moves").ok_or_else(|| unsupported(l))?, l)
    }

    fn list(&mut self, l: &Ludeme) -> Result<Vec<Generator>> {
        let (mut parts, mut bounds) = (Vec::new(), Vec::new());
        let mut add = |this: &mut Self, value: &Value| -> Result<()> {
            parts.push(this.moves(value, l)?);
            bounds.push(std::mem::take(&mut this.bound));
            Ok(())
        };
        for (_, value) in l.args().iter().flatten() {
            match value {
                Value::List(list) => list.iter().try_for_each(|value| add(self, value))?,
                Value::Call(k) if k.signature().result == "then" => {}
                Value::Word(_) => {}
                value => add(self, value)?,
            }
        }
        self.bound = Bound::any(bounds);
        Ok(parts)
    }

    /// Adds the consequences of a form to its moves.
    pub(crate) fn with_then(&mut self, l: &Ludeme, moves: Generator) -> Result<Generator> {
        let Some(Value::Call(then)) = l.typed("then") else { return Ok(moves) };
        // A consequence of `(set Pending)` is ignored (decided by Cylinder Chess, ply 1 of its record).
        if l.signature().keyword == "set" && l.arg(0).and_then(Value::word) == Some("Pending") {
            then.walk(&mut |l| {
                l.args();
            });
            return Ok(moves);
        }
        if Self::flag(then, "applyAfterAllMoves") {
            return Err(unsupported(then));
        }
        self.following += 1;
        let effect = then.arg(0).ok_or_else(|| unsupported(then)).and_then(|v| self.moves(v, then));
        self.following -= 1;
        let effect = effect?;
        let number = self.thens.len() as u32;
        self.thens.push(effect);
        // A move that is listed twice is one move, so a consequence that all moves of a form share happens twice (decided by
        // Garrisons, ply 2, and by Tri-It-Out, ply 23).
        let shared = !matches!(l.signature().keyword.as_str(), "move" | "add" | "claim");
        Ok(Box::new(move |c, out| {
            let (first, first_lot) = (out.len(), out.lots.len());
            moves(c, out);
            if out.len() > first {
                out.follow(first, number, shared);
            }
            out.follow_lots(first_lot, number);
        }))
    }

    pub(crate) fn moves_of(&mut self, l: &Ludeme) -> Result<Generator> {
        self.same_site_type(l)?;
        let first = l.arg(0).and_then(Value::word).unwrap_or_default().to_owned();
        let keyword = l.signature().keyword.clone();
        let moves: Generator = match (keyword.as_str(), first.as_str()) {
            ("move", "Add" | "Claim") | ("add" | "claim", _) => self.add(l)?,
            ("move", "Step") | ("step", _) => self.step(l)?,
            ("move", "Slide") | ("slide", _) => self.slide(l)?,
            ("move", "Hop") | ("hop", _) => self.hop(l)?,
            ("move", "Leap") | ("leap", _) => self.leap(l)?,
            ("move", "Shoot") | ("shoot", _) => self.shoot(l)?,
            ("move", "Remove") | ("remove", _) => self.remove(l)?,
            ("move", "Pass") | ("pass", _) => Box::new(|c, out| out.pass(c.state.s.mover)),
            ("move", "Select") | ("select", _) => self.select(l)?,
            ("move", "Promote") | ("promote", _) => self.promote(l)?,
            ("move", "Swap") | ("swap", _) => self.swap(l)?,
            ("move", "") | ("fromTo", _) => self.carry(l)?,
            ("forEach", _) => self.for_each(l, &first)?,
            ("and", _) if deciding(l).is_some() => {
                let first = deciding(l).unwrap_or_default();
                let parts = self.list(l)?;
                Box::new(move |c, out| with_effects(c, &parts, first, out))
            }
            ("or" | "and", _) => {
                let parts = self.list(l)?;
                Box::new(move |c, out| {
                    for part in &parts {
                        part(c, out);
                        if out.full() {
                            break;
                        }
                    }
                })
            }
            ("seq", _) => {
                let parts = self.list(l)?;
                Box::new(move |c, out| in_turn(c, &parts, out))
            }
            ("while", _) => self.while_moves(l)?,
            ("priority", _) => {
                let parts = self.list(l)?;
                Box::new(move |c, out| {
                    let first = out.len();
                    // Is there any? The last are the likeliest.
                    if out.enough == 1 {
                        for part in parts.iter().rev() {
                            part(c, out);
                            if out.full() {
                                break;
                            }
                        }
                        return;
                    }
                    // Whether there are any must be known, but of the last.
                    let lazy = std::mem::take(&mut out.lazy);
                    for (number, part) in parts.iter().enumerate() {
                        out.lazy = lazy && number + 1 == parts.len();
                        part(c, out);
                        if out.len() > first {
                            break;
                        }
                    }
                    out.lazy = lazy;
                })
            }
            ("if", _) => {
                let condition = self.bool_at(l, 0)?;
                let yes = self.moves(l.arg(1).ok_or_else(|| unsupported(l))?, l)?;
                let bound = std::mem::take(&mut self.bound);
                let no = match l.arg(2) {
                    Some(value) => Some(self.moves(value, l)?),
                    None => None,
                };
                self.bound = match no.is_some() {
                    true => bound.either(&self.bound),
                    false => bound.either(&bound),
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
            ("avoidStoredState", _) => self.avoid_stored(l)?,
            ("max", "Distance") => self.max_distance(l)?,
            ("append", _) => self.append(l)?,
            ("allCombinations", _) => self.combinations(l)?,
            ("max", _) => self.max(l, &first)?,
            ("firstMoveOnTrack", _) => self.first_move_on_track(l)?,
            ("moveAgain", _) => Box::new(|c, out| {
                let mover = c.state.s.mover as u16;
                out.effect(Action::Next(mover));
            }),
            ("apply", _) => {
                let condition = self.optional_bool(l, "if")?;
                let effect = match l.typed("effect") {
                    Some(value) => Some(self.moves(value, l)?),
                    None => None,
                };
                Box::new(move |c, out| {
                    if condition.as_ref().is_none_or(|f| f(c))
                        && let Some(effect) = &effect
                    {
                        effect(c, out);
                    }
                })
            }
            _ => self.effect(l, &keyword, &first)?,
        };
        let known = match keyword.as_str() {
            "or" | "if" | "step" | "slide" | "hop" | "leap" => true,
            "move" => matches!(first.as_str(), "Step" | "Slide" | "Hop" | "Leap"),
            _ => false,
        };
        // Along tracks it can't be told.
        let known = known && l.typed("string").is_none();
        let mut bound = std::mem::take(&mut self.bound);
        if !known {
            bound = Bound::default();
        }
        let thens = self.thens.len();
        let moves = match l.labelled("noMoveYet") {
            Some(_) => moves,
            None => self.with_then(l, moves)?,
        };
        self.bound = match self.thens.len() > thens {
            true => bound.followed_by(self.thens.len() as u32 - 1),
            false => bound,
        };
        Ok(moves)
    }

    fn add(&mut self, l: &Ludeme) -> Result<Generator> {
        let mut each = Vec::new();
        for what in self.pieces(l)? {
            each.push(self.add_one(l, what)?);
        }
        Ok(match <[Generator; 1]>::try_from(each) {
            Ok([one]) => one,
            Err(each) => Box::new(move |c, out| each.iter().for_each(|add| add(c, out))),
        })
    }

    fn add_one(&mut self, l: &Ludeme, what: Int) -> Result<Generator> {
        let stack = Self::known_flag(l, "stack", false)?;
        let state = self.piece_state(l)?;
        let count = self.int_or(l, "count", 1)?;
        let mut to = self.to(l)?;
        // Which of the sites it may be can be asked of one at a time.
        let (region, filter) = match to.region.take() {
            Some(Region::Filter(region, filter)) => (Some(*region), Some(filter)),
            region => (region, None),
        };
        // A placement in a region with an effect is listed twice (decided by 00'Y', ply 8, and Vigilance, ply 4).
        let decision = l.signature().keyword == "move";
        let wide = matches!(l.typed("to"), Some(Value::Call(to)) if to.typed("region").is_some());
        let effect = to.apply.as_ref().is_some_and(|apply| apply.effect.is_some());
        let twice = decision && wide && effect;
        let adding = self.trial(Adding { filter, what, state, count, to, stack, twice });
        Ok(Box::new(move |c, out| {
            let at = c.at;
            match &region {
                Some(region) => adding.each(c, region, at, out),
                None if at.to >= 0 => adding.kind.attempt(c, at, at.to as u32, out),
                None => {}
            }
        }))
    }

    fn remove(&mut self, l: &Ludeme) -> Result<Generator> {
        let level = self.optional_int(l, "level")?;
        // Of a pile all go unless it is said how many.
        let all = if self.stacking { 1 } else { i32::from(u16::MAX) };
        let count = self.int_or(l, "count", all)?;
        let late = match l.labelled("at").and_then(Value::word) {
            None => false,
            Some("EndOfTurn") => true,
            Some(_) => return Err(unsupported(l)),
        };
        let region =
            self.region(l.typed("int").or(l.typed("region")).ok_or_else(|| unsupported(l))?, l)?;
        Ok(Box::new(move |c, out| {
            region.each(c, |c, site| {
                if c.what(site) != 0 {
                    let level = level.as_ref().map_or(-1, |f| f.get(c).max(0)) as i16;
                    let count = count.get(c).clamp(1, u16::MAX.into()) as u16;
                    let first = out.actions.len();
                    // From a stack they are taken one by one.
                    let (one, times) = match (late, c.rules.stacking) {
                        (true, stacking) => (Action::Clear(site), if stacking { count } else { 1 }),
                        (false, true) => (Action::Remove { at: site, level, count: 1 }, count),
                        (false, false) => (Action::Remove { at: site, level, count }, 1),
                    };
                    out.actions.extend(std::iter::repeat_n(one, times.into()));
                    out.close(first, c.state.s.mover, Kind::Remove, site, site);
                }
                !out.full()
            });
        }))
    }

    fn select(&mut self, l: &Ludeme) -> Result<Generator> {
        let mover = match l.typed("roleType") {
            Some(value) => Some(self.player_value(value, l)?),
            None => None,
        };
        let (from, to) = (self.from(l)?, self.to(l)?);
        let has_to = l.typed("to").is_some();
        Ok(Box::new(move |c, out| {
            from.each(c, out, |c, at, out| {
                let mover = match &mover {
                    Some(mover) => mover.get(c).max(0) as usize,
                    None => c.state.s.mover,
                };
                if !has_to {
                    out.push(mover, Kind::Select, at.from, at.from, Action::Select).level =
                        at.level as i16;
                    return;
                }
                let select = |c: &mut Context<'_>, site: i32, out: &mut Moves| {
                    let here = Registers { to: site, ..at };
                    if to.allows(c, here) {
                        let first = out.actions.len();
                        let Some(then) = to.applies(c, here, out) else {
                            out.actions.truncate(first);
                            return;
                        };
                        out.actions.push(Action::Select);
                        let head = out.close(first, mover, Kind::Select, at.from, site);
                        (head.then, head.level) = (then, at.level as i16);
                    }
                };
                match &to.region {
                    None => select(c, at.from, out),
                    Some(region) => {
                        let before = std::mem::replace(&mut c.at, at);
                        region.each(c, |c, site| {
                            let inner = std::mem::replace(&mut c.at, before);
                            select(c, site, out);
                            c.at = inner;
                            !out.full()
                        });
                        c.at = before;
                    }
                }
            });
        }))
    }

    fn promote(&mut self, l: &Ludeme) -> Result<Generator> {
        let owner = self.optional_roles(l)?;
        let site = match l.typed("int") {
            Some(value) => self.int(value, l)?,
            None => Int::To,
        };
        let (mut names, mut numbers) = (None, Vec::new());
        if let Some(Value::Call(piece)) = l.typed("piece") {
            match piece.arg(0) {
                Some(Value::List(list)) if matches!(list.first(), Some(Value::Str(_))) => {
                    names = Some(Self::strings(piece));
                }
                Some(Value::Str(name)) => names = Some(vec![name.clone()]),
                Some(Value::List(list)) => {
                    for value in list {
                        numbers.push(self.int(value, piece)?);
                    }
                }
                Some(value) => numbers.push(self.int(value, piece)?),
                None => return Err(unsupported(piece)),
            }
        }
        // By player: the components that are meant.
        let players = self.equipment.players;
        let table: Vec<Vec<u16>> = (0..=players + 1)
            .map(|player| {
                let names = names.iter().flatten();
                let own = names.filter_map(|name| {
                    self.equipment.component_of(name, player).or_else(|| self.component(name))
                });
                own.map(|n| n as u16).collect()
            })
            .collect();
        Ok(Box::new(move |c, out| {
            let at = site.get(c);
            if at < 0 {
                return;
            }
            let owner = match &owner {
                Some(who) => ones(who.get(c)).next().unwrap_or(0),
                None => c.state.s.mover,
            };
            let mover = c.state.s.mover;
            for &what in table.get(owner).into_iter().flatten() {
                out.push(mover, Kind::Promote, at, at, Action::Promote { at, what }).extra = what;
            }
            for number in &numbers {
                if let Ok(what) = u16::try_from(number.get(c))
                    && what > 0
                {
                    out.push(mover, Kind::Promote, at, at, Action::Promote { at, what }).extra =
                        what;
                }
            }
        }))
    }

    fn swap(&mut self, l: &Ludeme) -> Result<Generator> {
        let words: Vec<&str> = l.args().iter().flatten().filter_map(|(_, v)| v.word()).collect();
        let ints: Vec<&Value> = l
            .args()
            .iter()
            .flatten()
            .map(|(_, v)| v)
            .filter(|v| match v {
                Value::Int(_) => true,
                Value::Call(k) => k.signature().result == "int",
                Value::Word(w) => self.is_role(w),
                _ => false,
            })
            .collect();
        if words.contains(&"Players") {
            let [a, b] = ints[..] else { return Err(unsupported(l)) };
            if self.equipment.players != 2 {
                return Err(unsupported(l));
            }
            let (a, b) = (self.player_value(a, l)?, self.player_value(b, l)?);
            return Ok(Box::new(move |c, out| {
                let (a, b) = (a.get(c).max(0) as u16, b.get(c).max(0) as u16);
                let (mover, first) = (c.state.s.mover, out.actions.len());
                // Whoever it is now moves on.
                out.actions.extend([Action::SwapPlayers(a, b), Action::Next(mover as u16)]);
                out.close(first, mover, Kind::Swap, OFF, OFF);
            }));
        }
        let (a, b) = match ints[..] {
            [a, b] => (self.int(a, l)?, self.int(b, l)?),
            [] => {
                let last = self.last();
                (Int::new(move |c| c.state.s.last.from(last)), Int::LastTo(last))
            }
            _ => return Err(unsupported(l)),
        };
        Ok(Box::new(move |c, out| {
            let (a, b) = (a.get(c), b.get(c));
            if a >= 0 && b >= 0 {
                out.push(c.state.s.mover, Kind::Exchange, a, b, Action::Swap(a, b));
            }
        }))
    }
}

/// The number of the first part that is a move of a player's choice, if effects come before it and
/// none after.
fn deciding(l: &Ludeme) -> Option<usize> {
    fn chosen(value: &Value) -> bool {
        match value {
            Value::Call(part) => match part.signature().keyword.as_str() {
                "move" => true,
                "or" | "and" | "priority" | "forEach" | "do" => part.values().any(chosen),
                _ => false,
            },
            Value::List(list) => list.iter().any(chosen),
            _ => false,
        }
    }
    let mut parts = Vec::new();
    for value in l.values() {
        match value {
            Value::List(list) => parts.extend(list.iter().map(chosen)),
            Value::Call(k) if k.signature().result == "then" => {}
            Value::Word(_) => {}
            value => parts.push(chosen(value)),
        }
    }
    let first = parts.iter().position(|&chosen| chosen).filter(|&first| first > 0)?;
    parts[first..].iter().all(|&chosen| chosen).then_some(first)
}

/// The effects of the first parts come before each move of the others.
fn with_effects(c: &mut Context<'_>, parts: &[Generator], first: usize, out: &mut Moves) {
    let (effects, decisions) = parts.split_at(first.min(parts.len()));
    let (mut before, mut all) = (c.moves(), c.moves());
    effects.iter().for_each(|part| part(c, &mut before));
    decisions.iter().for_each(|part| part(c, &mut all));
    for &head in &all.heads {
        let (start, mut then) = (out.actions.len() as u32, NONE);
        for &effect in &before.heads {
            out.actions.extend_from_slice(before.actions(effect));
            then = out.chained_to(then, &before, effect.then);
        }
        out.take(&all, head);
        // What follows from the effects comes first.
        let then = (then != NONE).then(|| out.chained_to(then, &all, head.then));
        if let Some(head) = out.heads.last_mut() {
            (head.first, head.then) = (start, then.unwrap_or(head.then));
        }
        if out.full() {
            break;
        }
    }
    c.free_moves(all);
    c.free_moves(before);
}

/// Pieces are added, by site.
struct Adding {
    filter: Option<Bool>,
    what: Int,
    state: Option<Int>,
    count: Int,
    to: To,
    stack: bool,
    twice: bool,
}

impl Candidates for Adding {
    fn most(&self) -> u32 {
        u32::from(!self.twice)
    }

    fn attempt(&self, c: &mut Context<'_>, at: Registers, number: u32, out: &mut Moves) {
        if self.filter.as_ref().is_some_and(|filter| !at_site(c, number as i32, filter)) {
            return;
        }
        let Ok(what) = u16::try_from(self.what.get(c)) else { return };
        let count = self.count.get(c).clamp(0, 60_000) as u16;
        let state = self.state.as_ref().map_or(0, |f| f.get(c)) as i16;
        let to = number as i32;
        let here = Registers { to, site: to, ..at };
        if !self.to.allows(c, here) {
            return;
        }
        let first = out.actions.len();
        let Some(then) = self.to.applies(c, here, out) else {
            out.actions.truncate(first);
            return;
        };
        out.actions.push(match &self.to.level {
            Some(level) if self.stack => {
                Action::Insert { to, level: c.with(here, |c| level.get(c)) as i16, what }
            }
            _ => Action::Add { to, what, count, state, stack: self.stack },
        });
        let head = out.close(first, c.state.s.mover, Kind::Add, to, to);
        (head.then, head.extra) = (then, what);
        if self.twice {
            let again = *head;
            out.heads.push(again);
        }
    }

    fn all(&self, c: &mut Context<'_>, at: Registers, out: &mut Moves) {
        self.attempt(c, at, at.to as u32, out);
    }
}
