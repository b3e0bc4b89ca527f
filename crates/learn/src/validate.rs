//! Cross-validation: the regret of a model on games that it has not seen.

use crate::models::Recipe;
use ludex_core::{Result, Seed};
use ludex_model::{Matrix, argmax};
use ludex_stats::hypothesis::one_t;
use ludex_stats::{Interval, Sample, Z95};

/// The fold of each row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folds(pub Vec<usize>);

impl Folds {
    /// `k` folds of consecutive rows in this order. If the rows can't be divided evenly, the first folds have one more row.
    pub fn contiguous(order: &[usize], k: usize) -> Self {
        let n = order.len();
        let k = k.clamp(1, n.max(1));
        let mut folds = vec![0; n];
        let mut place = 0;
        for fold in 0..k {
            for _ in 0..n / k + usize::from(fold < n % k) {
                if let Some(slot) = order.get(place).and_then(|&row| folds.get_mut(row)) {
                    *slot = fold;
                }
                place += 1;
            }
        }
        Folds(folds)
    }

    /// `k` folds that keep the rows of a group together. Groups come in random order, each goes to the smallest fold so far.
    pub fn grouped(groups: &[String], k: usize, seed: Seed) -> Self {
        let mut names: Vec<&String> = groups.iter().collect();
        names.sort_unstable();
        names.dedup();
        seed.rng().shuffle(&mut names);
        let mut sizes = vec![0usize; k.max(1)];
        let mut folds = vec![0; groups.len()];
        for name in names {
            let fold = (0..sizes.len()).min_by_key(|&fold| sizes[fold]).unwrap_or(0);
            for (slot, group) in folds.iter_mut().zip(groups) {
                if group == name {
                    *slot = fold;
                    sizes[fold] += 1;
                }
            }
        }
        Folds(folds)
    }

    /// The number of folds.
    pub fn count(&self) -> usize {
        self.0.iter().max().map_or(0, |most| most + 1)
    }

    /// The rows of a fold, and all other rows.
    pub fn part(&self, fold: usize) -> (Vec<usize>, Vec<usize>) {
        (0..self.0.len()).partition(|&row| self.0[row] == fold)
    }
}

/// The regret of a pick: the win rate of the best target less the win rate of the picked target.
pub fn regret(y: &[f64], pick: usize) -> f64 {
    let best = y.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    best - y.get(pick).copied().unwrap_or(f64::NAN)
}

/// Predicts every row by a model that was trained without the fold of the row. `told` is called after each fold.
///
/// # Errors
/// A model can't be trained.
pub fn predictions(
    recipe: &Recipe,
    x: &Matrix,
    y: &Matrix,
    folds: &Folds,
    seed: Seed,
    told: &mut dyn FnMut(),
) -> Result<Matrix> {
    let mut out = Matrix::zeros(x.rows(), y.columns());
    for fold in 0..folds.count() {
        let (test, train) = folds.part(fold);
        let fitted = recipe.fit(&x.select(&train), &y.select(&train), seed)?;
        for row in test {
            out.row_mut(row).copy_from_slice(&fitted.predict(x.row(row)));
        }
        told();
    }
    Ok(out)
}

/// The mean of matrices of one size.
pub fn mean(all: &[Matrix]) -> Matrix {
    let Some(first) = all.first() else { return Matrix::default() };
    let mut out = Matrix::zeros(first.rows(), first.columns());
    for matrix in all {
        for row in 0..out.rows() {
            for (sum, value) in out.row_mut(row).iter_mut().zip(matrix.row(row)) {
                *sum += value / all.len() as f64;
            }
        }
    }
    out
}

/// By target: the 2.5th and the 97.5th percentile of measured less predicted values. A measured 0 stands for an agent that
/// cannot play the game, so it is left out.
pub fn errors(predicted: &Matrix, y: &Matrix) -> Vec<(f64, f64)> {
    let of_target = |j: usize| {
        let pairs = predicted.iter().zip(y.iter()).filter(|(_, y)| y[j] != 0.0);
        let mut errors: Vec<f64> = pairs.map(|(predicted, y)| y[j] - predicted[j]).collect();
        errors.sort_by(f64::total_cmp);
        let last = errors.len().saturating_sub(1) as f64;
        let at = |share: f64| errors.get((share * last).round() as usize).copied().unwrap_or(0.0);
        (at(0.025), at(0.975))
    };
    if predicted.rows() != y.rows() {
        return Vec::new();
    }
    (0..y.columns()).map(of_target).collect()
}

