//! `(regular …)`: a regular polygon, or a star.

use super::{GraphArgs, Result, graph};
use crate::board::{Graph, shapes};
use crate::ludemes::Form;

pub(in crate::ludemes) const FORMS: &[Form] =
    &[graph("regular [Star] dim", "A polygon, or a star.", "(regular Star 5)", read)];

fn read(args: &mut GraphArgs<'_, '_>) -> Result<Graph> {
    let sides = args.size("dim")?;
    if sides < 3 {
        return Err(args.fault("a polygon has at least three sides"));
    }
    Ok(if args.has_word("Star") { shapes::regular_star(sides) } else { shapes::regular(sides) })
}

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::sites_on;

    #[test]
    fn a_regular_polygon_has_two_neighbours_a_vertex() {
        assert_eq!(sites_on("(regular 6) use:Vertex", "", "(sites Board)").len(), 6);
        assert_eq!(sites_on("(regular 6) use:Vertex", "", "(sites Around 0 Orthogonal)").len(), 2);
    }
}
