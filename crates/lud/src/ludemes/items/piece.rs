//! `(piece …)`: a kind of piece.

use super::{ItemArgs, Result, Stage, item};
use crate::compile::Value;
use crate::engine::directions::compass;
use crate::ludemes::Form;

pub(in crate::ludemes) const FORMS: &[Form] = &[item(
    "piece string [roleType] [directionFacing] [flips] [moves] [maxState:int] [maxCount:int] [maxValue:int]",
    "A kind of piece, with its moves.",
    "(piece \"Rook\" Each (move Slide Orthogonal))",
    Stage::Pieces,
    add,
)];

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
    // The limits only save memory; a state has room for all values.
    while args.take_any(&["maxState", "maxCount", "maxValue"]).is_some() {}
    for owner in args.owners("Each")? {
        let component = args.equipment.component(stem, owner);
        component.facing = facing;
        component.moves = moves.cloned();
        component.flips = flips;
    }
    Ok(())
}
