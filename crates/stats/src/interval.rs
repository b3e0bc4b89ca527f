//! Intervals for means of payoffs.

use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, StudentsT};

/// The quantile of the normal distribution for two-sided intervals of 95 %.
pub const Z95: f64 = 1.959_963_984_540_054;

/// A closed range of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// Half the width: the number behind a ±.
    pub fn half_width(&self) -> f64 {
        (self.high - self.low) / 2.0
    }
}

/// Wilson's score interval (1927) for a proportion `p` observed in `n` independent trials.
///
/// For mean payoffs in [0, 1] it is conservative: no distribution on [0, 1] with mean p has a larger variance than a
/// coin, p (1 - p).
///
/// ```
/// use ludex_stats::{Z95, wilson};
/// let interval = wilson(0.5, 100, Z95);
/// assert!((interval.low - 0.4038).abs() < 1e-4 && (interval.high - 0.5962).abs() < 1e-4);
/// ```
pub fn wilson(p: f64, n: u64, z: f64) -> Interval {
    if n == 0 {
        return Interval { low: 0.0, high: 1.0 };
    }
    let n = n as f64;
    let scale = 1.0 + z * z / n;
    let centre = (p + z * z / (2.0 * n)) / scale;
    let half = z / scale * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
    Interval { low: (centre - half).max(0.0), high: (centre + half).min(1.0) }
}

/// The mean of cluster means with its 95 % interval: Student's t on the means. Use it where results differ more between
/// clusters (games, for example) than within them. `None` for fewer than two clusters.
///
/// ```
/// use ludex_stats::interval::clustered;
/// let (mean, interval) = clustered(&[0.4, 0.6, 0.5, 0.7]).unwrap();
/// assert!((mean - 0.55).abs() < 1e-12);
/// assert!((interval.low - 0.3446).abs() < 1e-4);
/// ```
pub fn clustered(means: &[f64]) -> Option<(f64, Interval)> {
    let n = means.len() as f64;
    if means.len() < 2 {
        return None;
    }
    let mean = means.iter().sum::<f64>() / n;
    let variance = means.iter().map(|m| (m - mean).powi(2)).sum::<f64>() / (n - 1.0);
    let t = StudentsT::new(0.0, 1.0, n - 1.0).ok()?.inverse_cdf(0.975);
    let half = t * (variance / n).sqrt();
    Some((mean, Interval { low: mean - half, high: mean + half }))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of Newcombe (1998), table I, method 3.
    #[test]
    fn wilson_matches_published_values() {
        for (r, n, low, high) in [
            (81u32, 263u64, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0, 0.1611),
            (1, 29, 0.0061, 0.1718),
        ] {
            let interval = wilson(f64::from(r) / n as f64, n, Z95);
            assert!((interval.low - low).abs() < 6e-5, "{r}/{n}: {interval:?}");
            assert!((interval.high - high).abs() < 6e-5, "{r}/{n}: {interval:?}");
        }
    }
}
