//! Ludemes that make moves: which there are, and those that put, take, change and choose pieces.

use super::action::{Action, Move};
use super::context::{Context, Registers};
use super::functions::Result;
use super::lower::{Lower, unsupported};
use super::state::OFF;
use crate::compile::{Ludeme, Value};

/// Appends moves.
pub type Generator = Box<dyn Fn(&mut Context<'_>, &mut Vec<Move>) + Send + Sync>;

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
                    super::play::make(&mut after, m);
                    f(&mut after)
                })),
            }
        }))
    }
}
