//! The tilings of several polygons, knots, and shapes repeated.

use super::graph::{Graph, Sketch};
use super::tiling::{Place, ROOT3, lattice, rotated};

/// A tiling by its vertex figure, e.g. `3464`: around a vertex lie a triangle, a square, a hexagon
/// and a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mosaic {
    /// Triangles and dodecagons.
    T31212,
    /// Hexagons with squares on their sides and triangles between those.
    T3464,
    /// Octagons and squares.
    T488,
    /// Squares and pairs of triangles.
    T33434,
    /// Hexagons and triangles around them.
    T33336,
    /// Rows of squares and rows of triangles.
    T33344,
    /// Triangles and hexagons.
    T3636,
    /// Squares, hexagons and dodecagons.
    T4612,
    /// Triangles and squares around lone vertices with six triangles.
    T333333And33434,
}

impl Mosaic {
    /// The tiling of a word of the language.
    pub fn named(word: &str) -> Option<Mosaic> {
        Some(match word {
            "T31212" => Mosaic::T31212,
            "T3464" => Mosaic::T3464,
            "T488" => Mosaic::T488,
            "T33434" => Mosaic::T33434,
            "T33336" => Mosaic::T33336,
            "T33344" => Mosaic::T33344,
            "T3636" => Mosaic::T3636,
            "T4612" => Mosaic::T4612,
            "T333333_33434" => Mosaic::T333333And33434,
            _ => return None,
        })
    }

    /// Are its pieces laid in hexagons rather than rectangles?
    pub fn is_hexagonal(self) -> bool {
        !matches!(self, Mosaic::T488 | Mosaic::T33434 | Mosaic::T33344)
    }

    /// One piece of the tiling around each of the places.
    pub fn graph(self, places: &[Place]) -> Graph {
        let mut sketch = Sketch::default();
        for &place in places {
            self.piece(place, &mut sketch);
        }
        let mut graph = sketch.ordered();
        graph.make_faces();
        graph.reorder();
        graph
    }

    /// Where the piece of a place has its middle.
    fn middle(self, (i, j): Place) -> [f64; 2] {
        let (i, j) = (f64::from(i), f64::from(j));
        let hexagonal = |length: f64, turn: f64| {
            let [x, y] = [(i + j / 2.0) * length, j * ROOT3 / 2.0 * length];
            let (x, y) = rotated(x, y, turn);
            [x, y]
        };
        match self {
            Mosaic::T3464 => hexagonal(1.0 + ROOT3, 30.0),
            Mosaic::T3636 => hexagonal(2.0, 0.0),
            Mosaic::T33336 => [2.5 * i + 0.5 * j, ROOT3 / 2.0 * i + 1.5 * ROOT3 * j],
            Mosaic::T31212 => hexagonal(2.0 + ROOT3, 0.0),
            Mosaic::T4612 => hexagonal(3.0 + ROOT3, 0.0),
            Mosaic::T333333And33434 => hexagonal(2.0 + ROOT3, 0.0),
            Mosaic::T488 => {
                let step = 1.0 + std::f64::consts::SQRT_2;
                [i * step, j * step]
            }
            Mosaic::T33344 => [i + j / 2.0, j * (1.0 + ROOT3 / 2.0)],
            Mosaic::T33434 => {
                let step = 0.5 + ROOT3 / 2.0;
                [(j - i) * step, (i + j) * step]
            }
        }
    }

    fn piece(self, place: Place, sketch: &mut Sketch) {
        let middle = self.middle(place);
        match self {
            Mosaic::T31212 | Mosaic::T4612 | Mosaic::T488 => self.large_polygons(middle, sketch),
            Mosaic::T33434 => snub_squares(middle, sketch),
            _ => self.hexagons(middle, sketch),
        }
    }

