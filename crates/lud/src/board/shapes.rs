//! Boards that are no tilings: wedges, rings, stars, spirals.

use std::f64::consts::TAU;

use super::graph::{Graph, Point};

/// A triangular arm: a vertex at the top, then `rows - 1` rows of `columns` vertices, each wider.
pub fn wedge(rows: usize, columns: usize) -> Graph {
    let mut graph = Graph::default();
    let mid = rows as f64 - 1.0;
    graph.vertices.push([mid, mid, 0.0]);
    for row in 1..rows {
        for column in 0..columns {
            let t = if columns > 1 { column as f64 / (columns - 1) as f64 } else { 0.5 };
            let x = mid - row as f64 + 2.0 * row as f64 * t;
            graph.vertices.push([x, mid - row as f64, 0.0]);
        }
    }
    let at =
        |row: usize, column: usize| if row == 0 { 0 } else { 1 + (row - 1) * columns + column };
    for row in 1..rows {
        (0..columns).for_each(|c| graph.edges.push((at(row - 1, c), at(row, c))));
        (1..columns).for_each(|c| graph.edges.push((at(row, c - 1), at(row, c))));
    }
    graph.make_faces();
    graph
}

/// The corners of a regular polygon of side 1, the first side at the bottom.
fn corners(sides: usize) -> Vec<Point> {
    let radius = 0.5 / (TAU / 2.0 / sides as f64).sin();
    let first = TAU / 4.0 - TAU / 2.0 / sides as f64;
    let corner = |k: usize| {
        let (sin, cos) = (first + TAU * k as f64 / sides as f64).sin_cos();
        [radius * cos, radius * sin, 0.0]
    };
    (0..sides).map(corner).collect()
}

/// A regular polygon.
pub fn regular(sides: usize) -> Graph {
    let mut graph = Graph { vertices: corners(sides), ..Graph::default() };
    (0..sides).for_each(|k| graph.edges.push((k, (k + 1) % sides)));
    graph.faces.push((0..sides).collect());
    graph.reorder();
    graph
}

/// A star drawn in one line (or two, for even numbers) through the corners of a polygon.
pub fn regular_star(sides: usize) -> Graph {
    let mut graph = Graph { vertices: corners(sides), ..Graph::default() };
    let step = (sides - 1) / 2;
    (0..sides).for_each(|k| graph.edge(k, (k + step) % sides));
    graph.reorder();
    graph
}

/// Polygons inside each other.
#[derive(Clone, Copy, Debug)]
pub struct Rings {
    /// Corners of each polygon.
    pub sides: usize,
    /// How many polygons.
    pub rings: usize,
    /// Are there vertices in the middle of the sides?
    pub midpoints: bool,
    /// Are those joined?
    pub join_midpoints: bool,
    /// Are the corners joined?
    pub join_corners: bool,
}

/// A board of polygons inside each other, such as that of the morris games.
pub fn rings(Rings { sides, rings, midpoints, join_midpoints, join_corners }: Rings) -> Graph {
    let mut graph = Graph::default();
    let per_ring = if midpoints { 2 * sides } else { sides };
    let first = TAU / 4.0 - TAU / 2.0 / sides as f64;
    for ring in 0..rings {
        let radius = (ring + 1) as f64;
        let corner = |k: usize| {
            let (sin, cos) = (first + TAU * k as f64 / sides as f64).sin_cos();
            [radius * cos, radius * sin, 0.0]
        };
        for k in 0..sides {
            graph.vertices.push(corner(k));
            if midpoints {
                let (a, b) = (corner(k), corner(k + 1));
                graph.vertices.push([(a[0] + b[0]) / 2.0, (a[1] + b[1]) / 2.0, 0.0]);
            }
        }
    }
    let at = |ring: usize, k: usize| ring * per_ring + k % per_ring;
    for ring in 0..rings {
        (0..per_ring).for_each(|k| graph.edges.push((at(ring, k), at(ring, k + 1))));
        if ring + 1 < rings {
            for k in 0..per_ring {
                let corner = !midpoints || k % 2 == 0;
                if corner && join_corners || !corner && join_midpoints {
                    graph.edges.push((at(ring, k), at(ring + 1, k)));
                }
            }
        }
    }
    graph.make_faces();
    graph.reorder();
    graph
}
