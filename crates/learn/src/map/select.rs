//! A few games that stand for many.

use super::Distances;
use rayon::prelude::*;

/// Chosen rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Selection {
    /// The rows in the order in which they were chosen.
    pub rows: Vec<usize>,
    /// By row: the distance to the nearest row chosen before it; 0 for the first.
    pub gaps: Vec<f64>,
    /// The sum of the gaps without that of the second row.
    pub total: f64,
}

/// Chooses `k` rows: from a first one on, always the row that is farthest from all chosen ones (the
/// first of equals), over all rows as the first one, for the greatest total. The first row of the
/// table as a start stands for the farthest pair of all, as in the authors' code.
pub fn representatives(distances: &Distances, k: usize) -> Option<Selection> {
    (0..distances.len()).into_par_iter().map(|start| from(distances, start, k)).reduce_with(
        // The earlier start wins ties.
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
