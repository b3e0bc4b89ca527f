//! Hypothesis tests. All p-values are two-sided.

use crate::Sample;
use statrs::distribution::{ChiSquared, ContinuousCDF, Normal, StudentsT};

/// Student's t-test on paired observations: does the mean of `a` - `b` differ from 0? Returns t and its p-value; `None`
/// for fewer than two pairs, or where all differences are equal.
///
/// ```
/// // Student's own sleep data (Biometrika 1908): t = 4.0621, p = 0.002833.
/// let a = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0];
/// let b = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4];
/// let (t, p) = ludex_stats::hypothesis::paired_t(&b, &a).unwrap();
/// assert!((t - 4.0621).abs() < 1e-4 && (p - 0.002833).abs() < 1e-6);
/// ```
pub fn paired_t(a: &[f64], b: &[f64]) -> Option<(f64, f64)> {
    let n = a.len().min(b.len());
    let gaps: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
    let (mean, variance) = moments(&gaps)?;
    (variance > 0.0).then(|| {
        let t = mean / (variance / n as f64).sqrt();
        (t, t_tail(t, n as f64 - 1.0))
    })
}

/// Student's t-test on two samples with equal variances: do the means differ? Returns t and its p-value; `None` where a
/// sample has fewer than two observations or nothing varies.
///
/// ```
/// // The sleep data as two samples: t = -1.8608, p = 0.07919.
/// let a = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0];
/// let b = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4];
/// let (t, p) = ludex_stats::hypothesis::student_t(&a, &b).unwrap();
/// assert!((t + 1.8608).abs() < 1e-4 && (p - 0.07919).abs() < 1e-5);
/// ```
pub fn student_t(a: &[f64], b: &[f64]) -> Option<(f64, f64)> {
    student_t_of(Sample::of(a), Sample::of(b))
}

/// [`student_t`] on two samples that are given as sums.
pub fn student_t_of(a: Sample, b: Sample) -> Option<(f64, f64)> {
    let freedom = a.count + b.count - 2.0;
    let sums = (a.count - 1.0) * a.variance() + (b.count - 1.0) * b.variance();
    let pooled = sums / freedom;
    (a.count >= 2.0 && b.count >= 2.0 && pooled > 0.0).then(|| {
        let t = (a.mean() - b.mean()) / (pooled * (1.0 / a.count + 1.0 / b.count)).sqrt();
        (t, t_tail(t, freedom))
    })
}

/// Student's t-test on one sample: does its mean differ from 0? Returns t and its p-value; `None` for fewer than two
/// observations, or where all are equal.
///
/// ```
/// use ludex_stats::{Sample, hypothesis::one_t};
/// // The gaps of the sleep data: t = 4.0621.
/// let gaps = Sample::of(&[1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4]);
/// let (t, p) = one_t(gaps).unwrap();
/// assert!((t - 4.0621).abs() < 1e-4 && (p - 0.002833).abs() < 1e-6);
/// ```
pub fn one_t(sample: Sample) -> Option<(f64, f64)> {
    let variance = sample.variance();
    (sample.count >= 2.0 && variance > 0.0).then(|| {
        let t = sample.mean() / (variance / sample.count).sqrt();
        (t, t_tail(t, sample.count - 1.0))
    })
}

/// Mean and unbiased variance; `None` for fewer than two numbers.
fn moments(x: &[f64]) -> Option<(f64, f64)> {
    let n = x.len() as f64;
    (x.len() >= 2).then(|| {
        let mean = x.iter().sum::<f64>() / n;
        (mean, x.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0))
    })
}

fn t_tail(t: f64, freedom: f64) -> f64 {
    StudentsT::new(0.0, 1.0, freedom).map_or(1.0, |d| 2.0 * d.sf(t.abs()))
}

