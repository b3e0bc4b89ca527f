//! Boards: graphs, how they are made, and who is next to whom on them.

pub mod build;
mod coordinates;
pub mod graph;
pub mod incidence;
pub mod mosaic;
pub mod operate;
pub mod radials;
pub mod regions;
pub mod shapes;
pub mod tiling;
pub mod topology;

pub use self::graph::Graph;
pub use self::incidence::Incidence;
pub use self::radials::Radials;
pub use self::regions::Regions;
pub use self::tiling::SiteType;
pub use self::topology::{Element, Topology};

use crate::tree::{Form, Node};
use ludex_core::diagnostic::Diagnostic;

/// A board: its graph and what follows from it.
#[derive(Clone, Debug)]
pub struct Board {
    /// What the pieces stand on.
    pub sites: SiteType,
    /// Vertices, edges, faces.
    pub graph: Graph,
    /// Neighbours.
    pub topology: Topology,
    /// The middle around which a board of circles is laid.
    pub pivot: Option<graph::Point>,
}

impl Board {
    /// The board of a `(board …)` expression.
    ///
    /// ```
    /// use ludex_lud::{board::Board, source::Text, tree};
    /// let text = Text::of_file(0, "(board (hex 3))");
    /// let board = Board::new(&tree::read(&text).0[0]).unwrap();
    /// assert_eq!(board.topology.cells.len(), 19);
    /// ```
    pub fn new(node: &Node) -> Result<Board, Diagnostic> {
        let word = |label: &str| {
            node.args().iter().find(|a| a.label.as_deref() == Some(label)).map(|a| &a.form)
        };
        let sites = match (word("use"), node.keyword()) {
            (_, Some("mancalaBoard")) => SiteType::Vertex,
            (Some(Form::Word(word)), _) if word == "Vertex" => SiteType::Vertex,
            (Some(Form::Word(word)), _) if word == "Edge" => SiteType::Edge,
            (None, Some("surakartaBoard")) => SiteType::Vertex,
            _ => SiteType::Cell,
        };
        if node.keyword() == Some("boardless") {
            let graph = build::Builder { sites }.boardless(node)?;
            let topology = Topology::new(&graph);
            return Ok(Board { sites, graph, topology, pivot: None });
        }
        let Some(shape) = node.args().first() else {
            return Err(Diagnostic::error("L030", node.span, "a board has a shape"));
        };
        let graph = match node.keyword() {
            Some("board" | "surakartaBoard") => build::Builder { sites }.graph(shape)?,
            Some("mancalaBoard") => build::Builder { sites }.mancala(node)?,
            other => {
                let name = other.unwrap_or("this");
                let message = format!("({name} …) is not supported as a board");
                return Err(Diagnostic::error("L031", node.span, message));
            }
        };
        let mut topology = Topology::new(&graph);
        if node.keyword() == Some("mancalaBoard") {
            coordinates::lower_stores(&mut topology.vertices);
        }
        // Circles lie around the origin, wherever they have been moved together.
        let circles = matches!(shape.keyword(), Some("concentric"))
            || shape.keyword() == Some("remove")
                && shape.args().first().and_then(Node::keyword) == Some("concentric");
        let pivot = circles.then_some([0.0; 3]);
        Ok(Board { sites, graph, topology, pivot })
    }

    /// What touches what across kinds.
    pub fn incidence(&self) -> Incidence {
        Incidence::new(&self.graph)
    }

    /// The ways over the sites of a kind.
    pub fn radials(&self, kind: SiteType) -> Radials {
        Radials::new(self.topology.elements(kind), &self.pivots(kind))
    }

    /// By element of a kind: the middle around which it is laid. Circles of cells begin and end in
    /// the west, and the reference knows of no way around over the cells on both sides of that seam.
    fn pivots(&self, kind: SiteType) -> Vec<Option<graph::Point>> {
        let mut pivots = vec![self.pivot; self.topology.elements(kind).len()];
        if let (Some([x, y, _]), SiteType::Cell) = (self.pivot, kind) {
            let west = |&v: &usize| {
                let [p, q, _] = self.graph.vertices[v];
                p < x && (q - y).abs() < 1e-6
            };
            for (pivot, face) in pivots.iter_mut().zip(&self.graph.faces) {
                *pivot = pivot.filter(|_| !face.iter().any(west));
            }
        }
        pivots
    }

    /// The border, corners, sides, rows and so on of a kind.
    pub fn regions(&self, kind: SiteType) -> Regions {
        Regions::new(&self.graph, &self.incidence(), kind, self.topology.elements(kind))
    }
}
