//! Ludemes that are conditions.

use super::context::Context;
use super::directions::Direction;
use super::functions::{Function, Result, constant};
use super::lower::{Lower, unsupported};
use super::state::OFF;
use crate::compile::{Ludeme, Value};

impl Lower<'_> {
    /// A condition.
    pub fn bool(&mut self, value: &Value, of: &Ludeme) -> Result<Function<bool>> {
        match value {
            Value::Bool(b) => Ok(constant(*b)),
            Value::Call(l) => self.bool_of(l),
            _ => Err(unsupported(of)),
        }
    }

    pub(super) fn bools(&mut self, l: &Ludeme) -> Result<Vec<Function<bool>>> {
        match l.arg(0) {
            Some(Value::List(list)) => list.iter().map(|v| self.bool(v, l)).collect(),
            _ => l.args.iter().flatten().map(|(_, v)| self.bool(v, l)).collect(),
        }
    }

    pub(super) fn bool_of(&mut self, l: &Ludeme) -> Result<Function<bool>> {
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
                    self.asks_moves = true;
                    Box::new(move |c| {
                        let player = who(c);
                        c.state.stalemated.get(player).copied().unwrap_or(false)
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
                            let k = c.component(site as i32);
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

    pub(super) fn is(&mut self, l: &Ludeme, first: &str) -> Result<Function<bool>> {
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
            "Threatened" => {
                let site = match l.labelled("at") {
                    Some(v) => self.region(v, l)?,
                    None => match l.labelled("in") {
                        Some(v) => self.region(v, l)?,
                        None => return Err(unsupported(l)),
                    },
                };
                if l.typed("moves").is_some() {
                    return Err(unsupported(l));
                }
                Box::new(move |c| {
                    let sites = site(c);
                    sites.into_iter().any(|s| super::play::threatened(c, s))
                })
            }
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

    pub(super) fn line(&mut self, l: &Ludeme) -> Result<Function<bool>> {
        for label in
            ["throughAny", "byLevel", "top", "throughHowMuch", "isVisible", "useOpposites", "whats"]
        {
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
        let contiguous = !matches!(l.labelled("contiguous"), Some(Value::Bool(false)));
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
                    if contiguous {
                        ray.iter().take_while(|&&s| part(c, s as i32)).count() as i32
                    } else {
                        ray.iter().filter(|&&s| part(c, s as i32)).count() as i32
                    }
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

    pub(super) fn connected(&mut self, l: &Ludeme) -> Result<Function<bool>> {
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
}
