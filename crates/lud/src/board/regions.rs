//! Sites that have a name on every board: its border, corners, sides, centre, rows, phases.

use std::collections::VecDeque;

use rustc_hash::FxHashSet;

use super::graph::{Graph, Point, distance};
use super::incidence::Incidence;
use super::radials::{Compass, turn};
use super::tiling::SiteType;
use super::topology::Element;

/// The named regions of the elements of one kind, each in ascending order.
#[derive(Clone, Debug, Default)]
pub struct Regions {
    /// On the border.
    pub outer: Vec<usize>,
    /// Not on the border.
    pub inner: Vec<usize>,
    /// Where the border turns, either way.
    pub corners: Vec<usize>,
    /// Where it turns around the board.
    pub convex: Vec<usize>,
    /// Where it turns into the board.
    pub concave: Vec<usize>,
    /// Nearest to the middle.
    pub centre: Vec<usize>,
    /// The highest.
    pub top: Vec<usize>,
    /// The lowest.
    pub bottom: Vec<usize>,
    /// The leftmost.
    pub left: Vec<usize>,
    /// The rightmost.
    pub right: Vec<usize>,
    /// By row.
    pub rows: Vec<Vec<usize>>,
    /// By column.
    pub columns: Vec<Vec<usize>>,
    /// By layer.
    pub layers: Vec<Vec<usize>>,
    /// By site: its colour, such that orthogonal neighbours differ.
    pub phase: Vec<usize>,
    /// The straight parts of the border: the bearing at right angles to each, and its sites.
    pub sides: Vec<(f64, Vec<usize>)>,
}

/// Coordinates nearer than this are the same.
const SAME: f64 = 0.01;
/// A side looks no further away from the direction of its name.
const ASIDE: f64 = 30.5;

impl Regions {
    /// The regions of the elements of a kind.
    pub fn new(
        graph: &Graph,
        incidence: &Incidence,
        kind: SiteType,
        elements: &[Element],
    ) -> Regions {
        let all = 0..elements.len();
        let on_border = border(graph, incidence, kind);
        let extreme = |axis: usize, sign: f64| -> Vec<usize> {
            let value = |i: usize| elements[i].centre[axis] * sign;
            let most = all.clone().map(value).fold(f64::NEG_INFINITY, f64::max);
            all.clone().filter(|&i| value(i) > most - SAME).collect()
        };
        let by = |key: fn(&Element) -> usize| {
            let mut lists = vec![Vec::new(); elements.iter().map(key).max().map_or(0, |m| m + 1)];
            elements.iter().enumerate().for_each(|(i, e)| lists[key(e)].push(i));
            lists
        };
        let outer: Vec<usize> = all.clone().filter(|&i| on_border[i]).collect();
        let (convex, concave) = corners(graph, incidence, kind);
        let mut corners: Vec<usize> = convex.iter().chain(&concave).copied().collect();
        corners.sort_unstable();
        Regions {
            corners,
            convex,
            concave,
            inner: all.clone().filter(|&i| !on_border[i]).collect(),
            centre: centre(elements),
            top: extreme(1, 1.0),
            bottom: extreme(1, -1.0),
            left: extreme(0, -1.0),
            right: extreme(0, 1.0),
            rows: by(|e| e.row),
            columns: by(|e| e.column),
            layers: by(|e| e.layer),
            phase: phases(elements),
            sides: sides(elements, &outer),
            outer,
        }
    }

    /// The side that looks most to a direction; the corner between two that do so equally; `None`
    /// if none does nearly.
    pub fn side(&self, direction: Compass) -> Option<Vec<usize>> {
        let aside = |bearing: f64| turn(bearing, direction.bearing());
        let nearest = self.sides.iter().min_by(|a, b| aside(a.0).total_cmp(&aside(b.0)))?;
        let mut sites = nearest.1.clone();
        for other in &self.sides {
            if (aside(other.0) - aside(nearest.0)).abs() < 1.0 && other.1 != nearest.1 {
                sites.retain(|site| other.1.contains(site));
            }
        }
        (aside(nearest.0) < ASIDE).then_some(sites)
    }
}

