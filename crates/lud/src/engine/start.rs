//! What lies where when a game begins.

use std::sync::Arc;

use super::action::Action;
use super::functions::{Int, Region, Result, ones};
use super::lower::{Lower, unsupported};
use super::moves::Generator;
use super::opening::Opening;
use crate::compile::{Ludeme, Value};

impl Lower<'_> {
    /// The rules of the start that are supported; the others are reported.
    pub(crate) fn start(&mut self, l: &Arc<Ludeme>) -> Vec<Opening> {
        let rules = l.arg(0).map_or(&[][..], Value::items);
        let rules = rules.iter().filter_map(|value| {
            let rule = self.opening(value, l);
            self.keep(rule)
        });
        rules.collect()
    }

    /// A rule of the start: chance comes into it only by itself.
    fn opening(&mut self, value: &Value, of: &Ludeme) -> Result<Opening> {
        match value {
            Value::Call(l) if l.arg(0).and_then(Value::word) == Some("Random") => {
                Ok(Opening::Scatter(self.scatter(l)?))
            }
            _ => Ok(Opening::Rule(self.start_rule(value, of)?)),
        }
    }

    fn start_rule(&mut self, value: &Value, of: &Ludeme) -> Result<Generator> {
        let Value::Call(l) = value else { return Err(unsupported(of)) };
        self.same_site_type(l)?;
        let first = l.arg(0).and_then(Value::word).unwrap_or_default();
        let layout = self.layout;
        match (l.signature().keyword.as_str(), first) {
            ("place", "") => self.place(l, false),
            ("place", "Stack") => self.place(l, true),
            ("set", "Score" | "Amount") => {
                let who = match l.typed("roleType") {
                    Some(value) => self.roles(value, l)?,
                    None => self.roles(&Value::Word("Each".into()), l)?,
                };
                let (value, score) = (self.typed_int(l)?, first == "Score");
                Ok(Box::new(move |c, out| {
                    let (who, value) = (who.get(c), value.get(c));
                    for player in ones(who).filter(|&p| p >= 1 && p <= layout.players) {
                        let at = if score { layout.score(player) } else { layout.amount(player) };
                        out.effect(Action::Number(at as u16, value));
                    }
                }))
            }
            ("set", "Count") => {
                let count = self.typed_int(l)?;
                let value = l.labelled("at").or(l.labelled("to")).ok_or_else(|| unsupported(l))?;
                let region = self.region(value, l)?;
                // Whatever there is to count.
                let all = &self.equipment.components;
                let what = all.iter().skip(1).position(|k| k.stem != "Die").map_or(0, |n| n + 1);
                Ok(Box::new(move |c, out| {
                    let count = count.get(c).clamp(0, 60_000) as u16;
                    region.each(c, |_, at| {
                        out.effect(Action::Count { at, count, what: what as u16 });
                        true
                    });
                }))
            }
            ("set", "Cost") => {
                let cost = self.typed_int(l)?.fixed().ok_or_else(|| unsupported(l))?;
                let value = l.labelled("at").or(l.labelled("to")).ok_or_else(|| unsupported(l))?;
                // What a site costs is the same throughout the game.
                match self.region(value, l)? {
                    Region::Fixed(sites) => {
                        sites.iter().for_each(|site| self.costs.push((site, cost)));
                    }
                    Region::One(site) => {
                        let site = site.fixed().ok_or_else(|| unsupported(l))?;
                        self.costs.push((site, cost));
                    }
                    _ => return Err(unsupported(l)),
                }
                Ok(Box::new(|_, _| {}))
            }
            ("set", "RememberValue") => {
                let name = self.memory(&Self::text(l.typed("string")).unwrap_or_default());
                let unique = Self::flag(l, "unique");
                let value = l.typed("int").or(l.typed("region")).ok_or_else(|| unsupported(l))?;
                if !self.is_region(value) {
                    let value = self.int(value, l)?;
                    return Ok(Box::new(move |c, out| {
                        let value = value.get(c);
                        out.effect(Action::Remember(name, value, unique));
                    }));
                }
                let region = self.region(value, l)?;
                Ok(Box::new(move |c, out| {
                    region.each(c, |_, site| {
                        out.effect(Action::Remember(name, site, unique));
                        true
                    });
                }))
            }
            ("set", "Team" | "Hidden") => self.moves_like(l, first),
            ("set", role) if self.is_role(role) => {
                // A piece of a player on some sites.
                let owner = self.equipment.owners_of(role).and_then(|o| o.first().copied());
                let all = &self.equipment.components;
                let own =
                    |k: &super::equipment::Component| Some(k.owner) == owner && k.stem != "Die";
                // The first is none.
                let what = all.iter().skip(1).position(own).ok_or_else(|| unsupported(l))?;
                let what = what as u16 + 1;
                let region = self.places(l)?;
                Ok(Box::new(move |c, out| {
                    region.each(c, |_, to| {
                        out.effect(Action::Add { to, what, count: 1, state: 0, stack: false });
                        true
                    });
                }))
            }
            ("forEach", "Site") => {
                let region = self.region(l.typed("region").ok_or_else(|| unsupported(l))?, l)?;
                let condition = self.optional_bool(l, "if")?;
                let rule =
                    self.start_rule(l.typed("startRule").ok_or_else(|| unsupported(l))?, l)?;
                Ok(Box::new(move |c, out| {
                    region.each(c, |c, site| {
                        let at = super::Registers { site, ..c.at };
                        c.with(at, |c| {
                            if condition.as_ref().is_none_or(|f| f(c)) {
                                rule(c, out);
                            }
                        });
                        true
                    });
                }))
            }
            // For each of some players.
            ("forEach", "") => {
                let rule =
                    self.start_rule(l.typed("startRule").ok_or_else(|| unsupported(l))?, l)?;
                let players = self.int_list(l.typed("ints").ok_or_else(|| unsupported(l))?, l)?;
                Ok(Box::new(move |c, out| {
                    players.of(c, |c, players| {
                        for &player in &*players {
                            c.with(super::Registers { player, ..c.at }, |c| rule(c, out));
                        }
                    });
                }))
            }
            ("forEach", "Value" | "Player") => {
                let rule =
                    self.start_rule(l.typed("startRule").ok_or_else(|| unsupported(l))?, l)?;
                let by_value = first == "Value";
                let (min, max) = match by_value {
                    true => (self.int_or(l, "min", 0)?, self.int_or(l, "max", -1)?),
                    false => (Int::Const(1), Int::Const(self.equipment.players as i32)),
                };
                Ok(Box::new(move |c, out| {
                    let (min, max) = (min.get(c), max.get(c));
                    for n in min..=max.min(min.saturating_add(10_000)) {
                        let at = match by_value {
                            true => super::Registers { value: n, ..c.at },
                            false => super::Registers { player: n, ..c.at },
                        };
                        c.with(at, |c| rule(c, out));
                    }
                }))
            }
            _ => Err(unsupported(l)),
        }
    }

    /// A rule of the start that is also an effect.
    fn moves_like(&mut self, l: &Ludeme, first: &str) -> Result<Generator> {
        self.effect(l, "set", first)
    }

    /// The sites that a rule of the start names, in one of many ways.
    fn places(&mut self, l: &Ludeme) -> Result<Region> {
        if let Some(Value::Str(label)) = l.labelled("coord") {
            let site = self.site(label).ok_or_else(|| unsupported(l))?;
            return Ok(Region::Fixed(self.sites_of([site])));
        }
        let place = l.args().iter().enumerate().skip(1).find_map(|(i, arg)| {
            let (choice, value) = arg.as_ref()?;
            let choice = l.signature().slots.get(i)?.choices.get(*choice)?;
            let counted = choice.label.is_some() || matches!(value, Value::Word(_) | Value::Str(_));
            (!counted).then(|| value.clone())
        });
        self.region(&place.ok_or_else(|| unsupported(l))?, l)
    }

    /// The sites of a list, in its order.
    fn listed_places(&mut self, l: &Ludeme) -> Result<Option<Vec<i32>>> {
        let list =
            l.signature().slots.iter().zip(l.args()).skip(1).find_map(|(slot, arg)| match arg {
                Some((choice, Value::List(list))) if slot.choices[*choice].label.is_none() => {
                    Some(list)
                }
                _ => None,
            });
        let Some(list) = list.filter(|_| l.labelled("items").is_none()) else { return Ok(None) };
        let site = |v: &Value| match v {
            Value::Str(label) => self.site(label),
            Value::Int(n) => Some(*n),
            _ => None,
        };
        Ok(list.iter().map(site).collect())
    }

    fn place(&mut self, l: &Ludeme, stack: bool) -> Result<Generator> {
        // One for each site; the last is for all others, too.
        let mut counts = Vec::new();
        if let Some(Value::List(list)) = l.labelled("counts") {
            for count in list {
                counts.push(self.int(count, l)?);
            }
        }
        let strings: Vec<String> = l
            .signature()
            .slots
            .iter()
            .zip(l.args())
            .filter_map(|(slot, arg)| match arg {
                Some((choice, Value::Str(s))) if slot.choices[*choice].label.is_none() => {
                    Some(s.clone())
                }
                _ => None,
            })
            .collect();
        let items: Vec<String> = match l.labelled("items") {
            Some(Value::List(list)) => list
                .iter()
                .filter_map(|v| if let Value::Str(s) = v { Some(s.clone()) } else { None })
                .collect(),
            _ => strings.iter().take(1).cloned().collect(),
        };
        let container =
            if l.labelled("items").is_some() { strings.first() } else { strings.get(1) };
        let count = self.int_or(l, "count", 1)?;
        let state = self.optional_int(l, "state")?;
        let value = self.optional_int(l, "value")?;
        let rotation = self.optional_int(l, "rotation")?;
        // Which piece goes where.
        let mut places: Vec<(Vec<u16>, Region)> = Vec::new();
        let whats = |this: &Self, owner: Option<usize>| -> Result<Vec<u16>> {
            items
                .iter()
                .map(|name| {
                    let own = owner.and_then(|o| this.equipment.component_of(name, o));
                    let what = own.or_else(|| this.component(name));
                    what.map(|w| w as u16).ok_or_else(|| unsupported(l))
                })
                .collect()
        };
        match container.map(String::as_str) {
            // A piece of each player in each hand.
            Some("Hand") => {
                for hand in &self.equipment.containers[1..] {
                    if !hand.name.starts_with("Hand") {
                        continue;
                    }
                    // Of this kind, or the very piece.
                    let of = |name: &String| {
                        let all = &self.equipment.components;
                        let named = || {
                            let what = all.iter().position(|k| k.name == *name)?;
                            (what > 0 && all[what].owner == hand.owner).then_some(what)
                        };
                        self.equipment.component_of(name, hand.owner).or_else(named)
                    };
                    let own: Option<Vec<u16>> =
                        items.iter().map(|name| of(name).map(|w| w as u16)).collect();
                    if let Some(own) = own {
                        // On its first free site, or the first of all.
                        let (first, end) = (hand.from as i32, (hand.from + hand.sites) as i32);
                        let free = Int::new(move |c| {
                            (first..end).find(|&site| c.is_empty(site)).unwrap_or(first)
                        });
                        places.push((own, Region::One(free)));
                    }
                }
                // Nobody who has a hand has such a piece.
                if places.is_empty() {
                    return Err(unsupported(l));
                }
            }
            Some(name) if name.starts_with("Hand") => {
                let hand = self.equipment.containers[1..].iter().find(|h| h.name == name);
                let hand = hand.ok_or_else(|| unsupported(l))?;
                let index = match l.typed("int") {
                    Some(value) => self.int(value, l)?.fixed().ok_or_else(|| unsupported(l))?,
                    None => 0,
                };
                let site = hand.from as i32 + index;
                places.push((whats(self, None)?, Region::Fixed(self.sites_of([site]))));
            }
            Some(label) => {
                let site = self.site(label).ok_or_else(|| unsupported(l))?;
                places.push((whats(self, None)?, Region::Fixed(self.sites_of([site]))));
            }
            // A site that is named twice gets two.
            None => match self.listed_places(l)? {
                Some(sites) => {
                    for site in sites {
                        places.push((whats(self, None)?, Region::Fixed(self.sites_of([site]))));
                    }
                }
                None => places.push((whats(self, None)?, self.places(l)?)),
            },
        }
        Ok(Box::new(move |c, out| {
            let count = count.get(c).clamp(0, 60_000) as u16;
            let state = state.as_ref().map_or(0, |f| f.get(c)) as i16;
            let value = value.as_ref().map(|f| f.get(c) as i16);
            let rotation = rotation.as_ref().map(|f| f.get(c) as i16);
            let mut own = counts.iter();
            let mut count = count;
            for (whats, region) in &places {
                region.each(c, |c, to| {
                    if let Some(next) = own.next() {
                        count = next.get(c).clamp(0, 60_000) as u16;
                    }
                    if count == 0 {
                        return true;
                    }
                    // What is told of a stack is told of every piece in it.
                    let (times, count) = if stack { (count, 1) } else { (1, count) };
                    for &what in whats.iter().flat_map(|w| std::iter::repeat_n(w, times.into())) {
                        out.effect(Action::Add { to, what, count, state, stack });
                        if let Some(value) = value {
                            out.effect(Action::Value { at: to, level: -1, value });
                        }
                        if let Some(rotation) = rotation {
                            out.effect(Action::Rotation(to, rotation));
                        }
                    }
                    true
                });
            }
        }))
    }
}
