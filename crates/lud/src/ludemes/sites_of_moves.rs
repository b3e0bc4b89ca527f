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
    region(
        "sites sitesMoveType=Between moves",
        "The sites over which the moves go, from their origins to their ends.",
        "(sites Between (forEach Piece))",
        |args| Ok(Region::of_node(SitesBetweenMoves { moves: args.moves("moves")? })),
    )
    .on_board(),
];

node! {
    /// The sites over which moves go.
    struct SitesBetweenMoves = "sites Between" { moves: Generator }
}

impl SiteSet for SitesBetweenMoves {
    fn fill(&self, c: &mut Context<'_>, out: &mut Sites) {
        let mut list = c.moves();
        self.moves.generate(c, &mut list);
        let directions = &c.equipment.directions;
        for head in &list.heads {
            let Ok(from) = usize::try_from(head.from) else { continue };
            let lines = directions.of(from).map(|ray| directions.line(ray));
            let way = lines.filter_map(|line| {
                let end = line.iter().position(|&site| site as i32 == head.to)?;
                line.get(..end)
            });
            if let Some(way) = way.min_by_key(|way| way.len()) {
                way.iter().for_each(|&site| out.insert(site as i32));
            }
        }
        c.free_moves(list);
    }
}

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

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::sites;

    #[test]
    fn moves_begin_and_end_on_sites() {
        let step = "(move Step (from 0) Orthogonal (to if:(is Empty (to))))";
        assert_eq!(sites("(place \"Disc1\" 0)", &format!("(sites To {step})")), [1, 3]);
        assert_eq!(sites("(place \"Disc1\" {0 1})", &format!("(sites To {step})")), [3]);
        assert_eq!(sites("(place \"Disc1\" 0)", &format!("(sites From {step})")), [0]);
    }
}
