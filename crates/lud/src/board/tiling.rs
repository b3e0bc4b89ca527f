//! The regular tilings: squares, hexagons, triangles, in the shapes that boards have.

use super::graph::{Graph, Sketch};

/// The kind of site on which pieces stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SiteType {
    /// Faces.
    Cell,
    /// Edges.
    Edge,
    /// Vertices.
    Vertex,
}

impl SiteType {
    /// By its word.
    pub(crate) fn named(word: &str) -> Option<SiteType> {
        match word {
            "Cell" => Some(SiteType::Cell),
            "Edge" => Some(SiteType::Edge),
            "Vertex" => Some(SiteType::Vertex),
            _ => None,
        }
    }
}

/// Edges across the squares of a square tiling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Diagonals {
    /// No diagonals.
    Implied,
    /// Both, meeting in a new vertex.
    Solid,
    /// Both, crossing without a vertex.
    SolidNoSplit,
    /// Every other one, as on alquerque boards.
    Alternating,
    /// Rings around the centre.
    Concentric,
    /// Rays from the centre.
    Radiating,
}

impl Diagonals {
    /// By its word.
    pub(crate) fn named(word: &str) -> Option<Diagonals> {
        Some(match word {
            "Implied" => Diagonals::Implied,
            "Solid" => Diagonals::Solid,
            "SolidNoSplit" => Diagonals::SolidNoSplit,
            "Alternating" => Diagonals::Alternating,
            "Concentric" => Diagonals::Concentric,
            "Radiating" => Diagonals::Radiating,
            _ => return None,
        })
    }
}

pub(super) const ROOT3: f64 = 1.732_050_807_568_877_2;

/// `rows` by `columns` sites of a square tiling.
pub fn rectangle(rows: usize, columns: usize, sites: SiteType, diagonals: Diagonals) -> Graph {
    let more = usize::from(sites == SiteType::Cell);
    let (rows, columns) = (rows + more, columns + more);
    let mut graph = Graph::default();
    for row in 0..rows {
        for column in 0..columns {
            graph.vertices.push([column as f64, row as f64, 0.0]);
        }
    }
    let at = |row: usize, column: usize| row * columns + column;
    for row in 0..rows {
        for column in 0..columns {
            if column + 1 < columns {
                graph.edges.push((at(row, column), at(row, column + 1)));
            }
            if row + 1 < rows {
                graph.edges.push((at(row, column), at(row + 1, column)));
            }
        }
    }
    let (mid_row, mid_column) = ((rows - 1) / 2, (columns - 1) / 2);
    for row in 0..rows.saturating_sub(1) {
        for column in 0..columns.saturating_sub(1) {
            let (a, b) = (at(row, column), at(row, column + 1));
            let (c, d) = (at(row + 1, column + 1), at(row + 1, column));
            let same_side = (row < mid_row) == (column < mid_column);
            match diagonals {
                Diagonals::Implied => graph.faces.push(vec![a, b, c, d]),
                Diagonals::Solid => {
                    let centre = graph.vertices.len();
                    graph.vertices.push([column as f64 + 0.5, row as f64 + 0.5, 0.0]);
                    [a, b, c, d].into_iter().for_each(|v| graph.edges.push((v, centre)));
                    for (v, w) in [(a, b), (b, c), (c, d), (d, a)] {
                        graph.faces.push(vec![v, w, centre]);
                    }
                }
                Diagonals::SolidNoSplit => graph.edges.extend([(a, c), (b, d)]),
                Diagonals::Radiating if row != column && row + column != columns - 2 => {
                    graph.faces.push(vec![a, b, c, d]);
                }
                _ => {
                    let rising = match diagonals {
                        Diagonals::Concentric => !same_side,
                        Diagonals::Radiating => row == column,
                        _ => (row + column).is_multiple_of(2),
                    };
                    if rising {
                        graph.edges.push((a, c));
                        graph.faces.extend([vec![a, b, c], vec![a, c, d]]);
                    } else {
                        graph.edges.push((b, d));
                        graph.faces.extend([vec![a, b, d], vec![b, c, d]]);
                    }
                }
            }
        }
    }
    if diagonals == Diagonals::SolidNoSplit {
        graph.make_faces();
    }
    graph.reorder();
    graph
}

