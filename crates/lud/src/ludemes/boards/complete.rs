//! `(complete …)`: all vertices are joined.

use super::{GraphArgs, Result, graph};
use crate::board::{Graph, operate};
use crate::ludemes::Form;

/// All pairs of no more vertices are joined.
const MOST_JOINED: usize = 200;

pub(in crate::ludemes) const FORMS: &[Form] = &[graph(
    "complete graph [eachCell:boolean]",
    "A graph whose vertices are all joined, or those of each cell.",
    "(complete (hole (square 3) (poly {{1 1} {1 2} {2 2}})))",
    read,
)];

fn read(args: &mut GraphArgs<'_, '_>) -> Result<Graph> {
    let mut graph = args.graph()?;
    let each_cell = args.flag("eachCell", false)?;
    let joined = match each_cell {
        true => graph.faces.iter().map(Vec::len).max().unwrap_or(0),
        false => graph.vertices.len(),
    };
    if joined > MOST_JOINED {
        return Err(args.fault(format!("more than {MOST_JOINED} vertices to join")));
    }
    operate::complete(&mut graph, each_cell);
    Ok(graph)
}

#[cfg(test)]
mod tests {
    use crate::ludemes::testing::sites_on;

    #[test]
    fn all_vertices_of_a_complete_graph_are_neighbours() {
        assert_eq!(
            sites_on("(complete (regular 5)) use:Vertex", "", "(sites Around 0)"),
            [1, 2, 3, 4]
        );
    }
}
