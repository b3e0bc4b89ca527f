//! Operations on the graphs of boards.

use rustc_hash::FxHashSet;

use super::graph::{Graph, Point, Sketch, TOLERANCE, centre, distance};
use super::incidence::Incidence;
use super::tiling::{contains, covers, on_border};

/// One graph over the other: vertices at the same place become one.
pub fn merge(graphs: &[Graph]) -> Graph {
    let mut sketch = Sketch::default();
    for graph in graphs {
        let new: Vec<usize> = graph.vertices.iter().map(|&p| sketch.vertex(p)).collect();
        graph.edges.iter().for_each(|&(a, b)| sketch.edge(new[a], new[b]));
    }
    let mut out = sketch.done();
    out.make_faces();
    out
}

/// All graphs beside each other.
pub fn union(graphs: &[Graph]) -> Graph {
    let mut out = Graph::default();
    for graph in graphs {
        let first = out.vertices.len();
        out.vertices.extend(&graph.vertices);
        out.edges.extend(graph.edges.iter().map(|&(a, b)| (a + first, b + first)));
        out.faces.extend(graph.faces.iter().map(|f| f.iter().map(|v| v + first).collect()));
    }
    out
}

/// The vertices, edges and faces that all graphs have.
pub fn intersect(graphs: &[Graph]) -> Graph {
    let Some((first, rest)) = graphs.split_first() else { return Graph::default() };
    let mut out = first.clone();
    let has_edge = |graph: &Graph, p: Point, q: Point| {
        let (a, b) = (graph.find(p), graph.find(q));
        a.zip(b).is_some_and(|(a, b)| graph.edge_between(a, b).is_some())
    };
    for graph in rest {
        let vertices = out.vertices.clone();
        out.edges.retain(|&(a, b)| has_edge(graph, vertices[a], vertices[b]));
        let edges = out.edges.clone();
        out.faces.retain(|face| {
            (0..face.len()).all(|i| {
                let (a, b) = (face[i], face[(i + 1) % face.len()]);
                edges.iter().any(|&e| e == (a, b) || e == (b, a))
            })
        });
        out.remove_vertices(|v| graph.find(vertices[v]).is_none());
    }
    out
}

/// Turned by degrees to the left around the middle.
pub fn rotate(mut graph: Graph, degrees: f64) -> Graph {
    let middle = graph.middle();
    let (sin, cos) = degrees.to_radians().sin_cos();
    graph.transform(|p| {
        let (x, y) = (p[0] - middle[0], p[1] - middle[1]);
        [middle[0] + x * cos - y * sin, middle[1] + x * sin + y * cos, p[2]]
    });
    graph
}

/// Takes faces out, by decreasing number, and what was only there for them.
pub fn remove_faces(graph: &mut Graph, numbers: &[usize], trim: bool) {
    let mut numbers = numbers.to_vec();
    numbers.sort_unstable_by(|a, b| b.cmp(a));
    numbers.dedup();
    for number in numbers {
        if number >= graph.faces.len() {
            continue;
        }
        let face = graph.faces.remove(number);
        if !trim {
            continue;
        }
        for i in 0..face.len() {
            let (a, b) = (face[i], face[(i + 1) % face.len()]);
            let used = graph.faces.iter().any(|other| {
                (0..other.len()).any(|k| {
                    let (c, d) = (other[k], other[(k + 1) % other.len()]);
                    (c, d) == (a, b) || (d, c) == (a, b)
                })
            });
            if !used {
                graph.edges.retain(|&e| e != (a, b) && e != (b, a));
            }
        }
    }
}

/// Takes out the vertices without edges.
pub fn remove_lonely(graph: &mut Graph) {
    let mut used = vec![false; graph.vertices.len()];
    graph.edges.iter().for_each(|&(a, b)| (used[a], used[b]) = (true, true));
    graph.remove_vertices(|v| !used[v]);
}

