//! The sequential probability ratio test on pairs of games (the generalised test of the chess
//! engines' world): stop as soon as the evidence for one of two strengths is strong enough.

use super::elo::expected;
use serde::{Deserialize, Serialize};

/// Two hypotheses in Elo and the errors that are accepted.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sprt {
    /// The difference under H0.
    pub elo0: f64,
    /// The difference under H1.
    pub elo1: f64,
    /// How often H1 may be accepted though H0 is true.
    #[serde(default = "five_percent")]
    pub alpha: f64,
    /// How often H0 may be accepted though H1 is true.
    #[serde(default = "five_percent")]
    pub beta: f64,
}

fn five_percent() -> f64 {
    0.05
}

/// What the evidence says so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Play on.
    Open,
    /// H0 is accepted.
    H0,
    /// H1 is accepted.
    H1,
}

impl Sprt {
    /// The bounds of the log-likelihood ratio.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The log-likelihood ratio of pairs whose mean scores (0, 1/4, ..., 1) came up so often.
    /// Both games of a pair share their opening and dice, so pairs, not games, are independent.
    ///
    /// See [`ratio_of`](Sprt::ratio_of).
    pub fn ratio(&self, pairs: &[u64; 5]) -> f64 {
        let score = |i: usize| i as f64 / 4.0;
        let sum = |f: fn(f64) -> f64| -> f64 {
            pairs.iter().enumerate().map(|(i, &n)| n as f64 * f(score(i))).sum()
        };
        self.ratio_of(sum(|_| 1.0), sum(|x| x), sum(|x| x * x))
    }

    /// The log-likelihood ratio of `n` independent scores in 0..=1 with this sum and sum of
    /// squares.
    ///
    /// Normal approximation: N (s1 - s0) (2 mean - s0 - s1) / (2 variance). Half a pair of each
    /// extreme is added to mean and variance, so that equal scores have a variance, too.
    pub fn ratio_of(&self, n: f64, sum: f64, squares: f64) -> f64 {
        let (count, sum, squares) = (n + 1.0, sum + 0.5, squares + 0.5);
        let mean = sum / count;
        let variance = squares / count - mean * mean;
        let (s0, s1) = (expected(self.elo0), expected(self.elo1));
        n * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance)
    }

    /// What to do.
    pub fn verdict(&self, pairs: &[u64; 5]) -> Verdict {
        self.judge(self.ratio(pairs))
    }

    /// What to do at this log-likelihood ratio.
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

    /// How often H1 is accepted when the true difference is `elo`.
    fn accepted(elo: f64, seed: u64) -> f64 {
        let test = Sprt { elo0: 0.0, elo1: 40.0, alpha: 0.05, beta: 0.05 };
        let p = expected(elo);
        let mut rng = Seed(seed).rng();
        let runs = 1000;
        let mut h1 = 0;
        for _ in 0..runs {
            let mut pairs = [0; 5];
            loop {
                // Two games, each won, drawn (20 %) or lost.
                let mut game = || {
                    let x = rng.unit();
                    if x < p - 0.1 { 2 } else { usize::from(x < p + 0.1) }
                };
                pairs[game() + game()] += 1;
                match test.verdict(&pairs) {
                    Verdict::Open => {}
                    Verdict::H1 => {
                        h1 += 1;
                        break;
                    }
                    Verdict::H0 => break,
                }
            }
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
        assert_eq!(test.verdict(&[0, 0, 0, 0, 400]), Verdict::H1);
        assert_eq!(test.verdict(&[400, 0, 0, 0, 0]), Verdict::H0);
        assert_eq!(test.verdict(&[0; 5]), Verdict::Open);
    }
}
