//! `(dual …)`: cells become vertices.

use super::graph;
use crate::board::operate;
use crate::ludemes::Form;

pub(in crate::ludemes) const FORMS: &[Form] =
    &[graph("dual graph", "Cells become vertices.", "(dual (hex 3))", |args| {
        Ok(operate::dual(&args.graph()?))
    })];

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::sites_on;

    #[test]
    fn cells_of_the_dual_are_the_inner_vertices() {
        assert_eq!(sites_on("(dual (square 3))", "", "(sites Board)").len(), 4);
    }
}
