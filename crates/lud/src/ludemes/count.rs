//! `(count …)`: numbers of moves, turns, players, rows, sites and neighbours, and of pieces on sites.

use std::collections::BTreeSet;

use super::places::lookup;
use super::prelude::*;
use crate::board::{Element, SiteType};
use crate::engine::play;

pub(super) const FORMS: &[Form] = &[
    number("count countSimpleType=Rows [siteType]", "The number of rows of the board.", "(count Rows)",
        |args| Ok(Int::Const(lines(args, |e| e.row)))).on_all_kinds().on_board(),
    number("count countSimpleType=Columns [siteType]", "The number of columns of the board.", "(count Columns)",
        |args| Ok(Int::Const(lines(args, |e| e.column)))).on_all_kinds().on_board(),
    number("count countSimpleType=Turns [siteType]", "The number of this turn, from 1.", "(< (count Turns) 3)",
        |_| Ok(Int::of(Turns {}))).needs(Parts::CLOCK).siteless(),
    number("count countSimpleType=Moves [siteType]", "The number of moves that were made.", "(= (count Moves) 10)",
        |_| Ok(Int::of(MovesMade {}))).needs(Parts::CLOCK).siteless(),
    number("count countSimpleType=MovesThisTurn [siteType]", "The number of moves that were made in this turn.",
        "(= (count MovesThisTurn) 0)", |_| Ok(Int::of(MovesThisTurn {}))).siteless(),
    number("count countSimpleType=LegalMoves [siteType]", "The number of legal moves of the mover.",
        "(= (count LegalMoves) 1)", |_| Ok(Int::of(LegalMoves {}))).siteless(),
    number("count countSimpleType=Vertices [siteType]", "The number of vertices of the board.", "(count Vertices)",
        |args| Ok(Int::Const(args.lower.equipment.board.topology.vertices.len() as i32))).on_board(),
    number("count countSimpleType=Edges [siteType]", "The number of edges of the board.", "(count Edges)",
        |args| Ok(Int::Const(args.lower.equipment.board.topology.edges.len() as i32))).on_board(),
    number("count countSimpleType=Cells [siteType]", "The number of cells of the board.", "(count Cells)",
        |args| Ok(Int::Const(args.lower.equipment.board.topology.cells.len() as i32))).on_board(),
    number("count countSimpleType=Players [siteType]", "The number of players.", "(count Players)",
        |args| Ok(Int::Const(args.lower.equipment.players as i32))).siteless(),
    number("count countSimpleType=Active [siteType]", "The number of players who are still in the game.", "(count Active)",
        |_| Ok(Int::of(ActivePlayers {}))).on_board(),
    number("count [countSiteType=Sites] [siteType] ([in:region] | [at:int] | [string])",
        "The number of sites of the region, or of the container.", "(count Sites in:(sites Occupied by:Mover))", sites).on_all_kinds().counts_sites().on_board(),
    number("count [countSiteType=Adjacent|Neighbours] [siteType] ([in:region] | [at:int] | [string])",
        "The number of sites that touch the site.", "(count Adjacent at:(to))", |args| near(args, |e| e.adjacent.len())).on_board(),
    number("count [countSiteType=Orthogonal] [siteType] ([in:region] | [at:int] | [string])",
        "The number of neighbours across sides.", "(count Orthogonal at:(to))", |args| near(args, |e| e.orthogonal.len())).on_board(),
    number("count [countSiteType=Diagonal] [siteType] ([in:region] | [at:int] | [string])",
        "The number of neighbours straight across corners.", "(count Diagonal at:(to))", |args| near(args, |e| e.diagonal.len())).on_board(),
    number("count [countSiteType=Off] [siteType] ([in:region] | [at:int] | [string])",
        "The number of the other neighbours across corners.", "(count Off at:(to))", |args| near(args, |e| e.off_diagonal.len())).on_board(),
    number("count [countSiteType=-] [siteType] ([in:region] | [at:int] | [string])",
        "The number of pieces on the sites, at the end of the last move where they are left out.",
        "(= (count at:(last To)) 4)", on_sites).on_all_kinds().own_sites().counts("at"),
    number("count countComponentType=Pips [siteType] ([roleType] | [of:int]) [string] [in:region] [If:boolean]",
        "What all dice show together, used or not.", "(count Pips)", |_| Ok(Int::of(AllPips {}))).on_board(),
    number("count Value int in:ints", "How often the number is in the list.", "(count Value 1 in:(values Remembered))",
        |args| Ok(Int::of(CountValue { value: args.int("int")?, list: args.ints("in")? }))).on_board(),
    number("count SitesPlatformBelow [siteType] [int] ([roleType] | [who:roleType])",
        "The number of pieces of the player on which the site rests.", "(= 4 (count SitesPlatformBelow))", platform).sites_in(&["int"]).on_board(),
    number("count SitesPlatformBelow [siteType] [int] what:int",
        "The number of pieces of the kind on which the site rests.", "(count SitesPlatformBelow what:1)", platform).sites_in(&["int"]).on_board(),
];

