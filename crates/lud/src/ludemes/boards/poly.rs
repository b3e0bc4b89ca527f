//! `(poly …)`: the corners of a polygon.

use super::{GraphArgs, Result};
use crate::ludemes::{Form, missing, part};

pub(in crate::ludemes) const FORMS: &[Form] = &[
    part("poly", "poly {{float}} [rotns:int]", "A polygon.", "(poly {{0.5 0} {0 1.5}})"),
    // Every polygon fits the form above.
    missing("poly", "poly {{dim}} [rotns:int]", "every polygon fits the form with plain numbers"),
];

pub(super) fn read(args: &mut GraphArgs<'_, '_>) -> Result<Vec<[f64; 2]>> {
    let list = args.take_any(&["{{float}}", "{{dim}}"]).ok_or_else(|| args.unsupported())?;
    args.points(list)
}
