//! `(is Pattern …)` and `(sites Pattern …)`: pieces on all sites of a walk.

use super::prelude::*;
use crate::engine::leap::{Turn, walk};

pub(super) const FORMS: &[Form] = &[
    condition(
        "is Pattern {stepType} [siteType] [from:int] ([what:int] | [whats:{int}])",
        "A walk from the site in one of the directions has such pieces on all its sites.",
        "(is Pattern {F R F R F})",
        |args| Ok(Bool::of(IsPattern { pattern: read(args)? })),
    )
    .on_all_kinds()
    .on_board(),
    region(
        "sites Pattern {stepType} [siteType] [from:int] ([what:int] | [whats:{int}])",
        "The sites of all such walks.",
        "(remove (sites Pattern {F R F R F}))",
        |args| Ok(Region::of_node(SitesPattern { pattern: read(args)? })),
    )
    .on_all_kinds()
    .on_board(),
];

fn read(args: &mut Args<'_, '_, '_>) -> Result<Pattern> {
    let from = args.site_or_last("from")?;
    let whats = match args.try_int("what")? {
        Some(what) => vec![what],
        None => args.int_items("whats")?,
    };
    let steps = args.value("{stepType}")?;
    let steps = Turn::walk(steps).ok_or_else(|| args.unsupported())?;
    let place = args.place();
    let sites = place.iter().last().map_or(0, |last| last as usize + 1);
    let walks = (0..sites).map(|site| match place.contains(site as i32) {
        true => walked(args, site, &steps),
        false => Vec::new(),
    });
    let walks = walks.collect();
    Ok(Pattern { from, whats, walks: Table(walks) })
}

/// All sites of the walks from a site, one for each direction in which they stay on the board.
fn walked(args: &Args<'_, '_, '_>, site: usize, steps: &[Turn]) -> Vec<Vec<i32>> {
    let equipment = args.lower.equipment;
    let prefixes = (0..=steps.len()).filter(|&n| n == 0 || steps[n - 1] == Turn::Forward);
    let all: Vec<Vec<(f64, u32)>> = prefixes.map(|n| walk(equipment, site, &steps[..n])).collect();
    let whole = walk(equipment, site, steps);
    let sites_of = |&(bearing, _): &(f64, u32)| {
        let at = |ends: &Vec<(f64, u32)>| {
            ends.iter().find(|(other, _)| *other == bearing).map(|&(_, end)| end as i32)
        };
        all.iter().filter_map(at).collect()
    };
    whole.iter().map(sites_of).collect()
}

node! {
    /// Walks with pieces on all their sites.
    struct Pattern = "pattern", reads CELLS {
        from: Int,
        /// The kinds of pieces, again from the first after the last; the piece on the first site where there is none.
        whats: Vec<Int>,
        /// By site: the sites of each walk, itself first.
        walks: Table<Vec<Vec<Vec<i32>>>>,
    }
}

inner!(Pattern);

impl Pattern {
    /// Goes over the walks that have such pieces until `f` says no.
    fn each(&self, c: &mut Context<'_>, mut f: impl FnMut(&[i32]) -> bool) {
        let site = self.from.get(c);
        let Some(walks) = usize::try_from(site).ok().and_then(|site| self.walks.get(site)) else {
            return;
        };
        let mut kinds = c.list();
        kinds.extend(self.whats.iter().map(|what| what.get(c)));
        if self.whats.is_empty() {
            kinds.push(c.what(site) as i32);
        }
        for walk in walks {
            let mut pairs = walk.iter().zip(kinds.iter().cycle());
            let fits = pairs.all(|(&site, &kind)| kind > 0 && c.what(site) as i32 == kind);
            if fits && !f(walk) {
                break;
            }
        }
        c.free_list(kinds);
    }
}

node! {
    /// The walk can be found on the board.
    struct IsPattern = "is Pattern" { pattern: Pattern }
}

impl Condition for IsPattern {
    fn holds(&self, c: &mut Context<'_>) -> bool {
        let mut found = false;
        self.pattern.each(c, |_| {
            found = true;
            false
        });
        found
    }
}

node! {
    /// The sites of such walks.
    struct SitesPattern = "sites Pattern" { pattern: Pattern }
}

impl SiteSet for SitesPattern {
    fn fill(&self, c: &mut Context<'_>, out: &mut Sites) {
        self.pattern.each(c, |walk| {
            walk.iter().for_each(|&site| out.insert(site));
            true
        });
    }
}

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::{holds, sites};

    #[test]
    fn the_sites_of_a_pattern_are_those_of_all_its_walks() {
        let corner = "(place \"Disc1\" {0 1 4})";
        assert_eq!(sites(corner, "(sites Pattern {F R F} from:4)"), [0, 1, 4]);
        assert_eq!(sites(corner, "(sites Pattern {F L F} from:0)"), [0, 1, 4]);
        assert!(sites(corner, "(sites Pattern {F L F} from:4)").is_empty());
        assert!(sites(corner, "(sites Pattern {F L F} from:0 what:(id \"Disc2\"))").is_empty());
        assert!(holds(corner, "(is Pattern {F R F} from:4)"));
        assert!(!holds(corner, "(is Pattern {F L F} from:4)"));
    }
}
