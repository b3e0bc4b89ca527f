//! `(sites Around …)`, `(expand …)`: sites around others.

use super::prelude::*;
use crate::engine::condition::holds;
use crate::engine::functions::fills_with;
use crate::engine::groups::Near;
use crate::engine::sites::{Ones, contains};

pub(super) const FORMS: &[Form] = &[
    region("sites Around [siteType] (int | region) [regionTypeDynamic] [distance:int] [absoluteDirection] [If:boolean] [includeSelf:boolean]",
        "The sites so many steps away in the directions, for whose `(to)` the condition holds.",
        "(sites Around (last To) if:(is Enemy (who at:(to))))", around).on_all_kinds().sites_in(&["int"]).on_board(),
    region("expand ([int] | [string]) (region | origin:int) [steps:int] [absoluteDirection] [siteType]",
        "The sites and all that are at most so many steps away.", "(expand (sites Corners) steps:2)", expand).on_all_kinds().on_board(),
];

/// A kind of sites around others.
#[derive(Clone, Copy)]
enum Only {
    Empty,
    NotEmpty,
    Own,
    NotOwn,
    Enemy,
    NotEnemy,
}

impl Only {
    fn named(word: &str) -> Option<Only> {
        let all = [
            ("Empty", Only::Empty),
            ("NotEmpty", Only::NotEmpty),
            ("Own", Only::Own),
            ("NotOwn", Only::NotOwn),
            ("Enemy", Only::Enemy),
            ("NotEnemy", Only::NotEnemy),
        ];
        all.into_iter().find(|(name, _)| *name == word).map(|(_, only)| only)
    }

    fn fits(self, c: &Context<'_>, site: i32) -> bool {
        let (owner, mover) = (c.who(site), c.state.s.mover);
        match self {
            Only::Empty => c.is_empty(site),
            Only::NotEmpty => !c.is_empty(site),
            Only::Own => owner == mover,
            Only::NotOwn => owner != mover,
            Only::Enemy => owner != 0 && owner != mover,
            Only::NotEnemy => owner == 0 || owner == mover,
        }
    }
}

fn around(args: &mut Args<'_, '_, '_>) -> Result<Region> {
    let origin = args.one_region(&["int", "region"])?;
    let only = args.word("regionTypeDynamic").and_then(Only::named);
    let distance = args.int_or("distance", 1)?;
    let value = args.peek("absoluteDirection");
    let directions = args.directions(Direction::Adjacent)?;
    let near = match (distance.fixed(), value) {
        (Some(1), Some(value)) => Some(args.lower.directions(value, args.ludeme)?),
        (Some(1), None) => Some(args.lower.rays(&[Direction::Adjacent])),
        _ => None,
    };
    let near = near.map(|directions| Near::new(directions, args.lower.equipment));
    let into = near.as_ref().map(|near| near.into(args.lower.equipment)).unwrap_or_default();
    let (condition, include) = (args.try_test("if")?, args.try_bool("includeSelf")?);
    let mut shown = String::new();
    condition.show(&mut shown);
    let each = shown.contains("(from)");
    Ok(Region::of_node(Around {
        each,
        origin,
        only: Table(only),
        distance,
        directions,
        near,
        into: Table(into),
        condition,
        include,
    }))
}

node! {
    /// Sites around others.
    struct Around = "sites Around", iterators NONE, reads CELLS | TURN {
        origin: Region,
        only: Table<Option<Only>>,
        distance: Int,
        directions: Dirs,
        /// The neighbours, where these are meant.
        near: Option<Near>,
        /// By site: the sites whose neighbour it is, where neighbours are always the same.
        into: Table<Vec<Vec<u32>>>,
        condition: Option<Test>,
        include: Option<Bool>,
        /// Does the condition ask for `(from)`, the site around which another lies?
        each: bool,
    }
}

impl Around {
    /// The sites around each one, for which the condition holds with `(from)` being that one (decided by Contagion, ply 8).
    fn one_by_one(&self, c: &mut Context<'_>, origin: &Sites, distance: usize, out: &mut Sites) {
        let mut one = c.sites();
        for from in origin.iter() {
            one.clear();
            one.insert(from);
            let sites = self.all(c, &one, distance);
            for site in sites.iter().filter(|&site| !origin.contains(site)) {
                let at = Registers { from, to: site, ..c.at };
                if self.only.is_none_or(|only| only.fits(c, site))
                    && holds(self.condition.as_ref(), c, at)
                {
                    out.insert(site);
                }
            }
            c.free(sites);
        }
        c.free(one);
    }

