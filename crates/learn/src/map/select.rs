//! Representative games.

use super::Distances;
use rayon::prelude::*;

/// The representatives.
#[derive(Debug, Clone, PartialEq)]
pub struct Selection {
    /// The rows in the order in which they were chosen.
    pub rows: Vec<usize>,
    /// The distance of each representative to the nearest one chosen before it; 0 for the first.
    pub gaps: Vec<f64>,
    /// The sum of the gaps without the gap of the second representative.
    pub total: f64,
}

/// Chooses `k` rows. From a start row on, the next row is always the one that is farthest from all chosen rows (the first
/// of equals). Every row is tried as the start, and the selection with the greatest total is taken. In place of the first
/// row of the table, the farthest pair of all rows is the start, as in the authors' code.
pub fn representatives(distances: &Distances, k: usize) -> Option<Selection> {
    (0..distances.len()).into_par_iter().map(|start| from(distances, start, k)).reduce_with(
        // The earlier of two starts with equal totals is taken.
        |a, b| if b.total > a.total { b } else { a },
    )
}

fn from(distances: &Distances, start: usize, k: usize) -> Selection {
    let n = distances.len();
    let mut rows = vec![start];
    let mut gaps = vec![0.0];
    if start == 0 {
        let farthest = |i: usize| (0..n).map(move |j| (distances.get(i, j), i, j));
        let pair =
            (0..n).flat_map(farthest).fold((-1.0, 0, 0), |a, b| if b.0 > a.0 { b } else { a });
        rows = vec![pair.1];
    }
    let mut nearest = distances.row(rows[0]).to_vec();
    while rows.len() < k.min(n) {
        let next = ludex_model::argmax(&nearest);
        gaps.push(nearest[next]);
        rows.push(next);
        nearest.iter_mut().zip(distances.row(next)).for_each(|(a, b)| *a = a.min(*b));
    }
    let total = gaps.iter().skip(2).sum();
    Selection { rows, gaps, total }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_model::Matrix;

    #[test]
    fn chosen_rows_are_far_apart() {
        let angles: [f64; 6] = [0.0, 0.05, 1.0, 1.05, 2.0, 2.05];
        let rows = angles.map(|a| [a.cos(), a.sin()]);
        let chosen = representatives(&Distances::cosine(&Matrix::from_rows(2, rows)), 3).unwrap();
        let mut groups: Vec<usize> = chosen.rows.iter().map(|row| row / 2).collect();
        groups.sort_unstable();
        assert_eq!(groups, [0, 1, 2]);
        assert_eq!(chosen.total, chosen.gaps[2]);
    }
}
