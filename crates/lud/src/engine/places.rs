//! Places of a board that rules name: the middle, the outside, sides, colours.

use super::lower::Lower;
use crate::board::SiteType;

impl Lower<'_> {
    /// The site of a landmark of the board.
    pub(super) fn landmark(&self, word: &str) -> Option<i32> {
        let elements = self.equipment.elements();
        let last = elements.len() as i32 - 1;
        let by = |key: &dyn Fn(usize) -> f64| {
            (0..elements.len()).min_by(|&a, &b| key(a).total_cmp(&key(b))).map(|i| i as i32)
        };
        match word {
            "FirstSite" => Some(0),
            "LastSite" => Some(last),
            "CentreSite" => self.centres().first().copied(),
            "LeftSite" => by(&|i| elements[i].centre[0]),
            "RightSite" => by(&|i| -elements[i].centre[0]),
            "BottomSite" => by(&|i| elements[i].centre[1]),
            "Topsite" | "TopSite" => by(&|i| -elements[i].centre[1]),
            _ => None,
        }
    }

    /// The sites nearest to the middle of the board.
    pub fn centres(&self) -> Vec<i32> {
        let elements = self.equipment.elements();
        let middle = self.equipment.board.graph.middle();
        let far = |i: usize| crate::board::graph::distance(elements[i].centre, middle);
        let least = (0..elements.len()).map(far).fold(f64::INFINITY, f64::min);
        (0..elements.len()).filter(|&i| far(i) < least + 0.01).map(|i| i as i32).collect()
    }

    /// By site: does it lie on the outside of the board?
    pub fn outer(&self) -> Vec<bool> {
        let board = &self.equipment.board;
        let graph = &board.graph;
        // An edge with one face beside it is on the outside.
        let mut beside = vec![0; graph.edges.len()];
        let number: rustc_hash::FxHashMap<(usize, usize), usize> =
            graph.edges.iter().enumerate().map(|(e, &(a, b))| ((a.min(b), a.max(b)), e)).collect();
        for face in &graph.faces {
            for (i, &a) in face.iter().enumerate() {
                let b = face[(i + 1) % face.len()];
                if let Some(&e) = number.get(&(a.min(b), a.max(b))) {
                    beside[e] += 1;
                }
            }
        }
        let mut outer_vertex = vec![false; graph.vertices.len()];
        for (e, &(a, b)) in graph.edges.iter().enumerate() {
            if beside[e] < 2 {
                (outer_vertex[a], outer_vertex[b]) = (true, true);
            }
        }
        match board.sites {
            SiteType::Vertex => outer_vertex,
            SiteType::Edge => beside.iter().map(|&n| n < 2).collect(),
            SiteType::Cell => graph
                .faces
                .iter()
                .map(|face| {
                    face.iter().enumerate().any(|(i, &a)| {
                        let b = face[(i + 1) % face.len()];
                        number.get(&(a.min(b), a.max(b))).is_some_and(|&e| beside[e] < 2)
                    })
                })
                .collect(),
        }
    }

    /// By site: its colour if neighbours across sides have different ones.
    pub fn colours(&self) -> Vec<i32> {
        let elements = self.equipment.elements();
        let mut colours = vec![-1; elements.len()];
        for start in 0..elements.len() {
            if colours[start] >= 0 {
                continue;
            }
            colours[start] = 0;
            let mut todo = std::collections::VecDeque::from([start]);
            while let Some(here) = todo.pop_front() {
                for &n in &elements[here].orthogonal {
                    if colours[n] < 0 {
                        let used: Vec<i32> =
                            elements[n].orthogonal.iter().map(|&m| colours[m]).collect();
                        colours[n] = (0..).find(|k| !used.contains(k)).unwrap_or(0);
                        todo.push_back(n);
                    }
                }
            }
        }
        colours
    }

    /// The outer sites on a side of the board: those that look more to it than to another.
    pub fn side(&self, word: &str) -> Option<Vec<i32>> {
        let elements = self.equipment.elements();
        let bearing = super::directions::compass(word)? as f64 * 22.5;
        let (sin, cos) = bearing.to_radians().sin_cos();
        let outer = self.outer();
        let middle = self.equipment.board.graph.middle();
        let along = |i: usize| {
            let p = elements[i].centre;
            (p[0] - middle[0]) * sin + (p[1] - middle[1]) * cos
        };
        let most = (0..elements.len()).map(along).fold(f64::NEG_INFINITY, f64::max);
        // A straight side lies at right angles to its bearing.
        let sites: Vec<i32> = (0..elements.len())
            .filter(|&i| outer[i] && along(i) > most - 0.3)
            .map(|i| i as i32)
            .collect();
        (sites.len() > 1).then_some(sites)
    }
}
