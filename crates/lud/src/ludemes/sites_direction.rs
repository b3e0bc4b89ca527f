//! `(sites Direction …)`, `(sites Between …)`, `(sites LineOfSight …)`: sites along lines.

use super::prelude::*;
use crate::engine::equipment::Equipment;
use crate::engine::functions::fills_with;

pub(super) const FORMS: &[Form] = &[
    region("sites Between [direction] [siteType] from:int [fromIncluded:boolean] to:int [toIncluded:boolean] [cond:boolean]",
        "The sites between two others on a line, for whose `(between)` the condition holds.",
        "(sites Between from:(last From) to:(last To))", between).on_all_kinds().sites_in(&["to"]).on_board(),
    region("sites Direction (from:int | From:region) [direction] [included:boolean] [stop:boolean] [stopIncluded:boolean] [distance:int] [siteType]",
        "The sites in the directions, up to one for whose `(to)` `stop:` holds.",
        "(sites Direction from:(to) N stop:(is Occupied (to)))", direction).on_all_kinds().on_board(),
    region("sites LineOfSight [lineOfSightType] [siteType] [at:int] [direction]",
        "What can be seen along lines: the first pieces, the farthest empty sites, or all empty sites.",
        "(sites LineOfSight Piece at:(from))", line_of_sight).on_all_kinds().on_board(),
];

fn between(args: &mut Args<'_, '_, '_>) -> Result<Region> {
    let directions = args.directions(Direction::Adjacent)?;
    let (from, to) = (args.int("from")?, args.int("to")?);
    let condition = args.try_bool("cond")?;
    let (with_from, with_to) = (args.try_bool("fromIncluded")?, args.try_bool("toIncluded")?);
    Ok(Region::of_node(SitesBetween { directions, from, to, condition, with_from, with_to }))
}

node! {
    /// Sites between two others.
    struct SitesBetween = "sites Between", iterators NONE {
        directions: Dirs,
        from: Int,
        to: Int,
        condition: Option<Bool>,
        with_from: Option<Bool>,
        with_to: Option<Bool>,
    }
}

impl SiteSet for SitesBetween {
    fn fill(&self, c: &mut Context<'_>, out: &mut Sites) {
        let (from, to) = (self.from.get(c), self.to.get(c));
        let equipment = c.equipment;
        for &ray in self.directions.rays(c, from).iter() {
            let line = equipment.directions.line(ray);
            let Some(end) = line.iter().position(|&site| site as i32 == to) else { continue };
            for &between in &line[..end] {
                let between = between as i32;
                let at = Registers { between, ..c.at };
                if self.condition.as_ref().is_none_or(|condition| condition.holds_at(c, at)) {
                    out.insert(between);
                }
            }
            if self.with_from.as_ref().is_some_and(|with| with.holds(c)) {
                out.insert(from);
            }
            if self.with_to.as_ref().is_some_and(|with| with.holds(c)) {
                out.insert(to);
            }
        }
    }
}

fn direction(args: &mut Args<'_, '_, '_>) -> Result<Region> {
    let (origin, directions) = (args.region("from")?, args.directions(Direction::Adjacent)?);
    let (include, stop) = (args.try_bool("included")?, args.try_bool("stop")?);
    let (with_stop, distance) =
        (args.try_bool("stopIncluded")?, args.int_or("distance", i32::MAX)?);
    let into = match (&include, &stop, distance.fixed()) {
        (None, None, Some(distance @ 1..=SHORT)) => into(args.lower.equipment, distance as usize),
        _ => Vec::new(),
    };
    let into = Table(into);
    Ok(Region::of_node(SitesDirection {
        origin,
        directions,
        include,
        stop,
        with_stop,
        distance,
        into,
    }))
}

/// For ways of so many sites, it is noted for each site where they begin.
const SHORT: i32 = 2;

/// By site: the sites from which a way leads to it that is not longer.
fn into(equipment: &Equipment, distance: usize) -> Vec<Vec<u32>> {
    let mut into = vec![Vec::new(); equipment.sites];
    for from in 0..equipment.sites {
        for ray in equipment.directions.of(from) {
            for &to in equipment.directions.line(ray).iter().take(distance) {
                let list: &mut Vec<u32> = &mut into[to as usize];
                if list.last() != Some(&(from as u32)) {
                    list.push(from as u32);
                }
            }
        }
    }
    into
}

