//! `(sites Board)`, `(sites Corners)`, `(sites Outer)` and other sites that are the same throughout a game.

use super::prelude::*;
use crate::board::radials::Compass;
use crate::board::regions::Regions;

pub(super) const FORMS: &[Form] = &[
    region(
        "sites sitesSimpleType=Board [siteType]",
        "All sites of the board.",
        "(sites Board)",
        |args| Ok(Region::Fixed(args.lower.equipment.sites_on(args.kind()))),
    )
    .on_all_kinds()
    .on_board(),
    region("sites sitesSimpleType=Top [siteType]", "The highest row.", "(sites Top)", |args| {
        named(args, |r| &r.top)
    })
    .on_all_kinds()
    .on_board(),
    region(
        "sites sitesSimpleType=Bottom [siteType]",
        "The lowest row.",
        "(sites Bottom)",
        |args| named(args, |r| &r.bottom),
    )
    .on_all_kinds()
    .on_board(),
    region(
        "sites sitesSimpleType=Left [siteType]",
        "The leftmost column.",
        "(sites Left)",
        |args| named(args, |r| &r.left),
    )
    .on_all_kinds()
    .on_board(),
    region(
        "sites sitesSimpleType=Right [siteType]",
        "The rightmost column.",
        "(sites Right)",
        |args| named(args, |r| &r.right),
    )
    .on_all_kinds()
    .on_board(),
    region(
        "sites sitesSimpleType=Inner [siteType]",
        "The sites that are not at the border.",
        "(sites Inner)",
        |args| named(args, |r| &r.inner),
    )
    .on_all_kinds()
    .on_board(),
    region(
        "sites sitesSimpleType=Outer|Perimeter [siteType]",
        "The sites at the border.",
        "(sites Outer)",
        |args| named(args, |r| &r.outer),
    )
    .on_all_kinds()
    .on_board(),
    region("sites sitesSimpleType=Corners [siteType]", "The corners.", "(sites Corners)", |args| {
        named(args, |r| &r.corners)
    })
    .on_all_kinds()
    .on_board(),
    region(
        "sites sitesSimpleType=ConcaveCorners [siteType]",
        "The corners that point inwards.",
        "(sites ConcaveCorners)",
        |args| named(args, |r| &r.concave),
    )
    .on_board(),
    region(
        "sites sitesSimpleType=ConvexCorners [siteType]",
        "The corners that point outwards.",
        "(sites ConvexCorners)",
        |args| named(args, |r| &r.convex),
    )
    .on_board(),
    region(
        "sites sitesSimpleType=Centre [siteType]",
        "The sites in the middle.",
        "(sites Centre)",
        |args| named(args, |r| &r.centre),
    )
    .on_all_kinds()
    .on_board(),
    region(
        "sites Side [siteType] ([player] | [roleType] | [compassDirection])",
        "The sites on a side of the board, or on the side at which the player looks.",
        "(sites Side N)",
        side,
    )
    .on_all_kinds()
    .on_board(),
];

fn named(args: &Args<'_, '_, '_>, which: fn(&Regions) -> &Vec<usize>) -> Result<Region> {
    let (regions, from) = args.named_regions();
    let sites = which(&regions).iter().map(|&site| from + site as i32);
    Ok(Region::Fixed(args.lower.sites_of(sites)))
}

fn side(args: &mut Args<'_, '_, '_>) -> Result<Region> {
    if let Some(word) = args.word("compassDirection") {
        // A board without such a side has no sites there.
        let (regions, from) = args.named_regions();
        let sites = Compass::named(word).and_then(|side| regions.side(side)).unwrap_or_default();
        return Ok(Region::Fixed(
            args.lower.sites_of(sites.iter().map(|&site| from + site as i32)),
        ));
    }
    let who = args.who(&["player", "roleType"])?;
    let (equipment, (regions, from)) = (args.lower.equipment, args.named_regions());
    let side = |&facing: &usize| {
        let side = regions.side(Compass(facing as u8)).unwrap_or_default();
        args.lower.sites_of(side.iter().map(|&site| from + site as i32))
    };
    let sides = equipment.facing.iter().map(side).collect();
    Ok(Region::of_node(Side { who, sides }))
}

node! {
    /// The sides at which players look.
    struct Side = "sites Side" {
        who: Who,
        /// By player.
        sides: Vec<Sites>,
    }
}

impl SiteSet for Side {
    fn fill(&self, c: &mut Context<'_>, out: &mut Sites) {
        let who = self.who.get(c);
        for (_, side) in self.sites(who) {
            out.add(side.words());
        }
    }
}

impl Side {
    fn sites(&self, who: u32) -> impl Iterator<Item = (usize, &Sites)> {
        self.sides.iter().enumerate().filter(move |(player, _)| who >> player & 1 == 1)
    }
}

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::{sites, sites_on};

    #[test]
    fn empty_sites_next_to_pieces_are_playable() {
        assert_eq!(sites("(place \"Disc1\" 0)", "(sites Playable)"), [1, 3, 4]);
        assert!(sites("", "(sites Playable)").is_empty());
    }

    #[test]
    fn corners_turn_around_a_board_or_into_it() {
        let cross = "(merge (shift 0 1 (rectangle 1 3)) (shift 1 0 (rectangle 3 1)))";
        let number = |region: &str| sites_on(cross, "", region).len();
        assert_eq!(number("(sites ConvexCorners)"), 4);
        assert_eq!(number("(sites ConcaveCorners)"), 1);
        assert_eq!(number("(sites Corners)"), 5);
    }

    #[test]
    fn sides_rows_and_columns_are_sites_of_the_board() {
        assert_eq!(sites("", "(sites Top)"), [6, 7, 8]);
        assert_eq!(sites("", "(sites Left)"), [0, 3, 6]);
        assert_eq!(sites("", "(sites Centre)"), [4]);
        assert_eq!(sites("", "(sites Row 1)"), [3, 4, 5]);
        assert_eq!(sites("", "(sites Column 2)"), [2, 5, 8]);
        assert_eq!(sites("", "(sites Phase 1)"), [1, 3, 5, 7]);
    }
}