    /// Hexagons, or rows of squares, with what lies around them.
    fn hexagons(self, [x, y]: [f64; 2], sketch: &mut Sketch) {
        let at = |radius: f64, degrees: f64| {
            let (sin, cos) = degrees.to_radians().sin_cos();
            [x + radius * cos, y + radius * sin]
        };
        match self {
            Mosaic::T3464 | Mosaic::T333333And33434 => {
                let corner = |k: i32| at(1.0, 60.0 * f64::from(k));
                // The outer corners of the square on the side from corner k on.
                let outer = |k: i32| {
                    let (sin, cos) = (60.0 * f64::from(k) + 30.0).to_radians().sin_cos();
                    [corner(k), corner(k + 1)].map(|p| [p[0] + cos, p[1] + sin])
                };
                if self == Mosaic::T3464 {
                    sketch.polygon((0..6).map(corner));
                } else {
                    (0..6).for_each(|k| sketch.polygon([[x, y], corner(k), corner(k + 1)]));
                }
                for k in 0..6 {
                    let [a, b] = outer(k);
                    sketch.polygon([corner(k), a, b, corner(k + 1)]);
                    sketch.polygon([corner(k), outer(k - 1)[1], a]);
                }
            }
            Mosaic::T3636 => {
                let corner = |k: i32| at(1.0, 60.0 * f64::from(k));
                sketch.polygon((0..6).map(corner));
                for k in 0..6 {
                    let tip = at(ROOT3, 60.0 * f64::from(k) + 30.0);
                    sketch.polygon([corner(k), tip, corner(k + 1)]);
                }
            }
            Mosaic::T33336 => {
                let corner = |k: i32| at(1.0, 60.0 * f64::from(k));
                sketch.polygon((0..6).map(corner));
                for k in 0..6 {
                    let tip = at(ROOT3, 60.0 * f64::from(k) + 30.0);
                    let far = |k: i32| at(2.0, 60.0 * f64::from(k));
                    sketch.polygon([corner(k), tip, corner(k + 1)]);
                    sketch.polygon([corner(k), far(k), tip]);
                    sketch.polygon([corner(k + 1), tip, far(k + 1)]);
                }
            }
            Mosaic::T33344 => {
                let (left, right) = ([x, y], [x + 1.0, y]);
                let (up_left, up_right) = ([x, y + 1.0], [x + 1.0, y + 1.0]);
                sketch.polygon([left, right, up_right, up_left]);
                let tip = [x + 0.5, y + 1.0 + ROOT3 / 2.0];
                sketch.polygon([up_left, up_right, tip]);
                sketch.polygon([up_right, [tip[0] + 1.0, tip[1]], tip]);
            }
            _ => {}
        }
    }

    /// Dodecagons and octagons, with what lies around them.
    fn large_polygons(self, [x, y]: [f64; 2], sketch: &mut Sketch) {
        let at = |radius: f64, degrees: f64| {
            let (sin, cos) = degrees.to_radians().sin_cos();
            [x + radius * cos, y + radius * sin]
        };
        let regular = |n: usize, first: f64| {
            let radius = 0.5 / (std::f64::consts::PI / n as f64).sin();
            (0..n).map(move |k| at(radius, first + 360.0 * k as f64 / n as f64))
        };
        match self {
            Mosaic::T31212 => {
                sketch.polygon(regular(12, 15.0));
                // Triangles lie across every other side.
                for k in 0..6 {
                    let corners: Vec<[f64; 2]> = regular(12, 15.0).collect();
                    let (a, b) = (corners[2 * k], corners[(2 * k + 1) % 12]);
                    let out = 60.0 * k as f64 + 30.0;
                    let (sin, cos) = out.to_radians().sin_cos();
                    let middle = [(a[0] + b[0]) / 2.0, (a[1] + b[1]) / 2.0];
                    let height = ROOT3 / 2.0;
                    let tip = [middle[0] + height * cos, middle[1] + height * sin];
                    sketch.polygon([a, tip, b]);
                }
            }
            Mosaic::T4612 => {
                sketch.polygon(regular(12, 15.0));
                let corners: Vec<[f64; 2]> = regular(12, 15.0).collect();
                for k in 0..12 {
                    let (a, b) = (corners[k], corners[(k + 1) % 12]);
                    // Squares on the sides towards other dodecagons, hexagons on the others.
                    let sides = if k % 2 == 1 { 4 } else { 6 };
                    sketch.polygon(on_side(a, b, sides));
                }
            }
            Mosaic::T488 => {
                sketch.polygon(regular(8, 22.5));
                let corners: Vec<[f64; 2]> = regular(8, 22.5).collect();
                for k in (0..8).step_by(2) {
                    sketch.polygon(on_side(corners[k], corners[k + 1], 4));
                }
            }
            _ => {}
        }
    }
}

/// Squares and triangles around a point.
fn snub_squares([x, y]: [f64; 2], sketch: &mut Sketch) {
    let half = ROOT3 / 2.0;
    let p = |dx: f64, dy: f64| [x + dx, y + dy];
    for side in [-1.0, 1.0] {
        let tip = p(side * half, 0.0);
        sketch.polygon([p(0.0, -0.5), tip, p(0.0, 0.5)]);
        let above = [p(0.0, side * 0.5), p(0.5, side * (0.5 + half))];
        sketch.polygon([above[0], above[1], p(-0.5, side * (0.5 + half))]);
        for up in [-1.0, 1.0] {
            let corner = p(side * (half + 0.5), up * half);
            sketch.polygon([p(0.0, up * 0.5), tip, corner, p(side * 0.5, up * (0.5 + half))]);
            sketch.polygon([tip, p(side * (half + 1.0), 0.0), corner]);
        }
    }
}

/// A regular polygon on the outer side of an edge that goes to the left around something.
fn on_side(a: [f64; 2], b: [f64; 2], sides: usize) -> Vec<[f64; 2]> {
    let turn = 360.0 / sides as f64;
    let (mut point, mut step) = (a, (b[0] - a[0], b[1] - a[1]));
    let mut corners = Vec::with_capacity(sides);
    for _ in 0..sides {
        corners.push(point);
        point = [point[0] + step.0, point[1] + step.1];
        step = rotated(step.0, step.1, -turn);
    }
    corners
}

