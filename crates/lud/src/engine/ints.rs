//! Ludemes that are numbers.

use super::context::Context;
use super::directions::Direction;
use super::functions::{Function, Result, constant};
use super::lower::{Lower, unsupported};
use super::state::OFF;
use crate::compile::{Ludeme, Value};

impl Lower<'_> {
    /// A number.
    pub fn int(&mut self, value: &Value, of: &Ludeme) -> Result<Function<i32>> {
        match value {
            Value::Int(n) => Ok(constant(*n)),
            Value::Word(word) => match word.as_str() {
                "Off" | "Undefined" => Ok(constant(OFF)),
                "End" => Ok(constant(-2)),
                "Infinity" => Ok(constant(1_000_000_000)),
                _ => Err(unsupported(of)),
            },
            Value::Call(ludeme) => self.int_of(ludeme),
            _ => Err(unsupported(of)),
        }
    }

    pub(super) fn ints(&mut self, list: &[Value], of: &Ludeme) -> Result<Vec<Function<i32>>> {
        list.iter().map(|value| self.int(value, of)).collect()
    }

    pub(super) fn labelled_int(&mut self, l: &Ludeme, label: &str) -> Result<Function<i32>> {
        match l.labelled(label) {
            Some(value) => self.int(value, l),
            None => Err(unsupported(l)),
        }
    }

    pub(super) fn int_of(&mut self, l: &Ludeme) -> Result<Function<i32>> {
        self.same_site_type(l)?;
        let keyword = l.signature().keyword.as_str();
        let first = l.arg(0).and_then(Value::word).unwrap_or_default().to_owned();
        Ok(match keyword {
            "from" => Box::new(|c| c.at.from),
            "to" => Box::new(|c| c.at.to),
            "between" => Box::new(|c| c.at.between),
            "site" => Box::new(|c| c.at.site),
            "player" => Box::new(|c| c.at.player),
            "value" if l.args.is_empty() => Box::new(|c| c.at.value),
            "value" if first == "Piece" => {
                let at = self.labelled_int(l, "at")?;
                Box::new(move |c| {
                    let site = at(c);
                    usize::try_from(site)
                        .ok()
                        .and_then(|s| c.state.value.get(s))
                        .map_or(OFF, |&v| v.into())
                })
            }
            "value" if first == "Player" => {
                let who = self.player(l, 1)?;
                Box::new(move |c| {
                    let player = who(c);
                    c.state.player_value.get(player).copied().unwrap_or(OFF)
                })
            }
            "value" if first == "Pending" => {
                Box::new(|c| c.state.pending.first().copied().unwrap_or(OFF))
            }
            "mover" => Box::new(|c| c.state.mover as i32),
            "next" => Box::new(|c| c.state.next as i32),
            "prev" => Box::new(|c| c.state.prev as i32),
            "counter" => Box::new(|c| c.state.counter),
            "what" | "who" | "state" => {
                let at = self.labelled_int(l, "at")?;
                match keyword {
                    "what" => Box::new(move |c| {
                        let s = at(c);
                        c.what(s) as i32
                    }),
                    "who" => Box::new(move |c| {
                        let s = at(c);
                        c.who(s) as i32
                    }),
                    _ => Box::new(move |c| {
                        let site = at(c);
                        usize::try_from(site)
                            .ok()
                            .and_then(|s| c.state.local.get(s))
                            .map_or(0, |&v| v.into())
                    }),
                }
            }
            "score" => {
                let who = self.player(l, 0)?;
                Box::new(move |c| {
                    let player = who(c);
                    c.state.score.get(player).copied().unwrap_or(0)
                })
            }
            "var" => {
                let name = l.arg(0).map_or("", |v| if let Value::Str(s) = v { s } else { "" });
                let number = self.var(name);
                Box::new(move |c| c.state.vars[number])
            }
            "last" => match first.as_str() {
                "To" => Box::new(|c| c.state.last.map_or(OFF, |last| last.1)),
                "From" => Box::new(|c| c.state.last.map_or(OFF, |last| last.0)),
                _ => return Err(unsupported(l)),
            },
            "handSite" => {
                let who = self.player(l, 0)?;
                let index = match l.arg(1) {
                    Some(value) => self.int(value, l)?,
                    None => constant(0),
                };
                Box::new(move |c| {
                    let (player, index) = (who(c), index(c));
                    let hand = c.equipment.containers[1..].iter().find(|h| h.owner == player);
                    hand.filter(|h| (0..h.sites as i32).contains(&index))
                        .map_or(OFF, |h| h.from as i32 + index)
                })
            }
            "centrePoint" => {
                let centre = self.centres().first().copied().unwrap_or(OFF);
                constant(centre)
            }
            "coord" => match l.typed("string") {
                Some(Value::Str(label)) => {
                    constant(self.site(label).ok_or_else(|| unsupported(l))?)
                }
                _ => {
                    let (row, column) =
                        (self.labelled_int(l, "row")?, self.labelled_int(l, "column")?);
                    Box::new(move |c| {
                        let (row, column) = (row(c), column(c));
                        let elements = c.equipment.elements();
                        let at = elements
                            .iter()
                            .position(|e| e.row as i32 == row && e.column as i32 == column);
                        at.map_or(OFF, |at| at as i32)
                    })
                }
            },
            "row" | "column" => {
                let of = self.labelled_int(l, "of")?;
                let row = keyword == "row";
                Box::new(move |c| {
                    let site = of(c);
                    let element =
                        usize::try_from(site).ok().and_then(|s| c.equipment.elements().get(s));
                    element.map_or(OFF, |e| if row { e.row } else { e.column } as i32)
                })
            }
            "id" => {
                let Some(Value::Str(name)) = l.typed("string") else { return Err(unsupported(l)) };
                match l.typed("roleType") {
                    None => {
                        let number = self.component(name).ok_or_else(|| unsupported(l))?;
                        constant(number as i32)
                    }
                    Some(_) => {
                        let who = self.player(l, 1)?;
                        let stem = name.clone();
                        Box::new(move |c| {
                            let owner = who(c);
                            let all = &c.equipment.components;
                            all.iter()
                                .position(|k| k.stem == stem && k.owner == owner)
                                .map_or(OFF, |n| n as i32)
                        })
                    }
                }
            }
            "mapEntry" => {
                let name = l
                    .typed("string")
                    .map_or("", |v| if let Value::Str(s) = v { s } else { "" })
                    .to_owned();
                let key = match (l.typed("int"), l.typed("roleType")) {
                    (Some(value), _) => self.int(value, l)?,
                    (None, Some(_)) => {
                        let who = self.player(l, 1)?;
                        Box::new(move |c: &mut Context<'_>| who(c) as i32)
                    }
                    _ => return Err(unsupported(l)),
                };
                let mut pairs = Vec::new();
                let maps = self.equipment.maps.clone();
                for (_, list) in maps.iter().filter(|(n, _)| name.is_empty() || *n == name) {
                    for (a, b) in list {
                        pairs.push((self.entry(a, l)?, self.entry(b, l)?));
                    }
                }
                Box::new(move |c| {
                    let key = key(c);
                    pairs.iter().find(|(a, _)| *a == key).map_or(OFF, |(_, b)| *b)
                })
            }
            "ahead" => {
                let site = self.int(l.typed("int").ok_or_else(|| unsupported(l))?, l)?;
                let steps = match l.labelled("steps") {
                    Some(v) => self.int(v, l)?,
                    None => constant(1),
                };
                let directions = match l.typed("direction") {
                    Some(v) => self.directions(v, l)?,
                    None => constant(vec![Direction::Right(0)]),
                };
                Box::new(move |c| {
                    let (site, steps, directions) = (site(c), steps(c), directions(c));
                    let Ok(at) = usize::try_from(site) else { return OFF };
                    let facing = c.facing(site);
                    let ray = c.equipment.directions.select(at, &directions, facing).next();
                    ray.and_then(|r| r.sites.get((steps - 1).max(0) as usize))
                        .map_or(site, |&s| s as i32)
                })
            }
            "count" => return self.count(l, &first),
            "size" if first == "Group" => {
                let at = self.labelled_int(l, "at")?;
                let directions = self.direction_or(l, "direction", Direction::Adjacent)?;
                if l.labelled("if").is_some() {
                    return Err(unsupported(l));
                }
                Box::new(move |c| {
                    let (at, d) = (at(c), directions(c));
                    super::groups::group(c, at, &d).len() as i32
                })
            }
            "size" if first == "Array" => return Err(unsupported(l)),
            "abs" => {
                let x = self.int(l.arg(0).ok_or_else(|| unsupported(l))?, l)?;
                Box::new(move |c| x(c).wrapping_abs())
            }
            "+" | "*" | "-" | "/" | "%" | "mod" | "add" | "^" | "pow" | "min" | "max" => {
                return self.arithmetic(l);
            }
            "if" => {
                let condition = self.bool(l.arg(0).ok_or_else(|| unsupported(l))?, l)?;
                let (yes, no) = (
                    self.int(l.arg(1).ok_or_else(|| unsupported(l))?, l)?,
                    self.int(l.arg(2).ok_or_else(|| unsupported(l))?, l)?,
                );
                Box::new(move |c| if condition(c) { yes(c) } else { no(c) })
            }
            "regionSite" => {
                let region = self.region(l.arg(0).ok_or_else(|| unsupported(l))?, l)?;
                let index = self.labelled_int(l, "index")?;
                Box::new(move |c| {
                    let i = index(c);
                    let r = region(c);
                    usize::try_from(i).ok().and_then(|i| r.get(i)).copied().unwrap_or(OFF)
                })
            }
            "where" if l.typed("string").is_some() && first.is_empty() => {
                let Some(Value::Str(stem)) = l.typed("string") else { return Err(unsupported(l)) };
                let stem = stem.clone();
                let who = self.player(l, 1)?;
                if l.labelled("state").is_some() {
                    return Err(unsupported(l));
                }
                Box::new(move |c| {
                    let owner = who(c);
                    let what = c
                        .equipment
                        .components
                        .iter()
                        .position(|k| k.stem == stem && k.owner == owner);
                    let what =
                        what.or_else(|| c.equipment.components.iter().position(|k| k.name == stem));
                    what.and_then(|w| c.state.what.iter().position(|&x| usize::from(x) == w))
                        .map_or(OFF, |s| s as i32)
                })
            }
            _ => return Err(unsupported(l)),
        })
    }

    pub(super) fn arithmetic(&mut self, l: &Ludeme) -> Result<Function<i32>> {
        let list: Vec<Function<i32>> = match l.arg(0) {
            Some(Value::List(list)) => self.ints(list, l)?,
            _ => {
                let values: Vec<Value> = l.args.iter().flatten().map(|(_, v)| v.clone()).collect();
                if values
                    .iter()
                    .any(|v| matches!(v, Value::Call(k) if k.signature().result == "ints"))
                {
                    return Err(unsupported(l));
                }
                self.ints(&values, l)?
            }
        };
        let fold = |f: fn(i32, i32) -> i32, list: Vec<Function<i32>>| -> Function<i32> {
            Box::new(move |c| {
                let mut values = list.iter().map(|x| x(c));
                let first = values.next().unwrap_or(0);
                values.fold(first, f)
            })
        };
        Ok(match l.signature().keyword.as_str() {
            "+" | "add" => fold(i32::wrapping_add, list),
            "*" => fold(i32::wrapping_mul, list),
            "-" if list.len() == 1 => Box::new(move |c| list[0](c).wrapping_neg()),
            "-" => fold(i32::wrapping_sub, list),
            "/" => fold(|a, b| if b == 0 { 0 } else { a.wrapping_div(b) }, list),
            "%" | "mod" => fold(|a, b| if b == 0 { 0 } else { a.wrapping_rem(b) }, list),
            "^" | "pow" => fold(|a, b| a.wrapping_pow(b.clamp(0, 30) as u32), list),
            "min" => fold(Ord::min, list),
            _ => fold(Ord::max, list),
        })
    }

    pub(super) fn count(&mut self, l: &Ludeme, first: &str) -> Result<Function<i32>> {
        Ok(match first {
            "Moves" => Box::new(|c| c.state.moves as i32),
            "Turns" => Box::new(|c| c.state.turns as i32),
            "MovesThisTurn" => Box::new(|c| c.state.same_turn as i32),
            "Players" => constant(self.equipment.players as i32),
            "Active" => Box::new(|c| c.state.active.iter().filter(|&&a| a).count() as i32),
            "Rows" => constant(
                self.equipment.elements().iter().map(|e| e.row + 1).max().unwrap_or(0) as i32,
            ),
            "Columns" => {
                constant(self.equipment.elements().iter().map(|e| e.column + 1).max().unwrap_or(0)
                    as i32)
            }
            "Pieces" => {
                if l.labelled("of").is_some() || l.labelled("if").is_some() {
                    return Err(unsupported(l));
                }
                let who: Option<Function<Vec<usize>>> = match l.typed("roleType") {
                    Some(v) => Some(self.roles(v, l)?),
                    None => None,
                };
                let stem = match l.typed("string") {
                    Some(Value::Str(s)) => Some(s.clone()),
                    _ => None,
                };
                let region = match l.labelled("in") {
                    Some(v) => Some(self.region(v, l)?),
                    None => None,
                };
                Box::new(move |c| {
                    let who = who.as_ref().map(|w| w(c));
                    let sites = region.as_ref().map(|r| r(c));
                    let mut n = 0;
                    for site in 0..c.state.what.len() {
                        if sites.as_ref().is_some_and(|s| !s.contains(&(site as i32))) {
                            continue;
                        }
                        let what = usize::from(c.state.what[site]);
                        if what == 0 {
                            continue;
                        }
                        let k = c.component(site as i32);
                        if who.as_ref().is_some_and(|w| !w.contains(&k.owner)) {
                            continue;
                        }
                        if stem.as_ref().is_some_and(|s| k.stem != *s && k.name != *s) {
                            continue;
                        }
                        n += i32::from(c.state.count[site].max(1));
                    }
                    n
                })
            }
            "Sites" | "" if l.labelled("in").is_some() => {
                let region = self.region(l.labelled("in").ok_or_else(|| unsupported(l))?, l)?;
                if first == "Sites" {
                    Box::new(move |c| region(c).len() as i32)
                } else {
                    Box::new(move |c| {
                        let r = region(c);
                        r.iter()
                            .filter_map(|&s| usize::try_from(s).ok())
                            .filter_map(|s| c.state.count.get(s))
                            .map(|&n| i32::from(n))
                            .sum()
                    })
                }
            }
            "" if l.labelled("at").is_some() => {
                let at = self.labelled_int(l, "at")?;
                Box::new(move |c| {
                    let s = at(c);
                    usize::try_from(s)
                        .ok()
                        .and_then(|s| c.state.count.get(s))
                        .map_or(0, |&n| n.into())
                })
            }
            "Groups" | "SizeBiggestGroup" => {
                if l.labelled("if").is_some() || l.labelled("isVisible").is_some() {
                    return Err(unsupported(l));
                }
                let directions = self.direction_or(l, "direction", Direction::Adjacent)?;
                let min = match l.labelled("min") {
                    Some(v) => self.int(v, l)?,
                    None => constant(0),
                };
                let biggest = first == "SizeBiggestGroup";
                Box::new(move |c| {
                    let (d, min) = (directions(c), min(c));
                    let sizes = super::groups::sizes(c, &d);
                    if biggest {
                        sizes.into_iter().max().unwrap_or(0)
                    } else {
                        sizes.into_iter().filter(|&n| n >= min).count() as i32
                    }
                })
            }
            _ => return Err(unsupported(l)),
        })
    }
}
