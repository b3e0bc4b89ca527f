//! Boards: graphs, how they are made, and the neighbours of their sites.

pub(crate) mod coordinates;
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
pub use self::radials::{Radials, Rings};
pub use self::regions::Regions;
pub use self::tiling::SiteType;
pub use self::topology::{Element, Topology};

use crate::compile::{Ludeme, fit_to};
use crate::ludemes::boards::Draft;
use crate::tree::Node;
use ludex_core::diagnostic::Diagnostic;

/// A board: its graph and what follows from it.
#[derive(Clone, Debug)]
pub struct Board {
    /// The kind of site on which pieces stand.
    pub sites: SiteType,
    /// Vertices, edges, faces.
    pub graph: Graph,
    /// The neighbours of each element.
    pub topology: Topology,
    /// The first loop of a Surakarta board and the number of its loops, where it is given.
    pub(crate) loops: Option<(usize, Option<usize>)>,
    /// The rows of holes of a mancala board.
    pub(crate) holes: Option<usize>,
}

impl Board {
    /// The board of a `(board …)` item.
    ///
    /// # Errors
    /// A form or an argument that is not supported.
    pub(crate) fn new(item: &Ludeme) -> Result<Board, Diagnostic> {
        Draft::board(item)
    }

    /// The board of an expression such as `(board (hex 3))`.
    ///
    /// # Errors
    /// An expression that is no board, or is not supported.
    ///
    /// ```
    /// use ludex_lud::{board::Board, source::Text, tree};
    /// let text = Text::of_file(0, "(board (hex 3))");
    /// let board = Board::of(&tree::read(&text).0[0]).unwrap();
    /// assert_eq!(board.topology.cells.len(), 19);
    /// ```
    pub fn of(node: &Node) -> Result<Board, Diagnostic> {
        let none = || Diagnostic::error("L030", node.span, "this is no board");
        fit_to(node, "item").ok_or_else(none).and_then(|item| Board::new(&item))
    }

    /// The contacts between sites of different kinds.
    pub fn incidence(&self) -> Incidence {
        Incidence::new(&self.graph)
    }

    /// The ways over the sites of a kind.
    pub fn radials(&self, kind: SiteType) -> Radials {
        let seam = self.seam(kind);
        Radials::new(
            self.topology.elements(kind),
            self.graph.pivot.map(|at| Rings { at, seam: &seam }),
        )
    }

    /// By element of a kind: does it lie at the seam of its circle? Circles of cells begin and end in the west. No way around leads over
    /// the cells on both sides of that seam.
    fn seam(&self, kind: SiteType) -> Vec<bool> {
        let (Some([x, y, _]), SiteType::Cell) = (self.graph.pivot, kind) else {
            return Vec::new();
        };
        let west = |&v: &usize| {
            let [p, q, _] = self.graph.vertices[v];
            p < x && (q - y).abs() < 1e-6
        };
        self.graph.faces.iter().map(|face| face.iter().any(west)).collect()
    }

    /// The border, corners, sides, rows and so on of a kind.
    pub fn regions(&self, kind: SiteType) -> Regions {
        Regions::new(&self.graph, &self.incidence(), kind, self.topology.elements(kind))
    }
}
