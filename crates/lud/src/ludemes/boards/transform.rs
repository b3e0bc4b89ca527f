//! `(shift …)`, `(scale …)`, `(rotate …)`, `(skew …)`: a graph in another place or of another shape.

use super::{GraphArgs, Result, graph};
use crate::board::{Graph, operate};
use crate::ludemes::Form;

pub(in crate::ludemes) const FORMS: &[Form] = &[
    graph("rotate float graph", "A graph that is turned.", "(rotate 45 (square 3))", rotate),
    graph(
        "scale float [float] [float] graph",
        "A graph that is stretched.",
        "(scale 2 (square 3))",
        scale,
    ),
    graph(
        "shift float float [float] graph",
        "A graph that is moved.",
        "(shift 1 0 (square 3))",
        shift,
    ),
    graph("skew float graph", "A graph that is slanted.", "(skew 0.5 (square 3))", skew),
];

fn rotate(args: &mut GraphArgs<'_, '_>) -> Result<Graph> {
    let degrees = args.number("float")?;
    Ok(operate::rotate(args.graph()?, degrees))
}

fn scale(args: &mut GraphArgs<'_, '_>) -> Result<Graph> {
    let x = args.number("float")?;
    let y = args.try_number("float")?.unwrap_or(x);
    let z = args.try_number("float")?.unwrap_or(1.0);
    let mut graph = args.graph()?;
    graph.transform(|point| [point[0] * x, point[1] * y, point[2] * z]);
    Ok(graph)
}

fn shift(args: &mut GraphArgs<'_, '_>) -> Result<Graph> {
    let (x, y) = (args.number("float")?, args.number("float")?);
    let z = args.try_number("float")?.unwrap_or(0.0);
    let mut graph = args.graph()?;
    graph.transform(|point| [point[0] + x, point[1] + y, point[2] + z]);
    Ok(graph)
}

fn skew(args: &mut GraphArgs<'_, '_>) -> Result<Graph> {
    let amount = args.number("float")?;
    let mut graph = args.graph()?;
    graph.transform(|point| [point[0] + point[1] * amount, point[1], point[2]]);
    Ok(graph)
}

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::sites_on;

    #[test]
    fn a_board_that_is_moved_or_turned_has_as_many_sites() {
        assert_eq!(sites_on("(shift 3 4 (square 3))", "", "(sites Row 2)"), [6, 7, 8]);
        assert_eq!(sites_on("(rotate 90 (rectangle 2 4))", "", "(sites Row 0)").len(), 2);
    }
}
