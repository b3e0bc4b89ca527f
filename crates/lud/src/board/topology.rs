//! The neighbours of each site of a board.

use super::coordinates;
use super::graph::{Graph, Point, centre, distance, near};
use super::incidence::Incidence;
use super::tiling::SiteType;

/// A place where a piece can stand.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Element {
    /// The middle of the element.
    pub centre: Point,
    /// All that touch it.
    pub adjacent: Vec<usize>,
    /// Across a side (cells), along an edge (vertices), at an end (edges).
    pub orthogonal: Vec<usize>,
    /// Straight across a corner.
    pub diagonal: Vec<usize>,
    /// Touching, but neither across a side nor straight across a corner.
    pub off_diagonal: Vec<usize>,
    /// From the bottom.
    pub row: usize,
    /// From the left.
    pub column: usize,
    /// From the ground.
    pub layer: usize,
    /// Column and row for people, e.g. `B3`.
    pub label: String,
}

/// The elements of a board by kind.
#[derive(Clone, Debug, Default)]
pub struct Topology {
    /// Faces.
    pub cells: Vec<Element>,
    /// Edges.
    pub edges: Vec<Element>,
    /// Vertices.
    pub vertices: Vec<Element>,
}

impl Topology {
    /// The elements of a kind.
    pub fn elements(&self, kind: SiteType) -> &[Element] {
        match kind {
            SiteType::Cell => &self.cells,
            SiteType::Edge => &self.edges,
            SiteType::Vertex => &self.vertices,
        }
    }

    /// Works out the neighbours of all elements of a graph.
    pub fn new(graph: &Graph) -> Topology {
        let links = Links::new(graph);
        let mut topology = Topology {
            cells: cells(graph, &links),
            edges: edges(graph, &links),
            vertices: vertices(graph, &links),
        };
        for (list, crossings) in [
            (&mut topology.cells, false),
            (&mut topology.edges, false),
            (&mut topology.vertices, true),
        ] {
            clockwise(list);
            coordinates::assign(list, crossings);
        }
        topology
    }
}

/// The elements that each element holds.
struct Links {
    incidence: Incidence,
    /// By edge: the last face on either side, by the direction in which it goes around.
    sides: Vec<[Option<usize>; 2]>,
}

impl Links {
    fn new(graph: &Graph) -> Links {
        let incidence = Incidence::new(graph);
        let mut sides = vec![[None; 2]; graph.edges.len()];
        for (f, (face, edges)) in graph.faces.iter().zip(&incidence.edges_of_cell).enumerate() {
            // All sides of a face are edges.
            for (&a, &e) in face.iter().zip(edges) {
                sides[e as usize][usize::from(graph.edges[e as usize].0 == a)] = Some(f);
            }
        }
        Links { incidence, sides }
    }

    fn edges_of(&self, vertex: usize) -> impl Iterator<Item = usize> + '_ {
        self.incidence.edges_of_vertex[vertex].iter().map(|&e| e as usize)
    }

    fn faces_of(&self, vertex: usize) -> impl Iterator<Item = usize> + '_ {
        self.incidence.cells_of_vertex[vertex].iter().map(|&f| f as usize)
    }

    fn beside(&self, edge: usize) -> &[u32] {
        &self.incidence.cells_of_edge[edge]
    }
}

fn add(list: &mut Vec<usize>, n: usize) {
    if !list.contains(&n) {
        list.push(n);
    }
}

fn vertices(graph: &Graph, links: &Links) -> Vec<Element> {
    let mut out: Vec<Element> =
        (graph.vertices.iter()).map(|&centre| Element { centre, ..Element::default() }).collect();
    for &(a, b) in &graph.edges {
        add(&mut out[a].orthogonal, b);
        add(&mut out[b].orthogonal, a);
    }
    for (v, element) in out.iter_mut().enumerate() {
        element.adjacent = element.orthogonal.clone();
        for f in links.faces_of(v) {
            let face = &graph.faces[f];
            // The vertex of the face that lies nearest to the direction of its middle.
            let middle = graph.face_centre(f);
            let others = face.iter().copied().filter(|&w| w != v);
            let ahead = others
                .map(|w| (angle(element.centre, middle, graph.vertices[w]), w))
                .min_by(|a, b| a.0.abs().total_cmp(&b.0.abs()));
            if let Some((_, w)) = ahead
                && !element.orthogonal.contains(&w)
            {
                add(&mut element.diagonal, w);
            }
        }
    }
    out
}

fn edges(graph: &Graph, links: &Links) -> Vec<Element> {
    (0..graph.edges.len())
        .map(|e| {
            let (a, b) = graph.edges[e];
            let mut adjacent = Vec::new();
            for other in links.edges_of(a).chain(links.edges_of(b)) {
                if other != e {
                    add(&mut adjacent, other);
                }
            }
            Element {
                centre: graph.edge_centre(e),
                orthogonal: adjacent.clone(),
                adjacent,
                ..Element::default()
            }
        })
        .collect()
}

