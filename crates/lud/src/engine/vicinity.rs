//! Sites that lie in some way to others: around them, in a direction, at the end of a walk.

use super::context::{Context, Registers};
use super::directions::{Direction, Dirs};
use super::functions::{Int, Region, Result};
use super::groups::Near;
use super::lower::{Lower, unsupported};
use super::sites::Sites;
use super::test::{Place, Test, holds};
use crate::compile::{Ludeme, Value};

impl Lower<'_> {
    pub(crate) fn expand(&mut self, l: &Ludeme) -> Result<Region> {
        let origin = match l.labelled("origin") {
            Some(v) => self.region(v, l)?,
            None => self.region(l.typed("region").ok_or_else(|| unsupported(l))?, l)?,
        };
        let steps = self.int_or(l, "steps", 1)?;
        let directions = self.direction_or(l, Direction::Adjacent)?;
        if let (Region::Fixed(sites), Some(steps), Dirs::Fixed(table)) =
            (&origin, steps.fixed(), &directions)
        {
            let lines = &self.equipment.directions;
            let mut sites = sites.clone();
            for _ in 0..steps.min(self.equipment.sites as i32) {
                let rays = sites.iter().flat_map(|site| table.of(site));
                let more = self.sites_of(rays.map(|&ray| lines.line(ray)[0] as i32));
                sites.add(more.words());
            }
            return Ok(Region::Fixed(sites));
        }
        let grow = move |c: &mut Context<'_>, out: &mut Sites| {
            let mut sites = c.sites();
            origin.fill(c, &mut sites);
            let equipment = c.equipment;
            for _ in 0..steps.get(c) {
                let mut more = c.sites();
                for site in sites.iter() {
                    for &ray in directions.rays(c, site).iter() {
                        more.insert(equipment.directions.line(ray)[0] as i32);
                    }
                }
                sites.add(more.words());
                c.free(more);
            }
            out.add(sites.words());
            c.free(sites);
        };
        Ok(Region::new(grow))
    }

    pub(crate) fn around(&mut self, l: &Ludeme) -> Result<Region> {
        let origin = match (l.typed("int"), l.typed("region")) {
            (Some(v), _) | (None, Some(v)) => self.region(v, l)?,
            _ => return Err(unsupported(l)),
        };
        let directions = self.direction_or(l, Direction::Adjacent)?;
        let include = self.optional_bool(l, "includeSelf")?;
        let distance = self.int_or(l, "distance", 1)?;
        let condition = self.optional_test(l, "if")?;
        let kind = l.typed("regionTypeDynamic").and_then(Value::word).map(str::to_owned);
        let near = match distance.fixed() {
            Some(1) => Some(Near::new(self.direction_or(l, Direction::Adjacent)?, self.equipment)),
            _ => None,
        };
        Ok(Region::new(move |c, out| {
            let include = include.as_ref().is_some_and(|f| f(c));
            let distance = (distance.get(c).max(1) - 1) as usize;
            let equipment = c.equipment;
            origin.of(c, |c, origin| {
                let mut sites = c.sites();
                match &near {
                    Some(near) => near.around(c, origin, &mut sites),
                    None => {
                        for site in origin.iter() {
                            for &ray in directions.rays(c, site).iter() {
                                if let Some(&next) = equipment.directions.line(ray).get(distance) {
                                    sites.insert(next as i32);
                                }
                            }
                        }
                    }
                }
                if include {
                    sites.add(origin.words());
                } else {
                    sites.subtract(origin.words());
                }
                let mover = c.state.s.mover;
                if let (None, None | Some(Test::Owner(_, Place::To))) = (&kind, &condition) {
                    if let Some(Test::Owner(owners, _)) = &condition {
                        let mut of = c.sites();
                        owners.fill(c, &mut of);
                        sites.keep(of.words());
                        c.free(of);
                    }
                    out.add(sites.words());
                    return c.free(sites);
                }
                for site in sites.iter() {
                    let owner = c.who(site);
                    let fits = match kind.as_deref() {
                        None => true,
                        Some("Empty") => c.is_empty(site),
                        Some("NotEmpty") => !c.is_empty(site),
                        Some("Own") => owner == mover,
                        Some("NotOwn") => owner != mover,
                        Some("Enemy") => owner != 0 && owner != mover,
                        Some(_) => owner == 0 || owner == mover,
                    };
                    let fits = fits && holds(condition.as_ref(), c, Registers { to: site, ..c.at });
                    if fits {
                        out.insert(site);
                    }
                }
                c.free(sites);
            });
        }))
    }

    pub(crate) fn in_direction(&mut self, l: &Ludeme) -> Result<Region> {
        let origin = self.region(l.labelled("from").ok_or_else(|| unsupported(l))?, l)?;
        let directions = self.direction_or(l, Direction::Adjacent)?;
        let include = self.optional_bool(l, "included")?;
        let stop = self.optional_bool(l, "stop")?;
        let with_stop = self.optional_bool(l, "stopIncluded")?;
        let distance = self.int_or(l, "distance", i32::MAX)?;
        Ok(Region::new(move |c, out| {
            let distance = distance.get(c).max(0) as usize;
            let equipment = c.equipment;
            origin.each(c, |c, site| {
                if include.as_ref().is_some_and(|f| f(c)) {
                    out.insert(site);
                }
                for &ray in directions.rays(c, site).iter() {
                    for &to in equipment.directions.line(ray).iter().take(distance) {
                        let at = Registers { to: to as i32, ..c.at };
                        if stop.as_ref().is_some_and(|f| c.with(at, |c| f(c))) {
                            if with_stop.as_ref().is_some_and(|f| f(c)) {
                                out.insert(to as i32);
                            }
                            break;
                        }
                        out.insert(to as i32);
                    }
                }
                true
            });
        }))
    }

    /// Where walks end: `(sites 5 {{F F R F}})`.
    pub(crate) fn walked_sites(&mut self, l: &Ludeme, walks: &[Value]) -> Result<Region> {
        let from = match l.typed("int") {
            Some(value) => self.int(value, l)?,
            None => Int::From,
        };
        let rotations = !matches!(l.labelled("rotations"), Some(Value::Bool(false)));
        if !rotations {
            return Err(unsupported(l));
        }
        let walks = super::leap::walk_words(walks).ok_or_else(|| unsupported(l))?;
        let table: Vec<Vec<u32>> = (0..self.equipment.elements().len())
            .map(|site| walks.iter().flat_map(|w| self.walk(site, w)).map(|(_, end)| end).collect())
            .collect();
        Ok(Region::new(move |c, out| {
            let from = from.get(c);
            let ends = usize::try_from(from).ok().and_then(|f| table.get(f));
            ends.into_iter().flatten().for_each(|&s| out.insert(s as i32));
        }))
    }
}