/// Wilcoxon's signed-rank test on paired gaps (1945). Gaps of 0 are dropped, gaps of equal size share their mean rank,
/// and the rank sum is approximated by a normal distribution without continuity correction. Returns the smaller of the
/// two rank sums and the p-value; `None` where every gap is 0.
///
/// ```
/// // The sleep data: nine gaps, all on one side: z = -2.6679, p = 0.007632.
/// let gaps = [1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4];
/// let (w, p) = ludex_stats::hypothesis::wilcoxon(&gaps).unwrap();
/// assert!(w == 0.0 && (p - 0.007632).abs() < 1e-5, "{p}");
/// ```
pub fn wilcoxon(gaps: &[f64]) -> Option<(f64, f64)> {
    let mut gaps: Vec<f64> = gaps.iter().copied().filter(|gap| *gap != 0.0).collect();
    gaps.sort_by(|a, b| a.abs().total_cmp(&b.abs()));
    let n = gaps.len() as f64;
    let (mut up, mut ties, mut first) = (0.0, 0.0, 0);
    // Sizes that differ only by rounding count as equal.
    let same = |a: f64, b: f64| (a.abs() - b.abs()).abs() <= 1e-9 * a.abs().max(b.abs());
    while first < gaps.len() {
        let equal = gaps[first..].iter().take_while(|gap| same(**gap, gaps[first])).count();
        let rank = first as f64 + (equal as f64 + 1.0) / 2.0;
        up += rank * gaps[first..first + equal].iter().filter(|gap| **gap > 0.0).count() as f64;
        ties += (equal as f64).powi(3) - equal as f64;
        first += equal;
    }
    let total = n * (n + 1.0) / 2.0;
    let variance = n * (n + 1.0) * (2.0 * n + 1.0) / 24.0 - ties / 48.0;
    (variance > 0.0).then(|| {
        let z = (up - total / 2.0) / variance.sqrt();
        let p = Normal::standard().sf(z.abs()) * 2.0;
        (up.min(total - up), p)
    })
}

/// The exact sign test: is a win as likely as a loss? Ties are not counted. Returns the p-value.
///
/// ```
/// let p = ludex_stats::hypothesis::sign(8, 2);
/// assert!((p - 0.109375).abs() < 1e-12); // 2 (1 + 10 + 45) / 1024
/// ```
pub fn sign(wins: u64, losses: u64) -> f64 {
    let n = wins + losses;
    let k = wins.min(losses);
    // The sum of the binomial probabilities up to k. Logarithms keep it finite for thousands of games.
    let mut log_choose = 0.0f64;
    let mut sum = 0.0f64;
    let log_half = -(n as f64) * std::f64::consts::LN_2;
    for i in 0..=k {
        if i > 0 {
            log_choose += ((n - i + 1) as f64).ln() - (i as f64).ln();
        }
        sum += (log_choose + log_half).exp();
    }
    (2.0 * sum).min(1.0)
}

/// A permutation test on paired gaps. Under the null hypothesis the sign of each gap is a fair coin. The p-value is the
/// share of `rounds` random assignments of signs whose sum is at least as far from 0 as the observed sum; the observed
/// assignment counts as one of them. `keeps_sign` is the coin.
pub fn permutation(gaps: &[f64], rounds: u32, mut keeps_sign: impl FnMut() -> bool) -> f64 {
    let seen = gaps.iter().sum::<f64>().abs();
    let tolerance = 1e-12 * gaps.iter().map(|g| g.abs()).sum::<f64>();
    let extreme = (0..rounds)
        .filter(|_| {
            let sum: f64 = gaps.iter().map(|g| if keeps_sign() { *g } else { -g }).sum();
            sum.abs() >= seen - tolerance
        })
        .count();
    (extreme as f64 + 1.0) / (f64::from(rounds) + 1.0)
}

/// Pearson's chi-squared test of observed against expected counts. Returns the statistic and its p-value; the degrees
/// of freedom are the number of classes less one.
///
/// ```
/// // Mendel's peas, 315, 108, 101, 32 against 9:3:3:1: chi2 = 0.470, p = 0.925.
/// let expected = [312.75, 104.25, 104.25, 34.75];
/// let (chi2, p) = ludex_stats::hypothesis::chi_squared(&[315.0, 108.0, 101.0, 32.0], &expected);
/// assert!((chi2 - 0.470).abs() < 1e-3 && (p - 0.9254).abs() < 1e-4);
/// ```
pub fn chi_squared(observed: &[f64], expected: &[f64]) -> (f64, f64) {
    let chi2: f64 = observed
        .iter()
        .zip(expected)
        .map(|(o, e)| if *e > 0.0 { (o - e).powi(2) / e } else { 0.0 })
        .sum();
    let freedom = observed.len().saturating_sub(1).max(1) as f64;
    (chi2, ChiSquared::new(freedom).map_or(1.0, |d| d.sf(chi2)))
}