/// The regret of every row if the target with the highest prediction is picked.
pub fn regrets(predicted: &Matrix, y: &Matrix) -> Vec<f64> {
    predicted.iter().zip(y.iter()).map(|(p, y)| regret(y, argmax(p))).collect()
}

/// The mean regret of each game over several shuffles.
pub fn by_game(shuffles: &[Vec<f64>]) -> Vec<f64> {
    let n = shuffles.first().map_or(0, Vec::len);
    let mean = |i: usize| shuffles.iter().filter_map(|s| s.get(i)).sum::<f64>();
    (0..n).map(|i| mean(i) / shuffles.len().max(1) as f64).collect()
}

/// A mean over games with its standard error and 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The mean.
    pub mean: f64,
    /// The standard error of the mean.
    pub error: f64,
    /// The 95 % interval of the mean.
    pub interval: Interval,
    /// The two-sided p-value of no difference from 0.
    pub p: f64,
}

impl Estimate {
    /// The estimate from one number per game.
    pub fn of(values: &[f64]) -> Self {
        let sample = Sample::of(values);
        let (mean, error) = (sample.mean(), (sample.variance() / sample.count.max(1.0)).sqrt());
        let interval = Interval { low: mean - Z95 * error, high: mean + Z95 * error };
        Estimate { mean, error, interval, p: one_t(sample).map_or(1.0, |(_, p)| p) }
    }

    /// The estimate of the difference of two models on the same games and folds.
    pub fn paired(a: &[f64], b: &[f64]) -> Self {
        Estimate::of(&a.iter().zip(b).map(|(a, b)| a - b).collect::<Vec<_>>())
    }
}

/// The permutation of 0..n by NumPy's legacy generator (`RandomState(seed).shuffle`), from which the published folds come:
/// an MT19937 stream, bounded numbers by masking and rejection, and the shuffle of Fisher and Yates from the end.
///
/// ```
/// // numpy.random.RandomState(1).permutation(5)
/// assert_eq!(ludex_learn::validate::numpy_shuffle(5, 1), [2, 1, 4, 0, 3]);
/// ```
pub fn numpy_shuffle(n: usize, seed: u32) -> Vec<usize> {
    let mut mt = Mt19937::new(seed);
    let mut order: Vec<usize> = (0..n).collect();
    for i in (1..n).rev() {
        let mask = (i as u32).checked_next_power_of_two().map_or(u32::MAX, |power| {
            if power == i as u32 { (power << 1).wrapping_sub(1) } else { power - 1 }
        });
        let j = loop {
            let value = mt.next() & mask;
            if value <= i as u32 {
                break value as usize;
            }
        };
        order.swap(i, j);
    }
    order
}

/// The Mersenne Twister of Matsumoto and Nishimura (1998).
struct Mt19937 {
    state: [u32; 624],
    at: usize,
}

impl Mt19937 {
    fn new(seed: u32) -> Self {
        let mut state = [0u32; 624];
        state[0] = seed;
        for i in 1..624 {
            let last = state[i - 1];
            state[i] = 1_812_433_253u32.wrapping_mul(last ^ (last >> 30)).wrapping_add(i as u32);
        }
        Mt19937 { state, at: 624 }
    }

    fn next(&mut self) -> u32 {
        if self.at == 624 {
            for i in 0..624 {
                let high = self.state[i] & 0x8000_0000;
                let y = high | (self.state[(i + 1) % 624] & 0x7fff_ffff);
                let odd = if y & 1 == 1 { 0x9908_b0df } else { 0 };
                self.state[i] = self.state[(i + 397) % 624] ^ (y >> 1) ^ odd;
            }
            self.at = 0;
        }
        let mut y = self.state[self.at];
        self.at += 1;
        y ^= y >> 11;
        y ^= (y << 7) & 0x9d2c_5680;
        y ^= (y << 15) & 0xefc6_0000;
        y ^ (y >> 18)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contiguous_folds_differ_by_at_most_one_row() {
        let order: Vec<usize> = (0..649).rev().collect();
        let folds = Folds::contiguous(&order, 10);
        let size = |fold| folds.part(fold).0.len();
        assert_eq!((size(0), size(8), size(9)), (65, 65, 64));
        assert_eq!((folds.0[648], folds.0[0]), (0, 9));
    }

    #[test]
    fn variants_of_a_game_share_a_fold() {
        let groups: Vec<String> = (0..40).map(|i| format!("g{}", i / 4)).collect();
        let folds = Folds::grouped(&groups, 5, Seed(3));
        for chunk in folds.0.chunks(4) {
            assert!(chunk.iter().all(|fold| *fold == chunk[0]));
        }
        assert!((0..5).all(|fold| folds.part(fold).0.len() == 8));
    }
}
