//! `(sites From …)` and `(sites To …)`: where moves begin or end.

use super::prelude::*;

pub(super) const FORMS: &[Form] = &[
    region(
        "sites sitesMoveType=From moves",
        "The sites at which the moves begin.",
        "(sites From (forEach Piece))",
        |args| Ok(Region::of_node(SitesOfMoves { moves: args.moves("moves")?, ends: false })),
    )
    .on_board(),
    region(
        "sites sitesMoveType=To moves",
        "The sites at which the moves end.",
        "(sites To (forEach Piece))",
        |args| Ok(Region::of_node(SitesOfMoves { moves: args.moves("moves")?, ends: true })),
    )
    .on_board(),
];

node! {
    /// Where moves end, or begin.
    struct SitesOfMoves = "sites To" { moves: Generator, ends: bool }
}

impl SiteSet for SitesOfMoves {
    fn fill(&self, c: &mut Context<'_>, out: &mut Sites) {
        let mut list = c.moves();
        self.moves.generate(c, &mut list);
        for head in &list.heads {
            out.insert(if self.ends { head.to } else { head.from });
        }
        c.free_moves(list);
    }
}
