//! `(sites LargePiece …)` and `(size LargePiece …)`: the sites on which a large piece lies.

use super::prelude::*;

pub(super) const FORMS: &[Form] = &[
    region(
        "sites LargePiece [siteType] at:int",
        "The sites on which the piece on a site lies.",
        "(sites LargePiece at:(last To))",
        |args| Ok(Region::of_node(SitesLarge { at: Region::One(args.int("at")?) })),
    )
    .on_board(),
    number(
        "size LargePiece [siteType] (in:region | at:int)",
        "The number of sites on which the pieces of a region lie.",
        "(size LargePiece at:(last To))",
        |args| {
            let at = args.one_region(&["in", "at"])?;
            Ok(Int::of(SizeLarge { sites: SitesLarge { at } }))
        },
    )
    .on_board(),
];

node! {
    /// The sites on which pieces lie.
    struct SitesLarge = "sites LargePiece", reads CELLS | STATES { at: Region }
}

inner!(SitesLarge);

impl SiteSet for SitesLarge {
    fn fill(&self, c: &mut Context<'_>, out: &mut Sites) {
        self.at.each(c, |c, site| {
            let cell = c.cell(site);
            if cell.what != 0 {
                out.insert(site);
            }
            if let Some(large) = &c.equipment.large {
                let others = large.cover(site.max(0) as usize, cell.what, cell.state);
                others.iter().for_each(|&other| out.insert(other as i32));
            }
            true
        });
    }
}

node! {
    /// The number of sites on which pieces lie.
    struct SizeLarge = "size LargePiece" { sites: SitesLarge }
}

impl Number for SizeLarge {
    fn get(&self, c: &mut Context<'_>) -> i32 {
        self.sites.size(c)
    }
}
