//! What follows a move: captures by flanking, and what is set.

use super::action::{Action, Move};
use super::context::{Context, Registers};
use super::directions::Direction;
use super::functions::Result;
use super::lower::{Lower, unsupported};
use super::moves::Generator;
use super::state::OFF;
use crate::compile::{Ludeme, Value};

impl Lower<'_> {
    pub(super) fn custodial(&mut self, l: &Ludeme) -> Result<Generator> {
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

    pub(super) fn set(&mut self, l: &Ludeme, first: &str) -> Result<Generator> {
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
