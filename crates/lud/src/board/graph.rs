//! Boards as graphs in the plane: vertices, edges, faces.

use std::cmp::Ordering;

use rustc_hash::{FxHashMap, FxHashSet};

/// A point; boards of pyramids use the third coordinate.
pub type Point = [f64; 3];

/// Points nearer than this are the same.
pub const TOLERANCE: f64 = 0.01;

/// A face has no more sides: larger regions are what the board leaves out.
const MOST_SIDES: usize = 32;

/// A graph in the plane.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Graph {
    /// Where the vertices are.
    pub vertices: Vec<Point>,
    /// Pairs of vertices.
    pub edges: Vec<(usize, usize)>,
    /// Vertices in order around each face.
    pub faces: Vec<Vec<usize>>,
    /// The middle around which circles are laid.
    pub pivot: Option<Point>,
}

/// A graph under construction: points, edges and faces are found again by hashing.
#[derive(Debug, Default)]
pub struct Sketch {
    graph: Graph,
    points: FxHashMap<[i64; 3], Vec<usize>>,
    edges: FxHashSet<(usize, usize)>,
    faces: FxHashSet<Vec<usize>>,
}

impl Sketch {
    /// The vertex at a point, new if there is none.
    pub fn vertex(&mut self, p: Point) -> usize {
        // Boxes are wider than the tolerance, so a near point lies in the same box or in one beside it.
        let at = p.map(|c| (c * 10.0).round() as i64);
        for dx in -1..=1 {
            for dy in -1..=1 {
                for v in self.points.get(&[at[0] + dx, at[1] + dy, at[2]]).into_iter().flatten() {
                    if distance(self.graph.vertices[*v], p) < TOLERANCE {
                        return *v;
                    }
                }
            }
        }
        let v = self.graph.vertices.len();
        self.graph.vertices.push(p);
        self.points.entry(at).or_default().push(v);
        v
    }

    /// An edge, unless it is there.
    pub fn edge(&mut self, a: usize, b: usize) {
        if a != b && self.edges.insert((a.min(b), a.max(b))) {
            self.graph.edges.push((a, b));
        }
    }

    /// A face, and its edges, unless it is there.
    pub fn face(&mut self, around: &[usize]) {
        for (i, &a) in around.iter().enumerate() {
            self.edge(a, around[(i + 1) % around.len()]);
        }
        let mut sorted = around.to_vec();
        sorted.sort_unstable();
        if self.faces.insert(sorted) {
            self.graph.faces.push(around.to_vec());
        }
    }

    /// A face by its corners; it goes around to the left.
    pub fn polygon(&mut self, corners: impl IntoIterator<Item = [f64; 2]>) {
        let mut around = self.corners(corners);
        if !self.is_left(&around) {
            around.reverse();
        }
        self.face(&around);
    }

    /// Do vertices go around to the left?
    pub fn is_left(&self, around: &[usize]) -> bool {
        self.graph.area(around) > 0.0
    }

    /// The vertices at some points.
    pub fn corners(&mut self, corners: impl IntoIterator<Item = [f64; 2]>) -> Vec<usize> {
        corners.into_iter().map(|[x, y]| self.vertex([x, y, 0.0])).collect()
    }

    /// The graph, numbered as it was drawn.
    pub fn done(self) -> Graph {
        self.graph
    }

    /// The graph, numbered from the bottom up, left to right.
    pub fn ordered(self) -> Graph {
        let mut graph = self.graph;
        graph.reorder();
        graph
    }
}

/// The distance of two points in the plane.
pub fn distance(a: Point, b: Point) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1]).hypot(a[2] - b[2])
}

/// The mean of some points.
pub fn centre(points: impl IntoIterator<Item = Point>) -> Point {
    let (mut sum, mut n) = ([0.0; 3], 0.0f64);
    for p in points {
        (0..3).for_each(|i| sum[i] += p[i]);
        n += 1.0;
    }
    sum.map(|s| s / n.max(1.0))
}

impl Graph {
    /// The vertex at a point, if there is one.
    pub fn find(&self, p: Point) -> Option<usize> {
        self.vertices.iter().position(|&v| distance(v, p) < TOLERANCE)
    }

    /// The vertex at a point, new if there is none.
    pub fn vertex(&mut self, p: Point) -> usize {
        self.find(p).unwrap_or_else(|| {
            self.vertices.push(p);
            self.vertices.len() - 1
        })
    }

    /// Is there an edge between two vertices?
    pub fn edge_between(&self, a: usize, b: usize) -> Option<usize> {
        self.edges.iter().position(|&(c, d)| (c, d) == (a, b) || (d, c) == (a, b))
    }

    /// An edge, unless it is there.
    pub fn edge(&mut self, a: usize, b: usize) {
        if a != b && self.edge_between(a, b).is_none() {
            self.edges.push((a, b));
        }
    }

    /// A face, and its edges, unless it is there.
    pub fn face(&mut self, around: &[usize]) {
        for (i, &a) in around.iter().enumerate() {
            self.edge(a, around[(i + 1) % around.len()]);
        }
        let mut sorted = around.to_vec();
        sorted.sort_unstable();
        let known = self.faces.iter().any(|face| {
            let mut face = face.clone();
            face.sort_unstable();
            face == sorted
        });
        if !known {
            self.faces.push(around.to_vec());
        }
    }

    /// The middle of an edge.
    pub fn edge_centre(&self, edge: usize) -> Point {
        let (a, b) = self.edges[edge];
        centre([self.vertices[a], self.vertices[b]])
    }

    /// The middle of a face.
    pub fn face_centre(&self, face: usize) -> Point {
        centre(self.faces[face].iter().map(|&v| self.vertices[v]))
    }

