//! Ludemes that make moves, and those that choose among them.

use super::action::{Action, Kind, Moves};
use super::context::{Context, Registers};
use super::functions::{Int, Result, Who, ones};
use super::lower::{Lower, unsupported};
use super::play;
use super::state::OFF;
use crate::compile::{Ludeme, Value};

/// Pieces may move as other pieces do, but not for ever.
const MOST_INSIDE: u8 = 4;

/// Appends moves to a list.
pub type Generator = Box<dyn Fn(&mut Context<'_>, &mut Moves) + Send + Sync>;

impl Lower<'_> {
    /// A generator of moves or effects.
    pub fn moves(&mut self, value: &Value, of: &Ludeme) -> Result<Generator> {
        match value {
            Value::Call(l) => self.moves_of(l),
            _ => Err(unsupported(of)),
        }
    }

    /// That of the slot of moves.
    pub(super) fn typed_moves(&mut self, l: &Ludeme) -> Result<Generator> {
        self.moves(l.typed("moves").ok_or_else(|| unsupported(l))?, l)
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
                Value::Word(_) => {}
                value => parts.push(self.moves(value, l)?),
            }
        }
        Ok(parts)
    }

    /// Adds the consequences of a form to its moves.
    fn with_then(&mut self, l: &Ludeme, moves: Generator) -> Result<Generator> {
        let Some(Value::Call(then)) = l.typed("then") else { return Ok(moves) };
        // Recorded games show that nothing follows from what is set to wait.
        if l.signature().keyword == "set" && l.arg(0).and_then(Value::word) == Some("Pending") {
            return Ok(moves);
        }
        if Self::flag(then, "applyAfterAllMoves") {
            return Err(unsupported(then));
        }
        let effect = self.moves(then.arg(0).ok_or_else(|| unsupported(then))?, then)?;
        let number = self.thens.len() as u32;
        self.thens.push(effect);
        Ok(Box::new(move |c, out| {
            let (first, had) = (out.len(), out.block.is_some());
            moves(c, out);
            out.follow(first, number);
            if !had && let Some(block) = &mut out.block {
                out.chain.push((number, block.then));
                block.then = out.chain.len() as u32 - 1;
            }
        }))
    }

    pub(super) fn moves_of(&mut self, l: &Ludeme) -> Result<Generator> {
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
            ("priority", _) => {
                let parts = self.list(l)?;
                Box::new(move |c, out| {
                    let first = out.len();
                    // Whether there are any must be known.
                    let lazy = std::mem::take(&mut out.lazy);
                    for part in &parts {
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
        if l.labelled("noMoveYet").is_some() {
            return Ok(moves);
        }
        self.with_then(l, moves)
    }

    fn add(&mut self, l: &Ludeme) -> Result<Generator> {
        let stack = Self::flag(l, "stack");
        let what = self.piece(l)?;
        let state = self.piece_state(l)?;
        let count = self.int_or(l, "count", 1)?;
        let to = self.to(l)?;
        let plain = to.condition.is_none() && to.apply.is_none() && to.level.is_none();
        // Recorded games list a placement with an effect twice.
        let decision = l.signature().keyword == "move";
        let twice = decision && to.apply.as_ref().is_some_and(|apply| apply.effect.is_some());
        let one = move |c: &mut Context<'_>,
                        site: i32,
                        action: Action,
                        to: &super::parts::To,
                        out: &mut Moves| {
            let at = Registers { to: site, site, ..c.at };
            if !to.allows(c, at) {
                return;
            }
            let first = out.actions.len();
            let Some(then) = to.applies(c, at, out) else {
                out.actions.truncate(first);
                return;
            };
            let level = match &to.level {
                Some(level) if stack => Some(c.with(at, |c| level.get(c)) as i16),
                _ => None,
            };
            let (action, extra) = match (action, level) {
                (Action::Add { what, .. }, Some(level)) => {
                    (Action::Insert { to: site, level, what }, what)
                }
                (Action::Add { what, count, state, stack, .. }, None) => {
                    (Action::Add { to: site, what, count, state, stack }, what)
                }
                (other, _) => (other, 0),
            };
            out.actions.push(action);
            let head = out.close(first, c.state.s.mover, Kind::Add, site, site);
            (head.then, head.extra) = (then, extra);
            if twice {
                let again = *head;
                out.heads.push(again);
            }
        };
        Ok(Box::new(move |c, out| {
            let (what, count) = (what.get(c), count.get(c).clamp(0, 60_000) as u16);
            let Ok(what) = u16::try_from(what) else { return };
            let state = state.as_ref().map_or(0, |f| f.get(c)) as i16;
            let action = Action::Add { to: OFF, what, count, state, stack };
            if plain
                && out.lazy
                && out.block.is_none()
                && let Some(region) = &to.region
            {
                let mut sites = c.sites();
                region.fill(c, &mut sites);
                let mover = c.state.s.mover as u16;
                let then = super::action::NONE;
                out.block = Some(super::action::Block { sites, action, mover, then, check: 0 });
                return;
            }
            match &to.region {
                Some(region) => region.each(c, |c, site| {
                    one(c, site, action, &to, out);
                    !out.full()
                }),
                None => {
                    let site = c.at.to;
                    if site >= 0 {
                        one(c, site, action, &to, out);
                    }
                }
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
                    let level = level.as_ref().map_or(-1, |f| f.get(c)) as i16;
                    let count = count.get(c).clamp(1, u16::MAX.into()) as u16;
                    let first = out.actions.len();
                    match late {
                        true => out.actions.push(Action::Clear(site)),
                        // From a stack they are taken one by one.
                        false if c.rules.stacking => {
                            let one = Action::Remove { at: site, level, count: 1 };
                            out.actions.extend(std::iter::repeat_n(one, count.into()));
                        }
                        false => out.actions.push(Action::Remove { at: site, level, count }),
                    }
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
        let words: Vec<&str> = l.args.iter().flatten().filter_map(|(_, v)| v.word()).collect();
        let ints: Vec<&Value> = l
            .args
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
            let (a, b) = (self.player_value(a, l)?, self.player_value(b, l)?);
            return Ok(Box::new(move |c, out| {
                let (a, b) = (a.get(c).max(0) as u16, b.get(c).max(0) as u16);
                out.push(c.state.s.mover, Kind::Swap, OFF, OFF, Action::SwapPlayers(a, b));
            }));
        }
        let (a, b) = match ints[..] {
            [a, b] => (self.int(a, l)?, self.int(b, l)?),
            [] => (Int::new(|c| c.state.s.last_from), Int::LastTo),
            _ => return Err(unsupported(l)),
        };
        Ok(Box::new(move |c, out| {
            let (a, b) = (a.get(c), b.get(c));
            out.push(c.state.s.mover, Kind::Exchange, a, b, Action::Swap(a, b));
        }))
    }

    fn for_each(&mut self, l: &Ludeme, first: &str) -> Result<Generator> {
        Ok(match first {
            "Piece" => self.for_each_piece(l)?,
            "Site" => {
                let region = self.region(l.typed("region").ok_or_else(|| unsupported(l))?, l)?;
                let moves = self.typed_moves(l)?;
                let otherwise = match l.labelled("noMoveYet") {
                    Some(value) => Some(self.moves(value, l)?),
                    None => None,
                };
                let each: Generator = Box::new(move |c, out| {
                    region.each(c, |c, site| {
                        let at = Registers { site, to: site, ..c.at };
                        c.with(at, |c| moves(c, out));
                        !out.full()
                    });
                });
                if otherwise.is_none() {
                    return Ok(each);
                }
                // What follows does so from the moves of the sites alone.
                let each = self.with_then(l, each)?;
                Box::new(move |c, out| {
                    let first = out.len();
                    each(c, out);
                    if let Some(otherwise) = &otherwise
                        && out.len() == first
                    {
                        otherwise(c, out);
                    }
                })
            }
            "Player" => {
                let moves = self.typed_moves(l)?;
                Box::new(move |c, out| {
                    for player in 1..=c.equipment.players as i32 {
                        let at = Registers { player, ..c.at };
                        c.with(at, |c| moves(c, out));
                    }
                })
            }
            "Value" => {
                let moves = self.typed_moves(l)?;
                if let Some(values) = l.typed("ints") {
                    let values = self.int_list(values, l)?;
                    return Ok(Box::new(move |c, out| {
                        for value in values(c) {
                            let at = Registers { value, ..c.at };
                            c.with(at, |c| moves(c, out));
                        }
                    }));
                }
                let (min, max) = (self.int_or(l, "min", 0)?, self.int_or(l, "max", -1)?);
                Box::new(move |c, out| {
                    let (min, max) = (min.get(c), max.get(c));
                    for value in min..=max.min(min.saturating_add(10_000)) {
                        let at = Registers { value, ..c.at };
                        c.with(at, |c| moves(c, out));
                        if out.full() {
                            break;
                        }
                    }
                })
            }
            "" => {
                let moves = self.typed_moves(l)?;
                let values = self.int_list(l.typed("ints").ok_or_else(|| unsupported(l))?, l)?;
                Box::new(move |c, out| {
                    for player in values(c) {
                        let at = Registers { player, ..c.at };
                        c.with(at, |c| moves(c, out));
                    }
                })
            }
            "Direction" => self.for_each_direction(l)?,
            "Level" => {
                let moves = self.typed_moves(l)?;
                let site = self.typed_int(l)?;
                let top = l.typed("stackDirection").and_then(Value::word) == Some("FromTop");
                Box::new(move |c, out| {
                    let site = site.get(c);
                    let height = c.state.height(site);
                    for i in 0..height {
                        let level = if top { height - 1 - i } else { i };
                        let at = Registers { level, ..c.at };
                        c.with(at, |c| moves(c, out));
                        if out.full() {
                            break;
                        }
                    }
                })
            }
            "Die" => self.for_each_die(l)?,
            "Group" => self.for_each_group(l)?,
            _ => return Err(unsupported(l)),
        })
    }

    fn for_each_direction(&mut self, l: &Ludeme) -> Result<Generator> {
        let from = self.from(l)?;
        let directions = self.direction_or(l, super::directions::Direction::Adjacent)?;
        let mut range = super::parts::Bounds { least: None, most: None };
        let mut condition = None;
        if let Some(Value::Call(between)) = l.typed("between") {
            range = self.range(between)?;
            condition = self.optional_bool(between, "if")?;
        }
        let to = match l.typed("to") {
            Some(_) => Some(self.to(l)?),
            None => None,
        };
        let moves = match l.typed("moves") {
            Some(value) => Some(self.moves(value, l)?),
            None => None,
        };
        Ok(Box::new(move |c, out| {
            let origin = c.at.from;
            from.each(c, out, |c, at, out| {
                // Inside another direction, forward is where that one leads.
                let heading = c.heading;
                let looks = std::mem::replace(&mut c.looks, heading);
                let rays = c.with(at, |c| directions.rays(c, at.from));
                c.looks = looks;
                // The move begins where the outermost does.
                let at = Registers { from: if origin >= 0 { origin } else { at.from }, ..at };
                let least = range.least.as_ref().map_or(1, |f| f.get(c));
                let most = range.most.as_ref().map_or(1, |f| f.get(c));
                let equipment = c.equipment;
                for &ray in rays.iter() {
                    let bearing = equipment.directions.rays[ray as usize].bearing;
                    c.heading = Some((bearing / 22.5).round() as usize % 16);
                    for (k, &site) in equipment.directions.line(ray).iter().enumerate() {
                        let (site, steps) = (site as i32, k as i32 + 1);
                        if steps > most {
                            break;
                        }
                        let here = Registers { to: site, site, between: site, ..at };
                        if steps >= least {
                            match (&to, &moves) {
                                // What applies are the moves, if anything does.
                                (Some(to), _) if to.allows(c, here) => match &to.apply {
                                    Some(super::parts::Apply { effect: Some(effect), .. }) => {
                                        c.with(here, |c| effect(c, out));
                                    }
                                    _ => drop(to.go_on(c, here, super::parts::Gait::Piece, out)),
                                },
                                (Some(_), _) => {}
                                (None, Some(moves)) => c.with(here, |c| moves(c, out)),
                                _ => {}
                            }
                        }
                        if let Some(f) = &condition
                            && !c.with(here, |c| f(c))
                        {
                            break;
                        }
                    }
                    if out.full() {
                        break;
                    }
                }
                c.heading = heading;
            });
        }))
    }

    fn for_each_piece(&mut self, l: &Ludeme) -> Result<Generator> {
        self.refuse(l, &["on"])?;
        let top = Self::flag(l, "top");
        let mut names = Self::strings(l);
        // The second string, if any, is a container.
        let mut place: Option<super::sites::Sites> = None;
        let known = |n: &String, this: &Self| {
            this.equipment.components.iter().any(|k| k.stem == *n || k.name == *n)
        };
        if let Some(at) = names.iter().position(|n| !known(n, self)) {
            let name = names.remove(at);
            let containers = self.equipment.containers.iter().filter(|k| k.name.starts_with(&name));
            let sites = containers.flat_map(|k| k.from as i32..(k.from + k.sites) as i32);
            place = Some(self.sites_of(sites));
        }
        let container = self.optional_int(l, "container")?;
        let place = place.unwrap_or_else(|| self.equipment.on_board.clone());
        let containers: Vec<super::sites::Sites> = (self.equipment.containers.iter())
            .map(|k| self.sites_of(k.from as i32..(k.from + k.sites) as i32))
            .collect();
        let wanted = if names.is_empty() { None } else { Some(self.named(&names)) };
        let who = self.optional_roles(l)?.unwrap_or(Who::Mover);
        let own = match l.typed("moves") {
            Some(value) => Some(self.moves(value, l)?),
            None => None,
        };
        let stacking = self.stacking;
        Ok(Box::new(move |c, out| {
            let who = who.get(c);
            let layout = c.rules.layout;
            let place = match &container {
                None => &place,
                Some(number) => match containers.get(number.get(c).max(0) as usize) {
                    Some(place) => place,
                    None => return,
                },
            };
            let mut sites = c.sites();
            if stacking && !top {
                sites.add(place.words());
                sites.subtract(c.state.empty(layout));
            } else {
                ones(who).for_each(|owner| sites.add(c.state.owned(layout, owner)));
                sites.keep(place.words());
            }
            // Another's pieces move as that player's.
            let (mover, next) = (c.state.s.mover, c.state.s.next);
            let other = ones(who).next().filter(|&p| {
                who.count_ones() == 1 && p != mover && p >= 1 && p <= c.equipment.players
            });
            if let Some(player) = other {
                (c.state.s.mover, c.state.s.next) = (player, mover);
            }
            let rules = c.rules;
            let piece =
                |c: &mut Context<'_>, site: i32, level: i32, what: usize, out: &mut Moves| {
                    if wanted.as_ref().is_some_and(|w| w.get(what) != Some(&true)) {
                        return;
                    }
                    let at = Registers { from: site, site, level, ..c.at };
                    c.with(at, |c| match &own {
                        Some(moves) => moves(c, out),
                        None => {
                            if let Some(Some(moves)) = rules.pieces.get(what)
                                && c.inside < MOST_INSIDE
                            {
                                c.inside += 1;
                                moves(c, out);
                                c.inside -= 1;
                            }
                        }
                    });
                };
            for site in sites.iter() {
                if stacking && !top {
                    for level in 0..c.state.height(site) {
                        let what = usize::from(c.state.level(site, level).what);
                        if who >> c.owner(what) & 1 == 1 {
                            piece(c, site, level, what, out);
                        }
                    }
                } else {
                    let what = c.what(site);
                    let level = if stacking { c.state.height(site) - 1 } else { OFF };
                    piece(c, site, level, what, out);
                }
                if out.full() {
                    break;
                }
            }
            (c.state.s.mover, c.state.s.next) = (mover, next);
            c.free(sites);
        }))
    }

    fn do_moves(&mut self, l: &Ludeme) -> Result<Generator> {
        let moves = self.moves(l.arg(0).ok_or_else(|| unsupported(l))?, l)?;
        let next = match l.labelled("next") {
            Some(value) => Some(self.moves(value, l)?),
            None => None,
        };
        let condition = self.optional_bool(l, "ifAfterwards")?.map(std::sync::Arc::new);
        let check = match &condition {
            Some(condition) => {
                self.checks.push(condition.clone());
                self.checks.len() as u16
            }
            None => 0,
        };
        Ok(Box::new(move |c, out| {
            // The condition can wait where nothing else depends on it.
            if out.lazy && next.is_none() && check > 0 && c.at == Registers::NONE {
                let (first, had) = (out.len(), out.block.is_some());
                out.lazy = !had;
                moves(c, out);
                out.lazy = true;
                let unchecked = out.heads[first..].iter().all(|head| head.check == 0);
                if unchecked {
                    out.heads[first..].iter_mut().for_each(|head| head.check = check);
                    if !had && let Some(block) = &mut out.block {
                        block.check = check;
                    }
                    return;
                }
                // One condition inside another: look at both.
                out.heads.truncate(first);
                if !had {
                    out.block = None;
                }
            }
            let mut all = c.moves();
            moves(c, &mut all);
            if let Some(next) = &next {
                if c.wants_dice {
                    c.free_moves(all);
                    return;
                }
                let mut following = c.moves();
                let prior = all;
                let mut done = Vec::new();
                c.ahead(
                    |c| {
                        let outer = c.record.replace(Vec::new());
                        prior.heads.iter().for_each(|&h| play::effect(c, &prior, h, 0));
                        done = std::mem::replace(&mut c.record, outer).unwrap_or_default();
                    },
                    |c| next(c, &mut following),
                );
                all = c.moves();
                for &head in &following.heads {
                    let first = all.actions.len();
                    all.actions.extend_from_slice(&done);
                    all.actions.extend_from_slice(following.actions(head));
                    let then = all.chained(&following, head.then);
                    let end = all.actions.len() as u32;
                    all.heads.push(super::action::Head { first: first as u32, end, then, ..head });
                }
                c.free_moves(prior);
                c.free_moves(following);
            }
            for &head in &all.heads {
                let fits = match &condition {
                    None => true,
                    Some(f) => c.ahead(|c| play::make(c, &all, head), |c| f(c)),
                };
                if fits {
                    out.take(&all, head);
                    if out.full() {
                        break;
                    }
                }
            }
            c.free_moves(all);
        }))
    }

    /// All effects as one move.
    fn append(&mut self, l: &Ludeme) -> Result<Generator> {
        let effects = self.moves(l.arg(0).ok_or_else(|| unsupported(l))?, l)?;
        Ok(Box::new(move |c, out| {
            let mut all = c.moves();
            effects(c, &mut all);
            if !all.is_empty() {
                let first = out.actions.len();
                let mut then = super::action::NONE;
                for &head in &all.heads {
                    out.actions.extend_from_slice(all.actions(head));
                    if head.then != super::action::NONE {
                        then = out.chained(&all, head.then);
                    }
                }
                // It is where the first piece is put.
                let at = all.heads.iter().find(|head| head.to >= 0);
                let (from, to) = at.map_or((OFF, OFF), |head| (head.from, head.to));
                let head = out.close(first, c.state.s.mover, Kind::Add, from, to);
                head.then = then;
            }
            c.free_moves(all);
        }))
    }

    /// Each move of one kind with each of another.
    fn combinations(&mut self, l: &Ludeme) -> Result<Generator> {
        let [a, b] = [0, 1].map(|slot| l.arg(slot).ok_or_else(|| unsupported(l)));
        let (a, b) = (self.moves(a?, l)?, self.moves(b?, l)?);
        Ok(Box::new(move |c, out| {
            let (mut first, mut second) = (c.moves(), c.moves());
            a(c, &mut first);
            b(c, &mut second);
            for &one in &first.heads {
                for &two in &second.heads {
                    let mark = out.actions.len();
                    out.actions.extend_from_slice(first.actions(one));
                    out.actions.extend_from_slice(second.actions(two));
                    let then = out.chained(&first, one.then);
                    out.close(mark, one.mover.into(), one.kind, one.from, one.to).then = then;
                }
            }
            c.free_moves(first);
            c.free_moves(second);
        }))
    }

    /// Only the moves that begin the longest turns, or capture most.
    fn max(&mut self, l: &Ludeme, first: &str) -> Result<Generator> {
        let moves = self.typed_moves(l)?;
        let with_value = match l.labelled("withValue") {
            Some(value) => Some(self.bool(value, l)?),
            None => None,
        };
        if with_value.is_some() || !matches!(first, "Moves" | "Captures") {
            return Err(unsupported(l));
        }
        let captures = first == "Captures";
        Ok(Box::new(move |c, out| {
            // While the lengths of turns are measured all moves count: the longest is the same.
            if c.measuring && !captures {
                moves(c, out);
                return;
            }
            let mut all = c.moves();
            moves(c, &mut all);
            let mut scores = Vec::with_capacity(all.len());
            for &head in &all.heads {
                scores.push(if captures {
                    let actions = all.actions(head).iter();
                    actions
                        .filter(|a| matches!(a, Action::Remove { .. } | Action::Clear(_)))
                        .count() as u32
                } else {
                    let before = std::mem::replace(&mut c.measuring, true);
                    let length = play::turn_length(c, &all, head, 0);
                    c.measuring = before;
                    length
                });
            }
            let most = scores.iter().copied().max().unwrap_or(0);
            for (&head, &score) in all.heads.iter().zip(&scores) {
                if score == most {
                    out.take(&all, head);
                }
            }
            c.free_moves(all);
        }))
    }
}

/// Effects one after the other, each on the state that those before it leave.
fn in_turn(c: &mut Context<'_>, parts: &[Generator], out: &mut Moves) {
    let mut all = c.moves();
    let depth = c.depth;
    c.ahead(
        |c| {
            for part in parts {
                let mut made = c.moves();
                part(c, &mut made);
                for &head in &made.heads {
                    play::effect(c, &made, head, depth.into());
                    all.take(&made, head);
                }
                c.free_moves(made);
            }
        },
        |_| (),
    );
    for &head in &all.heads {
        out.take(&all, head);
    }
    c.free_moves(all);
}
