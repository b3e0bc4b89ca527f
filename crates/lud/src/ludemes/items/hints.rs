//! `(hints …)`: the clues of a deduction puzzle.

use super::{ItemArgs, Result, Stage, item};
use crate::board::SiteType;
use crate::compile::Value;
use crate::engine::equipment::Hint;
use crate::ludemes::{Form, part};

pub(in crate::ludemes) const FORMS: &[Form] = &[
    item(
        "hints [string] {hint} [siteType]",
        "The clues of a puzzle: sites and a number.",
        "(hints {(hint {0 1} 3) (hint 4 1)})",
        Stage::Maps,
        add,
    ),
    part("hint", "hint {int} [int]", "A clue on several sites.", "(hint {0 1 2} 6)"),
    part("hint", "hint int [int]", "A clue on one site.", "(hint 4 2)"),
];

fn add(args: &mut ItemArgs<'_, '_>) -> Result<()> {
    let kind = args.word("siteType").and_then(SiteType::named);
    // The name is for people.
    args.text("string");
    let number = |value: &Value| match value {
        Value::Int(number) => Some(*number),
        _ => None,
    };
    let clue = |value: &Value| {
        let clue = value.call()?;
        let sites: Option<Vec<i32>> = clue.arg(0)?.items().iter().map(number).collect();
        let value = match clue.arg(1) {
            Some(value) => Some(number(value)?),
            None => None,
        };
        Some(Hint { kind, sites: sites?, value })
    };
    let hints: Option<Vec<Hint>> = args.value("{hint}")?.items().iter().map(clue).collect();
    let hints = hints.ok_or_else(|| args.unsupported())?;
    args.equipment.hints.extend(hints);
    Ok(())
}
