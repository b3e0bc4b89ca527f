//! Support vector regression by sequential minimal optimisation, with the working set chosen by second-order information
//! (Fan, Chen and Lin 2005), as in LIBSVM without shrinking.

use ludex_model::fitted::Kernel;
use ludex_model::scaling::Scaling;
use ludex_model::{Fitted, Matrix};
use rayon::prelude::*;

/// The parameters: errors up to `epsilon` are free, larger ones cost `cost` per unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Svm {
    pub(crate) cost: f64,
    pub(crate) epsilon: f64,
    pub(crate) sigmoid: bool,
}

const TAU: f64 = 1e-12;
const STOP: f64 = 1e-3;

impl Svm {
    /// Fits the model. The kernel's `gamma` is 1 / (number of columns * variance of all numbers).
    pub(crate) fn fit(&self, x: &Matrix, y: &Matrix) -> Fitted {
        let n = (x.rows() * x.columns()).max(1) as f64;
        let mean = x.iter().flatten().sum::<f64>() / n;
        let variance = x.iter().flatten().map(|v| (v - mean) * (v - mean)).sum::<f64>() / n;
        let gamma = 1.0 / (x.columns() as f64 * variance).max(f64::MIN_POSITIVE);
        let kernel = match self.sigmoid {
            true => Kernel::Sigmoid { gamma },
            false => Kernel::Rbf { gamma },
        };
        let gram: Vec<Vec<f64>> = (0..x.rows())
            .into_par_iter()
            .map(|i| x.iter().map(|row| kernel.of(x.row(i), row)).collect())
            .collect();
        let solved: Vec<(Vec<f64>, f64)> =
            (0..y.columns()).into_par_iter().map(|j| self.solve(&gram, &y.column(j))).collect();
        let weights = Matrix::from_rows(
            y.columns(),
            (0..x.rows()).map(|i| solved.iter().map(|(w, _)| w[i]).collect::<Vec<_>>()),
        );
        let bias = solved.iter().map(|(_, bias)| *bias).collect();
        Fitted::Kernel { scaling: Scaling::none(), kernel, rows: x.clone(), weights, bias }
    }

    /// The weights of the rows and the bias for one target. The dual problem has two variables for each row: one for
    /// predictions that are too low (sign 1), one for predictions that are too high (sign -1).
    fn solve(&self, gram: &[Vec<f64>], y: &[f64]) -> (Vec<f64>, f64) {
        let (l, c) = (y.len(), self.cost);
        let sign = |t: usize| if t < l { 1.0 } else { -1.0 };
        let k = |s: usize, t: usize| gram[s % l][t % l];
        let mut alpha = vec![0.0; 2 * l];
        let mut gradient: Vec<f64> =
            (0..2 * l).map(|t| self.epsilon - sign(t) * y[t % l]).collect();
        let up = |t: usize, a: f64| if t < l { a < c } else { a > 0.0 };
        let down = |t: usize, a: f64| if t < l { a > 0.0 } else { a < c };
        for _ in 0..10_000_000usize.min(100 * 2 * l * 100) {
            // The working set: i with the steepest slope, and the partner j with the greatest gain.
            let (mut i, mut most) = (None, f64::NEG_INFINITY);
            for t in 0..2 * l {
                let slope = -sign(t) * gradient[t];
                if up(t, alpha[t]) && slope >= most {
                    (i, most) = (Some(t), slope);
                }
            }
            let Some(i) = i else { break };
            let (mut j, mut least, mut gain) = (None, f64::NEG_INFINITY, f64::INFINITY);
            for t in 0..2 * l {
                if !down(t, alpha[t]) {
                    continue;
                }
                let slope = sign(t) * gradient[t];
                least = least.max(slope);
                let difference = most + slope;
                if difference > 0.0 {
                    let curve = k(i, i) + k(t, t) - 2.0 * k(i, t);
                    let curve = if curve > 0.0 { curve } else { TAU };
                    let objective = -difference * difference / curve;
                    if objective <= gain {
                        (j, gain) = (Some(t), objective);
                    }
                }
            }
            if most + least < STOP {
                break;
            }
            let Some(j) = j else { break };
            let old = (alpha[i], alpha[j]);
            let curve = k(i, i) + k(j, j) - 2.0 * k(i, j);
            let curve = if curve > 0.0 { curve } else { TAU };
            if sign(i) != sign(j) {
                let delta = (-gradient[i] - gradient[j]) / curve;
                let difference = alpha[i] - alpha[j];
                alpha[i] += delta;
                alpha[j] += delta;
                if difference > 0.0 && alpha[j] < 0.0 {
                    (alpha[j], alpha[i]) = (0.0, difference);
                } else if difference <= 0.0 && alpha[i] < 0.0 {
                    (alpha[i], alpha[j]) = (0.0, -difference);
                }
                if difference > 0.0 && alpha[i] > c {
                    (alpha[i], alpha[j]) = (c, c - difference);
                } else if difference <= 0.0 && alpha[j] > c {
                    (alpha[j], alpha[i]) = (c, c + difference);
                }
            } else {
                let delta = (gradient[i] - gradient[j]) / curve;
                let sum = alpha[i] + alpha[j];
                alpha[i] -= delta;
                alpha[j] += delta;
                if sum > c && alpha[i] > c {
                    (alpha[i], alpha[j]) = (c, sum - c);
                } else if sum <= c && alpha[j] < 0.0 {
                    (alpha[j], alpha[i]) = (0.0, sum);
                }
                if sum > c && alpha[j] > c {
                    (alpha[j], alpha[i]) = (c, sum - c);
                } else if sum <= c && alpha[i] < 0.0 {
                    (alpha[i], alpha[j]) = (0.0, sum);
                }
            }
            let (di, dj) = (sign(i) * (alpha[i] - old.0), sign(j) * (alpha[j] - old.1));
            let (ki, kj) = (&gram[i % l], &gram[j % l]);
            for t in 0..l {
                let change = ki[t] * di + kj[t] * dj;
                gradient[t] += change;
                gradient[t + l] -= change;
            }
        }
        // The bias is the mean slope of the free variables, or the middle of the allowed interval.
        let (mut above, mut below) = (f64::INFINITY, f64::NEG_INFINITY);
        let (mut free, mut sum) = (0, 0.0);
        for t in 0..2 * l {
            let slope = sign(t) * gradient[t];
            let (at_top, at_bottom) = (alpha[t] >= c, alpha[t] <= 0.0);
            if !at_top && !at_bottom {
                (free, sum) = (free + 1, sum + slope);
            } else if at_top == (t < l) {
                below = below.max(slope);
            } else {
                above = above.min(slope);
            }
        }
        let rho = if free > 0 { sum / f64::from(free) } else { 0.5 * (above + below) };
        ((0..l).map(|t| alpha[t] - alpha[t + l]).collect(), -rho)
    }
}
