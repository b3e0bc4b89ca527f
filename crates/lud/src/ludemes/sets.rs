//! `(union …)`, `(intersection …)`, `(difference …)`, `(if …)`, `(forEach …)`: regions made of others.

use super::prelude::*;
use crate::compile::Value;
use crate::engine::functions::fills_with;
use crate::engine::ways::asks_for_ways;

pub(super) const FORMS: &[Form] = &[
    region(
        "forEach region If:boolean",
        "The sites of the region for whose `(site)` the condition holds.",
        "(forEach (sites Board) if:(is Empty (site)))",
        |args| {
            let condition = args.ludeme.labelled("if").and_then(Value::call);
            let ways = condition.is_some_and(|condition| asks_for_ways(condition));
            let region = args.region("region")?;
            let filter = Region::Filter(Box::new(region), args.bool("if")?);
            Ok(if ways { Region::of_node(ForEachOnWays { filter }) } else { filter })
        },
    ),
    region(
        "forEach of:region region",
        "The second region for each `(site)` of the first, together.",
        "(forEach of:(sites Occupied by:P1) (sites Around (site)))",
        |args| {
            Ok(Region::of_node(ForEachSite {
                of: args.region("of")?,
                each: args.region("region")?,
            }))
        },
    ),
    region(
        "forEach ints region",
        "The region for each `(player)` of the list, together.",
        "(forEach (players Enemy) (sites Occupied by:Player))",
        |args| {
            Ok(Region::of_node(ForEachPlayer {
                players: args.ints("ints")?,
                each: args.region("region")?,
            }))
        },
    ),
    region(
        "forEach Team region",
        "The region for each team, whose players are `(team)`, together.",
        "(forEach Team (forEach (team) (sites Occupied by:Player)))",
        |args| Ok(Region::of_node(ForEachTeam { each: args.region("region")? })),
    )
    .needs(Parts::TEAMS),
    region(
        "difference region (region | int)",
        "The sites of the first region that are not in the second.",
        "(difference (sites Board) (sites Corners))",
        |args| combined(args, Join::Difference),
    ),
    region(
        "if boolean region [region]",
        "The first region if the condition holds, else the second.",
        "(if (is Mover P1) (sites Top) (sites Bottom))",
        |args| {
            let (condition, yes) = (args.bool("boolean")?, args.region("region")?);
            Ok(Region::of_node(If { condition, yes, no: args.try_region(&["region"])? }))
        },
    ),
    region(
        "intersection region region",
        "The sites of both regions.",
        "(intersection (sites Empty) (sites Top))",
        |args| combined(args, Join::Intersection),
    ),
    region(
        "intersection {region}",
        "The sites of all regions.",
        "(intersection {(sites Empty) (sites Top)})",
        |args| combined(args, Join::Intersection),
    ),
    region(
        "union region region",
        "The sites of either region.",
        "(union (sites Top) (sites Bottom))",
        |args| combined(args, Join::Union),
    ),
    region(
        "union {region}",
        "The sites of any of the regions.",
        "(union {(sites Top) (sites Bottom)})",
        |args| combined(args, Join::Union),
    ),
];

/// How regions are made one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Join {
    Union,
    Intersection,
    /// The first without the others.
    Difference,
}

impl Join {
    #[inline]
    pub(crate) fn join(self, sites: &mut Sites, other: &[u64]) {
        match self {
            Join::Union => sites.add(other),
            Join::Intersection => sites.keep(other),
            Join::Difference => sites.subtract(other),
        }
    }
}

fn combined(args: &mut Args<'_, '_, '_>, how: Join) -> Result<Region> {
    let values = args.items();
    let parts = values.into_iter().map(|value| args.lower.region(value, args.ludeme));
    let parts = parts.collect::<Result<Vec<Region>>>()?;
    Ok(args.lower.combined(parts, how))
}

/// Regions made one by an operation on sets.
pub(crate) struct Combined {
    pub(crate) parts: Vec<Region>,
    pub(crate) how: Join,
}

impl Node for Combined {
    fn name(&self) -> &'static str {
        match self.how {
            Join::Union => "union",
            Join::Intersection => "intersection",
            Join::Difference => "difference",
        }
    }

    fn iterators(&self) -> Iterators {
        Iterators::NONE
    }

    fn fields(&self, visit: &mut dyn FnMut(&'static str, &dyn Field)) {
        visit("parts", &self.parts);
    }
}

/// No more sites are asked one by one whether they are in another set.
const FEW: usize = 8;

impl Combined {
    /// Keeps the sites that are in a part, or those that are not where it is taken away.
    fn sift(&self, c: &mut Context<'_>, part: &Region, sites: &mut Sites) {
        let mut rest = c.sites();
        rest.add(sites.words());
        for site in rest.iter() {
            if part.contains(c, site) == (self.how == Join::Difference) {
                sites.remove(site);
            }
        }
        c.free(rest);
    }

    /// Sets of different kinds of elements are sets of their numbers (decided by Morpion Solitaire, ply 0).
    fn with_planes(&self, c: &mut Context<'_>, part: &Region, sites: &mut Sites) {
        part.of(c, |c, other| match c.equipment.same_kind(sites, other) {
            true => self.how.join(sites, other.words()),
            false => {
                let mut plain = c.sites();
                c.equipment.as_elements(sites, &mut plain);
                sites.clear();
                sites.add(plain.words());
                plain.clear();
                c.equipment.as_elements(other, &mut plain);
                self.how.join(sites, plain.words());
                c.free(plain);
            }
        });
    }
}

