//! Scaling of columns, for models that measure distances between rows.

use crate::Matrix;
use serde::{Deserialize, Serialize};

/// The bi-symmetric logarithm (Stephenson et al. 2023): large counts weigh less, 0 and 1 stay.
///
/// ```
/// use ludex_model::scaling::bisymmetric_log;
/// assert_eq!([0.0, 1.0, 3.0, -1.0].map(bisymmetric_log), [0.0, 1.0, 2.0, -1.0]);
/// ```
pub fn bisymmetric_log(x: f64) -> f64 {
    if x >= 0.0 { (x + 1.0).log2() } else { -(1.0 - x).log2() }
}

/// The cosine distance of two rows, 0 (the same direction) to 2; 1 where a row has no length.
pub fn cosine_distance(a: &[f64], b: &[f64]) -> f64 {
    let (mut dot, mut aa, mut bb) = (0.0, 0.0, 0.0);
    for (x, y) in a.iter().zip(b) {
        dot += x * y;
        aa += x * x;
        bb += y * y;
    }
    if aa > 0.0 && bb > 0.0 { (1.0 - dot / (aa.sqrt() * bb.sqrt())).max(0.0) } else { 1.0 }
}

/// How rows are scaled before they are compared.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Scaling {
    /// Is the bi-symmetric logarithm applied first?
    pub log: bool,
    /// Then this is subtracted, by column; empty: nothing is.
    pub mean: Vec<f64>,
    /// Then numbers are divided by this, by column; 0 makes a column 0.
    pub deviation: Vec<f64>,
    /// Then numbers are clipped to this distance from 0.
    pub clip: Option<f64>,
    /// Then all numbers are multiplied by this.
    pub factor: f64,
}

impl Scaling {
    /// Leaves rows as they are.
    pub fn none() -> Self {
        Scaling { factor: 1.0, ..Scaling::default() }
    }

    /// The z-score of logarithms, clipped, with a mean squared length of 1 over these rows.
    pub fn fit(x: &Matrix, log: bool, clip: Option<f64>) -> Self {
        let mut scaling = Scaling { log, clip, factor: 1.0, ..Scaling::default() };
        let plain = scaling.apply_all(x);
        scaling.mean = plain.means();
        scaling.deviation = plain.deviations();
        let square = |row: &[f64]| row.iter().map(|v| v * v).sum::<f64>();
        let scaled = scaling.apply_all(x);
        let mean = scaled.iter().map(square).sum::<f64>() / x.rows().max(1) as f64;
        scaling.factor = if mean > 0.0 { 1.0 / mean.sqrt() } else { 1.0 };
        scaling
    }

    /// Scales one row.
    pub fn apply(&self, row: &[f64]) -> Vec<f64> {
        let mut out = row.to_vec();
        for (j, x) in out.iter_mut().enumerate() {
            if self.log {
                *x = bisymmetric_log(*x);
            }
            if let (Some(mean), Some(&deviation)) = (self.mean.get(j), self.deviation.get(j)) {
                *x = if deviation > 0.0 { (*x - mean) / deviation } else { 0.0 };
            }
            if let Some(clip) = self.clip {
                *x = x.clamp(-clip, clip);
            }
            *x *= self.factor;
        }
        out
    }

    /// Scales all rows.
    pub fn apply_all(&self, x: &Matrix) -> Matrix {
        Matrix::from_rows(x.columns(), x.iter().map(|row| self.apply(row)))
    }
}
