//! `(is Loop …)`: do pieces of a player surround at least one site?

use super::prelude::*;
use crate::engine::groups::{Near, group};

pub(super) const FORMS: &[Form] = &[
    condition(
    "is Loop [siteType] ([surround:roleType] | [{roleType}]) [direction] [int] ([int] | [region]) [path:boolean]",
    "The group of the last piece is a ring around a site: any site, or one with a piece of these players.",
    "(end (if (is Loop) (result Mover Win)))",
    |args| match args.flag("path", false)? {
        true => {
            let colour = args.try_int("int")?.unwrap_or(Int::Mover);
            let start = args.try_region(&["int", "region"])?;
            Ok(Bool::of(super::paths::PathLoop { colour, start }))
        }
        false => Ok(Bool::of(read(args)?)),
    },
)
.on_all_kinds()
.on_board()
.refuses("directions and pieces inside of loops of paths: no public description has them"),
    region(
        "sites Loop [inside:boolean] [siteType] ([surround:roleType] | [{roleType}]) [direction] [int] ([int] | [region])",
        "The sites of the last piece's group that lie around a site, or the sites inside.",
        "(remove (sites Loop inside:True))",
        |args| {
            let inner = args.flag("inside", false)?;
            Ok(Region::of_node(SitesLoop { ring: read(args)?, inner }))
        },
    ).on_all_kinds()
    .on_board(),
];

fn read(args: &mut Args<'_, '_, '_>) -> Result<IsLoop> {
    let inside = match args.try_who(&["surround"])? {
        Some(who) => vec![who],
        None => {
            let roles = args.take("{roleType}").map_or(&[][..], Value::items);
            let roles = roles.iter().map(|role| args.lower.roles(role, args.ludeme));
            roles.collect::<Result<_>>()?
        }
    };
    let ring = args.ring()?;
    let owner = args.try_int("int")?.unwrap_or(Int::Mover);
    let start = args.region_or_last(&["int", "region"])?;
    let border = args.border();
    let (near, directions) = ring;
    let place = Table(args.place());
    Ok(IsLoop { inside, owner, start, near, directions, border, place })
}

impl Args<'_, '_, '_> {
    /// The outer sites of the form's kind of elements.
    pub(super) fn border(&self) -> Sites {
        let (regions, first) = self.named_regions();
        self.lower.sites_of(regions.outer.iter().map(|&site| site as i32 + first))
    }

    /// The directions in two forms: as neighbours of groups, and one by one.
    fn ring(&mut self) -> Result<(Near, Dirs)> {
        let value = self.peek("direction");
        let near = self.near()?;
        let directions = match value {
            Some(value) => self.lower.directions(value, self.ludeme)?,
            None => self.lower.rays(&[Direction::Adjacent]),
        };
        Ok((near, directions))
    }
}

node! {
    /// Pieces surround a site.
    struct IsLoop = "is Loop", reads CELLS {
        /// A site with a piece of these players, or any.
        inside: Vec<Who>,
        owner: Int,
        start: Region,
        near: Near,
        directions: Dirs,
        border: Sites,
        place: Table<Sites>,
    }
}

impl Condition for IsLoop {
    fn holds(&self, c: &mut Context<'_>) -> bool {
        self.start.any(c, |c, site| self.enclosed(c, site, |_, _, _| true))
    }
}

impl IsLoop {
    /// Goes over the sites that the group of a site encloses until `f` says yes: did it? `f` sees the group, too.
    fn enclosed(
        &self,
        c: &mut Context<'_>,
        site: i32,
        mut f: impl FnMut(&mut Context<'_>, &Sites, i32) -> bool,
    ) -> bool {
        let owner = self.owner.get(c);
        if c.who(site) as i32 != owner {
            return false;
        }
        let inside = match self.inside.is_empty() {
            true => u32::MAX,
            false => self.inside.iter().fold(0, |bits, who| bits | who.get(c)),
        };
        let mut ring = c.sites();
        group(c, site, &self.near, None, &mut ring);
        let outside = self.outside(c, &ring);
        let equipment = c.equipment;
        let found = self.place.iter().any(|site| {
            let enclosed = match ring.contains(site) {
                // One of the group itself, in the midst of others.
                true => {
                    let all = self.directions.rays(c, site);
                    let mut near = all.iter().map(|&ray| equipment.directions.line(ray)[0] as i32);
                    !self.border.contains(site) && near.all(|next| ring.contains(next))
                }
                false => !outside.contains(site),
            };
            enclosed && inside >> c.who(site) & 1 == 1 && f(c, &ring, site)
        });
        c.free(ring);
        c.free(outside);
        found
    }

    /// The sites that can be reached from the border without stepping on a ring.
    fn outside(&self, c: &mut Context<'_>, ring: &Sites) -> Sites {
        let (mut outside, mut todo) = (c.sites(), c.list());
        todo.extend(self.border.iter().filter(|&site| !ring.contains(site)));
        todo.iter().for_each(|&site| outside.insert(site));
        let equipment = c.equipment;
        while let Some(here) = todo.pop() {
            for &ray in self.directions.rays(c, here).iter() {
                let next = equipment.directions.line(ray)[0] as i32;
                if !ring.contains(next) && !outside.contains(next) {
                    outside.insert(next);
                    todo.push(next);
                }
            }
        }
        c.free_list(todo);
        outside
    }
}

inner!(IsLoop);

node! {
    /// The sites of a ring, or those inside.
    struct SitesLoop = "sites Loop" { ring: IsLoop, inner: bool }
}

impl SiteSet for SitesLoop {
    fn fill(&self, c: &mut Context<'_>, out: &mut Sites) {
        self.ring.start.each(c, |c, start| {
            let equipment = c.equipment;
            self.ring.enclosed(c, start, |c, ring, site| {
                if self.inner {
                    out.insert(site);
                    return false;
                }
                for &ray in self.ring.directions.rays(c, site).iter() {
                    let next = equipment.directions.line(ray)[0] as i32;
                    if ring.contains(next) {
                        out.insert(next);
                    }
                }
                false
            });
            true
        });
    }
}

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::{holds, sites};

    #[test]
    fn a_loop_has_sites_and_sites_inside() {
        let ring = "(place \"Disc1\" {0 1 2 3 5 6 7 8})";
        assert_eq!(sites(ring, "(sites Loop 1 0)"), [0, 1, 2, 3, 5, 6, 7, 8]);
        assert_eq!(sites(ring, "(sites Loop inside:True 1 0)"), [4]);
        assert!(sites("(place \"Disc1\" {0 1 2 3})", "(sites Loop 1 0)").is_empty());
    }

    #[test]
    fn a_loop_may_be_anybodys_and_have_to_hold_somebody() {
        let ring = "(place \"Disc1\" {0 1 2 3 5 6 7 8})";
        let held = format!("{ring} (place \"Disc2\" 4)");
        assert!(holds(ring, "(is Loop 1 0)") && holds(&held, "(is Loop 1 0)"));
        assert!(!holds(ring, "(is Loop 2 0)") && !holds(ring, "(is Loop 1 4)"));
        assert!(!holds(ring, "(is Loop {P2} 1 0)") && holds(&held, "(is Loop {P2} 1 0)"));
        assert!(holds(&held, "(is Loop {P2 Neutral} 1 (sites {4 8}))"));
    }
}