/// Knotwork: squares on their tips, `rows` by `columns`, closed at the border.
pub fn celtic(rows: usize, columns: usize) -> Graph {
    let unit = std::f64::consts::FRAC_1_SQRT_2;
    let at = |x: i32, y: i32| [f64::from(x) * unit, f64::from(y) * unit];
    let (rows, columns) = (rows as i32, columns as i32);
    let mut sketch = Sketch::default();
    for y in 0..2 * rows - 1 {
        for x in 0..2 * columns - 1 {
            if (x + y) % 2 == 0 {
                sketch.polygon([at(x, y - 1), at(x + 1, y), at(x, y + 1), at(x - 1, y)]);
            }
        }
    }
    let mut closing: Vec<[[f64; 2]; 3]> = Vec::new();
    let (right, top) = (2 * columns - 1, 2 * rows - 1);
    for x in (0..right - 2).step_by(2) {
        closing.push([at(x, -1), at(x + 1, 0), at(x + 2, -1)]);
        closing.push([at(x, top), at(x + 2, top), at(x + 1, top - 1)]);
    }
    for y in (0..top - 2).step_by(2) {
        closing.push([at(-1, y), at(-1, y + 2), at(0, y + 1)]);
        closing.push([at(right, y), at(right - 1, y + 1), at(right, y + 2)]);
    }
    let out = 0.7 * std::f64::consts::SQRT_2;
    for (x, y, dx, dy) in
        [(0, 0, -1, -1), (right - 1, 0, 1, -1), (0, top - 1, -1, 1), (right - 1, top - 1, 1, 1)]
    {
        let [cx, cy] = at(x, y);
        let corner = [cx + out * f64::from(dx), cy + out * f64::from(dy)];
        let (beside, along) = (at(x + dx, y), at(x, y + dy));
        let around = if dx * dy > 0 { [beside, corner, along] } else { [along, corner, beside] };
        closing.push(around);
    }
    // The edges that close the border go around the other way.
    for corners in closing {
        let mut around = sketch.corners(corners);
        if sketch.is_left(&around) {
            around.reverse();
        }
        sketch.face(&around);
    }
    sketch.ordered()
}

/// Polygons repeated in rows and columns.
pub fn repeat(
    (rows, columns): (usize, usize),
    column_step: [f64; 2],
    row_step: [f64; 2],
    shapes: &[Vec<[f64; 2]>],
) -> Graph {
    let mut sketch = Sketch::default();
    for row in 0..rows {
        for column in 0..columns {
            let (row, column) = (row as f64, column as f64);
            let by = [0, 1].map(|i| column_step[i] * column + row_step[i] * row);
            for shape in shapes {
                sketch.polygon(shape.iter().map(|p| [p[0] + by[0], p[1] + by[1]]));
            }
        }
    }
    sketch.ordered()
}

/// A hexagon of quadrilaterals, as on boards for three: `layers` rows in each of its six parts.
pub fn quadhex(layers: usize) -> Graph {
    let n = layers as f64;
    // The corners of a hexagon as wide as the number of cells on its sides.
    let corner = |k: i32| {
        let (sin, cos) = (60.0 * f64::from(k)).to_radians().sin_cos();
        [2.0 * n * cos, 2.0 * n * sin]
    };
    let mix = |a: [f64; 2], b: [f64; 2], t: f64| [0, 1].map(|i| a[i] * (1.0 - t) + b[i] * t);
    let mut sketch = Sketch::default();
    for k in 0..6 {
        // Each part lies between the centre, the middles of two sides, and the corner of both.
        let before = mix(corner(k - 1), corner(k), 0.5);
        let after = mix(corner(k), corner(k + 1), 0.5);
        let at = |i: usize, j: usize| {
            let (s, t) = (i as f64 / n, j as f64 / n);
            mix(mix([0.0; 2], before, s), mix(after, corner(k), s), t)
        };
        for i in 0..layers {
            for j in 0..layers {
                sketch.polygon([at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]);
            }
        }
    }
    sketch.ordered()
}

/// Bricks of one by two, each row half a brick further.
pub fn bricks(places: &[(i32, i32)]) -> Graph {
    let mut sketch = Sketch::default();
    for &(x, y) in places {
        let (x, y) = (f64::from(x), f64::from(y));
        sketch.polygon([
            [x, y],
            [x + 1.0, y],
            [x + 2.0, y],
            [x + 2.0, y + 1.0],
            [x + 1.0, y + 1.0],
            [x, y + 1.0],
        ]);
    }
    sketch.ordered()
}

/// The places of a lattice in a polygon, see [`tiling::covers`](super::tiling::covers).
pub fn inside_polygon(polygon: &[[f64; 2]], scale: f64) -> Vec<Place> {
    let most = polygon.iter().flatten().fold(0.0f64, |m, c| m.max(c.abs()));
    let reach = (most / scale).ceil() as i32 * 2 + 2;
    let mut places = Vec::new();
    for j in -reach..=reach {
        for i in -reach * 2..=reach * 2 {
            let p = lattice((i, j)).map(|c| c * scale);
            if super::tiling::covers(polygon, p) {
                places.push((i, j));
            }
        }
    }
    places
}
