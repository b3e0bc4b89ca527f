//! Groups of games by k-means (Lloyd), with the initial centres of k-means++ (Arthur and Vassilvitskii 2007).

use ludex_core::{Rng, Seed};
use ludex_model::Matrix;
use rayon::prelude::*;

/// Groups of rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Clusters {
    /// The group of each row.
    pub of: Vec<usize>,
    /// The sum of the squared distances of all rows to the centres of their groups.
    pub inertia: f64,
}

impl Clusters {
    /// The sizes of the groups, the largest first.
    pub fn sizes(&self) -> Vec<usize> {
        let mut sizes = vec![0; self.of.iter().max().map_or(0, |most| most + 1)];
        self.of.iter().for_each(|&group| sizes[group] += 1);
        sizes.sort_unstable_by(|a, b| b.cmp(a));
        sizes
    }
}

/// The best of `tries` runs of k-means with `k` groups.
pub fn k_means(x: &Matrix, k: usize, tries: u64, seed: Seed) -> Clusters {
    let run = |number: u64| lloyd(x, k.clamp(1, x.rows().max(1)), &mut seed.child(number).rng());
    (0..tries.max(1))
        .into_par_iter()
        .map(run)
        .reduce_with(|a, b| if b.inertia < a.inertia { b } else { a })
        .unwrap_or(Clusters { of: Vec::new(), inertia: 0.0 })
}

/// The elbow method: the number of groups from 2 to `most` with the greatest second difference of the inertia. Also
/// returns the inertias of 1 to `most + 1` groups.
pub fn elbow(x: &Matrix, most: usize, seed: Seed) -> (usize, Vec<f64>) {
    let inertia: Vec<f64> =
        (1..=most + 1).map(|k| k_means(x, k, 10, seed.child(k as u64)).inertia).collect();
    let bend = |k: usize| inertia[k - 2] - 2.0 * inertia[k - 1] + inertia[k];
    let best = (2..=most).max_by(|&a, &b| bend(a).total_cmp(&bend(b)));
    (best.unwrap_or(1), inertia)
}

fn square(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum()
}

fn lloyd(x: &Matrix, k: usize, rng: &mut Rng) -> Clusters {
    let n = x.rows();
    if n == 0 {
        return Clusters { of: Vec::new(), inertia: 0.0 };
    }
    let mut middles = x.select(&spread_out(x, k, rng));
    let mut of = vec![usize::MAX; n];
    for _ in 0..300 {
        let nearest: Vec<(usize, f64)> = (0..n)
            .map(|i| {
                let squares: Vec<f64> = middles.iter().map(|m| -square(x.row(i), m)).collect();
                let best = ludex_model::argmax(&squares);
                (best, -squares[best])
            })
            .collect();
        let moved = nearest.iter().zip(&of).any(|(a, b)| a.0 != *b);
        of = nearest.iter().map(|(group, _)| *group).collect();
        if !moved {
            return Clusters { of, inertia: nearest.iter().map(|(_, d)| d).sum() };
        }
        for group in 0..k {
            let members: Vec<usize> = (0..n).filter(|&i| of[i] == group).collect();
            let middle = match members.is_empty() {
                // The centre of an empty group moves to the row that is farthest from its centre.
                true => {
                    let worst = (0..n).max_by(|&a, &b| nearest[a].1.total_cmp(&nearest[b].1));
                    x.row(worst.unwrap_or(0)).to_vec()
                }
                false => x.select(&members).means(),
            };
            middles.row_mut(group).copy_from_slice(&middle);
        }
    }
    let inertia = (0..n).map(|i| square(x.row(i), middles.row(of[i]))).sum();
    Clusters { of, inertia }
}

/// The initial centres of k-means++: each is drawn in proportion to its squared distance to the centres before it, and the
/// best of a few draws is taken.
fn spread_out(x: &Matrix, k: usize, rng: &mut Rng) -> Vec<usize> {
    let n = x.rows();
    let mut chosen = vec![rng.index(n)];
    let mut gaps: Vec<f64> = x.iter().map(|row| square(row, x.row(chosen[0]))).collect();
    let draws = 2 + (k as f64).ln() as usize;
    while chosen.len() < k {
        let total: f64 = gaps.iter().sum();
        let mut best: Option<(f64, usize, Vec<f64>)> = None;
        for _ in 0..draws {
            let mut left = rng.unit() * total;
            let row = gaps.iter().position(|gap| {
                left -= gap;
                left < 0.0
            });
            let row = row.unwrap_or(n - 1);
            let closer: Vec<f64> =
                x.iter().zip(&gaps).map(|(r, gap)| gap.min(square(r, x.row(row)))).collect();
            let rest = closer.iter().sum();
            if best.as_ref().is_none_or(|(least, _, _)| rest < *least) {
                best = Some((rest, row, closer));
            }
        }
        let Some((_, row, closer)) = best else { break };
        chosen.push(row);
        gaps = closer;
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clear_groups_are_found_and_counted() {
        let mut rng = Seed(1).rng();
        let rows: Vec<[f64; 2]> = (0..60)
            .map(|i| {
                [f64::from(i % 3) * 10.0 + rng.unit(), f64::from(i % 3 % 2) * 10.0 + rng.unit()]
            })
            .collect();
        let x = Matrix::from_rows(2, rows);
        let groups = k_means(&x, 3, 5, Seed(2));
        assert_eq!(groups.sizes(), [20, 20, 20]);
        assert!(groups.of.iter().enumerate().all(|(i, g)| *g == groups.of[i % 3]));
        assert_eq!(elbow(&x, 6, Seed(3)).0, 3);
    }
}
