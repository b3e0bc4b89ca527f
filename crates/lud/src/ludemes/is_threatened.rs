//! `(is Threatened …)`: could an opponent take a piece?

use super::prelude::*;
use crate::engine::questions;

pub(super) const FORMS: &[Form] = &[condition(
    "is isComponentType=Threatened [int] [siteType] ([at:int] | [in:region]) [moves]",
    "An opponent has a move that takes the piece: of this kind, on these sites, by these moves.",
    "(not (is Threatened (id \"King\" Mover)))",
    read,
)
.looks_ahead()
.on_all_kinds()
.on_board()];

fn read(args: &mut Args<'_, '_, '_>) -> Result<Bool> {
    let (what, region) = (args.try_int("int")?, args.try_region(&["at", "in"])?);
    Ok(Bool::of(IsThreatened { what, region, moves: args.try_moves("moves")? }))
}

node! {
    /// An opponent could take a piece.
    struct IsThreatened = "is Threatened", reads CELLS | TURN | TEAMS {
        /// The kind of the piece.
        what: Option<Int>,
        /// On these sites.
        region: Option<Region>,
        /// By these moves, or by those of the phase.
        moves: Option<Generator>,
    }
}

impl Condition for IsThreatened {
    fn is_free(&self) -> bool {
        // The moves of the phase are listed without iterators.
        let plain = self.region.is_none() && self.moves.is_none();
        plain && self.what.as_ref().is_none_or(Int::is_free)
    }

    fn holds(&self, c: &mut Context<'_>) -> bool {
        let piece = self.what.as_ref().map(|what| what.player(c));
        let moves = self.moves.as_ref();
        if let Some(region) = &self.region {
            return region.any(c, |c, site| questions::threatened(c, site, piece, moves));
        }
        // All sites with such a piece; without a kind of piece, all sites (decided by the end of Safe Passage).
        let layout = c.rules.layout;
        let mut sites = c.sites();
        match piece {
            Some(0) => {}
            Some(what) => sites.add(c.state.owned(layout, c.owner(what))),
            None => {
                sites.add(c.equipment.on_board.words());
                sites.subtract(c.state.empty(layout));
            }
        }
        let hit = sites.iter().any(|site| {
            piece.is_none_or(|what| c.what(site) == what)
                && questions::threatened(c, site, piece, moves)
        });
        c.free(sites);
        hit
    }
}
