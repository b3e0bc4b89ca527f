//! What follows a move: captures by flanking, and what is set.

use super::action::{Action, Kind};
use super::context::Registers;
use super::directions::Direction;
use super::functions::{Int, Region, Result, ones};
use super::lower::{Lower, unsupported};
use super::moves::Generator;
use super::parts::Bounds;
use super::state::OFF;
use super::test::{Place, Test};
use crate::compile::{Ludeme, Value};

impl Lower<'_> {
    /// An effect by its keyword and first word.
    pub(crate) fn effect(&mut self, l: &Ludeme, keyword: &str, first: &str) -> Result<Generator> {
        match keyword {
            "custodial" => self.custodial(l),
            "intervene" => self.intervene(l),
            "directional" => self.directional(l),
            "surround" => self.surround(l),
            "enclose" => self.enclose(l),
            "set" => self.set(l, first),
            "move" if first == "Set" => {
                let second = l.arg(1).and_then(Value::word).unwrap_or_default().to_owned();
                let set = self.set(l, &second)?;
                Ok(Box::new(move |c, out| {
                    let (first, mover) = (out.len(), c.state.s.mover as u16);
                    set(c, out);
                    for head in &mut out.heads[first..] {
                        (head.kind, head.mover) = (Kind::Set, mover);
                        if let Some(&Action::Next(player)) = out.actions.get(head.first as usize) {
                            head.extra = player;
                        }
                    }
                }))
            }
            "move" if first == "Propose" || first == "Vote" => self.ballot(l, first == "Propose"),
            "addScore" => self.add_score(l),
            "remember" | "forget" => self.remember(l, keyword == "remember"),
            "trigger" => {
                let who = self.player(l, 1)?;
                Ok(Box::new(move |c, out| {
                    let who = who.get(c).max(0) as u16;
                    out.effect(Action::Trigger(who));
                }))
            }
            "flip" => {
                let site = match l.typed("int") {
                    Some(value) => self.int(value, l)?,
                    None => Int::To,
                };
                let flips: Vec<_> = self.equipment.components.iter().map(|k| k.flips).collect();
                Ok(Box::new(move |c, out| {
                    let at = site.get(c);
                    let cell = c.cell(at);
                    if let Some(Some((a, b))) = flips.get(usize::from(cell.what)) {
                        let value = if i32::from(cell.state) == *a { *b } else { *a };
                        out.effect(Action::State { at, level: -1, value: value as i16 });
                    }
                }))
            }
            "propose" | "vote" => self.ballot(l, keyword == "propose"),
            "push" => self.push(l),
            "attract" => self.attract(l),
            "take" if first == "Control" => self.take_control(l),
            "sow" => self.sow(l),
            "roll" => Ok(Box::new(|c, out| {
                if c.state.s.rolled {
                    // Done; something may follow from it.
                    let mark = out.actions.len();
                    out.close(mark, 0, Kind::Effect, OFF, OFF);
                } else {
                    c.wants_dice = true;
                }
            })),
            // A word to the players; something may follow from it.
            "note" => Ok(Box::new(|_, out| {
                let mark = out.actions.len();
                out.close(mark, 0, Kind::Effect, OFF, OFF);
            })),
            _ => Err(unsupported(l)),
        }
    }

    /// The origin of a capture: `(from …)`, or where the last move ended.
    pub(crate) fn origin(&mut self, l: &Ludeme) -> Result<Region> {
        match l.typed("from") {
            Some(Value::Call(from)) => match from.typed("region").or(from.typed("int")) {
                Some(value) => self.region(value, from),
                None => Ok(Region::One(Int::LastTo(self.last()))),
            },
            _ => Ok(Region::One(Int::LastTo(self.last()))),
        }
    }

    /// What is captured between: a condition, a range and what becomes of it.
    fn between(&mut self, l: &Ludeme) -> Result<Between> {
        let mut all = Between { condition: None, range: Bounds::NONE, apply: None };
        if let Some(Value::Call(between)) = l.typed("between") {
            self.refuse(between, &["before", "after", "trail"])?;
            all.condition = self.optional_test(between, "if")?;
            all.range = self.range(between)?;
            all.apply = self.apply(between)?;
        }
        Ok(all)
    }

    fn custodial(&mut self, l: &Ludeme) -> Result<Generator> {
        let origin = self.origin(l)?;
        let directions = self.direction_or(l, Direction::Adjacent)?;
        let to = self.to(l)?;
        let has_to = l.typed("to").is_some();
        let between = self.between(l)?;
        Ok(Box::new(move |c, out| {
            origin.each(c, |c, from| {
                let rays = directions.rays(c, from);
                let least = between.range.least.as_ref().map_or(1, |f| f.get(c).max(1));
                let most = between.range.most.as_ref().map_or(i32::MAX, |f| f.get(c));
                let equipment = c.equipment;
                for &ray in rays.iter() {
                    let line = equipment.directions.line(ray);
                    let mut n = 0;
                    // Beyond the most that may be between comes the end.
                    while let Some(&site) = line.get(n)
                        && (n as i32) < most
                        && between.holds(c, from, site as i32)
                    {
                        n += 1;
                    }
                    let Some(&end) = line.get(n) else { continue };
                    if (n as i32) < least {
                        continue;
                    }
                    let end = end as i32;
                    let here = Registers { from, to: end, ..c.at };
                    let closed = match has_to {
                        true => to.allows(c, here),
                        false => c.what(end) != 0 && c.friends(c.who(end), c.state.s.mover),
                    };
                    if !closed {
                        continue;
                    }
                    for &site in &line[..n] {
                        between.capture(c, Registers { between: site as i32, ..here }, out);
                    }
                }
                true
            });
        }))
    }

    /// The pieces on both sides of the origin.
    fn intervene(&mut self, l: &Ludeme) -> Result<Generator> {
        let origin = self.origin(l)?;
        let directions = self.direction_or(l, Direction::Adjacent)?;
        // Only the piece that comes is between.
        if let Some(Value::Call(part)) = l.typed("between") {
            let one = self.range(part)?;
            if one.most.as_ref().and_then(Int::fixed).is_some_and(|n| n != 1)
                || part.values().count() > 1
                || part.typed("range").is_none()
            {
                return Err(unsupported(l));
            }
        }
        let to = self.to(l)?;
        let has_to = l.typed("to").is_some();
        Ok(Box::new(move |c, out| {
            origin.each(c, |c, from| {
                let rays = directions.rays(c, from);
                let equipment = c.equipment;
                for &ray in rays.iter() {
                    let back = equipment.directions.rays[ray as usize].opposite;
                    if back <= ray {
                        continue;
                    }
                    let lines = [ray, back].map(|ray| equipment.directions.line(ray));
                    let ends = lines.map(|line| line[0] as i32);
                    let hit = |c: &mut super::Context<'_>, site: i32| match has_to {
                        true => to.allows(c, Registers { from, to: site, between: site, ..c.at }),
                        false => c.who(site) != 0 && !c.friends(c.who(site), c.state.s.mover),
                    };
                    if ends.into_iter().all(|site| hit(c, site)) {
                        for site in ends {
                            let here = Registers { from, to: site, between: site, ..c.at };
                            match &to.apply {
                                Some(apply) => run(apply, c, here, out),
                                None => remove(c, site, out),
                            }
                        }
                    }
                }
                true
            });
        }))
    }

    /// The pieces in a line from the origin on.
    fn directional(&mut self, l: &Ludeme) -> Result<Generator> {
        let origin = self.origin(l)?;
        let directions = match l.typed("direction") {
            Some(value) => self.directions(value, l)?,
            None => self.directions(&Value::Word("SameDirection".into()), l)?,
        };
        let to = self.to(l)?;
        let has_to = l.typed("to").is_some();
        Ok(Box::new(move |c, out| {
            origin.each(c, |c, from| {
                let rays = directions.rays(c, from);
                let equipment = c.equipment;
                for &ray in rays.iter() {
                    for &site in equipment.directions.line(ray) {
                        let site = site as i32;
                        let here = Registers { from, to: site, ..c.at };
                        let hit = match has_to {
                            true => to.allows(c, here),
                            false => c.what(site) != 0 && !c.friends(c.who(site), c.state.s.mover),
                        };
                        if !hit {
                            break;
                        }
                        match &to.apply {
                            Some(apply) => run(apply, c, here, out),
                            None => remove(c, site, out),
                        }
                    }
                }
                true
            });
        }))
    }

    /// Pieces next to the origin that have no way out.
    fn surround(&mut self, l: &Ludeme) -> Result<Generator> {
        let origin = match l.typed("from") {
            Some(_) => self.origin(l)?,
            // `(from)`, or where the last move ended if that is nowhere.
            None => {
                let last = self.last();
                Region::One(Int::new(move |c| match c.at.from {
                    OFF => c.state.s.last.to(last),
                    from => from,
                }))
            }
        };
        let directions = self.direction_or(l, Direction::Adjacent)?;
        let between = self.between(l)?;
        let to = self.to(l)?;
        let has_to = l.typed("to").is_some();
        let except = self.int_or(l, "except", 0)?;
        let with = match l.labelled("with") {
            Some(Value::Call(piece)) => {
                let values = match piece.arg(0) {
                    Some(Value::List(list)) => list.iter().collect(),
                    value => value.into_iter().collect::<Vec<_>>(),
                };
                let ints = values.into_iter().filter(|value| !matches!(value, Value::Str(_)));
                let ints =
                    ints.map(|value| self.int(value, piece)).collect::<Result<Vec<Int>>>()?;
                Some((self.named(&Self::strings(piece)), ints))
            }
            _ => None,
        };
        Ok(Box::new(move |c, out| {
            origin.each(c, |c, from| {
                let around = directions.rays(c, from);
                let equipment = c.equipment;
                for &ray in around.iter() {
                    let site = equipment.directions.line(ray)[0] as i32;
                    if !between.holds(c, from, site) {
                        continue;
                    }
                    let except = except.get(c);
                    let (mut open, mut found) = (0, with.is_none());
                    for &ray in directions.rays(c, site).iter() {
                        let end = equipment.directions.line(ray)[0] as i32;
                        let here = Registers { from, to: end, between: site, ..c.at };
                        let closed = match has_to {
                            true => to.allows(c, here),
                            false => c.what(end) != 0 && c.friends(c.who(end), c.state.s.mover),
                        };
                        open += i32::from(!closed);
                        let what = c.what(end);
                        found |= with.as_ref().is_some_and(|(named, ints)| {
                            named.get(what) == Some(&true)
                                || what > 0 && ints.iter().any(|w| w.get(c) == what as i32)
                        });
                    }
                    if open <= except && found {
                        let here = Registers { from, to: site, between: site, ..c.at };
                        between.capture(c, here, out);
                    }
                }
                true
            });
        }))
    }

    /// Groups next to the origin that have no empty neighbour.
    fn enclose(&mut self, l: &Ludeme) -> Result<Generator> {
        let origin = self.origin(l)?;
        let directions = self.direction_or(l, Direction::Adjacent)?;
        let between = self.between(l)?;
        // No record tells which enclosed areas of free sites are meant, so they are refused.
        if let Some(Value::Call(part)) = l.typed("between")
            && let Some(Value::Call(condition)) = part.labelled("if")
        {
            let mut free = false;
            condition.walk(&mut |k| {
                let empty = k.arg(0).and_then(Value::word) == Some("Empty");
                free |= k.signature().keyword == "is" && empty;
            });
            if free {
                return Err(unsupported(l));
            }
        }
        let except = self.int_or(l, "numException", 0)?;
        let near = self.near(l)?;
        let owners = match &between.condition {
            Some(Test::Owner(owners, Place::To | Place::Between)) => Some(owners.clone()),
            _ => None,
        };
        if let (Some(owners), Some(0), true) = (owners, except.fixed(), near.fixed()) {
            return Ok(Box::new(move |c, out| {
                origin.each(c, |c, from| {
                    let (mut of, mut alive, mut starts) = (c.sites(), c.sites(), c.sites());
                    owners.fill(c, &mut of);
                    starts.insert(from);
                    let mut around = c.sites();
                    near.around(c, &starts, &mut around);
                    around.keep(of.words());
                    let mut list = std::mem::take(&mut c.pad.list);
                    while let Some(start) = around.first() {
                        around.remove(start);
                        if near.enclosed(c, start, &of, &mut alive, &mut list) {
                            for &site in &list {
                                around.remove(site);
                                let here = Registers { from, to: site, between: site, ..c.at };
                                between.capture(c, here, out);
                            }
                        }
                        around.subtract(alive.words());
                    }
                    c.pad.list = list;
                    for sites in [of, alive, starts, around] {
                        c.free(sites);
                    }
                    true
                });
            }));
        }
        Ok(Box::new(move |c, out| {
            origin.each(c, |c, from| {
                let around = directions.rays(c, from);
                let equipment = c.equipment;
                let except = except.get(c);
                let (mut seen, mut alive) = (c.sites(), c.sites());
                let mut group = std::mem::take(&mut c.pad.list);
                for &ray in around.iter() {
                    let start = equipment.directions.line(ray)[0] as i32;
                    if seen.contains(start) || alive.contains(start) {
                        continue;
                    }
                    let (mut open, mut members) = (c.sites(), c.sites());
                    // A free site that is allowed belongs to what is enclosed.
                    let held = between.holds(c, from, start);
                    let mut enclosed = held || except >= 1 && c.is_empty(start);
                    if enclosed && !held {
                        open.insert(start);
                    }
                    group.clear();
                    group.push(start);
                    members.insert(start);
                    let mut at = 0;
                    while let Some(&here) = group.get(at).filter(|_| enclosed) {
                        at += 1;
                        for &ray in directions.rays(c, here).iter() {
                            let next = equipment.directions.line(ray)[0] as i32;
                            if [&members, &open, &seen].iter().any(|set| set.contains(next)) {
                                continue;
                            }
                            if alive.contains(next) {
                                // It is one with a group that is known to be open.
                                enclosed = false;
                            } else if between.holds(c, from, next) {
                                members.insert(next);
                                group.push(next);
                            } else if c.is_empty(next) {
                                open.insert(next);
                                group.push(next);
                                enclosed &= open.len() as i32 <= except;
                            }
                        }
                    }
                    if enclosed {
                        seen.add(members.words());
                        seen.add(open.words());
                        for &site in &group {
                            let here = Registers { from, to: site, between: site, ..c.at };
                            between.capture(c, here, out);
                        }
                    } else if held {
                        alive.add(members.words());
                    }
                    c.free(open);
                    c.free(members);
                }
                c.pad.list = group;
                c.free(seen);
                c.free(alive);
                true
            });
        }))
    }

    fn add_score(&mut self, l: &Ludeme) -> Result<Generator> {
        if let (Some(Value::List(who)), Some(Value::List(scores))) = (l.arg(0), l.arg(1)) {
            let who = who.iter().map(|v| self.roles(v, l)).collect::<Result<Vec<_>>>()?;
            let scores = scores.iter().map(|v| self.int(v, l)).collect::<Result<Vec<_>>>()?;
            let layout = self.layout;
            return Ok(Box::new(move |c, out| {
                for (who, more) in who.iter().zip(&scores) {
                    let (who, more) = (who.get(c), more.get(c));
                    for player in ones(who).filter(|&p| p >= 1 && p <= layout.players) {
                        out.effect(Action::More(layout.score(player) as u16, more));
                    }
                }
            }));
        }
        let who = self.roles(l.arg(0).ok_or_else(|| unsupported(l))?, l)?;
        let more = self.typed_int(l)?;
        let layout = self.layout;
        Ok(Box::new(move |c, out| {
            let (who, more) = (who.get(c), more.get(c));
            for player in ones(who).filter(|&p| p >= 1 && p <= layout.players) {
                out.effect(Action::More(layout.score(player) as u16, more));
            }
        }))
    }

    fn remember(&mut self, l: &Ludeme, remember: bool) -> Result<Generator> {
        let words: Vec<&str> = l.args().iter().flatten().filter_map(|(_, v)| v.word()).collect();
        if words.contains(&"State") {
            return Ok(Box::new(|_, out| out.effect(Action::Store)));
        }
        let named = Self::text(l.typed("string"));
        if words.contains(&"All") && named.is_none() {
            return Ok(Box::new(move |_, out| out.effect(Action::ForgetAll(u16::MAX))));
        }
        let name = self.memory(&named.unwrap_or_default());
        if words.contains(&"All") {
            return Ok(Box::new(move |_, out| out.effect(Action::ForgetAll(name))));
        }
        let value = self.typed_int(l)?;
        let unique = Self::known_flag(l, "unique", false)?;
        Ok(Box::new(move |c, out| {
            let value = value.get(c);
            out.effect(match remember {
                true => Action::Remember(name, value, unique),
                false => Action::Forget(name, value),
            });
        }))
    }

    fn set(&mut self, l: &Ludeme, first: &str) -> Result<Generator> {
        let layout = self.layout;
        Ok(match first {
            "NextPlayer" => {
                let value = l
                    .args()
                    .iter()
                    .flatten()
                    .map(|(_, v)| v)
                    .find(|v| !matches!(v, Value::Word(w) if w == "NextPlayer" || w == "Set"));
                let value = value.ok_or_else(|| unsupported(l))?;
                if matches!(value, Value::Call(k) if k.signature().result == "ints") {
                    // Whose turn it is can be chosen, but it can't be everybody's.
                    if l.signature().keyword != "move" {
                        return Err(unsupported(l));
                    }
                    let players = self.int_list(value, l)?;
                    return Ok(Box::new(move |c, out| {
                        players.of(c, |_, players| {
                            for &player in &*players {
                                out.effect(Action::Next(player.clamp(0, 30) as u16));
                            }
                        });
                    }));
                }
                let who = self.player_value(value, l)?;
                Box::new(move |c, out| {
                    let player = who.get(c).clamp(0, 30) as u16;
                    out.effect(Action::Next(player));
                })
            }
            "Var" => {
                let var = self.var(&Self::text(l.typed("string")).unwrap_or_default());
                let value = match l.typed("int") {
                    Some(value) => self.int(value, l)?,
                    None => Int::Const(OFF),
                };
                Box::new(move |c, out| {
                    let value = value.get(c);
                    out.effect(Action::Number(var as u16, value));
                })
            }
            "Score" | "Value" if l.labelled("at").is_none() => {
                let (who, value) =
                    (self.roles(l.arg(1).ok_or_else(|| unsupported(l))?, l)?, self.typed_int(l)?);
                let score = first == "Score";
                Box::new(move |c, out| {
                    let (who, value) = (who.get(c), value.get(c));
                    for player in ones(who).filter(|&p| p >= 1 && p <= layout.players) {
                        let at = if score { layout.score(player) } else { layout.value(player) };
                        out.effect(Action::Number(at as u16, value));
                    }
                })
            }
            "State" | "Value" | "Count" => {
                let at = self.int_or(l, "at", OFF)?;
                let level = self.int_or(l, "level", -1)?;
                let value = self.typed_int(l)?;
                let first = first.to_owned();
                Box::new(move |c, out| {
                    let (at, level, value) = (at.get(c), level.get(c) as i16, value.get(c));
                    out.effect(match first.as_str() {
                        "State" => Action::State { at, level, value: value as i16 },
                        "Value" => Action::Value { at, level, value: value as i16 },
                        _ => Action::Count {
                            at,
                            count: value.clamp(0, 60_000) as u16,
                            what: c.what(at) as u16,
                        },
                    });
                })
            }
            "Counter" => {
                let value = match l.typed("int") {
                    Some(value) => self.int(value, l)?,
                    None => Int::Const(-1),
                };
                Box::new(move |c, out| {
                    let value = value.get(c);
                    out.effect(Action::Counter(value));
                })
            }
            "Pot" => {
                let value = self.typed_int(l)?;
                Box::new(move |c, out| {
                    let value = value.get(c);
                    out.effect(Action::Pot(value));
                })
            }
            "Pending" => {
                let sites = match (l.typed("int"), l.typed("region")) {
                    (Some(value), _) => {
                        let value = self.int(value, l)?;
                        return Ok(Box::new(move |c, out| {
                            let value = value.get(c);
                            out.effect(Action::Pending(value));
                        }));
                    }
                    (_, Some(value)) => self.region(value, l)?,
                    _ => return Ok(Box::new(|_, out| out.effect(Action::Pending(1)))),
                };
                Box::new(move |c, out| {
                    sites.each(c, |_, site| {
                        out.effect(Action::Pending(site));
                        true
                    });
                })
            }
            "Rotation" => self.set_rotation(l)?,
            "Team" => {
                let team = self.typed_int(l)?;
                let mut members = 0;
                for (_, value) in l.args().iter().flatten() {
                    let Value::List(list) = value else { continue };
                    for role in list {
                        let role = role.word().and_then(|w| self.equipment.owners_of(w));
                        for player in role.ok_or_else(|| unsupported(l))? {
                            members |= 1u32 << player;
                        }
                    }
                }
                Box::new(move |c, out| {
                    let team = team.get(c);
                    for player in ones(members) {
                        out.effect(Action::Number(layout.team(player) as u16, team));
                    }
                })
            }
            "Hidden" => self.set_hidden(l)?,
            _ => return Err(unsupported(l)),
        })
    }

    fn set_rotation(&mut self, l: &Ludeme) -> Result<Generator> {
        let decision = l.signature().keyword == "move";
        let site = match l.typed("to") {
            Some(Value::Call(to)) => match to.typed("int").or(to.typed("region")) {
                Some(value) => self.region(value, to)?,
                None => Region::One(Int::From),
            },
            _ => Region::One(Int::From),
        };
        let mut values = Vec::new();
        match l.typed("int") {
            Some(value) => values.push(self.int(value, l)?),
            None => {
                for (_, value) in l.args().iter().flatten() {
                    let Value::List(list) = value else { continue };
                    for value in list {
                        values.push(self.int(value, l)?);
                    }
                }
            }
        }
        let previous = Self::known_flag(l, "previous", true)?;
        let next = Self::known_flag(l, "next", true)?;
        // Without values: one turn to the left, one to the right.
        let turns = match self.equipment.directions.turns() {
            0 => 1,
            n => n as i32,
        };
        Ok(Box::new(move |c, out| {
            site.each(c, |c, at| {
                let now = i32::from(c.cell(at).rotation);
                let mut all = c.list();
                all.extend(values.iter().map(|v| v.get(c)));
                if values.is_empty() {
                    all.extend(previous.then(|| (now - 1).rem_euclid(turns)));
                    all.extend(next.then(|| (now + 1).rem_euclid(turns)));
                }
                for &value in &all {
                    let kind = if decision { Kind::Set } else { Kind::Effect };
                    let action = Action::Rotation(at, value as i16);
                    out.push(c.state.s.mover, kind, at, at, action).extra = value as u16;
                }
                c.free_list(all);
                true
            });
        }))
    }

    /// What is hidden from whom. What of a piece is hidden is not told apart.
    pub(crate) fn set_hidden(&mut self, l: &Ludeme) -> Result<Generator> {
        let region = match (l.labelled("at"), l.typed("region")) {
            (Some(value), _) | (None, Some(value)) => self.region(value, l)?,
            _ => return Err(unsupported(l)),
        };
        let hidden = match l.typed("boolean") {
            Some(value) => self.bool(value, l)?,
            None => Box::new(|_: &mut super::Context<'_>| true),
        };
        let who = self.roles(l.labelled("to").ok_or_else(|| unsupported(l))?, l)?;
        // `(set Hidden What …)` hides what a piece is, `(set Hidden …)` that there is one at all.
        let whole = l.arg(1).is_none();
        Ok(Box::new(move |c, out| {
            let (who, hidden) = (who.get(c), hidden(c));
            region.each(c, |_, at| {
                for player in ones(who) {
                    out.effect(Action::Hide { at, player: player as u16, hidden, whole });
                }
                true
            });
        }))
    }
}

