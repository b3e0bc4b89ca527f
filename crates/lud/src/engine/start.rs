//! What lies where when a game begins.

use std::rc::Rc;

use super::action::{Action, Move};
use super::context::Context;
use super::functions::{Function, Result};
use super::lower::{Lower, unsupported};
use super::moves::Generator;
use crate::compile::{Ludeme, Value};

impl Lower<'_> {
    pub(super) fn start(&mut self, l: &Rc<Ludeme>) -> Result<Vec<Generator>> {
        match l.arg(0) {
            Some(Value::List(list)) => list.iter().map(|v| self.start_rule(v, l)).collect(),
            Some(value) => Ok(vec![self.start_rule(value, l)?]),
            None => Ok(Vec::new()),
        }
    }

    /// A piece of each player in each hand: `(place "Ball" "Hand" count:15)`.
    pub(super) fn place_in_hands(&mut self, l: &Ludeme, stem: &str) -> Result<Generator> {
        let known = ["count", "value", "state"];
        let others = l.signature().slots.iter().zip(&l.args).any(|(slot, arg)| {
            let label = arg.as_ref().and_then(|(c, _)| slot.choices[*c].label.as_deref());
            label.is_some_and(|label| !known.contains(&label))
        });
        if others {
            return Err(unsupported(l));
        }
        let count = match l.labelled("count") {
            Some(value) => self.int(value, l)?,
            None => Box::new(|_: &mut Context<'_>| 1),
        };
        let mut optional = |label: &str| match l.labelled(label) {
            Some(value) => self.int(value, l).map(Some),
            None => Ok(None),
        };
        let (value, local) = (optional("value")?, optional("state")?);
        let stem = stem.to_owned();
        Ok(Box::new(move |c, out| {
            let count = count(c);
            let (value, local) = (value.as_ref().map(|f| f(c)), local.as_ref().map(|f| f(c)));
            for hand in &c.equipment.containers[1..] {
                let all = &c.equipment.components;
                let own = all.iter().position(|k| k.owner == hand.owner && k.stem == stem);
                let Some(what) = own else { continue };
                let to = hand.from as i32;
                let mut actions = vec![Action::Add { to, what: what as i32, count }];
                actions.extend(value.map(|v| Action::Value(to, v)));
                actions.extend(local.map(|v| Action::Local(to, v)));
                out.push(Move { mover: 0, from: to, to, actions, then: Vec::new() });
            }
        }))
    }

    pub(super) fn start_rule(&mut self, value: &Value, of: &Ludeme) -> Result<Generator> {
        let Value::Call(l) = value else { return Err(unsupported(of)) };
        self.same_site_type(l)?;
        let first = l.arg(0).and_then(Value::word).unwrap_or_default();
        match (l.signature().keyword.as_str(), first) {
            ("place", "") => {
                let Some(Value::Str(name)) = l.arg(0) else { return Err(unsupported(l)) };
                let what = self.component(name).ok_or_else(|| unsupported(l))? as i32;
                let each =
                    l.args.iter().flatten().skip(1).any(|(_, v)| *v == Value::Str("Hand".into()));
                if each {
                    return self.place_in_hands(l, name);
                }
                for label in ["counts", "rotation"] {
                    if l.labelled(label).is_some() {
                        return Err(unsupported(l));
                    }
                }
                let mut constant = |label: &str| match l.labelled(label) {
                    Some(value) => self.int(value, l).map(Some),
                    None => Ok(None),
                };
                let (count, state, value) =
                    (constant("count")?, constant("state")?, constant("value")?);
                let hand =
                    l.signature().slots.iter().zip(&l.args).skip(1).find_map(
                        |(_, arg)| match arg {
                            Some((_, Value::Str(container))) => Some(container.clone()),
                            _ => None,
                        },
                    );
                let region: Function<Vec<i32>> = match (l.labelled("coord"), hand) {
                    (Some(Value::Str(label)), _) => {
                        let site = self.site(label).ok_or_else(|| unsupported(l))?;
                        Box::new(move |_| vec![site])
                    }
                    (_, Some(container)) => {
                        let owner =
                            container.strip_prefix("Hand").and_then(|n| n.parse::<usize>().ok());
                        let owner = owner.ok_or_else(|| unsupported(l))?;
                        let found =
                            self.equipment.containers[1..].iter().find(|h| h.owner == owner);
                        let from = found.ok_or_else(|| unsupported(l))?.from as i32;
                        Box::new(move |_| vec![from])
                    }
                    _ => {
                        let place = l.args.iter().enumerate().skip(1).find_map(|(i, arg)| {
                            let choice = l.signature().slots[i].choices.first()?;
                            match arg {
                                Some((_, value)) if choice.label.is_none() => match value {
                                    Value::Word(_) => None,
                                    value => Some(value.clone()),
                                },
                                _ => None,
                            }
                        });
                        match place.ok_or_else(|| unsupported(l))? {
                            Value::List(list)
                                if list.iter().all(|v| matches!(v, Value::Str(_))) =>
                            {
                                let sites: Vec<i32> = list
                                    .iter()
                                    .filter_map(|v| {
                                        if let Value::Str(s) = v { self.site(s) } else { None }
                                    })
                                    .collect();
                                if sites.len() != list.len() {
                                    return Err(unsupported(l));
                                }
                                Box::new(move |_| sites.clone())
                            }
                            value => self.region(&value, l)?,
                        }
                    }
                };
                Ok(Box::new(move |c, out| {
                    let count = count.as_ref().map_or(1, |f| f(c));
                    for to in region(c) {
                        let mut actions = vec![Action::Add { to, what, count }];
                        if let Some(f) = &state {
                            actions.push(Action::Local(to, f(c)));
                        }
                        if let Some(f) = &value {
                            actions.push(Action::Value(to, f(c)));
                        }
                        out.push(Move { mover: 0, from: to, to, actions, then: Vec::new() });
                    }
                }))
            }
            ("set", "Score") => {
                let who = match l.typed("roleType") {
                    Some(value) => self.roles(value, l)?,
                    None => return Err(unsupported(l)),
                };
                let value = self.int(l.typed("int").ok_or_else(|| unsupported(l))?, l)?;
                Ok(Box::new(move |c, out| {
                    let value = value(c);
                    for player in who(c) {
                        let actions = vec![Action::Score(player, value)];
                        out.push(Move { mover: 0, from: -1, to: -1, actions, then: Vec::new() });
                    }
                }))
            }
            _ => Err(unsupported(l)),
        }
    }
}
