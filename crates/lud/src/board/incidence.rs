//! Elements of different kinds that touch: the vertices and edges of a cell, the edges at a vertex, and so on.

use super::graph::Graph;
use super::tiling::SiteType;

/// By kind and number: the elements of the other kinds that touch it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Incidence {
    /// By cell: its vertices, in order around it.
    pub vertices_of_cell: Vec<Vec<u32>>,
    /// By cell: its edges, in order around it.
    pub edges_of_cell: Vec<Vec<u32>>,
    /// By edge: its ends.
    pub vertices_of_edge: Vec<[u32; 2]>,
    /// By edge: the cells beside it.
    pub cells_of_edge: Vec<Vec<u32>>,
    /// By vertex: its edges.
    pub edges_of_vertex: Vec<Vec<u32>>,
    /// By vertex: the cells around it.
    pub cells_of_vertex: Vec<Vec<u32>>,
}

impl Incidence {
    /// Works it out for a graph.
    pub fn new(graph: &Graph) -> Incidence {
        let mut out = Incidence {
            vertices_of_edge: graph.edges.iter().map(|&(a, b)| [a as u32, b as u32]).collect(),
            cells_of_edge: vec![Vec::new(); graph.edges.len()],
            edges_of_vertex: vec![Vec::new(); graph.vertices.len()],
            cells_of_vertex: vec![Vec::new(); graph.vertices.len()],
            ..Incidence::default()
        };
        let mut number = rustc_hash::FxHashMap::default();
        for (e, &(a, b)) in graph.edges.iter().enumerate() {
            out.edges_of_vertex[a].push(e as u32);
            out.edges_of_vertex[b].push(e as u32);
            number.insert((a.min(b), a.max(b)), e as u32);
        }
        for (f, face) in graph.faces.iter().enumerate() {
            let mut edges = Vec::with_capacity(face.len());
            for (i, &a) in face.iter().enumerate() {
                let b = face[(i + 1) % face.len()];
                out.cells_of_vertex[a].push(f as u32);
                if let Some(&e) = number.get(&(a.min(b), a.max(b))) {
                    out.cells_of_edge[e as usize].push(f as u32);
                    edges.push(e);
                }
            }
            out.vertices_of_cell.push(face.iter().map(|&v| v as u32).collect());
            out.edges_of_cell.push(edges);
        }
        out
    }

    /// The elements of kind `to` that touch an element of kind `from`; itself if the kinds are the
    /// same, none if there is no such element.
    ///
    /// ```
    /// use ludex_lud::board::{Incidence, SiteType, tiling};
    /// let square = tiling::rectangle(1, 1, SiteType::Cell, tiling::Diagonals::Implied);
    /// let incidence = Incidence::new(&square);
    /// assert_eq!(incidence.of(SiteType::Cell, 0, SiteType::Vertex).len(), 4);
    /// assert_eq!(incidence.of(SiteType::Vertex, 3, SiteType::Cell), [0]);
    /// ```
    pub fn of(&self, from: SiteType, number: usize, to: SiteType) -> Vec<u32> {
        use SiteType::{Cell, Edge, Vertex};
        let list = match (from, to) {
            (Cell, Vertex) => self.vertices_of_cell.get(number),
            (Cell, Edge) => self.edges_of_cell.get(number),
            (Edge, Cell) => self.cells_of_edge.get(number),
            (Vertex, Edge) => self.edges_of_vertex.get(number),
            (Vertex, Cell) => self.cells_of_vertex.get(number),
            (Edge, Vertex) => {
                return self.vertices_of_edge.get(number).map_or(Vec::new(), |e| e.to_vec());
            }
            _ => return vec![number as u32],
        };
        list.cloned().unwrap_or_default()
    }

    /// The edges on the border: with fewer than two cells beside them.
    pub fn is_border(&self, edge: usize) -> bool {
        self.cells_of_edge.get(edge).is_some_and(|cells| cells.len() < 2)
    }
}
