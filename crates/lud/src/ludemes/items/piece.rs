//! `(piece …)` and `(tile …)`: kinds of pieces.

use super::{ItemArgs, Result, Stage, item};
use crate::compile::Value;
use crate::engine::directions::compass;
use crate::engine::leap::Turn;
use crate::ludemes::Form;

pub(in crate::ludemes) const FORMS: &[Form] = &[
    item(
        "tile string [roleType] ([{stepType}] | [{{stepType}}]) [numSides:int] ([slots:{int}] | [slotsPerSide:int]) [{path}] [flips] [moves] [maxState:int] [maxCount:int] [maxValue:int]",
        "A tile; with a walk, a large one that covers all sites of the walk.",
        "(tile \"Domino\" Each {F} numSides:4)",
        Stage::Pieces,
        add,
    ),
    item(
        "piece string [roleType] [directionFacing] [flips] [moves] [maxState:int] [maxCount:int] [maxValue:int]",
        "A kind of piece, with its moves.",
        "(piece \"Rook\" Each (move Slide Orthogonal))",
        Stage::Pieces,
        add,
    ),
];

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
    // Only the paths of a tile, which are refused, run from side to side.
    let walks = match (args.take("{stepType}"), args.take("{{stepType}}")) {
        (Some(walk), _) => Turn::walk(walk).map(|walk| vec![walk]),
        (None, Some(walks)) => Turn::walks(walks),
        (None, None) => Some(Vec::new()),
    };
    let walks = walks.ok_or_else(|| args.unsupported())?;
    while args.take_any(&["numSides", "slots", "slotsPerSide"]).is_some() {}
    // The limits only save memory; a state has room for all values.
    while args.take_any(&["maxState", "maxCount", "maxValue"]).is_some() {}
    for owner in args.owners("Each")? {
        let component = args.equipment.component(stem, owner);
        component.facing = facing;
        component.moves = moves.cloned();
        component.flips = flips;
        component.walks.clone_from(&walks);
    }
    Ok(())
}
