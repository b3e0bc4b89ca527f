//! A published figure beside ours.

use ludex_arena::stats::hypothesis::fisher;
use ludex_arena::stats::{Interval, Z95, wilson};
use serde::Serialize;

/// One figure.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Claim {
    /// The experiment and the line of it, such as `mbm.nim-2-3-2`.
    pub id: String,
    /// What is measured, in words.
    pub claim: String,
    /// The published figure; `None`: the paper has none.
    pub paper: Option<String>,
    /// Ours.
    pub ours: String,
    /// 95 % interval of ours, where it is a rate or a mean.
    pub interval: Option<[f64; 2]>,
    /// What follows; `None` where there is nothing to compare with.
    pub verdict: Option<Verdict>,
    /// What one must know to read it.
    pub note: String,
}

/// What follows for a published figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Ours agrees with it.
    Holds,
    /// Ours is better.
    Beaten,
    /// Ours is worse.
    #[serde(rename = "falls short")]
    FallsShort,
    /// The published figure comes from a fault, which is shown.
    Artefact,
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Verdict::Holds => "holds",
            Verdict::Beaten => "beaten",
            Verdict::FallsShort => "falls short",
            Verdict::Artefact => "artefact",
        })
    }
}

/// A count of successes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Rate {
    /// Successes.
    pub hits: u64,
    /// Tries.
    pub of: u64,
}

impl Rate {
    /// The share of successes.
    pub fn share(self) -> f64 {
        self.hits as f64 / self.of.max(1) as f64
    }

    /// Its 95 % interval (Wilson).
    pub fn interval(self) -> Interval {
        wilson(self.share(), self.of, Z95)
    }

    /// Adds two counts.
    pub fn plus(self, other: Rate) -> Rate {
        Rate { hits: self.hits + other.hits, of: self.of + other.of }
    }

    /// Compares with a published rate (higher is better): it holds unless the two differ by
    /// Fisher's exact test at 5 %.
    pub fn verdict(self, paper: Rate) -> Verdict {
        if fisher((self.hits, self.of), (paper.hits, paper.of)) >= 0.05 {
            Verdict::Holds
        } else if self.share() > paper.share() {
            Verdict::Beaten
        } else {
            Verdict::FallsShort
        }
    }

    /// A claim about this rate.
    pub fn claim(self, id: String, claim: String, paper: Option<Rate>, note: String) -> Claim {
        let Interval { low, high } = self.interval();
        Claim {
            id,
            claim,
            paper: paper.map(|paper| paper.to_string()),
            ours: self.to_string(),
            interval: Some([low, high]),
            verdict: paper.map(|paper| self.verdict(paper)),
            note,
        }
    }
}

impl std::fmt::Display for Rate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} of {} ({:.1} %)", self.hits, self.of, 100.0 * self.share())
    }
}

/// Wins, draws and losses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Wdl(pub [u64; 3]);

impl Wdl {
    /// Games in all.
    pub fn games(self) -> u64 {
        self.0.iter().sum()
    }

    /// The shares of wins, draws and losses.
    pub fn shares(self) -> [f64; 3] {
        self.0.map(|n| n as f64 / self.games().max(1) as f64)
    }

    /// Adds one game by its payoff.
    pub fn add(&mut self, payoff: f32) {
        let place = if payoff > 0.5 { 0 } else { usize::from(payoff < 0.5) + 1 };
        self.0[place] += 1;
    }

    /// Do all three shares agree within so many standard errors of their difference?
    pub fn agrees(self, other: Wdl, sigmas: f64) -> bool {
        let (n, m) = (self.games().max(1) as f64, other.games().max(1) as f64);
        self.0.iter().zip(other.0).all(|(&a, b)| {
            let pooled = (a + b) as f64 / (n + m);
            let error = (pooled * (1.0 - pooled) * (1.0 / n + 1.0 / m)).sqrt();
            (a as f64 / n - b as f64 / m).abs() <= sigmas * error
        })
    }
}

impl std::fmt::Display for Wdl {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [w, d, l] = self.shares().map(|share| 100.0 * share);
        write!(f, "{w:.1}/{d:.1}/{l:.1} % of {}", self.games())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_judged_by_fishers_test() {
        let rate = |hits, of| Rate { hits, of };
        assert_eq!(rate(100, 100).verdict(rate(100, 100)), Verdict::Holds);
        assert_eq!(rate(50, 100).verdict(rate(100, 100)), Verdict::FallsShort);
        assert_eq!(rate(160, 200).verdict(rate(16, 20)), Verdict::Holds);
        assert_eq!(rate(200, 200).verdict(rate(10, 20)), Verdict::Beaten);
        assert_eq!(rate(94, 100).verdict(rate(100, 100)), Verdict::FallsShort);
        assert_eq!(rate(98, 100).verdict(rate(1, 1)), Verdict::Holds);
    }

    #[test]
    fn shares_agree_within_their_errors() {
        let log = Wdl([20, 65, 15]);
        assert!(Wdl([202, 651, 147]).agrees(log, 1.0));
        assert!(!Wdl([500, 400, 100]).agrees(log, 3.0));
        assert!(!Wdl([202, 400, 398]).agrees(log, 3.0));
    }
}
