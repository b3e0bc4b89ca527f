//! Numbers of places: `(handSite …)`, `(centrePoint)`, `(coord …)`, `(row …)`, `(column …)`, `(layer …)`, `(phase …)`.

use super::prelude::*;
use crate::board::SiteType;
use crate::engine::equipment::Equipment;

pub(super) const FORMS: &[Form] = &[
    number(
        "centrePoint [siteType]",
        "The site in the middle of the board.",
        "(place \"King1\" (centrePoint))",
        |args| {
            let (regions, from) = args.named_regions();
            Ok(Int::Const(regions.centre.first().map_or(OFF, |&site| from + site as i32)))
        },
    )
    .on_all_kinds()
    .on_board(),
    number(
        "column [siteType] of:int",
        "The column of the site.",
        "(= (column of:(to)) 3)",
        |args| {
            let list = args.by_element(|_, element| element.column as i32);
            Ok(lookup("column", args.int("of")?, list))
        },
    )
    .on_all_kinds()
    .sites_in(&["of"])
    .on_board(),
    number("coord [siteType] string", "The site of a label.", "(coord \"A1\")", label)
        .on_all_kinds()
        .on_board(),
    number(
        "coord [siteType] row:int column:int",
        "The site in a row and a column.",
        "(coord row:2 column:3)",
        coord,
    )
    .on_all_kinds()
    .on_board(),
    number(
        "handSite (int | roleType) [int]",
        "A site of the player's hand.",
        "(from (handSite Mover))",
        hand_site,
    ),
    number("layer of:int [siteType]", "The layer of the site.", "(= (layer of:(to)) 1)", |args| {
        let mut list = args.by_element(|_, element| element.layer as i32);
        // Hands lie as low as the board.
        list.resize(args.lower.equipment.sites, 0);
        Ok(lookup("layer", args.int("of")?, list))
    })
    .on_all_kinds()
    .sites_in(&["of"])
    .on_board(),
    number(
        "phase [siteType] of:int",
        "The colour of the site, such that neighbours differ.",
        "(= 0 (phase of:(to)))",
        |args| {
            let list = args.colours();
            Ok(lookup("phase", args.int("of")?, list))
        },
    )
    .on_all_kinds()
    .sites_in(&["of"])
    .on_board(),
    number("row [siteType] of:int", "The row of the site.", "(= (row of:(to)) 7)", |args| {
        let list = args.by_element(|_, element| element.row as i32);
        Ok(lookup("row", args.int("of")?, list))
    })
    .on_all_kinds()
    .sites_in(&["of"])
    .on_board(),
];

/// A number by site or player, worked out now where that is known.
pub(super) fn lookup(name: &'static str, of: Int, list: Vec<i32>) -> Int {
    match of.fixed() {
        Some(index) => Int::Const(at(&list, index)),
        None => Int::of(Lookup { name, of, list }),
    }
}

fn at(list: &[i32], index: i32) -> i32 {
    // A negative index is larger than any list.
    list.get(index as u32 as usize).copied().unwrap_or(OFF)
}

/// A number of a table.
struct Lookup {
    name: &'static str,
    of: Int,
    list: Vec<i32>,
}

impl Node for Lookup {
    fn name(&self) -> &'static str {
        self.name
    }

    fn iterators(&self) -> Iterators {
        Iterators::NONE
    }

    fn fields(&self, visit: &mut dyn FnMut(&'static str, &dyn Field)) {
        visit("of", &self.of);
    }
}

impl Number for Lookup {
    fn get(&self, c: &mut Context<'_>) -> i32 {
        at(&self.list, self.of.get(c))
    }

    fn is_free(&self) -> bool {
        self.of.is_free()
    }
}

fn label(args: &mut Args<'_, '_, '_>) -> Result<Int> {
    let kind = args.kind();
    let site = args.text("string").and_then(|label| args.lower.site_labelled(label, kind));
    Ok(Int::Const(site.ok_or_else(|| args.unsupported())?))
}

fn coord(args: &mut Args<'_, '_, '_>) -> Result<Int> {
    let (row, column, kind) = (args.int("row")?, args.int("column")?, args.kind());
    Ok(match (row.fixed(), column.fixed()) {
        (Some(row), Some(column)) => Int::Const(site_at(args.lower.equipment, kind, row, column)),
        _ => Int::of(Coord { row, column, kind: Table(kind) }),
    })
}

fn site_at(equipment: &Equipment, kind: SiteType, row: i32, column: i32) -> i32 {
    let mut elements = equipment.board.topology.elements(kind).iter();
    let at = elements.position(|e| e.row as i32 == row && e.column as i32 == column);
    at.map_or(OFF, |at| equipment.converted(at as i32, kind))
}

node! {
    /// The site in a row and a column.
    struct Coord = "coord" { row: Int, column: Int, kind: Table<SiteType> }
}

impl Number for Coord {
    fn get(&self, c: &mut Context<'_>) -> i32 {
        let (row, column) = (self.row.get(c), self.column.get(c));
        site_at(c.equipment, *self.kind, row, column)
    }
}

fn hand_site(args: &mut Args<'_, '_, '_>) -> Result<Int> {
    let player = args.player(&["int", "roleType"])?;
    let index = args.int_or("int", 0)?;
    let equipment = args.lower.equipment;
    let hands = (0..=equipment.players + 1)
        .map(|player| equipment.hand(player).map(|hand| (hand.from as i32, hand.sites as i32)))
        .collect();
    let node = HandSite { player, index, hands: Table(hands) };
    Ok(match (node.player.fixed(), node.index.fixed()) {
        (Some(player), Some(index)) => Int::Const(node.site(player, index)),
        _ => Int::of(node),
    })
}

node! {
    /// A site of a hand.
    struct HandSite = "handSite" {
        player: Int,
        index: Int,
        /// By player: the first site of the hand and the number of its sites.
        hands: Table<Vec<Option<(i32, i32)>>>,
    }
}

impl HandSite {
    fn site(&self, player: i32, index: i32) -> i32 {
        match self.hands.get(player.max(0) as usize) {
            Some(Some((from, sites))) if (0..*sites).contains(&index) => from + index,
            _ => OFF,
        }
    }
}

impl Number for HandSite {
    fn get(&self, c: &mut Context<'_>) -> i32 {
        let (player, index) = (self.player.get(c), self.index.get(c));
        self.site(player, index)
    }
}

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::{holds, number};

    #[test]
    fn a_region_has_sites_by_number_and_none_before_the_first() {
        let rock = "(place \"Rock0\" 4)";
        assert_eq!(number(rock, "(regionSite (sites Occupied by:Neutral) index:0)"), 4);
        assert!(holds("", "(= Off (regionSite (sites Board) index:-1))"));
    }
}