    /// Puts in the neighbours of one site that fit.
    fn around_one(
        &self,
        c: &mut Context<'_>,
        site: i32,
        near: &Near,
        include: bool,
        out: &mut Sites,
    ) {
        let bits = near.of(c, site);
        if self.only.is_none() && self.condition.is_none() && !contains(bits, site) {
            out.add(bits);
            if include {
                out.insert(site);
            }
            return;
        }
        // The owners of sites are those of the board.
        let by_owner = matches!(self.condition, Some(Test::Owner(_, Place::To)));
        let on_board = by_owner && self.only.is_none();
        let fits = |c: &mut Context<'_>, to: i32| {
            (!on_board || c.equipment.on_board.contains(to))
                && self.only.is_none_or(|only| only.fits(c, to))
                && holds(self.condition.as_ref(), c, Registers { to, ..c.at })
        };
        for to in Ones::new(bits) {
            if to != site && fits(c, to) {
                out.insert(to);
            }
        }
        if include && site >= 0 && fits(c, site) {
            out.insert(site);
        }
    }

    /// The sites that lie around others, whatever is on them.
    fn all(&self, c: &mut Context<'_>, origin: &Sites, distance: usize) -> Sites {
        let mut sites = c.sites();
        if let Some(near) = &self.near {
            near.around(c, origin, &mut sites);
            return sites;
        }
        let equipment = c.equipment;
        for site in origin.iter() {
            for &ray in self.directions.rays(c, site).iter() {
                if let Some(&next) = equipment.directions.line(ray).get(distance) {
                    sites.insert(next as i32);
                }
            }
        }
        sites
    }
}

impl SiteSet for Around {
    fn contains(&self, c: &mut Context<'_>, site: i32) -> bool {
        if !self.is_quick(c) {
            return fills_with(self, c, site);
        }
        let include = self.include.as_ref().is_some_and(|include| include.holds(c));
        if self.origin.contains(c, site) {
            return include;
        }
        let from = usize::try_from(site).ok().and_then(|site| self.into.get(site));
        from.is_some_and(|from| from.iter().any(|&from| self.origin.contains(c, from as i32)))
    }

    fn is_dear(&self) -> bool {
        true
    }

    fn is_quick(&self, c: &Context<'_>) -> bool {
        let plain = self.only.is_none() && self.condition.is_none() && !self.each;
        plain && !self.into.is_empty() && self.origin.is_quick(c)
    }

    fn fill(&self, c: &mut Context<'_>, out: &mut Sites) {
        let include = self.include.as_ref().is_some_and(|include| include.holds(c));
        if let (Region::One(site), Some(near)) = (&self.origin, &self.near)
            && near.fixed()
            && !self.each
        {
            let site = site.get(c);
            return self.around_one(c, site, near, include, out);
        }
        let distance = (self.distance.get(c).max(1) - 1) as usize;
        self.origin.of(c, |c, origin| {
            if self.each {
                if include {
                    out.add(origin.words());
                }
                return self.one_by_one(c, origin, distance, out);
            }
            let mut sites = self.all(c, origin, distance);
            match include {
                true => sites.add(origin.words()),
                false => sites.subtract(origin.words()),
            }
            if let (None, None | Some(Test::Owner(_, Place::To))) = (*self.only, &self.condition) {
                if let Some(Test::Owner(owners, _)) = &self.condition {
                    let mut of = c.sites();
                    owners.fill(c, &mut of);
                    sites.keep(of.words());
                    c.free(of);
                }
                out.add(sites.words());
                return c.free(sites);
            }
            for site in sites.iter() {
                let at = Registers { to: site, ..c.at };
                if self.only.is_none_or(|only| only.fits(c, site))
                    && holds(self.condition.as_ref(), c, at)
                {
                    out.insert(site);
                }
            }
            c.free(sites);
        });
    }
}

fn expand(args: &mut Args<'_, '_, '_>) -> Result<Region> {
    let origin = args.one_region(&["origin", "region"])?;
    let steps = args.int_or("steps", 1)?;
    let directions = args.directions(Direction::Adjacent)?;
    if let (Region::Fixed(sites), Some(steps), Dirs::Fixed(table)) =
        (&origin, steps.fixed(), &directions)
    {
        let equipment = args.lower.equipment;
        let mut sites = sites.clone();
        for _ in 0..steps.min(equipment.sites as i32) {
            let rays = sites.iter().flat_map(|site| table.of(site));
            let more = rays.map(|&ray| equipment.directions.line(ray)[0] as i32);
            let more = args.lower.sites_of(more);
            sites.add(more.words());
        }
        return Ok(Region::Fixed(sites));
    }
    Ok(Region::of_node(Expand { origin, steps, directions }))
}

node! {
    /// Sites and those around them.
    struct Expand = "expand", iterators NONE { origin: Region, steps: Int, directions: Dirs }
}

impl SiteSet for Expand {
    fn fill(&self, c: &mut Context<'_>, out: &mut Sites) {
        let mut sites = c.sites();
        self.origin.fill(c, &mut sites);
        let equipment = c.equipment;
        for _ in 0..self.steps.get(c) {
            let mut more = c.sites();
            for site in sites.iter() {
                for &ray in self.directions.rays(c, site).iter() {
                    more.insert(equipment.directions.line(ray)[0] as i32);
                }
            }
            sites.add(more.words());
            c.free(more);
        }
        out.add(sites.words());
        c.free(sites);
    }
}

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::sites;

    #[test]
    fn sites_around_may_be_limited_by_direction_and_content() {
        let start = "(place \"Disc1\" {1 3}) (place \"Disc2\" 4)";
        assert_eq!(sites(start, "(sites Around 0)"), [1, 3, 4]);
        assert_eq!(sites(start, "(sites Around 0 Orthogonal)"), [1, 3]);
        assert_eq!(sites(start, "(sites Around 0 includeSelf:True)"), [0, 1, 3, 4]);
        assert_eq!(sites(start, "(sites Around 0 Enemy)"), [4]);
    }
}
