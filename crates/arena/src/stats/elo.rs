//! Elo ratings by maximum likelihood (Bradley-Terry, draws as half a win), all games at once, with
//! standard errors that hold whatever the share of draws: the sandwich H^-1 J H^-1, where H is the
//! information of the model and J the variance of the scores that were seen.

use super::linear::{inverse, product};
use serde::Serialize;
use statrs::distribution::{ContinuousCDF, Normal};

/// Results of two agents against each other, from the first one's view.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Score {
    /// Won by the first.
    pub wins: f64,
    /// Drawn.
    pub draws: f64,
    /// Won by the second.
    pub losses: f64,
}

impl Score {
    /// How many games.
    pub fn games(&self) -> f64 {
        self.wins + self.draws + self.losses
    }

    /// Wins and half the draws.
    pub fn points(&self) -> f64 {
        self.wins + self.draws / 2.0
    }

    /// The sum over games of (score - expected)^2.
    fn squares(&self, expected: f64) -> f64 {
        self.wins * (1.0 - expected).powi(2)
            + self.draws * (0.5 - expected).powi(2)
            + self.losses * expected.powi(2)
    }
}

impl std::ops::AddAssign for Score {
    fn add_assign(&mut self, more: Score) {
        self.wins += more.wins;
        self.draws += more.draws;
        self.losses += more.losses;
    }
}

/// Pairwise results among agents.
#[derive(Debug, Clone)]
pub struct Results {
    agents: usize,
    /// (first, second, score) with first < second.
    pairs: Vec<(usize, usize, Score)>,
}

impl Results {
    /// None yet.
    pub fn new(agents: usize) -> Self {
        Results { agents, pairs: Vec::new() }
    }

    /// All games.
    pub fn games(&self) -> f64 {
        self.pairs.iter().map(|(_, _, score)| score.games()).sum()
    }

    /// Adds results of `a` against `b`.
    pub fn add(&mut self, a: usize, b: usize, score: Score) {
        if a == b || a >= self.agents || b >= self.agents {
            return;
        }
        let flipped = Score { wins: score.losses, draws: score.draws, losses: score.wins };
        let (low, high, score) = if a < b { (a, b, score) } else { (b, a, flipped) };
        match self.pairs.iter_mut().find(|(i, j, _)| (*i, *j) == (low, high)) {
            Some((_, _, sum)) => *sum += score,
            None => self.pairs.push((low, high, score)),
        }
    }
}

/// The ratings of all agents.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Ratings {
    /// Elo of each agent; the anchor's is 0, or without one the mean is.
    pub elo: Vec<f64>,
    /// Its standard error.
    pub error: Vec<f64>,
    #[serde(skip)]
    covariance: Vec<Vec<f64>>,
}

/// Elo points a unit of log-odds: 400 / ln 10.
const SCALE: f64 = 173.717_792_761_207;

/// A weak pull towards the mean, as if the ratings were drawn from a normal distribution with
/// this standard deviation: it keeps the rating of an agent that won all its games finite.
const PRIOR: f64 = 2000.0 / SCALE;

/// The expected score at this difference of ratings.
pub fn expected(difference: f64) -> f64 {
    1.0 / (1.0 + (-difference / SCALE).exp())
}

/// The difference of ratings at this expected score.
pub fn difference(score: f64) -> f64 {
    SCALE * (score / (1.0 - score)).ln()
}

/// Rates the agents.
///
/// ```
/// use ludex_arena::stats::elo::{Results, Score, rate};
/// let mut results = Results::new(2);
/// results.add(0, 1, Score { wins: 75.0, draws: 0.0, losses: 25.0 });
/// let ratings = rate(&results, Some(1));
/// assert!((ratings.elo[0] - 190.8).abs() < 1.0); // 400 log10 3
/// assert!((ratings.error[0] - 40.1).abs() < 0.5);
/// ```
pub fn rate(results: &Results, anchor: Option<usize>) -> Ratings {
    let n = results.agents;
    let mut rating = vec![0.0; n];
    // Newton's method on the concave log-likelihood with the prior.
    for _ in 0..100 {
        let (gradient, information) = slopes(results, &rating);
        let Some(inverse) = inverse(&information) else { break };
        let mut largest: f64 = 0.0;
        let step: Vec<f64> = inverse
            .iter()
            .map(|row| row.iter().zip(&gradient).map(|(a, g)| a * g).sum::<f64>())
            .collect();
        let length = step.iter().fold(0.0f64, |m, s| m.max(s.abs()));
        let damp = if length > 2.0 { 2.0 / length } else { 1.0 };
        for (r, s) in rating.iter_mut().zip(&step) {
            *r += damp * s;
            largest = largest.max(s.abs());
        }
        if largest < 1e-10 {
            break;
        }
    }
    let covariance = covariance(results, &rating).unwrap_or_else(|| vec![vec![0.0; n]; n]);
    // The reference (anchor or mean) is subtracted, from the ratings and from their errors.
    let reference: Vec<f64> = match anchor.filter(|&a| a < n) {
        Some(a) => (0..n).map(|i| f64::from(u8::from(i == a))).collect(),
        None => vec![1.0 / n.max(1) as f64; n],
    };
    let zero: f64 = rating.iter().zip(&reference).map(|(r, w)| r * w).sum();
    let error = (0..n)
        .map(|i| {
            let contrast: Vec<f64> =
                (0..n).map(|j| f64::from(u8::from(i == j)) - reference[j]).collect();
            SCALE * variance(&covariance, &contrast).max(0.0).sqrt()
        })
        .collect();
    Ratings { elo: rating.iter().map(|r| SCALE * (r - zero)).collect(), error, covariance }
}