/// Takes an edge out, and the faces beside it.
pub fn remove_edge(graph: &mut Graph, a: usize, b: usize) {
    graph.edges.retain(|&e| e != (a, b) && e != (b, a));
    graph.faces.retain(|face| {
        !(0..face.len()).any(|k| {
            let (c, d) = (face[k], face[(k + 1) % face.len()]);
            (c, d) == (a, b) || (d, c) == (a, b)
        })
    });
}

/// Takes out the faces whose middle is in a polygon, and vertices without edges if `trim` says so.
pub fn cut(graph: &mut Graph, polygon: &[[f64; 2]], trim: bool) {
    let gone: Vec<usize> = (0..graph.faces.len())
        .filter(|&f| {
            let [x, y, _] = graph.face_centre(f);
            contains(polygon, [x, y], 0.0)
        })
        .collect();
    remove_faces(graph, &gone, true);
    if trim {
        remove_lonely(graph);
    }
}

/// Takes out the vertices that a polygon covers (decided by the board of Fractal).
pub fn clip(graph: &mut Graph, polygon: &[[f64; 2]]) {
    let gone: Vec<bool> = graph.vertices.iter().map(|p| covers(polygon, [p[0], p[1]])).collect();
    graph.remove_vertices(|v| gone[v]);
}

/// Keeps the elements inside a polygon and drops its border.
pub fn keep(graph: &mut Graph, polygon: &[[f64; 2]]) {
    let inside = |p: Point| {
        let at = [p[0], p[1]];
        contains(polygon, at, 0.0) && !on_border(polygon, at)
    };
    let gone: Vec<bool> = graph.vertices.iter().map(|&p| !inside(p)).collect();
    graph.remove_vertices(|v| gone[v]);
}

/// Takes out vertices without edges, and edges that end nowhere.
pub fn trim(graph: &mut Graph) {
    let mut degree = vec![0; graph.vertices.len()];
    for &(a, b) in &graph.edges {
        degree[a] += 1;
        degree[b] += 1;
    }
    graph.edges.retain(|&(a, b)| degree[a] > 1 && degree[b] > 1);
    remove_lonely(graph);
}

/// A vertex in each face, an edge between neighbours.
pub fn dual(graph: &Graph) -> Graph {
    let vertices = (0..graph.faces.len()).map(|f| graph.face_centre(f)).collect();
    let mut out = Graph { vertices, ..Graph::default() };
    let mut known = FxHashSet::default();
    for beside in Incidence::new(graph).cells_of_edge {
        if let [one, two] = beside[..]
            && one != two
            && known.insert((one.min(two), one.max(two)))
        {
            out.edges.push((one as usize, two as usize));
        }
    }
    out.make_faces();
    out.reorder();
    out
}

/// So many copies of a graph, one above the other, with edges between vertices that lie above each other.
pub fn layers(ground: &Graph, layers: usize) -> Graph {
    let n = ground.vertices.len();
    let mut out = Graph::default();
    for layer in 0..layers {
        let first = layer * n;
        out.vertices.extend(ground.vertices.iter().map(|p| [p[0], p[1], p[2] + layer as f64]));
        out.edges.extend(ground.edges.iter().map(|&(a, b)| (a + first, b + first)));
        out.faces.extend(ground.faces.iter().map(|f| f.iter().map(|v| v + first).collect()));
        if layer > 0 {
            out.edges.extend((first..first + n).map(|v| (v - n, v)));
        }
    }
    out
}

/// A new vertex wherever edges cross.
pub fn split_crossings(graph: &mut Graph) {
    'again: loop {
        for i in 0..graph.edges.len() {
            for j in i + 1..graph.edges.len() {
                let ((a, b), (c, d)) = (graph.edges[i], graph.edges[j]);
                if [c, d].contains(&a) || [c, d].contains(&b) {
                    continue;
                }
                let at = |v: usize| graph.vertices[v];
                let p = crossing(at(a), at(b), at(c), at(d));
                if let Some(p) = p {
                    let v = graph.vertex(p);
                    graph.edges.remove(j);
                    graph.edges.remove(i);
                    for (x, y) in [(a, v), (v, b), (c, v), (v, d)] {
                        graph.edge(x, y);
                    }
                    // Others may cross there as well.
                    let through: Vec<usize> = (0..graph.edges.len())
                        .filter(|&e| {
                            let (x, y) = graph.edges[e];
                            passes(graph.vertices[x], graph.vertices[y], p)
                        })
                        .collect();
                    for e in through.into_iter().rev() {
                        let (x, y) = graph.edges.remove(e);
                        graph.edge(x, v);
                        graph.edge(v, y);
                    }
                    continue 'again;
                }
            }
        }
        break;
    }
    graph.make_faces();
}