/// By element: does it touch the border?
fn border(graph: &Graph, incidence: &Incidence, kind: SiteType) -> Vec<bool> {
    let edges = outline(graph, incidence);
    let any = |list: &[u32]| list.iter().any(|&e| edges[e as usize]);
    let vertices: Vec<bool> = incidence.edges_of_vertex.iter().map(|list| any(list)).collect();
    match kind {
        // A cell that touches it with a corner does.
        SiteType::Cell => {
            let touches = |face: &Vec<usize>| face.iter().any(|&v| vertices[v]);
            graph.faces.iter().map(touches).collect()
        }
        SiteType::Vertex => vertices,
        SiteType::Edge => edges,
    }
}

/// By edge: is it on the way around its part of the graph, with the graph to the left?
fn outline(graph: &Graph, incidence: &Incidence) -> Vec<bool> {
    let mut on = vec![false; graph.edges.len()];
    let mut met = vec![false; graph.vertices.len()];
    let mut order: Vec<usize> = (0..graph.vertices.len()).collect();
    let key = |v: &usize| graph.vertices[*v];
    order.sort_by(|a, b| {
        let (a, b) = (key(a), key(b));
        a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1]))
    });
    for start in order {
        if met[start] {
            continue;
        }
        let mut part = vec![start];
        met[start] = true;
        while let Some(v) = part.pop() {
            for &e in &incidence.edges_of_vertex[v] {
                for &w in &incidence.vertices_of_edge[e as usize] {
                    if !std::mem::replace(&mut met[w as usize], true) {
                        part.push(w as usize);
                    }
                }
            }
        }
        // From the leftmost vertex, as if coming from the left.
        let (mut here, mut back) = (start, 180.0);
        let mut gone = FxHashSet::default();
        loop {
            let next = incidence.edges_of_vertex[here]
                .iter()
                .map(|&e| {
                    let [a, b] = incidence.vertices_of_edge[e as usize].map(|v| v as usize);
                    let to = if a == here { b } else { a };
                    let way = degrees(graph.vertices[here], graph.vertices[to]);
                    let mut turned = (way - back).rem_euclid(360.0);
                    if !(1e-6..=360.0 - 1e-6).contains(&turned) {
                        turned = 360.0;
                    }
                    (turned, e as usize, to)
                })
                .min_by(|a, b| a.0.total_cmp(&b.0));
            let Some((_, edge, to)) = next.filter(|&(_, edge, to)| gone.insert((edge, to))) else {
                break;
            };
            on[edge] = true;
            back = degrees(graph.vertices[to], graph.vertices[here]);
            here = to;
        }
    }
    on
}

/// Where the border turns around the board and into it: a vertex where it does so by more than 31
/// degrees; a cell around which it turns by about a right angle or more, or which touches it only in
/// such a vertex.
fn corners(graph: &Graph, incidence: &Incidence, kind: SiteType) -> (Vec<usize>, Vec<usize>) {
    let at = |v: u32| graph.vertices[v as usize];
    let border_edges = |v: usize| -> Vec<u32> {
        let edges = incidence.edges_of_vertex[v].iter().copied();
        edges.filter(|&e| incidence.is_border(e as usize)).collect()
    };
    match kind {
        SiteType::Cell => {
            let convex =
                (0..graph.faces.len()).filter(|&f| turned(graph, incidence, f) > 85.0).collect();
            let mut concave: Vec<usize> = Vec::new();
            for v in 0..graph.vertices.len() {
                let outside = border_edges(v);
                let cells = &incidence.cells_of_vertex[v];
                if outside.len() == 2 && cells.len() > 2 {
                    let free = |f: &&u32| {
                        !incidence.edges_of_cell[**f as usize].iter().any(|e| outside.contains(e))
                    };
                    let mut inner = cells.iter().filter(free);
                    if let (Some(&f), None) = (inner.next(), inner.next())
                        && !concave.contains(&(f as usize))
                    {
                        concave.push(f as usize);
                    }
                }
            }
            concave.sort_unstable();
            (convex, concave)
        }
        SiteType::Vertex => {
            let (mut convex, mut concave) = (Vec::new(), Vec::new());
            let rim = rim(graph, incidence);
            for v in 0..graph.vertices.len() {
                let mut outside = border_edges(v);
                if outside.len() > 2 || graph.faces.len() > 1 {
                    outside.retain(|&e| rim[e as usize]);
                }
                let [a, b] = outside[..] else { continue };
                let other = |e: u32| {
                    let [p, q] = incidence.vertices_of_edge[e as usize];
                    at(if p as usize == v { q } else { p })
                };
                let here = graph.vertices[v];
                if turn(degrees(other(a), here), degrees(here, other(b))) > 31.0 {
                    // The angles of the cells around tell which way.
                    let inside: f64 = incidence.cells_of_vertex[v]
                        .iter()
                        .map(|&f| angle_at(graph, f as usize, v))
                        .sum();
                    if inside < 180.0 { convex.push(v) } else { concave.push(v) }
                }
            }
            (convex, concave)
        }
        SiteType::Edge => (Vec::new(), Vec::new()),
    }
}