impl Ratings {
    /// The difference of two ratings and its standard error.
    pub fn gap(&self, a: usize, b: usize) -> (f64, f64) {
        let contrast: Vec<f64> = (0..self.elo.len())
            .map(|i| f64::from(u8::from(i == a)) - f64::from(u8::from(i == b)))
            .collect();
        let error = SCALE * variance(&self.covariance, &contrast).max(0.0).sqrt();
        (self.elo[a] - self.elo[b], error)
    }

    /// The likelihood that `a` is stronger than `b`.
    pub fn superiority(&self, a: usize, b: usize) -> f64 {
        let (gap, error) = self.gap(a, b);
        if error == 0.0 {
            return 0.5;
        }
        Normal::standard().cdf(gap / error)
    }
}

fn variance(covariance: &[Vec<f64>], contrast: &[f64]) -> f64 {
    covariance
        .iter()
        .zip(contrast)
        .map(|(row, x)| x * row.iter().zip(contrast).map(|(c, y)| c * y).sum::<f64>())
        .sum()
}

/// Gradient of the log-posterior and minus its second derivative.
fn slopes(results: &Results, rating: &[f64]) -> (Vec<f64>, Vec<Vec<f64>>) {
    let n = rating.len();
    let mut gradient: Vec<f64> = rating.iter().map(|r| -r / PRIOR.powi(2)).collect();
    let mut information = vec![vec![0.0; n]; n];
    for (i, row) in information.iter_mut().enumerate() {
        row[i] = 1.0 / PRIOR.powi(2);
    }
    for &(i, j, score) in &results.pairs {
        let p = 1.0 / (1.0 + (rating[j] - rating[i]).exp());
        let excess = score.points() - score.games() * p;
        gradient[i] += excess;
        gradient[j] -= excess;
        add_pair(&mut information, i, j, score.games() * p * (1.0 - p));
    }
    (gradient, information)
}

/// The sandwich.
fn covariance(results: &Results, rating: &[f64]) -> Option<Vec<Vec<f64>>> {
    let n = rating.len();
    let (_, information) = slopes(results, rating);
    let mut seen = vec![vec![0.0; n]; n];
    for (i, row) in seen.iter_mut().enumerate() {
        row[i] = 1.0 / PRIOR.powi(2);
    }
    for &(i, j, score) in &results.pairs {
        let p = 1.0 / (1.0 + (rating[j] - rating[i]).exp());
        // A pair whose games all ended alike shows no variance: take the model's.
        let alike =
            [score.wins, score.draws, score.losses].iter().filter(|n| **n > 0.0).count() < 2;
        let spread = if alike { score.games() * p * (1.0 - p) } else { score.squares(p) };
        add_pair(&mut seen, i, j, spread);
    }
    let bread = inverse(&information)?;
    Some(product(&product(&bread, &seen), &bread))
}

fn add_pair(matrix: &mut [Vec<f64>], i: usize, j: usize, weight: f64) {
    matrix[i][i] += weight;
    matrix[j][j] += weight;
    matrix[i][j] -= weight;
    matrix[j][i] -= weight;
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_core::Seed;

    #[test]
    fn an_agent_that_won_everything_has_a_finite_rating() {
        let mut results = Results::new(3);
        results.add(0, 1, Score { wins: 50.0, ..Score::default() });
        results.add(1, 2, Score { wins: 25.0, losses: 25.0, draws: 0.0 });
        let ratings = rate(&results, None);
        assert!(ratings.elo.iter().all(|elo| elo.is_finite()), "{ratings:?}");
        // The normal approximation is cautious this far out.
        assert!(ratings.superiority(0, 1) > 0.9, "{ratings:?} {}", ratings.superiority(0, 1));
        assert!((ratings.elo.iter().sum::<f64>()).abs() < 1e-6);
    }

    #[test]
    fn the_order_of_results_does_not_matter() {
        let score = Score { wins: 3.0, draws: 4.0, losses: 5.0 };
        let flipped = Score { wins: 5.0, draws: 4.0, losses: 3.0 };
        let (mut a, mut b) = (Results::new(2), Results::new(2));
        a.add(0, 1, score);
        b.add(1, 0, flipped);
        assert_eq!(rate(&a, Some(0)), rate(&b, Some(0)));
    }

    /// Simulated players of known strength, with draws: 95 % intervals cover the true difference
    /// in 93 to 97 % of 1,000 repetitions.
    #[test]
    fn intervals_cover_the_truth() {
        let truth = [0.0, 60.0, 150.0, -80.0];
        let mut rng = Seed(11).rng();
        let (mut covered, mut total) = (0, 0);
        for _ in 0..1000 {
            let mut results = Results::new(4);
            for i in 0..4 {
                for j in 0..i {
                    let p = expected(truth[i] - truth[j]);
                    let drawn = 0.6 * p.min(1.0 - p); // expected score stays p
                    let mut score = Score::default();
                    for _ in 0..60 {
                        let x = rng.unit();
                        if x < p - drawn / 2.0 {
                            score.wins += 1.0;
                        } else if x < p + drawn / 2.0 {
                            score.draws += 1.0;
                        } else {
                            score.losses += 1.0;
                        }
                    }
                    results.add(i, j, score);
                }
            }
            let ratings = rate(&results, Some(0));
            for (i, true_elo) in truth.iter().enumerate().skip(1) {
                total += 1;
                covered += u32::from((ratings.elo[i] - true_elo).abs() <= 1.96 * ratings.error[i]);
            }
        }
        let share = f64::from(covered) / f64::from(total);
        assert!((0.93..=0.97).contains(&share), "{share}");
    }
}
