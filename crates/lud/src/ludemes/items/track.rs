//! `(track …)`: a track over the board.

use super::{ItemArgs, Result};
use crate::compile::Value;
use crate::engine::state::OFF;
use crate::engine::track::{END, Track};
use crate::ludemes::{Form, part};

pub(in crate::ludemes) const FORMS: &[Form] = &[part(
    "track",
    "track string ({int} | string | {trackStep}) [loop:boolean] ([int] | [roleType]) [directed:boolean]",
    "A track over the board.",
    "(track \"Track\" \"0,E,N,W\" loop:True)",
)];

/// Adds a track, which belongs to its board.
pub(super) fn add(args: &mut ItemArgs<'_, '_>) -> Result<()> {
    let name = args.text("string").ok_or_else(|| args.unsupported())?.to_owned();
    let sites = args.take_any(&["{int}", "string", "{trackStep}"]);
    let looped = args.flag("loop", false)?;
    // Rules say which way pieces go.
    args.flag("directed", false)?;
    let owner = match args.word("roleType") {
        Some(role) => args.equipment.owners_of(role).and_then(|owners| owners.first().copied()),
        None => args.literal("int")?.and_then(|number| usize::try_from(number).ok()),
    };
    let owner = owner.filter(|&owner| owner <= args.equipment.players).unwrap_or(0);
    let site = |value: &Value| match value {
        Value::Int(site) => Some(*site),
        Value::Word(word) if word == "End" => Some(END),
        Value::Word(word) if word == "Off" => Some(OFF),
        _ => None,
    };
    let sites = match sites {
        Some(Value::List(list)) => list.iter().map(site).collect(),
        Some(Value::Str(steps)) => Track::walk(steps, owner, args.equipment),
        _ => None,
    };
    let sites: Vec<i32> = sites.ok_or_else(|| args.unsupported())?;
    let track = Track::new(name, sites, looped, owner, args.equipment);
    args.equipment.tracks.push(track);
    Ok(())
}
