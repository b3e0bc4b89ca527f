//! `(piece …)` and `(tile …)`: kinds of pieces.

use super::{ItemArgs, Result, Stage, item};
use crate::compile::slots::Slots;
use crate::compile::{Ludeme, Value};
use crate::engine::directions::compass;
use crate::engine::leap::Turn;
use crate::engine::paths::Path;
use crate::ludemes::Form;

pub(in crate::ludemes) const FORMS: &[Form] = &[
    item(
        "tile string [roleType] ([{stepType}] | [{{stepType}}]) [numSides:int] ([slots:{int}] | [slotsPerSide:int]) [{path}] [flips] [moves] [maxState:int] [maxCount:int] [maxValue:int]",
        "A tile; with a walk, a large one that covers all sites of the walk.",
        "(tile \"Domino\" Each {F} numSides:4)",
        Stage::Pieces,
        add,
    )
    .refuses("paths from several slots of a side: no public description has them"),
    item(
        "piece string [roleType] [directionFacing] [flips] [moves] [maxState:int] [maxCount:int] [maxValue:int]",
        "A kind of piece, with its moves.",
        "(piece \"Rook\" Each (move Slide Orthogonal))",
        Stage::Pieces,
        add,
    ),
];

/// A path of a tile with one slot on each side.
fn read_path(path: &std::sync::Arc<Ludeme>) -> Option<Path> {
    let mut slots = Slots::new(path);
    let mut number = |name: &str| match slots.take(name) {
        Some(&Value::Int(number)) => Some(number),
        _ => None,
    };
    let (from, to, colour) = (number("from")?, number("to")?, number("colour")?);
    let first = number("slotsFrom").unwrap_or(0) == 0 && number("slotsTo").unwrap_or(0) == 0;
    let side = |side: i32| usize::try_from(side).ok().filter(|_| first);
    Some(Path { from: side(from)?, to: side(to)?, colour })
}

fn add(args: &mut ItemArgs<'_, '_>) -> Result<()> {
    let stem = args.text("string").unwrap_or_default();
    let facing = match args.word("directionFacing") {
        Some(word) => Some(compass(word).ok_or_else(|| args.unsupported())?),
        None => None,
    };
    let flips = match args.take("flips").and_then(Value::call) {
        Some(flips) => match (flips.arg(0), flips.arg(1)) {
            (Some(Value::Int(a)), Some(Value::Int(b))) => Some((*a, *b)),
            _ => return Err(args.unsupported()),
        },
        None => None,
    };
    let moves = args.take("moves").and_then(Value::call);
    let walks = match (args.take("{stepType}"), args.take("{{stepType}}")) {
        (Some(walk), _) => Turn::walk(walk).map(|walk| vec![walk]),
        (None, Some(walks)) => Turn::walks(walks),
        (None, None) => Some(Vec::new()),
    };
    let walks = walks.ok_or_else(|| args.unsupported())?;
    let paths = args.take("{path}").map_or(Ok(Vec::new()), |paths| {
        paths
            .items()
            .iter()
            .map(|path| path.call().and_then(read_path))
            .collect::<Option<_>>()
            .ok_or(())
    });
    let (paths, slots) = (paths.map_err(|()| args.unsupported())?, args.take("slotsPerSide"));
    let single = slots.is_none_or(|slots| matches!(slots, Value::Int(1))) && !args.has("slots");
    if !paths.is_empty() && !single {
        return Err(args.unsupported());
    }
    while args.take_any(&["numSides", "slots"]).is_some() {}
    // The limits only save memory; a state has room for all values.
    while args.take_any(&["maxState", "maxCount", "maxValue"]).is_some() {}
    let default = if paths.is_empty() { "Each" } else { "Shared" };
    for owner in args.owners(default)? {
        let component = args.equipment.component(stem, owner);
        component.facing = facing;
        component.moves = moves.cloned();
        component.flips = flips;
        component.walks.clone_from(&walks);
        component.paths.clone_from(&paths);
    }
    Ok(())
}
