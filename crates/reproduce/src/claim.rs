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
}