/// By edge: is it on the border around the board, not inside a cell or around a hole?
fn rim(graph: &Graph, incidence: &Incidence) -> Vec<bool> {
    let n = graph.edges.len();
    let single = |e: usize| incidence.cells_of_edge.get(e).is_some_and(|cells| cells.len() == 1);
    if !(0..n).any(single) {
        return (0..n).map(|e| incidence.is_border(e)).collect();
    }
    // Edges that hang together, and the rectangles around them.
    let mut part = vec![usize::MAX; n];
    let mut boxes: Vec<[f64; 4]> = Vec::new();
    for start in (0..n).filter(|&e| single(e)) {
        if part[start] != usize::MAX {
            continue;
        }
        part[start] = boxes.len();
        let mut area = [f64::INFINITY, f64::NEG_INFINITY, f64::INFINITY, f64::NEG_INFINITY];
        let mut todo = vec![start];
        while let Some(edge) = todo.pop() {
            for &v in &incidence.vertices_of_edge[edge] {
                let [x, y, ..] = graph.vertices[v as usize];
                area = [area[0].min(x), area[1].max(x), area[2].min(y), area[3].max(y)];
                for &next in &incidence.edges_of_vertex[v as usize] {
                    let next = next as usize;
                    if single(next) && part[next] == usize::MAX {
                        part[next] = boxes.len();
                        todo.push(next);
                    }
                }
            }
        }
        boxes.push(area);
    }
    let inside = |a: &[f64; 4], b: &[f64; 4]| {
        a[0] > b[0] + SAME && a[1] < b[1] - SAME && a[2] > b[2] + SAME && a[3] < b[3] - SAME
    };
    let hole: Vec<bool> = boxes.iter().map(|a| boxes.iter().any(|b| inside(a, b))).collect();
    part.iter().map(|&p| hole.get(p) == Some(&false)).collect()
}

/// The direction from one point to another, in degrees to the left from the east.
fn degrees(a: Point, b: Point) -> f64 {
    (b[1] - a[1]).atan2(b[0] - a[0]).to_degrees()
}

/// How far the border turns along those edges of a cell that are on it.
fn turned(graph: &Graph, incidence: &Incidence, cell: usize) -> f64 {
    let (face, edges) = (&graph.faces[cell], &incidence.edges_of_cell[cell]);
    let n = face.len();
    if edges.len() != n {
        return 0.0;
    }
    let outside = |k: usize| incidence.is_border(edges[k % n] as usize);
    let way = |k: usize| degrees(graph.vertices[face[k % n]], graph.vertices[face[(k + 1) % n]]);
    let corners = (0..n).filter(|&k| outside(k) && outside(k + 1));
    corners.map(|k| turn(way(k), way(k + 1))).sum()
}

/// The angle of a face at one of its vertices.
fn angle_at(graph: &Graph, face: usize, vertex: usize) -> f64 {
    let face = &graph.faces[face];
    let n = face.len();
    let Some(k) = face.iter().position(|&v| v == vertex) else { return 0.0 };
    let (before, after) =
        (graph.vertices[face[(k + n - 1) % n]], graph.vertices[face[(k + 1) % n]]);
    let here = graph.vertices[vertex];
    turn(degrees(here, before), degrees(here, after))
}