/// Holm's step-down correction for many tests (1979): the adjusted p-values, in the order of the input.
///
/// ```
/// use ludex_stats::hypothesis::holm;
/// let adjusted = holm(&[0.01, 0.04, 0.03]);
/// assert!((adjusted[0] - 0.03).abs() < 1e-12);
/// assert!((adjusted[1] - 0.06).abs() < 1e-12 && (adjusted[2] - 0.06).abs() < 1e-12);
/// ```
pub fn holm(p: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|&i, &j| p[i].total_cmp(&p[j]));
    let mut adjusted = vec![1.0; p.len()];
    let mut running: f64 = 0.0;
    for (rank, &i) in order.iter().enumerate() {
        running = running.max(p[i] * (p.len() - rank) as f64).min(1.0);
        adjusted[i] = running;
    }
    adjusted
}

/// Fisher's exact test, two-tailed, on two pairs (hits, trials): how likely are counts at least as extreme as these if
/// both rates of hits are equal?
///
/// ```
/// use ludex_stats::hypothesis::fisher;
/// // The lady tasting tea: she names all four cups with milk, and none of the four others.
/// assert!((fisher((4, 4), (0, 4)) - 2.0 / 70.0).abs() < 1e-12);
/// ```
pub fn fisher(a: (u64, u64), b: (u64, u64)) -> f64 {
    let hits = a.0 + b.0;
    let ways = |n: u64, k: u64| statrs::function::factorial::ln_binomial(n, k);
    let ln_p = |x: u64| ways(a.1, x) + ways(b.1, hits - x) - ways(a.1 + b.1, hits);
    let seen = ln_p(a.0);
    let range = hits.saturating_sub(b.1)..=hits.min(a.1);
    // The tolerance admits counts that are equally likely up to rounding.
    range.map(ln_p).filter(|&p| p <= seen + 1e-9).map(f64::exp).sum::<f64>().min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_core::Seed;

    #[test]
    fn fisher_gives_the_values_of_the_hypergeometric_distribution() {
        // 94 of 100 against 100 of 100: both tails together, computed by hand from the
        // hypergeometric weights C(100,6)/C(200,6), twice.
        let mut tail = 1.0;
        for i in 0..6 {
            tail *= (100.0 - f64::from(i)) / (200.0 - f64::from(i));
        }
        assert!((fisher((94, 100), (100, 100)) - 2.0 * tail).abs() < 1e-9);
        assert_eq!(fisher((5, 10), (5, 10)), 1.0);
        assert_eq!(fisher((0, 0), (3, 7)), 1.0);
    }

    #[test]
    fn the_permutation_test_agrees_with_full_enumeration() {
        let gaps = [1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4];
        // Of the 1,024 sign patterns only all plus and all minus, each twice for the zero, are as
        // extreme: 4 / 1024.
        let mut rng = Seed(3).rng();
        let p = permutation(&gaps, 200_000, || rng.bits() & 1 == 0);
        assert!((p - 4.0 / 1024.0).abs() < 6e-4, "{p}");
    }

    #[test]
    fn the_sign_test_is_one_for_equal_halves_and_tiny_for_clear_ones() {
        assert_eq!(sign(0, 0), 1.0);
        assert_eq!(sign(50, 50), 1.0);
        assert!(sign(3000, 2000) < 1e-40);
    }

    #[test]
    fn no_spread_is_no_test() {
        assert_eq!(paired_t(&[1.0, 2.0], &[0.0, 1.0]), None);
        assert_eq!(paired_t(&[1.0], &[0.0]), None);
    }
}