impl SiteSet for Combined {
    fn contains(&self, c: &mut Context<'_>, site: i32) -> bool {
        // Sets of different kinds of elements are not told apart by their sites alone, and chance draws for all parts.
        if !c.equipment.planes.is_empty() || c.rules.random {
            return fills_with(self, c, site);
        }
        match self.how {
            Join::Union => self.parts.iter().any(|part| part.contains(c, site)),
            Join::Intersection => {
                !self.parts.is_empty() && self.parts.iter().all(|part| part.contains(c, site))
            }
            Join::Difference => {
                let mut parts = self.parts.iter();
                parts.next().is_some_and(|part| part.contains(c, site))
                    && !parts.any(|part| part.contains(c, site))
            }
        }
    }

    fn is_dear(&self) -> bool {
        true
    }

    fn is_quick(&self, c: &Context<'_>) -> bool {
        let plain = c.equipment.planes.is_empty() && !c.rules.random;
        plain && self.parts.iter().all(|part| part.is_quick(c))
    }

    fn fill(&self, c: &mut Context<'_>, out: &mut Sites) {
        // An empty set needs no other one to work on.
        let first = out.is_empty();
        let mut sites = if first { std::mem::take(out) } else { c.sites() };
        // Chance draws for all parts, and sites of other kinds are not told apart by themselves.
        let plain = c.equipment.planes.is_empty() && !c.rules.random;
        let cuts = plain && self.how != Join::Union;
        for (number, part) in self.parts.iter().enumerate() {
            match number {
                0 => part.fill(c, &mut sites),
                _ if cuts && sites.is_empty() => break,
                _ if cuts && part.is_dear(c) && sites.len() <= FEW => {
                    self.sift(c, part, &mut sites);
                }
                _ if c.equipment.planes.is_empty() => {
                    part.of(c, |_, other| self.how.join(&mut sites, other.words()));
                }
                _ => self.with_planes(c, part, &mut sites),
            }
        }
        if first {
            *out = sites;
        } else {
            out.add(sites.words());
            c.free(sites);
        }
    }
}

node! {
    /// One of two regions, or none.
    struct If = "if", iterators NONE { condition: Bool, yes: Region, no: Option<Region> }
}

impl SiteSet for If {
    fn fill(&self, c: &mut Context<'_>, out: &mut Sites) {
        if self.condition.holds(c) {
            self.yes.fill(c, out);
        } else if let Some(no) = &self.no {
            no.fill(c, out);
        }
    }
}

node! {
    /// The sites of a region for which a condition holds that asks for ways. The state does not change meanwhile.
    struct ForEachOnWays = "forEach" { filter: Region }
}

impl SiteSet for ForEachOnWays {
    fn fill(&self, c: &mut Context<'_>, out: &mut Sites) {
        let opens = c.pad.ways.open();
        self.filter.fill(c, out);
        if opens {
            c.pad.ways.close();
        }
    }
}

node! {
    /// A region for each site.
    struct ForEachSite = "forEach" { of: Region, each: Region }
}

impl SiteSet for ForEachSite {
    fn fill(&self, c: &mut Context<'_>, out: &mut Sites) {
        self.of.each(c, |c, site| {
            c.with(Registers { site, ..c.at }, |c| self.each.fill(c, out));
            true
        });
    }
}

node! {
    /// A region for each player.
    struct ForEachPlayer = "forEach" { players: Ints, each: Region }
}

impl SiteSet for ForEachPlayer {
    fn fill(&self, c: &mut Context<'_>, out: &mut Sites) {
        self.players.of(c, |c, players| {
            for &player in &*players {
                c.with(Registers { player, ..c.at }, |c| self.each.fill(c, out));
            }
        });
    }
}

/// The sites of a list of numbers.
pub(crate) fn listed(list: Ints) -> Region {
    Region::of_node(Listed { list })
}

node! {
    /// The sites of a list of numbers.
    struct Listed = "sites", iterators NONE { list: Ints }
}

impl SiteSet for Listed {
    fn fill(&self, c: &mut Context<'_>, out: &mut Sites) {
        self.list.of(c, |_, list| list.iter().for_each(|&site| out.insert(site)));
    }
}

node! {
    /// A region for each team.
    struct ForEachTeam = "forEach Team", reads TEAMS { each: Region }
}

impl SiteSet for ForEachTeam {
    fn fill(&self, c: &mut Context<'_>, out: &mut Sites) {
        c.each_team(|c| self.each.fill(c, out));
    }
}

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::sites;

    #[test]
    fn regions_are_joined_cut_and_taken_away() {
        assert_eq!(sites("", "(union (sites Top) (sites Left))"), [0, 3, 6, 7, 8]);
        assert_eq!(sites("", "(intersection (sites Top) (sites Left))"), [6]);
        assert_eq!(sites("", "(difference (sites Top) (sites Left))"), [7, 8]);
        assert_eq!(sites("", "(expand (sites {0}) Orthogonal)"), [0, 1, 3]);
    }
}