/// The lines of the lowest layer.
fn lines(args: &Args<'_, '_, '_>, line: fn(&Element) -> usize) -> i32 {
    let elements = args.lower.equipment.elements().iter();
    elements.filter(|e| e.layer == 0).map(line).collect::<BTreeSet<_>>().len() as i32
}

fn near(args: &mut Args<'_, '_, '_>, count: fn(&Element) -> usize) -> Result<Int> {
    let at = args.site_or_last("at")?;
    let list = args.lower.equipment.elements().iter().map(|e| count(e) as i32).collect();
    Ok(lookup("count Adjacent", at, list))
}

macro_rules! fact {
    ($($(#[$meta:meta])* $name:ident $text:literal $part:ident $get:expr;)*) => {$(
        node! {
            $(#[$meta])*
            struct $name = $text, reads $part {}
        }

        impl Number for $name {
            fn get(&self, c: &mut Context<'_>) -> i32 {
                let get: fn(&Context<'_>) -> i32 = $get;
                get(c)
            }
        }
    )*};
}

fact! {
    /// The moves made.
    MovesMade "count Moves" CLOCK |c| c.state.s.moves as i32;
    /// The turn, from 1.
    Turns "count Turns" CLOCK |c| c.state.s.turns as i32 + 1;
    /// The moves of this turn.
    MovesThisTurn "count MovesThisTurn" TURN |c| c.state.s.same_turn as i32;
    /// The players who are still in the game.
    ActivePlayers "count Active" PLAYERS |c| c.state.s.active.count_ones() as i32;
    /// The sum of all dice.
    AllPips "count Pips" DICE all_pips;
}

fn all_pips(c: &Context<'_>) -> i32 {
    let shown = |die: &crate::engine::equipment::Die| {
        let face = c.cell(die.site as i32).state.max(0) as usize;
        die.faces.get(face).copied().unwrap_or(0)
    };
    c.equipment.dice.iter().map(shown).sum()
}

fn sites(args: &mut Args<'_, '_, '_>) -> Result<Int> {
    if let Some(region) = args.try_region(&["in", "at"])? {
        return Ok(Int::of(CountSites { region }));
    }
    let equipment = args.lower.equipment;
    let Some(name) = args.text("string") else {
        return Ok(Int::Const(equipment.sites_on(args.kind()).len() as i32));
    };
    // The sites of the board itself are of the kind that the description declares.
    if name == "Board" {
        let sites = equipment.board.topology.elements(equipment.declared);
        return Ok(Int::Const(sites.len() as i32));
    }
    let sites = args.lower.container(name).ok_or_else(|| args.unsupported())?;
    Ok(Int::Const(sites.len() as i32))
}

node! {
    /// The legal moves of the mover.
    struct LegalMoves = "count LegalMoves", reads CELLS | TURN {}
}

impl Number for LegalMoves {
    fn get(&self, c: &mut Context<'_>) -> i32 {
        // While moves are being listed their number is not known.
        if c.asked.depth > 0 {
            return 0;
        }
        let mut list = c.moves();
        c.asking(Asked { depth: 1, ..c.asked }, |c| play::generate(c, &mut list));
        let count = list.len() as i32;
        c.free_moves(list);
        count
    }
}

node! {
    /// The number of sites of a region.
    struct CountSites = "count Sites", iterators NONE { region: Region }
}

impl Number for CountSites {
    fn get(&self, c: &mut Context<'_>) -> i32 {
        self.region.of(c, |_, sites| sites.len() as i32)
    }
}

fn on_sites(args: &mut Args<'_, '_, '_>) -> Result<Int> {
    let kind = args.word("siteType").and_then(SiteType::named);
    let region = args.try_region(&["in", "at"])?;
    let here = args.lower.equipment.board.sites;
    let hands = args.lower.equipment.containers.len() > 1;
    // Nothing ever stands on sites of another kind. Hands have cells, whatever the board has.
    let planes = kind.is_some_and(|kind| args.lower.equipment.has_kind(kind));
    if kind.is_some_and(|kind| kind != here && !(kind == SiteType::Cell && hands)) && !planes {
        return Ok(Int::Const(0));
    }
    let region = match region {
        Some(region) => region,
        None => Region::One(Int::LastTo(args.lower.last())),
    };
    let cells = here == SiteType::Cell || kind == Some(SiteType::Cell) || planes;
    Ok(Int::of(CountOn { region, cells }))
}

node! {
    /// The number of pieces on sites.
    struct CountOn = "count", reads COUNTS | STACKS {
        region: Region,
        /// Do hands count? They are cells: on a board of vertices they count only where cells are meant.
        cells: bool,
    }
}

impl Number for CountOn {
    fn get(&self, c: &mut Context<'_>) -> i32 {
        let mut count = 0;
        self.region.each(c, |c, site| {
            if self.cells || c.equipment.on_board.contains(site) {
                count += match c.rules.stacking {
                    true => c.state.height(site),
                    false => c.cell(site).count.into(),
                };
            }
            true
        });
        count
    }
}

node! {
    /// How often a number is in a list.
    struct CountValue = "count Value" { value: Int, list: Ints }
}

impl Number for CountValue {
    fn get(&self, c: &mut Context<'_>) -> i32 {
        let value = self.value.get(c);
        self.list.of(c, |_, list| list.iter().filter(|&&other| other == value).count() as i32)
    }
}

fn platform(args: &mut Args<'_, '_, '_>) -> Result<Int> {
    let site = args.try_int("int")?.unwrap_or(Int::To);
    let below = crate::engine::pyramid::layers(args.lower.equipment.elements(), false);
    let (what, who) = (args.try_int("what")?, args.try_who(&["who", "roleType"])?);
    Ok(Int::of(Platform { site, what, who, below: Table(below) }))
}

node! {
    /// The number of pieces on which a site rests.
    struct Platform = "count SitesPlatformBelow", reads CELLS {
        site: Int,
        what: Option<Int>,
        who: Option<Who>,
        below: Table<Vec<Vec<i32>>>,
    }
}

impl Number for Platform {
    fn get(&self, c: &mut Context<'_>) -> i32 {
        let site = self.site.get(c);
        let list = usize::try_from(site).ok().and_then(|site| self.below.get(site));
        let what = self.what.as_ref().map(|what| what.get(c));
        let who = self.who.as_ref().map_or(u32::MAX, |who| who.get(c));
        let counts = |&&site: &&i32| {
            let here = c.what(site);
            what.map_or(here != 0, |what| here as i32 == what) && who >> c.owner(here) & 1 == 1
        };
        list.into_iter().flatten().filter(counts).count() as i32
    }
}

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::number;

    #[test]
    fn sites_neighbours_and_pieces_are_counted() {
        assert_eq!((number("", "(count Rows)"), number("", "(count Cells)")), (3, 9));
        assert_eq!(
            (number("", "(count Adjacent at:0)"), number("", "(count Adjacent at:4)")),
            (3, 8)
        );
        assert_eq!(
            (number("", "(count Orthogonal at:4)"), number("", "(count Diagonal at:0)")),
            (4, 1)
        );
        assert_eq!(number("", "(count Sites in:(sites Top))"), 3);
        assert_eq!(number("(place \"Disc1\" \"Hand1\" count:3)", "(count at:9)"), 3);
        assert_eq!((number("", "(count Players)"), number("", "(count Active)")), (2, 2));
    }
}