    /// Finds the faces anew: the regions into which the edges divide the plane, less the outer
    /// one.
    pub fn make_faces(&mut self) {
        self.faces = self.regions(self.vertices.len());
    }

    /// The bounded regions of the plane, by walking around them with the right hand on the wall,
    /// from each of the first so many vertices.
    pub fn regions(&self, starts: usize) -> Vec<Vec<usize>> {
        let mut around: Vec<Vec<(f64, usize)>> = vec![Vec::new(); self.vertices.len()];
        let angle = |a: usize, b: usize| {
            let (p, q) = (self.vertices[a], self.vertices[b]);
            (q[1] - p[1]).atan2(q[0] - p[0])
        };
        for &(a, b) in &self.edges {
            around[a].push((angle(a, b), b));
            around[b].push((angle(b, a), a));
        }
        for list in &mut around {
            list.sort_by(|a, b| a.0.total_cmp(&b.0));
        }
        // The next edge of a region on the right of (a, b): at b, the one after (b, a) in turning
        // left.
        let next = |a: usize, b: usize| -> usize {
            let list = &around[b];
            let at = list.iter().position(|&(_, v)| v == a).unwrap_or(0);
            list[(at + 1) % list.len()].1
        };
        let mut known = FxHashSet::default();
        let mut regions = Vec::new();
        // The order of the faces: that of their first vertices, then to the left.
        for (start, list) in around.iter().enumerate().take(starts) {
            for k in 0..list.len() {
                let second = list[(k + 1) % list.len()].1;
                // Back to the first vertex rather than to the first edge: where edges cross without
                // a vertex, this finds the triangles that overlap.
                let (mut region, mut from, mut to) = (vec![start], start, second);
                while to != start && region.len() <= MOST_SIDES && !region.contains(&to) {
                    region.push(to);
                    (from, to) = (to, next(from, to));
                }
                if to != start || region.len() < 3 || region.len() > MOST_SIDES {
                    continue;
                }
                if self.area(&region) < -1e-9 {
                    let mut sorted = region.clone();
                    sorted.sort_unstable();
                    if known.insert(sorted) {
                        regions.push(region);
                    }
                }
            }
        }
        regions
    }

    /// Twice the area that vertices go around, positive if to the left.
    pub(super) fn area(&self, around: &[usize]) -> f64 {
        let p = |i: usize| self.vertices[around[i % around.len()]];
        (0..around.len()).map(|i| p(i)[0] * p(i + 1)[1] - p(i + 1)[0] * p(i)[1]).sum()
    }

    /// Numbers all elements anew, from the bottom up, left to right.
    pub fn reorder(&mut self) {
        self.reorder_some(true, true, true);
    }

    /// Numbers some kinds of elements anew.
    pub fn reorder_some(&mut self, vertices: bool, edges: bool, faces: bool) {
        let rank = |points: &[Point]| {
            let key = |p: &Point| p[1] * 100.0 + p[0];
            let mut order: Vec<usize> = (0..points.len()).collect();
            order.sort_by(|&a, &b| near(key(&points[a]), key(&points[b])));
            order
        };
        if vertices {
            let order = rank(&self.vertices);
            self.renumber_vertices(&order);
        }
        if edges {
            let centres: Vec<Point> = (0..self.edges.len()).map(|e| self.edge_centre(e)).collect();
            self.edges = rank(&centres).into_iter().map(|e| self.edges[e]).collect();
        }
        if faces {
            let centres: Vec<Point> = (0..self.faces.len()).map(|f| self.face_centre(f)).collect();
            let faces = std::mem::take(&mut self.faces);
            self.faces = rank(&centres).into_iter().map(|f| faces[f].clone()).collect();
        }
    }

    /// Numbers the vertices anew: `order` lists the old numbers.
    fn renumber_vertices(&mut self, order: &[usize]) {
        let mut new = vec![usize::MAX; self.vertices.len()];
        order.iter().enumerate().for_each(|(i, &old)| new[old] = i);
        self.vertices = order.iter().map(|&old| self.vertices[old]).collect();
        let renumbered = |v: usize| new[v];
        self.edges.retain(|&(a, b)| renumbered(a) != usize::MAX && renumbered(b) != usize::MAX);
        self.edges.iter_mut().for_each(|e| *e = (renumbered(e.0), renumbered(e.1)));
        self.faces.retain(|face| face.iter().all(|&v| renumbered(v) != usize::MAX));
        self.faces.iter_mut().flatten().for_each(|v| *v = renumbered(*v));
    }

    /// Takes vertices out, with the edges and faces that touch them.
    pub fn remove_vertices(&mut self, gone: impl Fn(usize) -> bool) {
        let order: Vec<usize> = (0..self.vertices.len()).filter(|&v| !gone(v)).collect();
        self.renumber_vertices(&order);
    }

    /// Moves every vertex.
    pub fn transform(&mut self, f: impl Fn(Point) -> Point) {
        self.vertices.iter_mut().for_each(|p| *p = f(*p));
    }

    /// The middle of the smallest upright rectangle around the vertices.
    pub fn middle(&self) -> Point {
        let bound = |i: usize, pick: fn(f64, f64) -> f64, from: f64| {
            self.vertices.iter().map(|p| p[i]).fold(from, pick)
        };
        [0, 1, 2].map(|i| {
            (bound(i, f64::min, f64::INFINITY) + bound(i, f64::max, f64::NEG_INFINITY)) / 2.0
        })
    }
}

/// Compares coordinates that were computed in different ways.
pub(crate) fn near(a: f64, b: f64) -> Ordering {
    if (a - b).abs() < 1e-6 { Ordering::Equal } else { a.total_cmp(&b) }
}
