//! Ludemes that are sets of sites.

use super::context::Context;
use super::directions::Direction;
use super::functions::{Function, Result, constant, sorted};
use super::lower::{Lower, unsupported};
use super::state::OFF;
use crate::compile::{Ludeme, Value};

impl Lower<'_> {
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

    pub(super) fn two_regions(&mut self, l: &Ludeme) -> Result<Vec<Function<Vec<i32>>>> {
        match l.arg(0) {
            Some(Value::List(list)) => list.iter().map(|v| self.region(v, l)).collect(),
            _ => l.args.iter().flatten().map(|(_, v)| self.region(v, l)).collect(),
        }
    }

    pub(super) fn region_of(&mut self, l: &Ludeme) -> Result<Function<Vec<i32>>> {
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
                    let mut parts = all.iter();
                    let mut sites = parts.next().map_or_else(Vec::new, |r| r(c));
                    for r in parts {
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

    pub(super) fn sites(&mut self, l: &Ludeme, first: &str) -> Result<Function<Vec<i32>>> {
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
                let hands = match l.labelled("container") {
                    None => None,
                    Some(Value::Str(name)) if name == "Board" => Some(false),
                    Some(Value::Str(name)) if name == "Hand" => Some(true),
                    _ => return Err(unsupported(l)),
                };
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
                    let n = c.equipment.elements().len() as i32;
                    let all = c.state.what.len() as i32;
                    (0..all)
                        .filter(|&s| hands.is_none_or(|hands| hands == (s >= n)))
                        .filter(|&s| {
                            let k = c.component(s);
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
            "ToClear" => Box::new(|c| sorted(c.state.to_clear.clone())),
            "Pending" => Box::new(|c| sorted(c.state.pending.clone())),
            "LastTo" => Box::new(|c| c.state.last.map(|x| x.1).into_iter().collect()),
            "Track" | "Between" => return Err(unsupported(l)),
            _ => return self.named_sites(l),
        })
    }

    /// `(sites "Name")`, `(sites P1)`, `(sites Mover "Name")`, `(sites {1 2})`, `(sites {"A1"})`.
    pub(super) fn named_sites(&mut self, l: &Ludeme) -> Result<Function<Vec<i32>>> {
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

    pub(super) fn region_values(
        &mut self,
        values: &[Value],
        of: &Ludeme,
    ) -> Result<Function<Vec<i32>>> {
        let parts: Vec<Function<Vec<i32>>> =
            values.iter().map(|v| self.region(v, of)).collect::<Result<_>>()?;
        Ok(Box::new(move |c| sorted(parts.iter().flat_map(|r| r(c)).collect())))
    }

    /// The regions that belong to players, one by one.
    pub(super) fn owned_regions(&mut self) -> Result<Vec<(usize, Function<Vec<i32>>)>> {
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
}