/// Does a line go through a point between its ends?
fn passes(a: Point, b: Point, p: Point) -> bool {
    let between = distance(a, p) > TOLERANCE && distance(b, p) > TOLERANCE;
    between && (distance(a, p) + distance(b, p) - distance(a, b)).abs() < 1e-6
}

/// Where two lines cross between their ends.
pub fn crossing(a: Point, b: Point, c: Point, d: Point) -> Option<Point> {
    let (rx, ry, sx, sy) = (b[0] - a[0], b[1] - a[1], d[0] - c[0], d[1] - c[1]);
    let cross = rx * sy - ry * sx;
    if cross.abs() < 1e-9 {
        return None;
    }
    let (qx, qy) = (c[0] - a[0], c[1] - a[1]);
    let (t, u) = ((qx * sy - qy * sx) / cross, (qx * ry - qy * rx) / cross);
    let between = |t: f64| t > TOLERANCE && t < 1.0 - TOLERANCE;
    (between(t) && between(u)).then(|| [a[0] + t * rx, a[1] + t * ry, 0.0])
}

/// Every face with at least `least` sides is divided around its middle, the last face first.
pub fn subdivide(graph: &mut Graph, least: usize) {
    for face in std::mem::take(&mut graph.faces).into_iter().rev() {
        if face.len() >= least {
            let middle = centre(face.iter().map(|&v| graph.vertices[v]));
            let v = graph.vertex(middle);
            face.iter().for_each(|&a| graph.edge(a, v));
        }
    }
    graph.make_faces();
}

/// An edge between each two vertices, or each two of a face.
pub fn complete(graph: &mut Graph, each_cell: bool) {
    if each_cell {
        for face in graph.faces.clone() {
            for (i, &a) in face.iter().enumerate() {
                face[i + 1..].iter().for_each(|&b| graph.edge(a, b));
            }
        }
    } else {
        graph.edges.clear();
        graph.faces.clear();
        for a in 0..graph.vertices.len() {
            (a + 1..graph.vertices.len()).for_each(|b| graph.edges.push((a, b)));
        }
        // Recorded boards have two of the triangles that cross each other: the first vertex with the next two on either
        // side.
        let middle = graph.middle();
        let bearing = |v: usize| {
            let p = graph.vertices[v];
            (p[1] - middle[1]).atan2(p[0] - middle[0])
        };
        let mut order: Vec<usize> = (0..graph.vertices.len()).collect();
        order.sort_by(|&a, &b| bearing(a).total_cmp(&bearing(b)));
        let n = order.len();
        if n > 4
            && let Some(at) = order.iter().position(|&v| v == 0)
        {
            let beside = |step: usize| vec![0, order[(at + step) % n], order[(at + 2 * step) % n]];
            graph.faces = vec![beside(1), beside(n - 1)];
            graph.faces.sort_by_key(|face| face[1]);
        }
    }
}

/// Edges between vertices that are a step apart but of different graphs.
pub fn connect(graph: &mut Graph) {
    let step = 1.1;
    let mut known: FxHashSet<(usize, usize)> =
        graph.edges.iter().map(|&(a, b)| (a.min(b), a.max(b))).collect();
    for a in 0..graph.vertices.len() {
        for b in a + 1..graph.vertices.len() {
            let near = distance(graph.vertices[a], graph.vertices[b]) < step;
            if near && known.insert((a, b)) {
                graph.edges.push((a, b));
            }
        }
    }
    graph.make_faces();
}
