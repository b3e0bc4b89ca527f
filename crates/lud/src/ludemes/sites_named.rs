//! `(sites "Name")`, `(sites P1)`, `(sites {1 2})`, `(sites {"A1"})`, `(sites 5 {{F R F}})`: sites by name, number, label
//! or walk.

use std::sync::Arc;

use super::prelude::*;
use super::sets::Join;
use crate::engine::equipment::NamedRegion;
use crate::engine::leap::{Turn, walk};

pub(super) const FORMS: &[Form] = &[
    region(
        "sites [siteType] {string}",
        "The sites of these labels.",
        "(sites {\"A1\" \"B2\"})",
        |args| match args.named_kind() {
            None => args.region("{string}"),
            Some(kind) => {
                let labels = args.value("{string}")?.items().iter().filter_map(Value::text);
                let sites = labels.map(|label| args.lower.site_labelled(label, kind));
                let sites: Option<Vec<i32>> = sites.collect();
                Ok(Region::Fixed(args.lower.sites_of(sites.ok_or_else(|| args.unsupported())?)))
            }
        },
    )
    .on_all_kinds()
    .on_board(),
    region("sites ({int} | ints)", "These sites.", "(sites {0 1 2})", |args| {
        args.one_region(&["{int}", "ints"])
    })
    .on_board(),
    region(
        "sites [siteType] [int] {{stepType}} [rotations:boolean]",
        "The sites at which walks from the site end.",
        "(sites (to) {{F F R F}})",
        walked,
    )
    .on_board(),
    region(
        "sites ([player] | [roleType]) [siteType] [string]",
        "The sites of the player's regions, or of those of this name.",
        "(sites Mover \"Home\")",
        named,
    )
    .on_all_kinds(),
];

fn named(args: &mut Args<'_, '_, '_>) -> Result<Region> {
    let who = args.try_who(&["player", "roleType"])?;
    let (name, ludeme) = (args.text("string"), args.ludeme);
    if name.is_none() && who.is_none() {
        return Err(args.unsupported());
    }
    // A name may end in its owner.
    let means = |region: &&NamedRegion| {
        name.is_none_or(|name| {
            region.name == name
                || who.is_some() && region.name == format!("{name}P{}", region.owner)
        })
    };
    let mut list = Vec::new();
    for region in args.lower.equipment.regions.iter().filter(means) {
        let sites =
            args.lower.by_name(ludeme, |lower| lower.region_values(&region.sites, ludeme))?;
        list.push((region.owner, sites));
    }
    if list.is_empty()
        && let Some(site) = name.and_then(|label| args.lower.site(label))
    {
        return Ok(Region::Fixed(args.lower.sites_of([site])));
    }
    let Some(who) = who else {
        // A name that no region has stands for no sites (decided by Pachisi and Kensington).
        let parts = list.into_iter().map(|(_, region)| region).collect();
        return Ok(args.lower.combined(parts, Join::Union));
    };
    if list.is_empty() {
        return Err(args.unsupported());
    }
    Ok(Region::of_node(SitesNamed { who, regions: list }))
}

node! {
    /// The regions of players.
    struct SitesNamed = "sites" { who: Who, regions: Vec<(usize, Region)> }
}

impl SitesNamed {
    fn of(&self, who: u32) -> impl Iterator<Item = &Region> {
        let own = self.regions.iter().filter(move |(owner, _)| who >> owner & 1 == 1);
        own.map(|(_, region)| region)
    }
}

impl SiteSet for SitesNamed {
    fn fill(&self, c: &mut Context<'_>, out: &mut Sites) {
        let who = self.who.get(c);
        self.of(who).for_each(|region| region.fill(c, out));
    }

    fn contains(&self, c: &mut Context<'_>, site: i32) -> bool {
        let who = self.who.get(c);
        self.of(who).any(|region| region.contains(c, site))
    }
}

fn walked(args: &mut Args<'_, '_, '_>) -> Result<Region> {
    let from = args.try_int("int")?.unwrap_or(Int::From);
    let walks = Turn::walks(args.value("{{stepType}}")?).ok_or_else(|| args.unsupported())?;
    let turned = args.flag("rotations", true)?;
    let equipment = args.lower.equipment;
    let ends = |site: usize| {
        let all = walks.iter().flat_map(|steps| walk(equipment, site, steps));
        // Walks that are not turned begin to the north.
        let all = all.filter(|&(bearing, _)| turned || bearing.abs() < 10.0);
        all.map(|(_, end)| end).collect()
    };
    let place = args.place();
    let sites = place.iter().last().map_or(0, |last| last as usize + 1);
    let on = |site: usize| if place.contains(site as i32) { ends(site) } else { Vec::new() };
    let table: Vec<Vec<u32>> = (0..sites).map(on).collect();
    Ok(Region::of_node(Walked { from, table: Table(Arc::new(table)) }))
}

node! {
    /// Where walks end.
    struct Walked = "sites" { from: Int, table: Table<Arc<Vec<Vec<u32>>>> }
}

impl SiteSet for Walked {
    fn fill(&self, c: &mut Context<'_>, out: &mut Sites) {
        let from = self.from.get(c);
        let ends = usize::try_from(from).ok().and_then(|from| self.table.get(from));
        ends.into_iter().flatten().for_each(|&site| out.insert(site as i32));
    }
}

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::sites;

    #[test]
    fn sites_are_named_by_labels_and_by_owned_regions() {
        assert_eq!(sites("", "(sites {\"A1\" \"C3\"})"), [0, 8]);
        assert_eq!(sites("", "(sites P1)"), [0, 2, 3, 5, 6, 8]);
    }
}
