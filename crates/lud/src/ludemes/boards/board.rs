//! `(board …)`, `(boardless …)`, `(mancalaBoard …)`, `(surakartaBoard …)`: the boards themselves.

use super::{GraphArgs, Result};
use crate::board::tiling::{self, Diagonals, SiteType};
use crate::board::{Board, Topology, coordinates, shapes};
use crate::ludemes::{Form, Read, form};

const fn board(
    text: &'static str,
    meaning: &'static str,
    example: &'static str,
    read: fn(&mut GraphArgs<'_, '_>) -> Result<Board>,
) -> Form {
    form("item", text, meaning, example, Read::Board(read))
}

pub(in crate::ludemes) const FORMS: &[Form] = &[
    board(
        "board graph ([track] | [{track}]) ([values] | [{values}]) [use:siteType] [largeStack:boolean]",
        "A board, on whose cells, edges or vertices pieces stand.",
        "(board (square 8))",
        plain,
    ),
    board(
        "boardless tilingBoardlessType [dim] [largeStack:boolean]",
        "A large board without a border.",
        "(boardless Hexagonal)",
        boardless,
    ),
    board(
        "mancalaBoard int int [store:storeType] [numStores:int] [largeStack:boolean] ([track] | [{track}])",
        "A board of holes in rows.",
        "(mancalaBoard 2 6)",
        mancala,
    ),
    board(
        "surakartaBoard graph [loops:int] [from:int] [largeStack:boolean]",
        "A board with loops around its corners.",
        "(surakartaBoard (square 6))",
        surakarta,
    ),
];

/// The equipment reads the tracks, and a stack has no limit.
fn others(args: &mut GraphArgs<'_, '_>) {
    while args.take_any(&["track", "{track}", "largeStack"]).is_some() {}
}

fn made(args: &mut GraphArgs<'_, '_>) -> Result<Board> {
    let graph = args.round_graph()?;
    let (sites, topology) = (args.sites(), Topology::new(&graph));
    Ok(Board { sites, graph, topology, loops: None, holes: None })
}

fn plain(args: &mut GraphArgs<'_, '_>) -> Result<Board> {
    others(args);
    // Values are those of deduction puzzles, whose rules refuse or read them.
    args.take_any(&["values", "{values}"]);
    args.draft.sites = args.word("use").and_then(SiteType::named).unwrap_or(SiteType::Cell);
    made(args)
}

fn surakarta(args: &mut GraphArgs<'_, '_>) -> Result<Board> {
    others(args);
    args.draft.sites = SiteType::Vertex;
    let natural = |number: i32| usize::try_from(number).ok();
    let from = args.literal("from")?.and_then(natural).unwrap_or(1);
    let loops = args.literal("loops")?.and_then(natural);
    Ok(Board { loops: Some((from, loops)), ..made(args)? })
}

/// A board so large that no game meets its border.
fn boardless(args: &mut GraphArgs<'_, '_>) -> Result<Board> {
    others(args);
    let kind = args.word("tilingBoardlessType");
    let size = args.try_size("dim")?.unwrap_or(41);
    args.check(size * size)?;
    let graph = match kind {
        Some("Square") => tiling::rectangle(size, size, SiteType::Cell, Diagonals::Implied),
        Some("Hexagonal") => tiling::hexagons(&tiling::hexagon(size as i32 / 2 + 1), true),
        Some("Triangular") => tiling::triangles(&tiling::triangle(size as i32 + 1)),
        _ => return Err(args.unsupported()),
    };
    let topology = Topology::new(&graph);
    Ok(Board { sites: SiteType::Cell, graph, topology, loops: None, holes: None })
}

fn mancala(args: &mut GraphArgs<'_, '_>) -> Result<Board> {
    others(args);
    let (rows, columns) = (args.size("int")?, args.size("int")?);
    args.check(rows * columns)?;
    let stores = match args.word("store") {
        Some("None") => false,
        Some("Inner") => {
            return Err(args.fault("(mancalaBoard … store:Inner) is not supported yet"));
        }
        _ => true,
    };
    if args.try_size("numStores")?.is_some_and(|number| stores && number != 2) {
        return Err(args.fault("only two stores are supported yet"));
    }
    let graph = shapes::mancala(rows, columns, stores);
    let mut topology = Topology::new(&graph);
    coordinates::lower_stores(&mut topology.vertices);
    let (sites, holes) = (SiteType::Vertex, Some(rows));
    Ok(Board { sites, graph, topology, loops: None, holes })
}