/// The sites nearest to the mean of all.
fn centre(elements: &[Element]) -> Vec<usize> {
    let middle = [0, 1, 2].map(|axis| {
        let sum: f64 = elements.iter().map(|e| e.centre[axis]).sum();
        sum / elements.len().max(1) as f64
    });
    let away = |i: &usize| distance(elements[*i].centre, middle);
    let least = (0..elements.len()).map(|i| away(&i)).fold(f64::INFINITY, f64::min);
    (0..elements.len()).filter(|i| away(i) < least + SAME).collect()
}

/// Colours, each the least that no neighbour has; the site that sees the most colours is the next
/// (Brélaz, 1979), so squares need two and hexagons three.
fn phases(elements: &[Element]) -> Vec<usize> {
    let n = elements.len();
    let mut colours: Vec<Option<usize>> = vec![None; n];
    // By site: the colours of its neighbours, one bit each.
    let mut seen = vec![0u64; n];
    for _ in 0..n {
        let open = (0..n).filter(|&i| colours[i].is_none());
        let next = open.max_by_key(|&i| (seen[i].count_ones(), std::cmp::Reverse(i)));
        let Some(next) = next else { break };
        let colour = seen[next].trailing_ones().min(63) as usize;
        colours[next] = Some(colour);
        elements[next].orthogonal.iter().for_each(|&m| seen[m] |= 1 << colour);
    }
    colours.into_iter().map(|c| c.unwrap_or(0)).collect()
}

/// The sides of the smallest convex outline of the border, with the sites that lie on each or half
/// a step behind it.
fn sides(elements: &[Element], outer: &[usize]) -> Vec<(f64, Vec<usize>)> {
    let at = |i: usize| elements[i].centre;
    let mut points: Vec<usize> = outer.to_vec();
    points.sort_by(|&a, &b| at(a)[0].total_cmp(&at(b)[0]).then(at(a)[1].total_cmp(&at(b)[1])));
    let cross = |o: usize, a: usize, b: usize| {
        let (o, a, b) = (at(o), at(a), at(b));
        (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])
    };
    // Andrew's monotone chain.
    let chain = |order: &mut dyn Iterator<Item = usize>| {
        let mut hull: Vec<usize> = Vec::new();
        for p in order {
            while hull.len() > 1 && cross(hull[hull.len() - 2], hull[hull.len() - 1], p) < SAME {
                hull.pop();
            }
            hull.push(p);
        }
        hull.pop();
        hull
    };
    let mut hull = chain(&mut points.iter().copied());
    hull.extend(chain(&mut points.iter().rev().copied()));
    if hull.len() < 3 {
        return Vec::new();
    }
    let step = elements
        .iter()
        .flat_map(|e| e.orthogonal.iter().map(move |&n| distance(e.centre, at(n))))
        .fold(f64::INFINITY, f64::min);
    let mut sides = Vec::new();
    for k in 0..hull.len() {
        let (a, b) = (at(hull[k]), at(hull[(k + 1) % hull.len()]));
        let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
        let length = dx.hypot(dy);
        // The outline goes to the left, so the outside is on the right.
        let bearing = dy.atan2(-dx).to_degrees().rem_euclid(360.0);
        let sites: Vec<usize> = outer
            .iter()
            .copied()
            .filter(|&i| {
                let p = at(i);
                let behind = ((p[1] - a[1]) * dx - (p[0] - a[0]) * dy) / length;
                behind.abs() < 0.51 * step
            })
            .collect();
        if sites.len() > 1 {
            sides.push((bearing, sites));
        }
    }
    sides
}

/// By site: how many steps it is away from another; `None` if there is no way.
pub fn steps(elements: &[Element], from: usize, orthogonal: bool) -> Vec<Option<u32>> {
    let mut away = vec![None; elements.len()];
    if from >= elements.len() {
        return away;
    }
    away[from] = Some(0);
    let mut todo = VecDeque::from([from]);
    while let Some(here) = todo.pop_front() {
        let next = if orthogonal { &elements[here].orthogonal } else { &elements[here].adjacent };
        let further = away[here].map(|d| d + 1);
        for &n in next {
            if away[n].is_none() {
                away[n] = further;
                todo.push_back(n);
            }
        }
    }
    away
}