fn cells(graph: &Graph, links: &Links) -> Vec<Element> {
    let mut out: Vec<Element> = (0..graph.faces.len())
        .map(|f| Element { centre: graph.face_centre(f), ..Element::default() })
        .collect();
    for sides in &links.sides {
        if let [Some(a), Some(b)] = *sides {
            add(&mut out[a].orthogonal, b);
            add(&mut out[b].orthogonal, a);
        }
    }
    for f in 0..out.len() {
        let here = out[f].centre;
        let orthogonal = out[f].orthogonal.clone();
        let (mut diagonal, mut touching) = (Vec::new(), Vec::new());
        for &v in &graph.faces[f] {
            let around: Vec<usize> = links.faces_of(v).collect();
            for &g in &around {
                if g != f && !orthogonal.contains(&g) {
                    add(&mut touching, g);
                }
            }
            let corner = graph.vertices[v];
            let across = around.iter().copied().filter(|g| *g != f && !orthogonal.contains(g));
            match straightest(here, corner, across.map(|g| (g, out[g].centre))) {
                Some(g) => add(&mut diagonal, g),
                // Only where three edges meet is one of them straight ahead.
                None if links.edges_of(v).count() != 3 => {}
                None => {
                    // No face straight ahead: along the edge that goes on from this corner.
                    let mut edges = links.edges_of(v);
                    let outward = edges.find(|&e| !links.beside(e).contains(&(f as u32)));
                    let Some(e) = outward else { continue };
                    let (a, b) = graph.edges[e];
                    let end = if a == v { b } else { a };
                    let from = graph.vertices[end];
                    let beyond = links.faces_of(end);
                    let beyond = beyond.filter(|g| !around.contains(g) && !orthogonal.contains(g));
                    // Edges of a pyramid lead right above.
                    let above = (from[0] - here[0]).hypot(from[1] - here[1]) < 1e-6;
                    let on = [0, 1, 2].map(|i| here[i] + from[i] - corner[i]);
                    let bend = angle(here, corner, on).abs();
                    // An edge that goes on along a side of this face leads past it.
                    let past = || {
                        links.edges_of(v).filter(|&side| side != e).any(|side| {
                            let (a, b) = graph.edges[side];
                            let other = graph.vertices[if a == v { b } else { a }];
                            let on = [0, 1, 2].map(|i| 2.0 * corner[i] - other[i]);
                            angle(corner, on, from).abs() < PAST
                        })
                    };
                    let inside = links.beside(e).len() == 2;
                    let aside = if inside { bend > BEND || past() } else { bend > BEND_OUTSIDE };
                    if !above && aside {
                        continue;
                    }
                    let turn = |to: Point| {
                        if above {
                            return 0.0;
                        }
                        let way = [0, 1, 2].map(|i| here[i] + to[i] - from[i]);
                        angle(here, corner, way).abs()
                    };
                    let ahead = beyond.map(|g| (turn(out[g].centre), g));
                    if let Some((_, g)) = ahead
                        .filter(|(turn, _)| *turn < STRAIGHT)
                        .min_by(|a, b| near(a.0, b.0).then(a.1.cmp(&b.1)))
                    {
                        add(&mut diagonal, g);
                    }
                }
            }
        }
        let element = &mut out[f];
        element.adjacent = orthogonal;
        touching.iter().for_each(|&g| add(&mut element.adjacent, g));
        element.off_diagonal = touching.into_iter().filter(|g| !diagonal.contains(g)).collect();
        element.diagonal = diagonal;
    }
    out
}

/// The widest turn, in radians, at a corner where a way goes on along an edge.
const BEND: f64 = 0.8;
/// Less if that edge is on the border of the board.
const BEND_OUTSIDE: f64 = 0.35;
/// The widest angle, in radians, at which an edge still continues another.
const PAST: f64 = 0.35;
/// The widest turn, in radians, of such a way in all.
const STRAIGHT: f64 = 0.51;

/// The candidate that lies straight ahead from `here` through `corner`.
fn straightest(
    here: Point,
    corner: Point,
    candidates: impl Iterator<Item = (usize, Point)>,
) -> Option<usize> {
    let bend = |to: Point| {
        // Right above: the next layer of a pyramid.
        if (to[0] - here[0]).hypot(to[1] - here[1]) < 1e-6 {
            return 0.0;
        }
        angle(here, corner, to).abs()
    };
    candidates
        .map(|(n, to)| (bend(to), n))
        .min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)))
        .map(|(_, n)| n)
}

/// The angle at `here` from the direction of one point to that of another, positive to the left.
fn angle(here: Point, a: Point, b: Point) -> f64 {
    let (ax, ay) = (a[0] - here[0], a[1] - here[1]);
    let (bx, by) = (b[0] - here[0], b[1] - here[1]);
    (ax * by - ay * bx).atan2(ax * bx + ay * by)
}

/// Orders neighbours clockwise from the north.
fn clockwise(elements: &mut [Element]) {
    let centres: Vec<Point> = elements.iter().map(|e| e.centre).collect();
    for element in elements {
        let here = element.centre;
        let key = |n: &usize| {
            let to = centres[*n];
            let turn = (to[0] - here[0]).atan2(to[1] - here[1]).rem_euclid(std::f64::consts::TAU);
            (if turn > std::f64::consts::TAU - 1e-6 { 0.0 } else { turn }, distance(here, to))
        };
        let order = |a: &usize, b: &usize| {
            let (x, y) = (key(a), key(b));
            near(x.0, y.0).then(near(x.1, y.1))
        };
        element.adjacent.sort_by(order);
        element.orthogonal.sort_by(order);
        element.diagonal.sort_by(order);
        element.off_diagonal.sort_by(order);
    }
}

/// The middle of a whole board.
pub fn board_centre(elements: &[Element]) -> Point {
    centre(elements.iter().map(|e| e.centre))
}