node! {
    /// Sites in directions.
    struct SitesDirection = "sites Direction", iterators NONE {
        origin: Region,
        directions: Dirs,
        include: Option<Bool>,
        stop: Option<Bool>,
        with_stop: Option<Bool>,
        distance: Int,
        /// By site: where ways to it may begin, if they are short and nothing stops them.
        into: Table<Vec<Vec<u32>>>,
    }
}

impl SiteSet for SitesDirection {
    fn contains(&self, c: &mut Context<'_>, site: i32) -> bool {
        if !self.is_quick(c) {
            return fills_with(self, c, site);
        }
        let distance = self.distance.get(c).max(0) as usize;
        let (equipment, to) = (c.equipment, site as u32);
        let from = usize::try_from(site).ok().and_then(|site| self.into.get(site));
        from.is_some_and(|from| {
            from.iter().any(|&from| {
                let from = from as i32;
                self.origin.contains(c, from)
                    && self.directions.rays(c, from).iter().any(|&ray| {
                        equipment.directions.line(ray).iter().take(distance).any(|&s| s == to)
                    })
            })
        })
    }

    fn is_dear(&self) -> bool {
        true
    }

    fn is_quick(&self, c: &Context<'_>) -> bool {
        !self.into.is_empty() && self.origin.is_quick(c)
    }

    fn fill(&self, c: &mut Context<'_>, out: &mut Sites) {
        let distance = self.distance.get(c).max(0) as usize;
        let equipment = c.equipment;
        self.origin.each(c, |c, site| {
            if self.include.as_ref().is_some_and(|include| include.holds(c)) {
                out.insert(site);
            }
            for &ray in self.directions.rays(c, site).iter() {
                for &to in equipment.directions.line(ray).iter().take(distance) {
                    let at = Registers { to: to as i32, ..c.at };
                    if self.stop.as_ref().is_some_and(|stop| stop.holds_at(c, at)) {
                        if self.with_stop.as_ref().is_some_and(|with| with.holds(c)) {
                            out.insert(to as i32);
                        }
                        break;
                    }
                    out.insert(to as i32);
                }
            }
            true
        });
    }
}

/// The sites that are visible along a line.
#[derive(Clone, Copy)]
enum Sight {
    Piece,
    Farthest,
    Empty,
}

fn line_of_sight(args: &mut Args<'_, '_, '_>) -> Result<Region> {
    let sight = match args.word("lineOfSightType") {
        None | Some("Piece") => Sight::Piece,
        Some("Farthest") => Sight::Farthest,
        Some(_) => Sight::Empty,
    };
    let (at, directions) = (args.site_or_last("at")?, args.directions(Direction::Adjacent)?);
    Ok(Region::of_node(LineOfSight { sight: Table(sight), at, directions }))
}

node! {
    /// The sites that are visible from a site.
    struct LineOfSight = "sites LineOfSight", iterators NONE, reads CELLS { sight: Table<Sight>, at: Int, directions: Dirs }
}

impl SiteSet for LineOfSight {
    fn fill(&self, c: &mut Context<'_>, out: &mut Sites) {
        let site = self.at.get(c);
        let equipment = c.equipment;
        for &ray in self.directions.rays(c, site).iter() {
            let line = equipment.directions.line(ray);
            let free = line.iter().take_while(|&&site| c.is_empty(site as i32)).count();
            let seen = match *self.sight {
                Sight::Piece => line.get(free..=free).unwrap_or(&[]),
                Sight::Farthest => &line[free.saturating_sub(1)..free],
                Sight::Empty => &line[..free],
            };
            seen.iter().for_each(|&site| out.insert(site as i32));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::sites;

    #[test]
    fn a_ray_ends_at_its_stop() {
        let start = "(place \"Disc2\" 6)";
        assert_eq!(sites(start, "(sites Direction from:0 N)"), [3, 6]);
        assert_eq!(sites(start, "(sites Direction from:0 N included:True)"), [0, 3, 6]);
        assert_eq!(sites(start, "(sites Direction from:0 N stop:(is Occupied (to)))"), [3]);
        assert_eq!(sites(start, "(sites Direction from:0 N distance:1)"), [3]);
    }
}
