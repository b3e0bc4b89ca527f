//! Ludemes that are sets of sites.

use super::context::{Context, Registers};
use super::directions::Direction;
use super::functions::{Int, Region, Result, ones};
use super::lower::{Lower, unsupported};
use super::sites::Sites;
use crate::compile::{Ludeme, Value};

impl Lower<'_> {
    /// Is this value a region?
    pub(crate) fn is_region(&self, value: &Value) -> bool {
        matches!(value, Value::Call(l) if l.signature().result == "region")
    }

    /// A region.
    pub(crate) fn region(&mut self, value: &Value, of: &Ludeme) -> Result<Region> {
        match value {
            Value::Call(l) if l.signature().result == "region" => self.region_of(l),
            Value::Call(l) if l.signature().result == "int" => match self.int_of(l)? {
                Int::Const(site) => Ok(Region::Fixed(self.sites_of([site]))),
                site => Ok(Region::One(site)),
            },
            Value::Call(l) if l.signature().result == "ints" => {
                let list = self.int_list(value, l)?;
                Ok(Region::new(move |c, out| {
                    list.of(c, |_, list| list.iter().for_each(|&site| out.insert(site)));
                }))
            }
            Value::Int(n) => Ok(Region::Fixed(self.sites_of([*n]))),
            Value::List(list) if list.iter().all(|v| matches!(v, Value::Str(_))) => {
                let site = |v: &Value| if let Value::Str(s) = v { self.site(s) } else { None };
                let known: Vec<i32> = list.iter().filter_map(site).collect();
                // A label that no site has is left out (decided by Terhuchu). Where many labels are unknown, the description means
                // other labels than ours (Bouge Shodra).
                if known.len() * 10 < list.len() * 9 {
                    return Err(unsupported(of));
                }
                Ok(Region::Fixed(self.sites_of(known)))
            }
            Value::List(list) => {
                let list = list.iter().map(|v| self.int(v, of)).collect::<Result<Vec<Int>>>()?;
                if let Some(sites) = list.iter().map(Int::fixed).collect::<Option<Vec<i32>>>() {
                    return Ok(Region::Fixed(self.sites_of(sites)));
                }
                Ok(Region::new(move |c, out| {
                    for site in &list {
                        let site = site.get(c);
                        out.insert(site);
                    }
                }))
            }
            Value::Word(word) if ["Off", "End", "Undefined"].contains(&word.as_str()) => {
                Ok(Region::Fixed(self.no_sites()))
            }
            _ => Err(unsupported(of)),
        }
    }

    fn regions(&mut self, l: &Ludeme) -> Result<Vec<Region>> {
        match l.arg(0) {
            Some(Value::List(list)) => list.iter().map(|v| self.region(v, l)).collect(),
            _ => l.args().iter().flatten().map(|(_, v)| self.region(v, l)).collect(),
        }
    }

    /// Two regions made one by an operation on sets, beforehand where both are fixed.
    fn combined(&self, parts: Vec<Region>, how: fn(&mut Sites, &[u64])) -> Region {
        let all_fixed = parts.iter().all(|r| matches!(r, Region::Fixed(_)));
        if all_fixed {
            let mut parts = parts.into_iter();
            let Some(Region::Fixed(mut sites)) = parts.next() else {
                return Region::Fixed(self.no_sites());
            };
            for part in parts {
                if let Region::Fixed(other) = part {
                    how(&mut sites, other.words());
                }
            }
            return Region::Fixed(sites);
        }
        Region::new(move |c, out| {
            let mut sites = c.sites();
            for (i, part) in parts.iter().enumerate() {
                match i {
                    0 => part.fill(c, &mut sites),
                    _ => part.of(c, |_, other| how(&mut sites, other.words())),
                }
            }
            out.add(sites.words());
            c.free(sites);
        })
    }

    fn region_of(&mut self, l: &Ludeme) -> Result<Region> {
        let first = l.arg(0).and_then(Value::word).unwrap_or_default().to_owned();
        if l.signature().keyword == "sites" && first == "Incident" {
            return self.incident(l);
        }
        self.same_site_type(l)?;
        Ok(match l.signature().keyword.as_str() {
            "union" => {
                let parts = self.regions(l)?;
                self.combined(parts, Sites::add)
            }
            "intersection" => {
                let parts = self.regions(l)?;
                self.combined(parts, Sites::keep)
            }
            "difference" => {
                let parts = self.regions(l)?;
                self.combined(parts, Sites::subtract)
            }
            "if" => {
                let condition = self.bool_at(l, 0)?;
                let yes = self.region(l.arg(1).ok_or_else(|| unsupported(l))?, l)?;
                let no = match l.arg(2) {
                    Some(v) => Some(self.region(v, l)?),
                    None => None,
                };
                Region::new(move |c, out| {
                    if condition(c) {
                        yes.fill(c, out);
                    } else if let Some(no) = &no {
                        no.fill(c, out);
                    }
                })
            }
            "forEach" => self.region_for_each(l, &first)?,
            "expand" => self.expand(l)?,
            "last" => Region::new(|c, out| c.state.touched[2].iter().for_each(|&s| out.insert(s))),
            "sites" => return self.sites(l, &first),
            _ => return Err(unsupported(l)),
        })
    }

    fn region_for_each(&mut self, l: &Ludeme, first: &str) -> Result<Region> {
        if first == "Level" {
            return self.level_region(l);
        }
        if !first.is_empty() {
            return Err(unsupported(l));
        }
        if let (Some(value), Some(condition)) = (l.typed("region"), l.labelled("if")) {
            let (region, condition) = (self.region(value, l)?, self.bool(condition, l)?);
            return Ok(Region::Filter(Box::new(region), condition));
        }
        if let (Some(of), Some(each)) = (l.labelled("of"), l.typed("region")) {
            let (of, each) = (self.region(of, l)?, self.region(each, l)?);
            return Ok(Region::new(move |c, out| {
                of.each(c, |c, site| {
                    c.with(Registers { site, ..c.at }, |c| each.fill(c, out));
                    true
                });
            }));
        }
        if let (Some(list), Some(each)) = (l.typed("ints"), l.typed("region")) {
            let (list, each) = (self.int_list(list, l)?, self.region(each, l)?);
            return Ok(Region::new(move |c, out| {
                list.of(c, |c, list| {
                    for &player in &*list {
                        c.with(Registers { player, ..c.at }, |c| each.fill(c, out));
                    }
                });
            }));
        }
        Err(unsupported(l))
    }

    /// `(forEach Level …)`: the numbers of levels of a stack.
    fn level_region(&mut self, l: &Ludeme) -> Result<Region> {
        let at = self.int(l.labelled("at").ok_or_else(|| unsupported(l))?, l)?;
        let up = l.typed("stackDirection").and_then(Value::word) == Some("FromBottom");
        let condition = self.optional_bool(l, "if")?;
        let start = self.optional_int(l, "startAt")?;
        Ok(Region::new(move |c, out| {
            let site = at.get(c);
            let height = c.state.height(site);
            let levels = match (start.as_ref().map(|s| s.get(c)), up) {
                (Some(start), true) => start.max(0)..height,
                (Some(start), false) => 0..start.saturating_add(1).min(height),
                (None, _) => 0..height,
            };
            for level in levels {
                let at = Registers { level, ..c.at };
                if condition.as_ref().is_none_or(|f| c.with(at, |c| f(c))) {
                    out.insert(level);
                }
            }
        }))
    }

    /// The sites of the board on which something of their element holds.
    fn fixed(&self, test: impl Fn(usize, &crate::board::Element) -> bool) -> Region {
        let elements = self.equipment.elements().iter().enumerate();
        Region::Fixed(self.sites_of(elements.filter(|(i, e)| test(*i, e)).map(|(i, _)| i as i32)))
    }

    /// By container: its sites.
    fn containers(&self) -> Vec<Sites> {
        let sites = |from: u32, n: u32| self.sites_of(from as i32..(from + n) as i32);
        self.equipment.containers.iter().map(|k| sites(k.from, k.sites)).collect()
    }

    /// Some sites of the board.
    fn listed(&self, sites: &[usize]) -> Region {
        Region::Fixed(self.sites_of(sites.iter().map(|&i| i as i32)))
    }

    fn sites(&mut self, l: &Ludeme, first: &str) -> Result<Region> {
        Ok(match first {
            "Empty" => match l.typed("int") {
                Some(value) => {
                    let number = self.int(value, l)?;
                    let containers = self.containers();
                    Region::new(move |c, out| {
                        let number = usize::try_from(number.get(c)).unwrap_or(usize::MAX);
                        if let Some(sites) = containers.get(number) {
                            out.add_both(c.state.empty(c.rules.layout), sites.words());
                        }
                    })
                }
                None => Region::Empty,
            },
            "Board" => Region::Fixed(self.equipment.on_board.clone()),
            "Top" => self.listed(&self.equipment.named.top),
            "Bottom" => self.listed(&self.equipment.named.bottom),
            "Left" => self.listed(&self.equipment.named.left),
            "Right" => self.listed(&self.equipment.named.right),
            "Centre" => Region::Fixed(self.sites_of(self.centres())),
            "Row" | "Column" | "Layer" | "Phase" => {
                let n = self.typed_int(l)?;
                let colours = if first == "Phase" { self.colours() } else { Vec::new() };
                let list: Vec<i32> = self
                    .equipment
                    .elements()
                    .iter()
                    .enumerate()
                    .map(|(i, e)| match first {
                        "Row" => e.row as i32,
                        "Column" => e.column as i32,
                        "Layer" => e.layer as i32,
                        _ => colours[i],
                    })
                    .collect();
                match n.fixed() {
                    Some(n) => self.fixed(|i, _| list[i] == n),
                    None => Region::new(move |c, out| {
                        let n = n.get(c);
                        (0..list.len())
                            .filter(|&i| list[i] == n)
                            .for_each(|i| out.insert(i as i32));
                    }),
                }
            }
            "Occupied" => self.occupied(l)?,
            "Hand" => {
                let who = self.optional_roles(l)?.ok_or_else(|| unsupported(l))?;
                let hands: Vec<(usize, i32, i32)> = self.equipment.containers[1..]
                    .iter()
                    .filter(|h| h.name.starts_with("Hand"))
                    .map(|h| (h.owner, h.from as i32, (h.from + h.sites) as i32))
                    .collect();
                Region::new(move |c, out| {
                    let who = who.get(c);
                    for &(_, from, end) in hands.iter().filter(|h| who >> h.0 & 1 == 1) {
                        (from..end).for_each(|s| out.insert(s));
                    }
                })
            }
            "Around" => self.around(l)?,
            "Direction" => self.in_direction(l)?,
            "Between" => {
                let (from, to) = (self.int_or(l, "from", -1)?, self.int_or(l, "to", -1)?);
                let directions = self.direction_or(l, Direction::Adjacent)?;
                let condition = self.optional_bool(l, "cond")?;
                let with_from = self.optional_bool(l, "fromIncluded")?;
                let with_to = self.optional_bool(l, "toIncluded")?;
                Region::new(move |c, out| {
                    let (from, to) = (from.get(c), to.get(c));
                    let equipment = c.equipment;
                    for &ray in directions.rays(c, from).iter() {
                        let line = equipment.directions.line(ray);
                        let Some(n) = line.iter().position(|&s| s as i32 == to) else { continue };
                        for &between in &line[..n] {
                            let between = between as i32;
                            let fits = condition
                                .as_ref()
                                .is_none_or(|f| c.with(Registers { between, ..c.at }, |c| f(c)));
                            if fits {
                                out.insert(between);
                            }
                        }
                        if with_from.as_ref().is_some_and(|f| f(c)) {
                            out.insert(from);
                        }
                        if with_to.as_ref().is_some_and(|f| f(c)) {
                            out.insert(to);
                        }
                    }
                })
            }
            "Distance" => {
                self.refuse(l, &["newRotation"])?;
                if let Some(Value::Call(step)) = l.typed("step") {
                    // The steps say where they go themselves.
                    l.typed("relationType");
                    let (step, from) = (self.moves_of(step)?, self.int_or(l, "from", -1)?);
                    let range = self.range(l)?;
                    return Ok(Region::new(move |c, out| {
                        let from = from.get(c);
                        let least = range.least.as_ref().map_or(0, |f| f.get(c));
                        let most = range.most.as_ref().map_or(i32::MAX, |f| f.get(c));
                        super::groups::walk(c, from, &step, |site, far| {
                            // No step leads back to its origin (decided by Conflagration and Keep-a-riding, ply 0).
                            if far > 0 && (least..=most).contains(&far) {
                                out.insert(site);
                            }
                            far <= most
                        });
                    }));
                }
                let relation = l.typed("relationType").and_then(Value::word).unwrap_or("Adjacent");
                let direction = Direction::named(relation, super::directions::Base::Adjacent)
                    .ok_or_else(|| unsupported(l))?;
                let far = self.distances(&direction);
                let from = self.int_or(l, "from", -1)?;
                let range = self.range(l)?;
                Region::new(move |c, out| {
                    let from = from.get(c);
                    let least = range.least.as_ref().map_or(0, |f| f.get(c));
                    let most = range.most.as_ref().map_or(i32::MAX, |f| f.get(c));
                    let row = usize::try_from(from).ok().and_then(|s| far.get(s));
                    for (site, &d) in row.into_iter().flatten().enumerate() {
                        if d >= 0 && i32::from(d) >= least && i32::from(d) <= most {
                            out.insert(site as i32);
                        }
                    }
                })
            }
            "Corners" => self.listed(&self.equipment.named.corners),
            "ConvexCorners" => self.listed(&self.equipment.named.convex),
            "ConcaveCorners" => self.listed(&self.equipment.named.concave),
            "Outer" | "Perimeter" => self.listed(&self.equipment.named.outer),
            "Inner" => self.listed(&self.equipment.named.inner),
            "Side" => self.sides(l)?,
            "State" => {
                let n = self.typed_int(l)?;
                Region::new(move |c, out| {
                    let n = n.get(c);
                    for site in c.equipment.on_board.iter() {
                        if i32::from(c.cell(site).state) == n {
                            out.insert(site);
                        }
                    }
                })
            }
            "Start" => {
                let Some(Value::Call(piece)) = l.typed("piece") else { return Err(unsupported(l)) };
                let what = match piece.arg(0) {
                    Some(Value::Str(name)) => {
                        Int::Const(self.component(name).ok_or_else(|| unsupported(l))? as i32)
                    }
                    Some(value) => self.int(value, piece)?,
                    None => return Err(unsupported(l)),
                };
                self.starts = true;
                let what = std::sync::Arc::new(what);
                let same = what.clone();
                let fill = move |c: &mut Context<'_>, out: &mut Sites| {
                    let what = what.get(c);
                    for (site, &first) in c.rules.first.iter().enumerate() {
                        if i32::from(first) == what && what > 0 {
                            out.insert(site as i32);
                        }
                    }
                };
                let has = move |c: &mut Context<'_>, site: i32| {
                    let what = same.get(c);
                    let first = usize::try_from(site).ok().and_then(|site| c.rules.first.get(site));
                    what > 0 && first.is_some_and(|&first| i32::from(first) == what)
                };
                Region::Test(Box::new(fill), Box::new(has))
            }
            "LineOfSight" => {
                let kind =
                    l.typed("lineOfSightType").and_then(Value::word).unwrap_or("Piece").to_owned();
                let at = match l.labelled("at") {
                    Some(v) => self.int(v, l)?,
                    None => Int::LastTo(self.last()),
                };
                let directions = self.direction_or(l, Direction::Adjacent)?;
                Region::new(move |c, out| {
                    let site = at.get(c);
                    let equipment = c.equipment;
                    for &ray in directions.rays(c, site).iter() {
                        let line = equipment.directions.line(ray);
                        let free = line.iter().take_while(|&&s| c.is_empty(s as i32)).count();
                        match kind.as_str() {
                            "Piece" => {
                                line.get(free).into_iter().for_each(|&s| out.insert(s as i32))
                            }
                            "Farthest" => {
                                let last = free.checked_sub(1).map(|i| line[i]);
                                last.into_iter().for_each(|s| out.insert(s as i32));
                            }
                            _ => line[..free].iter().for_each(|&s| out.insert(s as i32)),
                        }
                    }
                })
            }
            "ToClear" => Region::new(|c, out| c.state.to_clear.iter().for_each(|&s| out.insert(s))),
            "Pending" => Region::new(|c, out| c.state.pending.iter().for_each(|&s| out.insert(s))),
            "LastTo" | "LastFrom" => {
                let end = usize::from(first == "LastTo");
                Region::new(move |c, out| {
                    c.state.touched[end].iter().for_each(|&site| out.insert(site));
                })
            }
            "Playable" => {
                let near = self.near(l)?;
                Region::new(move |c, out| {
                    let (mut taken, layout) = (c.sites(), c.rules.layout);
                    taken.add(c.equipment.on_board.words());
                    taken.subtract(c.state.empty(layout));
                    let mut next = c.sites();
                    near.around(c, &taken, &mut next);
                    out.add_both(next.words(), c.state.empty(layout));
                    c.free(next);
                    c.free(taken);
                })
            }
            "Pattern" => self.pattern_region(l)?,
            "Crossing" => self.crossing_region(l)?,
            "Random" => self.random_sites(l)?,
            "Group" => self.group_region(l)?,
            "Track" => self.track_region(l)?,
            "From" | "To" => {
                let moves = self.typed_moves(l)?;
                let to = first == "To";
                Region::new(move |c, out| {
                    let mut list = c.moves();
                    moves(c, &mut list);
                    for head in &list.heads {
                        out.insert(if to { head.to } else { head.from });
                    }
                    c.free_moves(list);
                })
            }
            "" if l.values().next().is_none() => Region::new(|c, out| {
                if let Some(region) = &c.region {
                    out.add(region.words());
                }
            }),
            // A word that tells what kind of sites they are is no name.
            _ => {
                let text = &l.signature().text;
                let named = ["sites ([player]", "sites ({int}", "sites [siteType]"];
                return match named.iter().any(|form| text.starts_with(form)) {
                    true => self.named_sites(l),
                    false => Err(unsupported(l)),
                };
            }
        })
    }

    fn occupied(&mut self, l: &Ludeme) -> Result<Region> {
        // Pieces stand on one kind of element.
        if let Some(Value::Word(kind)) = l.labelled("on")
            && *kind != format!("{:?}", self.equipment.board.sites)
        {
            return Err(unsupported(l));
        }
        let container = match l.labelled("container") {
            Some(Value::Call(k)) => Some(self.int_of(k)?),
            _ => None,
        };
        let containers = self.containers();
        let place = match l.labelled("container") {
            // Hands are cells: they do not count where pieces stand on something else.
            None if self.equipment.board.sites != crate::board::SiteType::Cell => {
                self.equipment.on_board.clone()
            }
            None | Some(Value::Call(_)) => self.equipment.everywhere.clone(),
            Some(Value::Str(name)) => self.container(name).unwrap_or_else(|| self.no_sites()),
            Some(Value::Int(n)) => {
                let k = usize::try_from(*n).ok().and_then(|n| self.equipment.containers.get(n));
                let k = k.ok_or_else(|| unsupported(l))?;
                self.sites_of(k.from as i32..(k.from + k.sites) as i32)
            }
            _ => return Err(unsupported(l)),
        };
        let who = self.roles(l.labelled("by").ok_or_else(|| unsupported(l))?, l)?;
        let wanted = match (l.labelled("component"), l.labelled("components")) {
            (Some(Value::Str(s)), _) => Some(self.named(std::slice::from_ref(s))),
            (_, Some(Value::List(_))) => Some(self.named(&Self::strings(l))),
            _ => None,
        };
        // A kind may be given by its number.
        let number = match l.labelled("component") {
            None | Some(Value::Str(_)) => None,
            Some(value) => Some(std::sync::Arc::new(self.int(value, l)?)),
        };
        // Dice lie apart.
        let dice = self.sites_of(self.equipment.dice.iter().map(|d| d.site as i32));
        let mut place = place;
        place.subtract(dice.words());
        let top = !matches!(l.labelled("top"), Some(Value::Bool(false)));
        let deep = self.stacking && !top;
        let has = {
            let (place, wanted, number) = (place.clone(), wanted.clone(), number.clone());
            let who = self.roles(l.labelled("by").ok_or_else(|| unsupported(l))?, l)?;
            move |c: &mut Context<'_>, site: i32| {
                let what = c.what(site);
                what != 0
                    && place.contains(site)
                    && wanted.as_ref().is_none_or(|w| w.get(what) == Some(&true))
                    && number.as_ref().is_none_or(|n| n.get(c) == what as i32)
                    && who.get(c) >> c.owner(what) & 1 == 1
            }
        };
        let fill = move |c: &mut Context<'_>, out: &mut Sites| {
            let who = who.get(c);
            let layout = c.rules.layout;
            let mut sites = c.sites();
            if deep {
                sites.add(place.words());
                sites.subtract(c.state.empty(layout));
            } else {
                ones(who).for_each(|owner| sites.add(c.state.owned(layout, owner)));
                sites.keep(place.words());
            }
            let number = number.as_ref().map(|n| n.get(c));
            if deep || wanted.is_some() || number.is_some() {
                for site in sites.iter() {
                    let fits = |what: usize| {
                        who >> c.owner(what) & 1 == 1
                            && wanted.as_ref().is_none_or(|w| w.get(what) == Some(&true))
                            && number.is_none_or(|n| n == what as i32)
                    };
                    let any = match deep {
                        true => (0..c.state.height(site))
                            .any(|level| fits(c.state.level(site, level).what.into())),
                        false => fits(c.what(site)),
                    };
                    if any {
                        out.insert(site);
                    }
                }
            } else {
                out.add(sites.words());
            }
            c.free(sites);
        };
        if let Some(container) = container {
            return Ok(Region::new(move |c, out| {
                let number = usize::try_from(container.get(c)).ok();
                let Some(place) = number.and_then(|n| containers.get(n)) else { return };
                let mut sites = c.sites();
                fill(c, &mut sites);
                sites.keep(place.words());
                out.add(sites.words());
                c.free(sites);
            }));
        }
        Ok(match deep {
            true => Region::new(fill),
            false => Region::Test(Box::new(fill), Box::new(has)),
        })
    }

    fn sides(&mut self, l: &Ludeme) -> Result<Region> {
        if let Some(Value::Word(word)) = l.typed("compassDirection") {
            // A board without such a side has no sites there.
            let sites = self.side(word).unwrap_or_default();
            return Ok(Region::Fixed(self.sites_of(sites)));
        }
        // The side that a player looks at.
        let who = self.optional_roles(l)?.ok_or_else(|| unsupported(l))?;
        let named = &self.equipment.named;
        let sides: Vec<Sites> = (self.equipment.facing.iter())
            .map(|&facing| {
                let side = named.side(crate::board::radials::Compass(facing as u8));
                self.sites_of(side.unwrap_or_default().iter().map(|&i| i as i32))
            })
            .collect();
        Ok(Region::new(move |c, out| {
            let who = who.get(c);
            for (_, side) in sides.iter().enumerate().filter(|(p, _)| who >> p & 1 == 1) {
                out.add(side.words());
            }
        }))
    }

    /// `(sites "Name")`, `(sites P1)`, `(sites Mover "Name")`, `(sites {1 2})`, `(sites {"A1"})`.
    fn named_sites(&mut self, l: &Ludeme) -> Result<Region> {
        let values = || l.args().iter().flatten().map(|(_, v)| v);
        if let Some(value @ Value::List(list)) = values().find(|v| matches!(v, Value::List(_))) {
            if list.iter().any(|v| matches!(v, Value::List(_))) {
                return self.walked_sites(l, list);
            }
            return self.region(value, l);
        }
        if let Some(value) = values().find(|v| self.is_ints(v)) {
            return self.region(value, l);
        }
        let name =
            values().find_map(|v| if let Value::Str(s) = v { Some(s.clone()) } else { None });
        let who = self.optional_roles(l)?;
        if name.is_none() && who.is_none() {
            return Err(unsupported(l));
        }
        let regions = self.equipment.regions.clone();
        let mut list = Vec::new();
        // A name may end in its owner.
        let means = |r: &super::equipment::NamedRegion, n: &str| {
            r.name == n || who.is_some() && r.name == format!("{n}P{}", r.owner)
        };
        for region in regions.iter().filter(|r| name.as_ref().is_none_or(|n| means(r, n))) {
            let sites = self.by_name(l, |this| this.region_values(&region.sites, l))?;
            list.push((region.owner, sites));
        }
        if list.is_empty()
            && let Some(site) = name.as_ref().and_then(|label| self.site(label))
        {
            return Ok(Region::Fixed(self.sites_of([site])));
        }
        // A name that no region has stands for no sites (decided by Pachisi and Kensington).
        if list.is_empty() && (who.is_some() || name.is_none()) {
            return Err(unsupported(l));
        }
        if who.is_none() {
            let parts = list.into_iter().map(|(_, r)| r).collect();
            return Ok(self.combined(parts, Sites::add));
        }
        let list = std::sync::Arc::new((list, who));
        let same = list.clone();
        let fill = move |c: &mut Context<'_>, out: &mut Sites| {
            let who = list.1.as_ref().map_or(u32::MAX, |w| w.get(c));
            for (_, region) in list.0.iter().filter(|(owner, _)| who >> owner & 1 == 1) {
                region.fill(c, out);
            }
        };
        let has = move |c: &mut Context<'_>, site: i32| {
            let who = same.1.as_ref().map_or(u32::MAX, |w| w.get(c));
            same.0.iter().any(|(owner, region)| who >> owner & 1 == 1 && region.contains(c, site))
        };
        Ok(Region::Test(Box::new(fill), Box::new(has)))
    }

    fn region_values(&mut self, values: &[Value], of: &Ludeme) -> Result<Region> {
        if values.iter().all(|v| matches!(v, Value::Int(_))) {
            return self.region(&Value::List(values.to_vec()), of);
        }
        if let [Value::Word(kind)] = values {
            let sets = self.static_regions(kind).ok_or_else(|| unsupported(of))?;
            let mut all = self.no_sites();
            sets.iter().for_each(|s| all.add(s.words()));
            return Ok(Region::Fixed(all));
        }
        let parts = values.iter().map(|v| self.region(v, of)).collect::<Result<Vec<_>>>()?;
        Ok(self.combined(parts, Sites::add))
    }

    /// The regions that belong to players, one by one.
    pub(crate) fn owned_regions(&mut self) -> Result<Vec<(usize, Region)>> {
        let regions = self.equipment.regions.clone();
        let game = self.game.clone();
        let mut list = Vec::new();
        for region in &regions {
            if region.sites.iter().all(|v| matches!(v, Value::Int(_))) {
                list.push((region.owner, self.region_values(&region.sites, &game)?));
                continue;
            }
            for value in &region.sites {
                match value {
                    Value::Word(kind) => {
                        let sets = self.static_regions(kind).ok_or_else(|| unsupported(&game))?;
                        list.extend(sets.into_iter().map(|s| (region.owner, Region::Fixed(s))));
                    }
                    value => {
                        let sites = self.by_name(&game, |this| this.region(value, &game))?;
                        list.push((region.owner, sites));
                    }
                }
            }
        }
        Ok(list)
    }

    /// Sets of sites that a word stands for: rows, corners, sides.
    pub(crate) fn static_regions(&mut self, kind: &str) -> Option<Vec<Sites>> {
        let elements = self.equipment.elements();
        let by = |key: &dyn Fn(usize) -> usize| {
            let most = (0..elements.len()).map(key).max().unwrap_or(0);
            (0..=most)
                .map(|n| {
                    self.sites_of((0..elements.len()).filter(|&i| key(i) == n).map(|i| i as i32))
                })
                .filter(|s| !s.is_empty())
                .collect::<Vec<_>>()
        };
        Some(match kind {
            "Rows" => by(&|i| elements[i].row),
            "Columns" => by(&|i| elements[i].column),
            "Layers" => by(&|i| elements[i].layer),
            "AllSites" => vec![self.equipment.on_board.clone()],
            "Corners" => {
                self.equipment.named.corners.iter().map(|&i| self.sites_of([i as i32])).collect()
            }
            "Sides" => {
                let sides = self.equipment.named.sides.iter();
                sides.map(|(_, s)| self.sites_of(s.iter().map(|&i| i as i32))).collect()
            }
            "SidesNoCorners" => {
                let corners = &self.equipment.named.corners;
                let sides = self.equipment.named.sides.iter();
                sides
                    .map(|(_, s)| {
                        let inner = s.iter().filter(|i| !corners.contains(i));
                        self.sites_of(inner.map(|&i| i as i32))
                    })
                    .collect()
            }
            _ => return None,
        })
    }
}
