//! `(dual …)`: cells become vertices.

use super::graph;
use crate::board::operate;
use crate::ludemes::Form;

pub(in crate::ludemes) const FORMS: &[Form] =
    &[graph("dual graph", "Cells become vertices.", "(dual (hex 3))", |args| {
        Ok(operate::dual(&args.graph()?))
    })];
