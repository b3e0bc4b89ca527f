//! Ludemes that have a value: numbers, conditions, regions, directions.
//!
//! Each is lowered to a closure over the [`Context`]: what can be worked out beforehand is, and
//! evaluation has no words left to compare.

use super::context::Context;
use super::directions::Direction;
use super::lower::{Lower, unsupported};
use super::state::OFF;
use crate::compile::{Ludeme, Value};
use crate::error::Fault;

/// A function of the context.
pub type Function<T> = Box<dyn Fn(&mut Context<'_>) -> T + Send + Sync>;

type Result<T> = std::result::Result<T, Fault>;

fn constant<T: Clone + Send + Sync + 'static>(value: T) -> Function<T> {
    Box::new(move |_| value.clone())
}

/// Sites, ascending, each once.
pub fn sorted(mut sites: Vec<i32>) -> Vec<i32> {
    sites.sort_unstable();
    sites.dedup();
    sites
}

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

    fn ints(&mut self, list: &[Value], of: &Ludeme) -> Result<Vec<Function<i32>>> {
        list.iter().map(|value| self.int(value, of)).collect()
    }

    fn labelled_int(&mut self, l: &Ludeme, label: &str) -> Result<Function<i32>> {
        match l.labelled(label) {
            Some(value) => self.int(value, l),
            None => Err(unsupported(l)),
        }
    }

    fn int_of(&mut self, l: &Ludeme) -> Result<Function<i32>> {
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
                Box::new(move |c| x(c).abs())
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

    fn arithmetic(&mut self, l: &Ludeme) -> Result<Function<i32>> {
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
            "-" if list.len() == 1 => Box::new(move |c| -list[0](c)),
            "-" => fold(i32::wrapping_sub, list),
            "/" => fold(|a, b| if b == 0 { 0 } else { a.wrapping_div(b) }, list),
            "%" | "mod" => fold(|a, b| if b == 0 { 0 } else { a.wrapping_rem(b) }, list),
            "^" | "pow" => fold(|a, b| a.wrapping_pow(b.clamp(0, 30) as u32), list),
            "min" => fold(Ord::min, list),
            _ => fold(Ord::max, list),
        })
    }

    fn count(&mut self, l: &Ludeme, first: &str) -> Result<Function<i32>> {
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
                        let k = &c.equipment.components[what];
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
                            .map(|s| i32::from(c.state.count[s]))
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

    /// A condition.
    pub fn bool(&mut self, value: &Value, of: &Ludeme) -> Result<Function<bool>> {
        match value {
            Value::Bool(b) => Ok(constant(*b)),
            Value::Call(l) => self.bool_of(l),
            _ => Err(unsupported(of)),
        }
    }

    fn bools(&mut self, l: &Ludeme) -> Result<Vec<Function<bool>>> {
        match l.arg(0) {
            Some(Value::List(list)) => list.iter().map(|v| self.bool(v, l)).collect(),
            _ => l.args.iter().flatten().map(|(_, v)| self.bool(v, l)).collect(),
        }
    }

    fn bool_of(&mut self, l: &Ludeme) -> Result<Function<bool>> {
        self.same_site_type(l)?;
        let keyword = l.signature().keyword.as_str();
        let first = l.arg(0).and_then(Value::word).unwrap_or_default().to_owned();
        Ok(match keyword {
            "and" => {
                let all = self.bools(l)?;
                Box::new(move |c| all.iter().all(|b| b(c)))
            }
            "or" => {
                let all = self.bools(l)?;
                Box::new(move |c| all.iter().any(|b| b(c)))
            }
            "xor" => {
                let all = self.bools(l)?;
                Box::new(move |c| all.iter().fold(false, |x, b| x != b(c)))
            }
            "not" => {
                let b = self.bool(l.arg(0).ok_or_else(|| unsupported(l))?, l)?;
                Box::new(move |c| !b(c))
            }
            "if" => {
                let condition = self.bool(l.arg(0).ok_or_else(|| unsupported(l))?, l)?;
                let yes = self.bool(l.arg(1).ok_or_else(|| unsupported(l))?, l)?;
                let no = match l.arg(2) {
                    Some(v) => self.bool(v, l)?,
                    None => constant(false),
                };
                Box::new(move |c| if condition(c) { yes(c) } else { no(c) })
            }
            "=" | "!=" if matches!(l.arg(0), Some(v) if self.is_region(v)) => {
                let (a, b) = (
                    self.region(l.arg(0).ok_or_else(|| unsupported(l))?, l)?,
                    self.region(l.arg(1).ok_or_else(|| unsupported(l))?, l)?,
                );
                let equal = keyword == "=";
                Box::new(move |c| {
                    let a = a(c);
                    (a == b(c)) == equal
                })
            }
            "=" | "!=" | "<" | ">" | "<=" | ">=" => {
                let a = self.int(l.arg(0).ok_or_else(|| unsupported(l))?, l)?;
                let b: Function<i32> = match l.arg(1) {
                    Some(Value::Word(word)) if self.is_role(word) => {
                        let who = self.player(l, 1)?;
                        Box::new(move |c| who(c) as i32)
                    }
                    Some(v) => self.int(v, l)?,
                    None => return Err(unsupported(l)),
                };
                let f: fn(i32, i32) -> bool = match keyword {
                    "=" => |a, b| a == b,
                    "!=" => |a, b| a != b,
                    "<" => |a, b| a < b,
                    ">" => |a, b| a > b,
                    "<=" => |a, b| a <= b,
                    _ => |a, b| a >= b,
                };
                Box::new(move |c| {
                    let a = a(c);
                    f(a, b(c))
                })
            }
            "is" => return self.is(l, &first),
            "no" => match first.as_str() {
                "Moves" => {
                    let who = self.player(l, 1)?;
                    Box::new(move |c| {
                        let p = who(c);
                        super::rules::stuck(c, p)
                    })
                }
                "Pieces" => {
                    if l.labelled("of").is_some() {
                        return Err(unsupported(l));
                    }
                    let who: Function<Vec<usize>> = match l.typed("roleType") {
                        Some(v) => self.roles(v, l)?,
                        None => Box::new(|c| (0..=c.equipment.players).collect()),
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
                        let (who, sites) = (who(c), region.as_ref().map(|r| r(c)));
                        !(0..c.state.what.len()).any(|site| {
                            let k = &c.equipment.components[usize::from(c.state.what[site])];
                            c.state.what[site] != 0
                                && who.contains(&k.owner)
                                && stem.as_ref().is_none_or(|s| k.stem == *s || k.name == *s)
                                && sites.as_ref().is_none_or(|s| s.contains(&(site as i32)))
                        })
                    })
                }
                _ => return Err(unsupported(l)),
            },
            "all" => match first.as_str() {
                "Passed" => Box::new(|c| c.state.passes as usize >= c.equipment.players),
                "Sites" => {
                    let region =
                        self.region(l.typed("region").ok_or_else(|| unsupported(l))?, l)?;
                    let condition =
                        self.bool(l.labelled("if").ok_or_else(|| unsupported(l))?, l)?;
                    Box::new(move |c| {
                        let sites = region(c);
                        sites.into_iter().all(|site| {
                            let at = super::context::Registers { site, ..c.at };
                            c.with(at, |c| condition(c))
                        })
                    })
                }
                _ => return Err(unsupported(l)),
            },
            "can" => {
                let moves = self.moves(l.arg(1).ok_or_else(|| unsupported(l))?, l)?;
                Box::new(move |c| {
                    let mut out = Vec::new();
                    moves(c, &mut out);
                    !out.is_empty()
                })
            }
            "was" => Box::new(|c| c.state.passes > 0),
            _ => return Err(unsupported(l)),
        })
    }

    fn is(&mut self, l: &Ludeme, first: &str) -> Result<Function<bool>> {
        Ok(match first {
            "Empty" | "Occupied" => {
                let site = self.int(l.typed("int").ok_or_else(|| unsupported(l))?, l)?;
                let empty = first == "Empty";
                Box::new(move |c| {
                    let s = site(c);
                    s >= 0 && c.is_empty(s) == empty
                })
            }
            "Mover" | "Next" | "Prev" | "Friend" | "Enemy" | "Active" => {
                let who: Function<i32> = match (l.typed("int"), l.typed("roleType")) {
                    (Some(v), _) => self.int(v, l)?,
                    _ => {
                        let p = self.player(l, 1)?;
                        Box::new(move |c| p(c) as i32)
                    }
                };
                match first {
                    "Mover" | "Friend" => Box::new(move |c| who(c) == c.state.mover as i32),
                    "Next" => Box::new(move |c| who(c) == c.state.next as i32),
                    "Prev" => Box::new(move |c| who(c) == c.state.prev as i32),
                    "Active" => Box::new(move |c| {
                        let p = who(c);
                        usize::try_from(p).is_ok_and(|p| c.state.active.get(p) == Some(&true))
                    }),
                    _ => Box::new(move |c| {
                        let p = who(c);
                        p > 0 && p as usize <= c.equipment.players && p != c.state.mover as i32
                    }),
                }
            }
            "In" => {
                let region = self.region(
                    l.args
                        .iter()
                        .flatten()
                        .map(|(_, v)| v)
                        .find(|v| self.is_region(v))
                        .ok_or_else(|| unsupported(l))?,
                    l,
                )?;
                let sites: Function<Vec<i32>> = match l.arg(1) {
                    Some(Value::List(list)) => {
                        let list = self.ints(list, l)?;
                        Box::new(move |c| list.iter().map(|x| x(c)).collect())
                    }
                    Some(v) if !self.is_region(v) => {
                        let x = self.int(v, l)?;
                        Box::new(move |c| vec![x(c)])
                    }
                    _ => Box::new(|c| vec![c.at.to]),
                };
                Box::new(move |c| {
                    let s = sites(c);
                    let r = region(c);
                    s.iter().all(|x| r.contains(x))
                })
            }
            "Even" | "Odd" => {
                let x = self.int(l.arg(1).ok_or_else(|| unsupported(l))?, l)?;
                let rest = i32::from(first == "Odd");
                Box::new(move |c| x(c).rem_euclid(2) == rest)
            }
            "Full" => Box::new(|c| {
                let n = c.equipment.elements().len();
                c.state.what[..n].iter().all(|&w| w != 0)
            }),
            "Pending" => Box::new(|c| !c.state.pending.is_empty()),
            "Visited" => {
                let site = self.int(l.arg(1).ok_or_else(|| unsupported(l))?, l)?;
                Box::new(move |c| {
                    let s = site(c);
                    c.state.visited.contains(&s)
                })
            }
            "Line" => return self.line(l),
            "Connected" => return self.connected(l),
            "Within" => {
                let what = self.int(l.typed("int").ok_or_else(|| unsupported(l))?, l)?;
                let region = self.region(l.labelled("in").ok_or_else(|| unsupported(l))?, l)?;
                Box::new(move |c| {
                    let w = what(c);
                    region(c).into_iter().any(|s| c.what(s) as i32 == w)
                })
            }
            _ => return Err(unsupported(l)),
        })
    }

    fn line(&mut self, l: &Ludeme) -> Result<Function<bool>> {
        for label in [
            "throughAny",
            "byLevel",
            "top",
            "throughHowMuch",
            "isVisible",
            "useOpposites",
            "contiguous",
            "whats",
        ] {
            if l.labelled(label).is_some() {
                return Err(unsupported(l));
            }
        }
        let length = self.int(l.typed("int").ok_or_else(|| unsupported(l))?, l)?;
        let directions = self.direction_or(l, "absoluteDirection", Direction::Adjacent)?;
        let through = match l.labelled("through") {
            Some(v) => self.int(v, l)?,
            None => Box::new(|c: &mut Context<'_>| c.state.last.map_or(OFF, |x| x.1)),
        };
        let exact = match l.labelled("exact") {
            Some(v) => self.bool(v, l)?,
            None => constant(false),
        };
        let condition = match l.labelled("if") {
            Some(v) => Some(self.bool(v, l)?),
            None => None,
        };
        let what = match l.labelled("what") {
            Some(v) => Some(self.int(v, l)?),
            None => None,
        };
        let who = match l.typed("roleType") {
            Some(v) => Some(self.roles(v, l)?),
            None => None,
        };
        Ok(Box::new(move |c| {
            let (pivot, length, exact, directions) =
                (through(c), length(c), exact(c), directions(c));
            let Ok(at) = usize::try_from(pivot) else { return false };
            let what = match &what {
                Some(w) => w(c),
                None => c.what(pivot) as i32,
            };
            let who = who.as_ref().map(|w| w(c));
            let part = |c: &mut Context<'_>, site: i32| {
                let fits = match &who {
                    Some(who) => c.what(site) != 0 && who.contains(&c.who(site)),
                    None => c.what(site) as i32 == what && what != 0,
                };
                fits && condition.as_ref().is_none_or(|f| {
                    let r = super::context::Registers { to: site, ..c.at };
                    c.with(r, |c| f(c))
                })
            };
            if !part(c, pivot) {
                return false;
            }
            let equipment = c.equipment;
            let rays: Vec<(f64, &[u32])> = equipment
                .directions
                .select(at, &directions, 0.0)
                .map(|r| (r.bearing, r.sites.as_slice()))
                .collect();
            for &(bearing, ray) in &rays {
                let count = |c: &mut Context<'_>, ray: &[u32]| {
                    ray.iter().take_while(|&&s| part(c, s as i32)).count() as i32
                };
                let ahead = count(c, ray);
                let back =
                    rays.iter().find(|(b, _)| super::directions::turn(*b, bearing + 180.0) < 10.0);
                let behind = back.map_or(0, |(_, ray)| count(c, ray));
                let n = 1 + ahead + behind;
                if n == length || n > length && !exact {
                    return true;
                }
            }
            false
        }))
    }

    fn connected(&mut self, l: &Ludeme) -> Result<Function<bool>> {
        let least = match l.typed("int") {
            Some(v) => Some(self.int(v, l)?),
            None => None,
        };
        let at = match l.labelled("at") {
            Some(v) => self.int(v, l)?,
            None => Box::new(|c: &mut Context<'_>| c.state.last.map_or(OFF, |x| x.1)),
        };
        let directions = self.direction_or(l, "direction", Direction::Adjacent)?;
        let list = l.args.iter().flatten().map(|(_, v)| v).find_map(|v| match v {
            Value::List(list) => Some(list.clone()),
            _ => None,
        });
        let regions: Function<Vec<Vec<i32>>> =
            match (list, l.typed("roleType"), l.typed("regionTypeStatic")) {
                (Some(list), ..) => {
                    let list: Vec<Function<Vec<i32>>> =
                        list.iter().map(|v| self.region(v, l)).collect::<Result<_>>()?;
                    Box::new(move |c| list.iter().map(|r| r(c)).collect())
                }
                (None, Some(v), _) => {
                    let who = self.roles(v, l)?;
                    let named = self.owned_regions()?;
                    Box::new(move |c| {
                        let who = who(c);
                        named
                            .iter()
                            .filter(|(owner, _)| who.contains(owner))
                            .map(|(_, r)| r(c))
                            .collect()
                    })
                }
                _ => return Err(unsupported(l)),
            };
        Ok(Box::new(move |c| {
            let (site, directions, regions) = (at(c), directions(c), regions(c));
            if c.what(site) == 0 {
                return false;
            }
            let group = super::groups::group(c, site, &directions);
            let touched =
                regions.iter().filter(|r| r.iter().any(|s| group.contains(s))).count() as i32;
            let wanted = least.as_ref().map_or(regions.len() as i32, |n| n(c));
            !regions.is_empty() && touched >= wanted
        }))
    }

    /// Is this value a region?
    pub fn is_region(&self, value: &Value) -> bool {
        matches!(value, Value::Call(l) if l.signature().result == "region")
    }

    /// A region: its sites, ascending.
    pub fn region(&mut self, value: &Value, of: &Ludeme) -> Result<Function<Vec<i32>>> {
        match value {
            Value::Call(l) if l.signature().result == "region" => self.region_of(l),
            Value::Call(l) if l.signature().result == "int" => {
                let x = self.int_of(l)?;
                Ok(Box::new(move |c| vec![x(c)]))
            }
            Value::Int(n) => Ok(constant(vec![*n])),
            Value::List(list) => {
                let list = self.ints(list, of)?;
                Ok(Box::new(move |c| sorted(list.iter().map(|x| x(c)).collect())))
            }
            _ => Err(unsupported(of)),
        }
    }

    fn two_regions(&mut self, l: &Ludeme) -> Result<Vec<Function<Vec<i32>>>> {
        match l.arg(0) {
            Some(Value::List(list)) => list.iter().map(|v| self.region(v, l)).collect(),
            _ => l.args.iter().flatten().map(|(_, v)| self.region(v, l)).collect(),
        }
    }

    fn region_of(&mut self, l: &Ludeme) -> Result<Function<Vec<i32>>> {
        self.same_site_type(l)?;
        let first = l.arg(0).and_then(Value::word).unwrap_or_default().to_owned();
        Ok(match l.signature().keyword.as_str() {
            "union" => {
                let all = self.two_regions(l)?;
                Box::new(move |c| sorted(all.iter().flat_map(|r| r(c)).collect()))
            }
            "intersection" => {
                let all = self.two_regions(l)?;
                Box::new(move |c| {
                    let mut sites = all[0](c);
                    for r in &all[1..] {
                        let other = r(c);
                        sites.retain(|s| other.contains(s));
                    }
                    sites
                })
            }
            "difference" => {
                let all = self.two_regions(l)?;
                Box::new(move |c| {
                    let b = all[1](c);
                    let mut a = all[0](c);
                    a.retain(|s| !b.contains(s));
                    a
                })
            }
            "if" => {
                let condition = self.bool(l.arg(0).ok_or_else(|| unsupported(l))?, l)?;
                let yes = self.region(l.arg(1).ok_or_else(|| unsupported(l))?, l)?;
                let no = match l.arg(2) {
                    Some(v) => self.region(v, l)?,
                    None => constant(Vec::new()),
                };
                Box::new(move |c| if condition(c) { yes(c) } else { no(c) })
            }
            "forEach" if first.is_empty() && l.labelled("if").is_some() => {
                let region = self.region(l.arg(0).ok_or_else(|| unsupported(l))?, l)?;
                let condition = self.bool(l.labelled("if").ok_or_else(|| unsupported(l))?, l)?;
                Box::new(move |c| {
                    let sites = region(c);
                    sites
                        .into_iter()
                        .filter(|&site| {
                            let at = super::context::Registers { site, ..c.at };
                            c.with(at, |c| condition(c))
                        })
                        .collect()
                })
            }
            "expand" => {
                let origin = match l.labelled("origin") {
                    Some(v) => {
                        let x = self.int(v, l)?;
                        Box::new(move |c: &mut Context<'_>| vec![x(c)]) as Function<Vec<i32>>
                    }
                    None => self.region(l.typed("region").ok_or_else(|| unsupported(l))?, l)?,
                };
                let steps = match l.labelled("steps") {
                    Some(v) => self.int(v, l)?,
                    None => constant(1),
                };
                let directions = self.direction_or(l, "absoluteDirection", Direction::Adjacent)?;
                Box::new(move |c| {
                    let (mut sites, directions) = (origin(c), directions(c));
                    for _ in 0..steps(c) {
                        let mut more = Vec::new();
                        for &s in &sites {
                            if let Ok(at) = usize::try_from(s) {
                                more.extend(
                                    c.equipment
                                        .directions
                                        .select(at, &directions, 0.0)
                                        .map(|r| r.sites[0] as i32),
                                );
                            }
                        }
                        sites.extend(more);
                        sites = sorted(sites);
                    }
                    sites
                })
            }
            "sites" => return self.sites(l, &first),
            _ => return Err(unsupported(l)),
        })
    }

    fn sites(&mut self, l: &Ludeme, first: &str) -> Result<Function<Vec<i32>>> {
        let elements = self.equipment.elements();
        let fixed = |test: &dyn Fn(&crate::board::Element) -> bool| -> Function<Vec<i32>> {
            constant(
                elements
                    .iter()
                    .enumerate()
                    .filter(|(_, e)| test(e))
                    .map(|(i, _)| i as i32)
                    .collect(),
            )
        };
        let edge = |key: fn(f64, f64) -> f64, part: fn(&crate::board::Element) -> f64| {
            elements.iter().map(part).fold(f64::NAN, key)
        };
        Ok(match first {
            "Empty" => {
                if l.arg(2).is_some() {
                    return Err(unsupported(l));
                }
                Box::new(|c| {
                    let n = c.equipment.elements().len();
                    (0..n as i32).filter(|&s| c.state.what[s as usize] == 0).collect()
                })
            }
            "Board" => fixed(&|_| true),
            "Top" => {
                let top = edge(f64::max, |e| e.centre[1]);
                fixed(&|e| e.centre[1] > top - 0.01)
            }
            "Bottom" => {
                let low = edge(f64::min, |e| e.centre[1]);
                fixed(&|e| e.centre[1] < low + 0.01)
            }
            "Left" => {
                let low = edge(f64::min, |e| e.centre[0]);
                fixed(&|e| e.centre[0] < low + 0.01)
            }
            "Right" => {
                let top = edge(f64::max, |e| e.centre[0]);
                fixed(&|e| e.centre[0] > top - 0.01)
            }
            "Centre" => constant(self.centres()),
            "Row" | "Column" => {
                let n = self.int(l.typed("int").ok_or_else(|| unsupported(l))?, l)?;
                let row = first == "Row";
                Box::new(move |c| {
                    let n = n(c);
                    let list = c.equipment.elements().iter().enumerate();
                    list.filter(|(_, e)| (if row { e.row } else { e.column }) as i32 == n)
                        .map(|(i, _)| i as i32)
                        .collect()
                })
            }
            "Occupied" => {
                for label in ["container", "component", "top", "on"] {
                    if l.labelled(label).is_some() && label != "component" {
                        return Err(unsupported(l));
                    }
                }
                let who = self.roles(l.labelled("by").ok_or_else(|| unsupported(l))?, l)?;
                let stems: Option<Vec<String>> =
                    match (l.labelled("component"), l.labelled("components")) {
                        (Some(Value::Str(s)), _) => Some(vec![s.clone()]),
                        (_, Some(Value::List(list))) => Some(
                            list.iter()
                                .filter_map(|v| {
                                    if let Value::Str(s) = v { Some(s.clone()) } else { None }
                                })
                                .collect(),
                        ),
                        (None, None) => None,
                        _ => return Err(unsupported(l)),
                    };
                Box::new(move |c| {
                    let who = who(c);
                    let n = c.equipment.elements().len();
                    (0..n as i32)
                        .filter(|&s| {
                            let k = &c.equipment.components[c.what(s)];
                            c.what(s) != 0
                                && who.contains(&k.owner)
                                && stems.as_ref().is_none_or(|list| {
                                    list.iter().any(|x| *x == k.stem || *x == k.name)
                                })
                        })
                        .collect()
                })
            }
            "Hand" => {
                let who = self.roles(l.typed("roleType").ok_or_else(|| unsupported(l))?, l)?;
                Box::new(move |c| {
                    let who = who(c);
                    let hands =
                        c.equipment.containers[1..].iter().filter(|h| who.contains(&h.owner));
                    hands.flat_map(|h| (h.from..h.from + h.sites).map(|s| s as i32)).collect()
                })
            }
            "Around" => {
                let origin = self.region(
                    l.typed("int").or(l.typed("region")).ok_or_else(|| unsupported(l))?,
                    l,
                )?;
                let directions = self.direction_or(l, "absoluteDirection", Direction::Adjacent)?;
                let include = match l.labelled("includeSelf") {
                    Some(v) => self.bool(v, l)?,
                    None => constant(false),
                };
                let distance = match l.labelled("distance") {
                    Some(v) => self.int(v, l)?,
                    None => constant(1),
                };
                let condition = match l.labelled("if") {
                    Some(v) => Some(self.bool(v, l)?),
                    None => None,
                };
                let kind = l.typed("regionTypeDynamic").and_then(Value::word).map(str::to_owned);
                Box::new(move |c| {
                    let (origin, directions) = (origin(c), directions(c));
                    let (include, distance) = (include(c), distance(c));
                    let mut sites = Vec::new();
                    for &s in &origin {
                        if let Ok(at) = usize::try_from(s) {
                            let rays = c.equipment.directions.select(at, &directions, 0.0);
                            sites.extend(
                                rays.filter_map(|r| r.sites.get((distance - 1).max(0) as usize))
                                    .map(|&s| s as i32),
                            );
                        }
                    }
                    if include {
                        sites.extend(&origin);
                    } else {
                        sites.retain(|s| !origin.contains(s));
                    }
                    let mut sites = sorted(sites);
                    let mover = c.state.mover;
                    if let Some(kind) = &kind {
                        sites.retain(|&s| {
                            let owner = c.who(s);
                            match kind.as_str() {
                                "Empty" => c.is_empty(s),
                                "NotEmpty" => !c.is_empty(s),
                                "Own" => owner == mover,
                                "NotOwn" => owner != mover,
                                "Enemy" => owner != 0 && owner != mover,
                                _ => owner == 0 || owner == mover,
                            }
                        });
                    }
                    if let Some(f) = &condition {
                        sites.retain(|&s| {
                            let at = super::context::Registers { to: s, site: s, ..c.at };
                            c.with(at, |c| f(c))
                        });
                    }
                    sites
                })
            }
            "Direction" => {
                let origin = self.region(l.labelled("from").ok_or_else(|| unsupported(l))?, l)?;
                let directions = self.direction_or(l, "direction", Direction::Adjacent)?;
                let include = match l.labelled("included") {
                    Some(v) => self.bool(v, l)?,
                    None => constant(false),
                };
                let stop = match l.labelled("stop") {
                    Some(v) => Some(self.bool(v, l)?),
                    None => None,
                };
                let with_stop = match l.labelled("stopIncluded") {
                    Some(v) => self.bool(v, l)?,
                    None => constant(false),
                };
                let distance = match l.labelled("distance") {
                    Some(v) => self.int(v, l)?,
                    None => constant(i32::MAX),
                };
                Box::new(move |c| {
                    let (origin, directions, distance) = (origin(c), directions(c), distance(c));
                    let mut sites = Vec::new();
                    for &s in &origin {
                        let Ok(at) = usize::try_from(s) else { continue };
                        if include(c) {
                            sites.push(s);
                        }
                        let facing = c.facing(s);
                        let equipment = c.equipment;
                        for ray in equipment.directions.select(at, &directions, facing) {
                            for &to in ray.sites.iter().take(distance.max(0) as usize) {
                                let r = super::context::Registers { to: to as i32, ..c.at };
                                if stop.as_ref().is_some_and(|f| c.with(r, |c| f(c))) {
                                    if with_stop(c) {
                                        sites.push(to as i32);
                                    }
                                    break;
                                }
                                sites.push(to as i32);
                            }
                        }
                    }
                    sorted(sites)
                })
            }
            "Corners" | "Outer" | "Perimeter" | "Inner" => {
                let outer = self.outer();
                let full = elements.iter().map(|e| e.orthogonal.len()).max().unwrap_or(0);
                let corner = |i: usize| elements[i].orthogonal.len() + 2 <= full;
                let sites = (0..elements.len()).filter(|&i| match first {
                    "Corners" => outer[i] && corner(i),
                    "Inner" => !outer[i],
                    _ => outer[i],
                });
                if first == "Corners" && full != 4 {
                    return Err(unsupported(l));
                }
                constant(sites.map(|i| i as i32).collect())
            }
            "Phase" => {
                let n = self.int(l.typed("int").ok_or_else(|| unsupported(l))?, l)?;
                let colours = self.colours();
                Box::new(move |c| {
                    let n = n(c);
                    (0..colours.len() as i32).filter(|&s| colours[s as usize] == n).collect()
                })
            }
            "Side" => {
                let Some(Value::Word(word)) = l.typed("compassDirection") else {
                    return Err(unsupported(l));
                };
                constant(self.side(word).ok_or_else(|| unsupported(l))?)
            }
            "State" => {
                let n = self.int(l.typed("int").ok_or_else(|| unsupported(l))?, l)?;
                Box::new(move |c| {
                    let n = n(c);
                    let sites = c.equipment.elements().len();
                    (0..sites)
                        .filter(|&s| i32::from(c.state.local[s]) == n)
                        .map(|s| s as i32)
                        .collect()
                })
            }
            "Start" => {
                let Some(Value::Call(piece)) = l.typed("piece") else { return Err(unsupported(l)) };
                let what = match piece.arg(0) {
                    Some(Value::Str(name)) => {
                        constant(self.component(name).ok_or_else(|| unsupported(l))? as i32)
                    }
                    Some(value) => self.int(value, piece)?,
                    None => return Err(unsupported(l)),
                };
                self.starts = true;
                Box::new(move |c| {
                    let what = what(c);
                    let first = &c.rules.first;
                    (0..first.len())
                        .filter(|&s| i32::from(first[s]) == what && what > 0)
                        .map(|s| s as i32)
                        .collect()
                })
            }
            "LineOfSight" => {
                let kind =
                    l.typed("lineOfSightType").and_then(Value::word).unwrap_or("Piece").to_owned();
                let at = match l.labelled("at") {
                    Some(v) => self.int(v, l)?,
                    None => Box::new(|c: &mut Context<'_>| c.state.last.map_or(OFF, |x| x.1)),
                };
                let directions = self.direction_or(l, "direction", Direction::Adjacent)?;
                Box::new(move |c| {
                    let (site, directions) = (at(c), directions(c));
                    let Ok(at) = usize::try_from(site) else { return Vec::new() };
                    let facing = c.facing(site);
                    let mut sites = Vec::new();
                    for ray in c.equipment.directions.select(at, &directions, facing) {
                        let free = ray.sites.iter().take_while(|&&s| c.is_empty(s as i32)).count();
                        match kind.as_str() {
                            "Piece" => sites.extend(ray.sites.get(free).map(|&s| s as i32)),
                            "Farthest" => {
                                sites.extend(free.checked_sub(1).map(|i| ray.sites[i] as i32))
                            }
                            _ => sites.extend(ray.sites[..free].iter().map(|&s| s as i32)),
                        }
                    }
                    sorted(sites)
                })
            }
            "Pending" => Box::new(|c| sorted(c.state.pending.clone())),
            "LastTo" => Box::new(|c| c.state.last.map(|x| x.1).into_iter().collect()),
            "Track" | "Between" => return Err(unsupported(l)),
            _ => return self.named_sites(l),
        })
    }

    /// `(sites "Name")`, `(sites P1)`, `(sites Mover "Name")`, `(sites {1 2})`, `(sites {"A1"})`.
    fn named_sites(&mut self, l: &Ludeme) -> Result<Function<Vec<i32>>> {
        if let Some(Value::List(list)) =
            l.args.iter().flatten().map(|(_, v)| v).find(|v| matches!(v, Value::List(_)))
        {
            if list.iter().all(|v| matches!(v, Value::Str(_))) {
                let labels = list
                    .iter()
                    .filter_map(|v| if let Value::Str(s) = v { self.site(s) } else { None });
                let sites: Vec<i32> = labels.collect();
                if sites.len() != list.len() {
                    return Err(unsupported(l));
                }
                return Ok(constant(sorted(sites)));
            }
            if list.iter().any(|v| matches!(v, Value::List(_))) {
                return Err(unsupported(l));
            }
            let list = self.ints(list, l)?;
            return Ok(Box::new(move |c| sorted(list.iter().map(|x| x(c)).collect())));
        }
        let name = l
            .args
            .iter()
            .flatten()
            .find_map(|(_, v)| if let Value::Str(s) = v { Some(s.clone()) } else { None });
        let role = l.typed("roleType").cloned();
        if name.is_none() && role.is_none() {
            return Err(unsupported(l));
        }
        let who = match &role {
            Some(v) => Some(self.roles(v, l)?),
            None => None,
        };
        let regions = self.equipment.regions.clone();
        let mut list = Vec::new();
        for region in regions.iter().filter(|r| name.as_ref().is_none_or(|n| *n == r.name)) {
            list.push((region.owner, self.region_values(&region.sites, l)?));
        }
        if list.is_empty() {
            return Err(unsupported(l));
        }
        Ok(Box::new(move |c| {
            let who = who.as_ref().map(|w| w(c));
            let chosen =
                list.iter().filter(|(owner, _)| who.as_ref().is_none_or(|w| w.contains(owner)));
            sorted(chosen.flat_map(|(_, r)| r(c)).collect())
        }))
    }

    fn region_values(&mut self, values: &[Value], of: &Ludeme) -> Result<Function<Vec<i32>>> {
        let parts: Vec<Function<Vec<i32>>> =
            values.iter().map(|v| self.region(v, of)).collect::<Result<_>>()?;
        Ok(Box::new(move |c| sorted(parts.iter().flat_map(|r| r(c)).collect())))
    }

    /// The regions that belong to players, one by one.
    fn owned_regions(&mut self) -> Result<Vec<(usize, Function<Vec<i32>>)>> {
        let regions = self.equipment.regions.clone();
        let game = self.game.clone();
        let mut list = Vec::new();
        for region in &regions {
            for value in &region.sites {
                list.push((region.owner, self.region(value, &game)?));
            }
        }
        Ok(list)
    }

    /// Directions.
    pub fn directions(&mut self, value: &Value, of: &Ludeme) -> Result<Function<Vec<Direction>>> {
        match value {
            Value::Word(word) => {
                Ok(constant(vec![Direction::named(word).ok_or_else(|| unsupported(of))?]))
            }
            Value::List(list) => {
                let all: Option<Vec<Direction>> =
                    list.iter().map(|v| Direction::named(v.word()?)).collect();
                Ok(constant(all.ok_or_else(|| unsupported(of))?))
            }
            Value::Call(l) if l.signature().keyword == "directions" => {
                if l.args.iter().flatten().count() != 1 {
                    return Err(unsupported(l));
                }
                match l.args.iter().flatten().next() {
                    Some((_, v)) if matches!(v, Value::Word(_) | Value::List(_)) => {
                        self.directions(v, l)
                    }
                    _ => Err(unsupported(l)),
                }
            }
            Value::Call(l) if l.signature().keyword == "if" => {
                let condition = self.bool(l.arg(0).ok_or_else(|| unsupported(l))?, l)?;
                let yes = self.directions(l.arg(1).ok_or_else(|| unsupported(l))?, l)?;
                let no = self.directions(l.arg(2).ok_or_else(|| unsupported(l))?, l)?;
                Ok(Box::new(move |c| if condition(c) { yes(c) } else { no(c) }))
            }
            Value::Call(l) => Err(unsupported(l)),
            _ => Err(unsupported(of)),
        }
    }

    /// The directions of a slot, or others where it is empty.
    pub fn direction_or(
        &mut self,
        l: &Ludeme,
        kind: &str,
        default: Direction,
    ) -> Result<Function<Vec<Direction>>> {
        match l.typed(kind) {
            Some(value) => self.directions(value, l),
            None => Ok(constant(vec![default])),
        }
    }
}
