//! Results of pairs of games: two agents play the same opening with the same dice twice, once from each side.
//!
//! The two games of a pair depend on each other, so the pair is the unit of the statistics. A pair has five possible
//! scores, from two losses to two wins; their counts are called pentanomial.

use crate::elo::difference;
use crate::{Interval, Z95};
use serde::Serialize;

/// Points of normalised Elo per standard deviation of a game: 800 / ln 10.
const NORMALISED: f64 = 347.435_585_522_414;

/// How many pairs ended with 0, 1/2, 1, 3/2 and 2 points.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Pentanomial(pub [u64; 5]);

/// A number with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Estimate {
    /// The number.
    pub value: f64,
    /// The 95 % interval of the number.
    pub interval: Interval,
}

impl Pentanomial {
    /// Counts a pair by the sum of its two scores, each 0, 1/2 or 1. Another sum is not counted.
    pub fn add(&mut self, points: f64) {
        let halves = (points * 2.0).round();
        if (halves - points * 2.0).abs() < 1e-9
            && halves >= 0.0
            && let Some(count) = self.0.get_mut(halves as usize)
        {
            *count += 1;
        }
    }

    /// The counts as the other agent sees them.
    pub fn flipped(self) -> Self {
        let [a, b, c, d, e] = self.0;
        Pentanomial([e, d, c, b, a])
    }

    /// The number of pairs.
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Mean and variance of the score of a pair, as a share of its two points; `None` without a pair.
    fn moments(&self) -> Option<(f64, f64)> {
        let n = self.pairs() as f64;
        let shares = || self.0.iter().enumerate().map(|(i, &count)| (i as f64 / 4.0, count as f64));
        let mean = shares().map(|(share, count)| share * count).sum::<f64>() / n;
        let squares = shares().map(|(share, count)| (share - mean).powi(2) * count).sum::<f64>();
        (n > 0.0).then_some((mean, squares / n))
    }

    /// The difference in Elo, with the interval that the spread of the pairs gives. `None` where all pairs have the same
    /// score: such results have no spread.
    ///
    /// ```
    /// use ludex_stats::pairs::Pentanomial;
    /// let pairs = Pentanomial([10, 40, 100, 60, 40]);
    /// let elo = pairs.elo().unwrap();
    /// assert!((elo.value - 56.07).abs() < 0.01);
    /// ```
    pub fn elo(&self) -> Option<Estimate> {
        let (mean, variance) = self.moments().filter(|(_, variance)| *variance > 0.0)?;
        let half = Z95 * (variance / self.pairs() as f64).sqrt();
        let interval = Interval { low: difference(mean - half), high: difference(mean + half) };
        Some(Estimate { value: difference(mean), interval })
    }

    /// Normalised Elo (Van den Bergh): the mean score less a half, in standard deviations of one game, times 800 / ln 10.
    /// The number of games that a test needs depends on it alone. `None` where all pairs have the same score.
    pub fn normalised_elo(&self) -> Option<Estimate> {
        let (mean, variance) = self.moments().filter(|(_, variance)| *variance > 0.0)?;
        // The variance of the mean of two independent games is half that of one game.
        let value = NORMALISED * (mean - 0.5) / (2.0 * variance).sqrt();
        let half = NORMALISED * Z95 / (2.0 * self.pairs() as f64).sqrt();
        Some(Estimate { value, interval: Interval { low: value - half, high: value + half } })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_counted_by_their_points() {
        let mut pairs = Pentanomial::default();
        for points in [0.0, 0.5, 1.0, 1.0, 1.5, 2.0, 0.75, 3.0, -1.0, f64::NAN] {
            pairs.add(points);
        }
        assert_eq!(pairs.0, [1, 1, 2, 1, 1]);
        assert_eq!(Pentanomial([1, 2, 3, 4, 5]).flipped().0, [5, 4, 3, 2, 1]);
    }

    /// By hand: mean (0 + 40/4 + 100/2 + 180/4 + 40) / 250 = 0.58, variance 17.15 / 250 = 0.0686.
    #[test]
    fn normalised_elo_is_the_mean_in_standard_deviations_of_a_game() {
        let pairs = Pentanomial([10, 40, 100, 60, 40]);
        let (mean, variance) = pairs.moments().expect("pairs");
        assert!((mean - 0.58).abs() < 1e-12 && (variance - 0.0686).abs() < 1e-12, "{variance}");
        let found = pairs.normalised_elo().expect("a spread");
        assert!((found.value - 347.4356 * 0.08 / 0.1372f64.sqrt()).abs() < 1e-3);
        assert!(
            (found.interval.high - found.value - 347.4356 * 1.95996 / 500f64.sqrt()).abs() < 1e-3
        );
        let flipped = pairs.flipped().normalised_elo().expect("a spread");
        assert!((flipped.value + found.value).abs() < 1e-9, "the other side");
    }

    #[test]
    fn results_without_a_spread_have_no_estimate() {
        for pairs in [[0; 5], [0, 0, 7, 0, 0], [0, 0, 0, 0, 3]] {
            assert_eq!(Pentanomial(pairs).elo(), None);
            assert_eq!(Pentanomial(pairs).normalised_elo(), None);
        }
        let wide = Pentanomial([0, 0, 0, 1, 1]).elo().expect("a spread");
        assert!(wide.interval.low.is_finite() && wide.interval.high.is_finite(), "clamped");
    }
}