struct Between {
    condition: Option<Test>,
    range: Bounds,
    apply: Option<super::parts::Apply>,
}

impl Between {
    /// Can what is on a site be captured?
    fn holds(&self, c: &mut super::Context<'_>, from: i32, site: i32) -> bool {
        match &self.condition {
            Some(test) => test.holds(c, Registers { from, to: site, between: site, ..c.at }),
            None => {
                let owner = c.who(site);
                owner != 0 && !c.friends(owner, c.state.s.mover)
            }
        }
    }

    fn capture(&self, c: &mut super::Context<'_>, at: Registers, out: &mut super::Moves) {
        match &self.apply {
            Some(apply) => run(apply, c, at, out),
            None => remove(c, at.between, out),
        }
    }
}

/// Appends what applies as effects of their own.
fn run(
    apply: &super::parts::Apply,
    c: &mut super::Context<'_>,
    at: Registers,
    out: &mut super::Moves,
) {
    if !super::test::holds(apply.condition.as_ref(), c, at) {
        return;
    }
    if let Some(effect) = &apply.effect {
        c.with(at, |c| effect(c, out));
    }
}

fn remove(c: &super::Context<'_>, site: i32, out: &mut super::Moves) {
    if c.what(site) != 0 {
        let action = Action::Remove { at: site, level: -1, count: 1 };
        out.push(c.state.s.mover, Kind::Effect, site, site, action);
    }
}
