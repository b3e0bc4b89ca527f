//! `(square …)`: square cells.

use super::{GraphArgs, Outline, Result, graph};
use crate::board::Graph;
use crate::board::tiling::{self, Diagonals};
use crate::ludemes::Form;

pub(in crate::ludemes) const FORMS: &[Form] = &[
    graph(
        "square [squareShapeType] dim ([diagonals:diagonalsType] | [pyramidal:boolean])",
        "Square cells.",
        "(square 8)",
        read,
    ),
    graph(
        "square (poly | {dim}) [diagonals:diagonalsType]",
        "Square cells in an outline.",
        "(square {4 4 2 2})",
        inside,
    ),
];

fn read(args: &mut GraphArgs<'_, '_>) -> Result<Graph> {
    let shape = args.word("squareShapeType");
    let size = args.size("dim")?;
    args.check(size * size)?;
    let diagonals = args.diagonals()?;
    if args.flag("pyramidal", false)? {
        return Ok(tiling::pyramid(size));
    }
    match (shape, diagonals) {
        (None | Some("Square" | "Rectangle"), _) => {
            Ok(tiling::rectangle(size, size, args.sites(), diagonals))
        }
        (Some("Diamond"), Diagonals::Implied) => {
            Ok(tiling::squares(&tiling::square_diamond(size as i32), args.sites()))
        }
        _ => Err(args.unsupported()),
    }
}

fn inside(args: &mut GraphArgs<'_, '_>) -> Result<Graph> {
    if args.diagonals()? != Diagonals::Implied {
        return Err(args.fault("diagonals on this shape are not supported yet"));
    }
    match args.try_outline()? {
        Some(Outline::Sides(sides)) => {
            Ok(tiling::squares(&tiling::square_outline(&sides), args.sites()))
        }
        Some(Outline::Polygon(polygon)) => Ok(tiling::squares_in(&polygon)),
        None => Err(args.unsupported()),
    }
}

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::sites_on;

    #[test]
    fn a_square_has_as_many_rows_as_columns() {
        assert_eq!(sites_on("(square 4)", "", "(sites Board)").len(), 16);
        assert_eq!(sites_on("(square 4)", "", "(sites Corners)"), [0, 3, 12, 15]);
    }
}
