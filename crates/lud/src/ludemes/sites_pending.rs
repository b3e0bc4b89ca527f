//! `(sites Pending)`, `(sites ToClear)`, `(sites LastTo)`, `(sites LastFrom)`, `(sites Playable)`, `(sites)`: sites that
//! the state keeps.

use super::prelude::*;
use crate::engine::groups::Near;

pub(super) const FORMS: &[Form] = &[
    region(
        "sites",
        "The sites that are looked at, such as those of a group.",
        "(forEach Group (remove (sites)))",
        |_| Ok(Region::of_node(SitesNow {})),
    ),
    region(
        "sites sitesSimpleType=ToClear [siteType]",
        "The sites whose pieces leave at the end of the turn.",
        "(sites ToClear)",
        |_| Ok(Region::of_node(ToClear {})),
    )
    .on_board(),
    region(
        "sites sitesSimpleType=Pending [siteType]",
        "The sites that wait for this move.",
        "(sites Pending)",
        |_| Ok(Region::of_node(Pending {})),
    )
    .on_board(),
    region(
        "sites sitesSimpleType=LastTo [siteType]",
        "The sites at which actions of the last move ended.",
        "(sites LastTo)",
        |_| Ok(Region::of_node(Touched { end: 1 })),
    )
    .needs(Parts::TOUCHED)
    .asks_for_kind()
    .on_board(),
    region(
        "sites sitesSimpleType=LastFrom [siteType]",
        "The sites at which actions of the last move began.",
        "(sites LastFrom)",
        |_| Ok(Region::of_node(Touched { end: 0 })),
    )
    .needs(Parts::TOUCHED)
    .asks_for_kind()
    .on_board(),
    region(
        "sites sitesSimpleType=Playable [siteType]",
        "The empty sites next to a piece.",
        "(sites Playable)",
        |args| Ok(Region::of_node(Playable { near: args.near()? })),
    )
    .on_board(),
];

node! {
    /// The sites that `(sites)` stands for.
    struct SitesNow = "sites" {}
}

impl SiteSet for SitesNow {
    fn fill(&self, c: &mut Context<'_>, out: &mut Sites) {
        if let Some(region) = &c.region {
            out.add(region.words());
        }
    }
}

node! {
    /// The sites whose pieces leave at the end of the turn.
    struct ToClear = "sites ToClear", reads CLEARING {}
}

impl SiteSet for ToClear {
    fn fill(&self, c: &mut Context<'_>, out: &mut Sites) {
        c.state.to_clear.iter().for_each(|&site| out.insert(site));
    }
}

node! {
    /// The sites that wait.
    struct Pending = "sites Pending", reads PENDING {}
}

impl SiteSet for Pending {
    fn fill(&self, c: &mut Context<'_>, out: &mut Sites) {
        c.state.pending.iter().for_each(|&site| out.insert(site));
    }
}

node! {
    /// The sites that the last move touched: its beginnings (0), or its ends (1).
    struct Touched = "sites LastTo", reads TOUCHED { end: usize }
}

impl SiteSet for Touched {
    fn fill(&self, c: &mut Context<'_>, out: &mut Sites) {
        c.state.touched[self.end.min(1)].iter().for_each(|&site| out.insert(site));
    }
}

node! {
    /// The empty sites next to a piece.
    struct Playable = "sites Playable", reads CELLS { near: Near }
}

impl SiteSet for Playable {
    fn fill(&self, c: &mut Context<'_>, out: &mut Sites) {
        let (mut taken, mut next, layout) = (c.sites(), c.sites(), c.rules.layout);
        taken.add(c.equipment.on_board.words());
        taken.subtract(c.state.empty(layout));
        self.near.around(c, &taken, &mut next);
        out.add_both(next.words(), c.state.empty(layout));
        c.free(next);
        c.free(taken);
    }
}

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::sites;

    #[test]
    fn empty_sites_next_to_pieces_are_playable() {
        assert_eq!(sites("(place \"Disc1\" 0)", "(sites Playable)"), [1, 3, 4]);
        assert_eq!(sites("(place \"Disc1\" {0 1})", "(sites Playable)"), [2, 3, 4, 5]);
    }
}
