//! The sequential probability ratio test of two strengths, in the generalised form that chess engines are tested with:
//! stop as soon as the evidence for one of the two is strong enough.

use crate::Sample;
use crate::elo::expected;
use serde::{Deserialize, Serialize};

/// Two hypotheses about a difference in Elo, and the accepted error rates.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sprt {
    /// The difference in Elo under H0.
    pub elo0: f64,
    /// The difference in Elo under H1.
    pub elo1: f64,
    /// The accepted probability of accepting H1 though H0 is true.
    #[serde(default = "five_percent")]
    pub alpha: f64,
    /// The accepted probability of accepting H0 though H1 is true.
    #[serde(default = "five_percent")]
    pub beta: f64,
}

fn five_percent() -> f64 {
    0.05
}

/// The decision so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Undecided: play on.
    Open,
    /// H0 is accepted.
    H0,
    /// H1 is accepted.
    H1,
}

impl Sprt {
    /// The bounds of the log-likelihood ratio: below the first H0 is accepted, above the second H1.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The log-likelihood ratio of independent scores from 0 to 1.
    ///
    /// Games that share their opening and dice are not independent of each other: one score is the mean of such a block of
    /// games. The ratio is the normal approximation N (s1 - s0) (2 mean - s0 - s1) / (2 variance). Half a score of 0 and
    /// half a score of 1 are added to mean and variance, so that equal scores have a variance, too.
    pub fn ratio(&self, scores: Sample) -> f64 {
        let (count, sum, squares) = (scores.count + 1.0, scores.sum + 0.5, scores.squares + 0.5);
        let mean = sum / count;
        let variance = squares / count - mean * mean;
        let (s0, s1) = (expected(self.elo0), expected(self.elo1));
        scores.count * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance)
    }

    /// The decision at this log-likelihood ratio.
    pub fn judge(&self, ratio: f64) -> Verdict {
        let (low, high) = self.bounds();
        if ratio >= high {
            Verdict::H1
        } else if ratio <= low {
            Verdict::H0
        } else {
            Verdict::Open
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_core::Seed;

    /// The share of simulated tests that accept H1 when the true difference is `elo`.
    fn accepted(elo: f64, seed: u64) -> f64 {
        let test = Sprt { elo0: 0.0, elo1: 40.0, alpha: 0.05, beta: 0.05 };
        let p = expected(elo);
        let mut rng = Seed(seed).rng();
        let runs = 1000;
        let mut h1 = 0;
        for _ in 0..runs {
            let mut pairs = Sample::default();
            let verdict = loop {
                // Two games, each won, drawn (20 %) or lost.
                let mut game = || {
                    let x = rng.unit();
                    if x < p - 0.1 { 0.5 } else { f64::from(u8::from(x < p + 0.1)) / 4.0 }
                };
                pairs.add(game() + game());
                match test.judge(test.ratio(pairs)) {
                    Verdict::Open => {}
                    verdict => break verdict,
                }
            };
            h1 += u32::from(verdict == Verdict::H1);
        }
        f64::from(h1) / f64::from(runs)
    }

    /// Nominal errors are 5 %; 1,000 runs give a standard error of 0.7 %.
    #[test]
    fn errors_stay_within_their_bounds() {
        let (false_alarm, power) = (accepted(0.0, 1), accepted(40.0, 2));
        assert!(false_alarm <= 0.065, "{false_alarm}");
        assert!(power >= 0.935, "{power}");
    }

    #[test]
    fn extreme_scores_end_the_test() {
        let test = Sprt { elo0: 0.0, elo1: 10.0, alpha: 0.05, beta: 0.05 };
        let verdict = |scores: &[f64]| test.judge(test.ratio(Sample::of(scores)));
        assert_eq!(verdict(&[1.0; 400]), Verdict::H1);
        assert_eq!(verdict(&[0.0; 400]), Verdict::H0);
        assert_eq!(verdict(&[]), Verdict::Open);
    }
}
