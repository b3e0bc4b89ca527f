//! `(repeat …)`: a pattern of polygons again and again.

use super::{GraphArgs, Result, graph};
use crate::board::{Graph, mosaic};
use crate::ludemes::Form;

pub(in crate::ludemes) const FORMS: &[Form] = &[graph(
    "repeat dim dim step:{{float}} (poly | {poly})",
    "A pattern again and again.",
    "(repeat 2 2 step:{{1 0} {0 1}} (poly {{0 0} {0 1} {1 1} {1 0}}))",
    read,
)];

fn read(args: &mut GraphArgs<'_, '_>) -> Result<Graph> {
    let (rows, columns) = (args.size("dim")?, args.size("dim")?);
    let steps = args.value("step")?;
    let [column_step, row_step] = args.points(steps)?[..] else {
        return Err(args.fault("two steps are expected, as in step:{{1 0} {0 1}}"));
    };
    let shapes = args.take_any(&["poly", "{poly}"]).map_or(&[][..], |value| value.items());
    let shapes: Vec<_> = shapes.iter().map(|shape| args.corners(shape)).collect::<Result<_>>()?;
    args.check(rows * columns * shapes.iter().map(Vec::len).sum::<usize>())?;
    Ok(mosaic::repeat((rows, columns), column_step, row_step, &shapes))
}

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::sites_on;

    #[test]
    fn a_shape_is_repeated_by_rows_and_columns() {
        let unit = "(poly {{0 0} {0 1} {1 1} {1 0}})";
        let board = format!("(repeat 2 3 step:{{{{1 0}} {{0 1}}}} {unit})");
        assert_eq!(sites_on(&board, "", "(sites Board)").len(), 6);
    }
}
