//! `(rectangle …)`: square cells in rows and columns.

use super::{GraphArgs, Result, graph};
use crate::board::{Graph, tiling};
use crate::ludemes::Form;

pub(in crate::ludemes) const FORMS: &[Form] = &[graph(
    "rectangle dim [dim] [diagonals:diagonalsType]",
    "Square cells in a rectangle.",
    "(rectangle 6 7)",
    read,
)];

fn read(args: &mut GraphArgs<'_, '_>) -> Result<Graph> {
    let (rows, columns) = args.rows_and_columns()?;
    let diagonals = args.diagonals()?;
    Ok(tiling::rectangle(rows, columns, args.sites(), diagonals))
}

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::sites_on;

    #[test]
    fn a_rectangle_has_rows_and_columns() {
        assert_eq!(sites_on("(rectangle 2 4)", "", "(sites Corners)"), [0, 3, 4, 7]);
        assert_eq!(sites_on("(rectangle 2 4)", "", "(sites Row 1)"), [4, 5, 6, 7]);
    }
}