/// Squares around cells, or between vertices, at some places.
pub fn squares(places: &[Place], sites: SiteType) -> Graph {
    let corners = |(i, j): Place| [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)];
    let known: rustc_hash::FxHashSet<Place> = places.iter().copied().collect();
    let mut sketch = Sketch::default();
    let point = |(i, j): Place| [f64::from(i), f64::from(j)];
    if sites != SiteType::Cell {
        for &(i, j) in places {
            let here = sketch.vertex([f64::from(i), f64::from(j), 0.0]);
            for (i, j) in [(i + 1, j), (i, j + 1)] {
                if known.contains(&(i, j)) {
                    let there = sketch.vertex([f64::from(i), f64::from(j), 0.0]);
                    sketch.edge(here, there);
                }
            }
        }
    }
    for &place in places {
        if sites == SiteType::Cell || corners(place).iter().all(|c| known.contains(c)) {
            sketch.polygon(corners(place).map(point));
        }
    }
    sketch.ordered()
}

/// Squares between all whole points inside a polygon, see [`covers`].
pub fn squares_in(polygon: &[[f64; 2]]) -> Graph {
    let most = polygon.iter().flatten().fold(0.0f64, |m, c| m.max(c.abs())).ceil() as i32;
    let range = -most..=most;
    let places: Vec<Place> = range
        .clone()
        .flat_map(|j| range.clone().map(move |i| (i, j)))
        .filter(|&(i, j)| covers(polygon, [f64::from(i), f64::from(j)]))
        .collect();
    squares(&places, SiteType::Vertex)
}

/// The places of a square on its tip with `n` to a side.
pub fn square_diamond(n: i32) -> Vec<Place> {
    let range = 1 - n..n;
    let all = range.clone().flat_map(|j| range.clone().map(move |i| (i, j)));
    all.filter(|(i, j)| i.abs() + j.abs() < n).map(|(i, j)| (i + n - 1, j + n - 1)).collect()
}

