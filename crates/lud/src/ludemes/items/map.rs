//! `(map …)`: pairs of a key and a value.

use super::{ItemArgs, Result, Stage, item};
use crate::compile::Value;
use crate::ludemes::{Form, part};

pub(in crate::ludemes) const FORMS: &[Form] = &[
    item("map [string] {pair}", "A map of pairs.", "(map {(pair 1 2)})", Stage::Maps, pairs),
    item(
        "map [string] {int} {int}",
        "A map of keys and values.",
        "(map {1 2} {3 4})",
        Stage::Maps,
        lists,
    ),
    part("pair", "pair int int", "A key and its value.", "(pair 1 2)"),
    part("pair", "pair roleType int", "A player and a number.", "(pair P1 4)"),
    part("pair", "pair roleType roleType", "Two players.", "(pair P1 P2)"),
    part("pair", "pair string string", "Two names.", "(pair \"A1\" \"B1\")"),
    part("pair", "pair int string", "A number and a name.", "(pair 1 \"A1\")"),
    part("pair", "pair roleType string", "A player and a name.", "(pair P1 \"A1\")"),
    part(
        "pair",
        "pair roleType landmarkType",
        "A player and a landmark of the board.",
        "(pair P1 CentreSite)",
    ),
    part("pair", "pair string roleType", "A name and a player.", "(pair \"Pawn1\" P1)"),
];

fn pairs(args: &mut ItemArgs<'_, '_>) -> Result<()> {
    let pair = |value: &Value| {
        let pair = value.call()?;
        Some((pair.arg(0)?.clone(), pair.arg(1)?.clone()))
    };
    let pairs: Option<Vec<_>> = args.value("{pair}")?.items().iter().map(pair).collect();
    let pairs = pairs.ok_or_else(|| args.unsupported())?;
    add(args, pairs)
}

fn lists(args: &mut ItemArgs<'_, '_>) -> Result<()> {
    let (keys, values) = (args.value("{int}")?.items(), args.value("{int}")?.items());
    add(args, keys.iter().cloned().zip(values.iter().cloned()).collect())
}

fn add(args: &mut ItemArgs<'_, '_>, pairs: Vec<(Value, Value)>) -> Result<()> {
    let name = args.text("string").unwrap_or("Map").to_owned();
    args.equipment.maps.push((name, pairs));
    Ok(())
}
