//! `(range …)`, `(exact …)`, `(max …)`, `(min …)`: ranges of numbers.

use super::prelude::*;
use super::{Read, Reader, form};

pub(super) const FORMS: &[Form] = &[
    range(
        "range int [int]",
        "From the first number to the second, or the first alone.",
        "(range 1 3)",
        |args| {
            let (again, least) = (args.peek("int"), args.int("int")?);
            Ok(match args.try_int("int")? {
                Some(most) => Bounds { least: Some(least), most: Some(most), exact: false },
                None => {
                    let most = again.map(|value| args.lower.int(value, args.ludeme)).transpose()?;
                    Bounds { least: Some(least), most, exact: true }
                }
            })
        },
    ),
    range("exact int", "This number.", "(exact 2)", |args| {
        let again = args.peek("int").map(|value| args.lower.int(value, args.ludeme)).transpose()?;
        Ok(Bounds { least: Some(args.int("int")?), most: again, exact: true })
    }),
    range("max int", "At most this number.", "(max 3)", |args| {
        Ok(Bounds { least: None, most: Some(args.int("int")?), exact: false })
    }),
    range("min int", "At least this number.", "(min 2)", |args| {
        Ok(Bounds { least: Some(args.int("int")?), most: None, exact: false })
    }),
];

const fn range(
    text: &'static str,
    meaning: &'static str,
    example: &'static str,
    read: Reader<Bounds>,
) -> Form {
    form("range", text, meaning, example, Read::Range(read))
}
