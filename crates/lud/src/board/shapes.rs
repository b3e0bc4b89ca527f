//! Boards that are no tilings: wedges, rings, stars, spirals.

use std::f64::consts::TAU;

use super::graph::{Graph, Point};

/// A triangular arm, without faces: a vertex at the top, then `rows - 1` rows of `columns` vertices, each wider.
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
    graph
}

/// The corners of a regular polygon, the first at the top, on a circle as long as it has sides.
fn corners(sides: usize) -> Vec<Point> {
    let radius = sides as f64 / TAU;
    let first = TAU / 4.0;
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

/// A board of polygons inside each other, such as that of the morris games; it has no faces.
pub fn rings(Rings { sides, rings, midpoints, join_midpoints, join_corners }: Rings) -> Graph {
    let mut graph = Graph::default();
    let per_ring = if midpoints { 2 * sides } else { sides };
    let first = TAU * 0.75 + TAU / 2.0 / sides as f64;
    for ring in 0..rings {
        // Triangles need twice the room.
        let radius = if sides == 3 { 2 * ring + 1 } else { ring + 1 } as f64;
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
    graph.reorder();
    graph
}

/// Vertices on circles around a centre: so many on each, without edges along the circle where the
/// number is negative. The first number 1 is the centre, 0 leaves it out.
pub fn circles(counts: &[i32]) -> Graph {
    if let [only] = counts {
        let n = only.unsigned_abs() as usize;
        let mut graph = Graph::default();
        for k in 0..n {
            let (sin, cos) = (TAU * (0.25 + k as f64 / n as f64)).sin_cos();
            graph.vertices.push([n as f64 / TAU * cos, n as f64 / TAU * sin, 0.0]);
        }
        (0..n).for_each(|k| graph.edge(k, (k + 1) % n));
        graph.reorder();
        return graph;
    }
    let mut graph = Graph::default();
    // By circle: its vertices with their angles in turns.
    let mut rings: Vec<Vec<(usize, f64)>> = Vec::new();
    let centred = matches!(counts.first(), Some(0 | 1));
    for (k, &count) in counts.iter().enumerate() {
        let radius = if centred { k } else { k + 1 } as f64;
        let n = count.unsigned_abs() as usize;
        let mut ring = Vec::new();
        for i in 0..n {
            // From -1/2 to 1/2: what lies in the west is a hair below the centre, and faces are
            // numbered accordingly.
            let turn = 0.25 + (i + 1) as f64 / n as f64;
            let turn = turn - (turn + 0.5).floor();
            let (sin, cos) = (turn * TAU).sin_cos();
            ring.push((graph.vertices.len(), turn));
            graph.vertices.push([radius * cos, radius * sin, 0.0]);
        }
        rings.push(ring);
    }
    for (ring, &count) in rings.iter().zip(counts) {
        if count > 1 {
            for i in 0..ring.len() {
                graph.edge(ring[i].0, ring[(i + 1) % ring.len()].0);
            }
        }
    }
    for pair in rings.windows(2) {
        for &(v, turn) in &pair[1] {
            let centre = pair[0].len() == 1;
            let inner = pair[0].iter().find(|(_, t)| centre || (t - turn).abs() < 1e-6);
            if let Some(&(w, _)) = inner {
                graph.edge(w, v);
            }
        }
    }
    graph
}

/// Vertices one after the other on a spiral around a centre, each in the middle of its piece of the
/// line: from turn to turn twice as many, up to 28.
pub fn spiral(sites: usize, clockwise: bool) -> Graph {
    const FIRST: f64 = 3.5;
    const MOST: f64 = 28.0;
    // Where pieces begin, in turns; the first turn has no room but for the centre and one more.
    let mut begin = vec![5.0 / 7.0];
    while begin.len() < sites {
        let last: f64 = begin[begin.len() - 1];
        let whole = (last + 1e-9).floor();
        begin.push(last + 1.0 / (FIRST * 2.0f64.powf(whole)).min(MOST));
    }
    let mut graph = Graph { vertices: vec![[0.0; 3]], ..Graph::default() };
    for pair in begin.windows(2) {
        let radius = (pair[0] + pair[1]) / 2.0 * TAU;
        let (sin, cos) = (radius + TAU / 2.0).sin_cos();
        let sin = if clockwise { -sin } else { sin };
        graph.vertices.push([radius * cos, radius * sin, 0.0]);
    }
    (1..graph.vertices.len()).for_each(|v| graph.edges.push((v - 1, v)));
    graph
}

/// Cells on circles around a centre: so many on each. The circles between them are half a step from
/// the places where [`circles`] has vertices; the first number 0 leaves a vertex in the centre.
/// With `stagger`, every other circle of cells is turned by half a cell.
pub fn circles_of_cells(counts: &[i32], stagger: bool) -> Graph {
    let mut graph = Graph::default();
    if counts.first() == Some(&0) {
        graph.vertices.push([0.0; 3]);
    }
    // The angles, in turns from -1/2 to 1/2, of the spokes between the cells of a circle, clockwise
    // from the north.
    let spokes = |ring: usize| -> Vec<f64> {
        let n = counts.get(ring).map_or(0, |c| c.unsigned_abs() as usize);
        if ring == 0 || n < 2 {
            return Vec::new();
        }
        let shift = if stagger && ring.is_multiple_of(2) { 0.5 } else { 0.0 };
        let turn = |i: usize| 0.25 - (i as f64 + shift) / n as f64;
        (0..n).map(|i| turn(i) - (turn(i) + 0.5 - 1e-9).floor()).collect()
    };
    // By circle: its vertices, to the left from the west.
    let mut around: Vec<Vec<(usize, f64)>> = Vec::new();
    for ring in 0..counts.len() {
        let mut turns = spokes(ring);
        turns.extend(spokes(ring + 1));
        // Sites in the west come first.
        turns.iter_mut().filter(|t| **t > 0.5 - 1e-6).for_each(|t| *t = -0.5);
        turns.sort_by(f64::total_cmp);
        turns.dedup_by(|a, b| (*a - *b).abs() < 1e-6);
        let radius = ring as f64 + 0.5;
        let mut circle = Vec::new();
        for turn in turns {
            let (sin, cos) = (turn * TAU).sin_cos();
            circle.push((graph.vertices.len(), turn));
            graph.vertices.push([radius * cos, radius * sin, 0.0]);
        }
        around.push(circle);
    }
    for circle in &around {
        for i in 0..circle.len() {
            graph.edge(circle[i].0, circle[(i + 1) % circle.len()].0);
        }
    }
    for ring in 1..counts.len() {
        let at = |circle: usize, turn: f64| {
            around[circle].iter().find(|(_, t)| {
                let apart = (t - turn).rem_euclid(1.0);
                apart.min(1.0 - apart) < 1e-6
            })
        };
        for turn in spokes(ring) {
            if let (Some(&(a, _)), Some(&(b, _))) = (at(ring - 1, turn), at(ring, turn)) {
                graph.edge(a, b);
            }
        }
    }
    graph.make_faces();
    graph
}

/// Rows of holes, and a store at either end where there are stores.
pub fn mancala(rows: usize, columns: usize, stores: bool) -> Graph {
    let mut graph = Graph::default();
    let middle = (rows as f64 - 1.0) / 2.0;
    if stores {
        graph.vertices.push([-0.85, middle, 0.0]);
    }
    let first = graph.vertices.len();
    for row in 0..rows {
        (0..columns).for_each(|column| graph.vertices.push([column as f64, row as f64, 0.0]));
    }
    let at = |row: usize, column: usize| first + row * columns + column;
    for row in 0..rows {
        (1..columns).for_each(|column| graph.edges.push((at(row, column - 1), at(row, column))));
    }
    if stores {
        (0..rows).for_each(|row| graph.edges.push((0, at(row, 0))));
    }
    for row in 1..rows {
        (0..columns).for_each(|column| graph.edges.push((at(row - 1, column), at(row, column))));
    }
    if stores {
        let right = graph.vertices.len();
        graph.vertices.push([columns as f64 - 0.15, middle, 0.0]);
        (0..rows).for_each(|row| graph.edges.push((right, at(row, columns - 1))));
    }
    graph.make_faces();
    graph
}
