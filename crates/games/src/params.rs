//! Reading the parameters of a game's name, and writing its canonical name.

use ludex_core::{Error, Result, Spec};
use std::ops::RangeInclusive;

/// A parameter error of the game that `spec` names.
pub(crate) fn refuse<T>(spec: &Spec, reason: impl Into<String>) -> Result<T> {
    Err(Error::BadParameter { name: spec.name.clone(), reason: reason.into() })
}

/// The value given by key or, else, by place.
pub(crate) fn value<'a>(spec: &'a Spec, key: &str, place: usize) -> Result<Option<&'a Spec>> {
    let (keyed, placed) = (spec.get(key), spec.positional().nth(place));
    let value = match (keyed, placed) {
        (Some(_), Some(_)) => return refuse(spec, format!("`{key}` is given twice")),
        _ => keyed.or(placed),
    };
    match value {
        Some(v) if !v.args.is_empty() || !v.budget.is_empty() => {
            refuse(spec, format!("`{key}` can't be `{v}`"))
        }
        _ => Ok(value),
    }
}

/// A whole number by key or place within a range.
pub(crate) fn whole(
    spec: &Spec,
    key: &str,
    place: usize,
    default: u32,
    range: RangeInclusive<u32>,
) -> Result<u32> {
    let Some(value) = value(spec, key, place)? else { return Ok(default) };
    match value.name.parse() {
        Ok(number) if range.contains(&number) => Ok(number),
        _ => refuse(
            spec,
            format!(
                "`{key}` must be a whole number from {} to {}, not `{value}`",
                range.start(),
                range.end()
            ),
        ),
    }
}

/// One of several words by key or place; gives its index.
pub(crate) fn word(
    spec: &Spec,
    key: &str,
    place: usize,
    default: usize,
    words: &[&str],
) -> Result<usize> {
    let Some(value) = value(spec, key, place)? else { return Ok(default) };
    match words.iter().position(|word| *word == value.name) {
        Some(index) => Ok(index),
        None => refuse(spec, format!("`{key}` must be one of {}, not `{value}`", words.join(", "))),
    }
}

/// The canonical name: only parameters that differ from their default.
pub(crate) fn canonical(name: &str, params: &[(&str, &dyn std::fmt::Display, bool)]) -> String {
    let given: Vec<String> = params
        .iter()
        .filter(|(_, _, differs)| *differs)
        .map(|(key, value, _)| format!("{key}={value}"))
        .collect();
    if given.is_empty() { name.to_string() } else { format!("{name}({})", given.join(",")) }
}