/// The places inside an outline: sides as numbers of places, turning right after each; negative
/// ones turn left.
pub fn square_outline(sides: &[i32]) -> Vec<Place> {
    const STEPS: [Place; 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
    let (mut place, mut direction): (Place, i32) = ((0, 0), 0);
    let mut corners = vec![[0.0, 0.0]];
    for (k, &side) in sides.iter().enumerate() {
        if k > 0 {
            direction += if side < 0 { -1 } else { 1 };
        }
        let step = STEPS[direction.rem_euclid(4) as usize];
        let n = side.abs() - 1;
        place = (place.0 + n * step.0, place.1 + n * step.1);
        corners.push([f64::from(place.0), f64::from(place.1)]);
    }
    let most = corners.iter().flatten().fold(0.0f64, |m, c| m.max(c.abs())) as i32 + 1;
    let range = -most..=most;
    let all = range.clone().flat_map(|j| range.clone().map(move |i| (i, j)));
    all.filter(|&(i, j)| contains(&corners, [f64::from(i), f64::from(j)], 0.1)).collect()
}

/// A square of balls with smaller ones stacked on it: `size` by `size` vertices, then one less
/// each way in every layer.
pub fn pyramid(size: usize) -> Graph {
    let mut graph = Graph::default();
    for layer in 0..size {
        let (side, offset) = (size - layer, layer as f64 / 2.0);
        let first = graph.vertices.len();
        for row in 0..side {
            for column in 0..side {
                let z = layer as f64 * std::f64::consts::FRAC_1_SQRT_2;
                graph.vertices.push([column as f64 + offset, row as f64 + offset, z]);
            }
        }
        let at = |row: usize, column: usize| first + row * side + column;
        for row in 0..side {
            for column in 0..side {
                if layer > 0 {
                    // On the four below.
                    let below = first - (side + 1) * (side + 1) + row * (side + 1) + column;
                    for support in [0, 1, side + 1, side + 2] {
                        graph.edges.push((below + support, at(row, column)));
                    }
                }
                if column + 1 < side {
                    graph.edges.push((at(row, column), at(row, column + 1)));
                }
                if row + 1 < side {
                    graph.edges.push((at(row, column), at(row + 1, column)));
                }
                if row + 1 < side && column + 1 < side {
                    let around =
                        [(0, 0), (0, 1), (1, 1), (1, 0)].map(|(r, c)| at(row + r, column + c));
                    graph.faces.push(around.to_vec());
                }
            }
        }
    }
    graph.reorder();
    graph
}

/// A place of a triangular lattice: `i` steps to the right, `j` steps up and to the right.
pub type Place = (i32, i32);

/// Where a lattice's place is, for steps of length 1.
pub(super) fn lattice((i, j): Place) -> [f64; 2] {
    [f64::from(i) + f64::from(j) / 2.0, f64::from(j) * ROOT3 / 2.0]
}

/// Hexagons around the places of a lattice; `upright` ones have a vertex at the top.
pub fn hexagons(places: &[Place], upright: bool) -> Graph {
    let mut graph = Sketch::default();
    for &place in places {
        let [x, y] = lattice(place).map(|c| c * ROOT3);
        let turn = if upright { 90.0f64 } else { 0.0 };
        let (x, y) = if upright { (x, y) } else { rotated(x, y, 30.0) };
        let around: Vec<usize> = (0..6)
            .map(|k| {
                let (sin, cos) = (turn + 60.0 * f64::from(k)).to_radians().sin_cos();
                graph.vertex([x + cos, y + sin, 0.0])
            })
            .collect();
        graph.face(&around);
    }
    graph.ordered()
}

pub(super) fn rotated(x: f64, y: f64, degrees: f64) -> (f64, f64) {
    let (sin, cos) = degrees.to_radians().sin_cos();
    (x * cos - y * sin, x * sin + y * cos)
}

/// Triangles between the places of a lattice.
pub fn triangles(places: &[Place]) -> Graph {
    let mut graph = Graph::default();
    let known: rustc_hash::FxHashSet<Place> = places.iter().copied().collect();
    for &place in places {
        let [x, y] = lattice(place);
        graph.vertices.push([x, y, 0.0]);
    }
    let number: rustc_hash::FxHashMap<Place, usize> =
        places.iter().enumerate().map(|(n, &place)| (place, n)).collect();
    for &(i, j) in places {
        let here = number[&(i, j)];
        for next in [(i + 1, j), (i, j + 1), (i - 1, j + 1)] {
            if let Some(&there) = number.get(&next) {
                graph.edges.push((here, there));
            }
        }
        for (a, b) in [((i + 1, j), (i, j + 1)), ((i, j + 1), (i - 1, j + 1))] {
            if known.contains(&a) && known.contains(&b) {
                graph.faces.push(vec![here, number[&a], number[&b]]);
            }
        }
    }
    graph.reorder();
    graph
}

/// The places of a hexagon with `n` to a side.
pub fn hexagon(n: i32) -> Vec<Place> {
    let rows = 0..2 * n - 1;
    rows.flat_map(|j| {
        let (from, to) = if j < n { (-j, n) } else { (1 - n, 2 * n - 1 - j) };
        (from..to).map(move |i| (i, j))
    })
    .collect()
}

/// The places of a triangle with `n` to a side.
pub fn triangle(n: i32) -> Vec<Place> {
    (0..n).flat_map(|j| (0..n - j).map(move |i| (i, j))).collect()
}

/// The places of a rhombus of `rows` by `columns`.
pub fn diamond(rows: i32, columns: i32) -> Vec<Place> {
    (0..rows).flat_map(|j| (0..columns).map(move |i| (i - j, j))).collect()
}

/// A rhombus of `size` to a side, pulled up until its outer columns have `height` places.
pub fn prism(size: i32, height: i32) -> Vec<Place> {
    let mut places: Vec<Place> = (0..height.max(1))
        .flat_map(|k| diamond(size, size).into_iter().map(move |(i, j)| (i, j + k)))
        .collect();
    places.sort_unstable();
    places.dedup();
    places
}

/// Rows of alternating length, each half a step from the last.
pub fn staggered(rows: i32, columns: i32) -> Vec<Place> {
    (0..rows).flat_map(|j| (0..columns - j % 2).map(move |i| (i - j / 2, j))).collect()
}

/// A star of six points, each a triangle with `n` to a side.
pub fn star(n: i32) -> Vec<Place> {
    // The hexagon has n + 1 to a side; the lowest point is at the height 0.
    let centre = (-n + n, 2 * n);
    let mut places = Vec::new();
    for j in 0..=4 * n {
        for i in -6 * n..=6 * n {
            let (a, b) = (i - centre.0, j - centre.1);
            let c = -a - b;
            let up = a >= -n && b >= -n && c >= -n;
            let down = a <= n && b <= n && c <= n;
            if up || down {
                places.push((i, j));
            }
        }
    }
    places
}

/// The places of a hexagon whose sides have `a` and `b` places in turn.
pub fn alternating(a: i32, b: i32) -> Vec<Place> {
    inside(&turns(&[a, b, a, b, a]), [i32::MIN..i32::MAX, i32::MIN..i32::MAX])
}

/// The places inside an outline, `step` apart from one another: sides as numbers of places, turning right by 60 degrees after
/// each; negative ones turn left. It begins at the origin to the right, and closes itself.
///
/// Only some columns and rows are searched: those from the least coordinate of a corner, minus two, to the greatest, plus two. The
/// columns lean to the left, so places of a long outline lie outside of this range and are lost. Three boards decide this. "Hex 6-7"
/// of SnipSnip has 102 sites instead of 108. The sides 4 6 4 7 4 of its "Equiversi 4-6" give the hexagon of 4 and 6. "H1 9-10" of
/// Garrisons loses rows.
pub fn outline(sides: &[i32], step: f64) -> Vec<Place> {
    let corners = turns(sides);
    let numbers = [0, 1].map(|axis| {
        let ends = corners.iter().map(|&corner| (lattice(corner)[axis] * step).trunc() as i32);
        let (least, most) = (ends.clone().min().unwrap_or(0), ends.max().unwrap_or(0));
        least - 2..most + 3
    });
    inside(&corners, numbers)
}

/// The corners of an outline.
fn turns(sides: &[i32]) -> Vec<Place> {
    const STEPS: [Place; 6] = [(1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)];
    let (mut place, mut direction): (Place, i32) = ((0, 0), 0);
    let mut corners = vec![place];
    for (k, &side) in sides.iter().enumerate() {
        if k > 0 {
            direction += if side < 0 { -1 } else { 1 };
        }
        let step = STEPS[direction.rem_euclid(6) as usize];
        let n = side.abs() - 1;
        place = (place.0 + n * step.0, place.1 + n * step.1);
        corners.push(place);
    }
    corners
}

/// The places in or on a polygon of the lattice whose column, `i + j`, and row are in a range.
fn inside(corners: &[Place], [columns, rows]: [std::ops::Range<i32>; 2]) -> Vec<Place> {
    let points: Vec<[f64; 2]> = corners.iter().map(|&corner| lattice(corner)).collect();
    let reach = corners.iter().map(|c| c.0.abs().max(c.1.abs())).max().unwrap_or(0) * 2 + 2;
    let mut places = Vec::new();
    for j in -reach..=reach {
        for i in -reach * 2..=reach * 2 {
            let searched = columns.contains(&(i + j)) && rows.contains(&j);
            if searched && contains(&points, lattice((i, j)), 0.1) {
                places.push((i, j));
            }
        }
    }
    places
}

/// Is a point in a polygon, or as near as `margin` to its border?
pub fn contains(polygon: &[[f64; 2]], [x, y]: [f64; 2], margin: f64) -> bool {
    let mut inside = false;
    for ([ax, ay], [bx, by]) in sides(polygon) {
        if (ay > y) != (by > y) && x < (bx - ax) * (y - ay) / (by - ay) + ax {
            inside = !inside;
        }
    }
    inside || near_border(polygon, [x, y], margin)
}

/// How far the border of a polygon is moved before points are looked for in it.
const INFLATED: f64 = 0.05;

/// Is a point in a polygon whose border is moved a little to the left of the way around it? A clockwise polygon grows (decided by
/// Adhesion, "XXL (156) hex cells", which has a cell whose centre is 0.03 outside), the other way round it shrinks (decided by Make
/// Muster, whose corners are not part of the board).
pub fn covers(polygon: &[[f64; 2]], point: [f64; 2]) -> bool {
    let area: f64 = sides(polygon).map(|([ax, ay], [bx, by])| ax * by - bx * ay).sum();
    match area < 0.0 {
        true => contains(polygon, point, INFLATED),
        false => contains(polygon, point, 0.0) && !near_border(polygon, point, INFLATED),
    }
}

/// Is a point on the border of a polygon?
pub fn on_border(polygon: &[[f64; 2]], point: [f64; 2]) -> bool {
    near_border(polygon, point, 1e-6)
}

fn near_border(polygon: &[[f64; 2]], [x, y]: [f64; 2], margin: f64) -> bool {
    sides(polygon).any(|([ax, ay], [bx, by])| {
        let (dx, dy) = (bx - ax, by - ay);
        let length = (dx * dx + dy * dy).max(1e-12);
        let t = (((x - ax) * dx + (y - ay) * dy) / length).clamp(0.0, 1.0);
        (ax + t * dx - x).hypot(ay + t * dy - y) < margin
    })
}

fn sides(polygon: &[[f64; 2]]) -> impl Iterator<Item = ([f64; 2], [f64; 2])> + '_ {
    (0..polygon.len()).map(|k| (polygon[k], polygon[(k + 1) % polygon.len()]))
}
