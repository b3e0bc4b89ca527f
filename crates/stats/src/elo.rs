//! Elo ratings by maximum likelihood (Bradley-Terry, a draw is half a win) from all games at once.
//!
//! The standard errors are the sandwich H^-1 J H^-1, where H is the information matrix of the model and J the variance of
//! the observed scores. They stay right for any share of draws.

use nalgebra::{Cholesky, DMatrix, DVector};
use serde::Serialize;
use statrs::distribution::{ContinuousCDF, Normal};

/// Results of two agents against each other, seen from the first one.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Score {
    /// Games that the first agent won.
    pub wins: f64,
    /// Drawn games.
    pub draws: f64,
    /// Games that the second agent won.
    pub losses: f64,
}

impl Score {
    /// The number of games.
    pub fn games(&self) -> f64 {
        self.wins + self.draws + self.losses
    }

    /// Wins plus half the draws.
    pub fn points(&self) -> f64 {
        self.wins + self.draws / 2.0
    }

    /// The results as the second agent sees them.
    fn flipped(self) -> Score {
        Score { wins: self.losses, draws: self.draws, losses: self.wins }
    }

    /// The sum over games of (score - expected)^2.
    fn squares(&self, expected: f64) -> f64 {
        self.wins * (1.0 - expected).powi(2)
            + self.draws * (0.5 - expected).powi(2)
            + self.losses * expected.powi(2)
    }

    /// Did all games end in the same way?
    fn is_uniform(&self) -> bool {
        [self.wins, self.draws, self.losses].iter().filter(|n| **n > 0.0).count() < 2
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
    /// No results yet among this number of agents.
    pub fn new(agents: usize) -> Self {
        Results { agents, pairs: Vec::new() }
    }

    /// The number of games of all pairs together.
    pub fn games(&self) -> f64 {
        self.pairs.iter().map(|(_, _, score)| score.games()).sum()
    }

    /// Adds results of `a` against `b`.
    pub fn add(&mut self, a: usize, b: usize, score: Score) {
        if a == b || a >= self.agents || b >= self.agents {
            return;
        }
        let (low, high, score) = if a < b { (a, b, score) } else { (b, a, score.flipped()) };
        match self.pairs.iter_mut().find(|(i, j, _)| (*i, *j) == (low, high)) {
            Some((_, _, sum)) => *sum += score,
            None => self.pairs.push((low, high, score)),
        }
    }
}

/// The ratings of all agents.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Ratings {
    /// Elo of each agent. The anchor has 0; without an anchor the mean is 0.
    pub elo: Vec<f64>,
    /// The standard error of each rating.
    pub error: Vec<f64>,
    #[serde(skip)]
    covariance: DMatrix<f64>,
}

/// Elo points per unit of log-odds: 400 / ln 10.
const SCALE: f64 = 173.717_792_761_207;

/// The standard deviation of a weak normal prior on the ratings. The prior keeps the rating of an agent that won all of
/// its games finite.
const PRIOR: f64 = 2000.0 / SCALE;

/// The expected score at this difference of ratings.
pub fn expected(difference: f64) -> f64 {
    1.0 / (1.0 + (-difference / SCALE).exp())
}

/// The difference of ratings at this expected score. Scores of 0 and 1 stand for the nearest score with a finite difference
/// that is of use: 1e-6 away from them.
pub fn difference(score: f64) -> f64 {
    let score = score.clamp(1e-6, 1.0 - 1e-6);
    SCALE * (score / (1.0 - score)).ln()
}

/// Rates the agents.
///
/// ```
/// use ludex_stats::elo::{Results, Score, rate};
/// let mut results = Results::new(2);
/// results.add(0, 1, Score { wins: 75.0, draws: 0.0, losses: 25.0 });
/// let ratings = rate(&results, Some(1));
/// assert!((ratings.elo[0] - 190.8).abs() < 1.0); // 400 log10 3
/// assert!((ratings.error[0] - 40.1).abs() < 0.5);
/// ```
pub fn rate(results: &Results, anchor: Option<usize>) -> Ratings {
    let n = results.agents;
    let rating = maximum(results);
    let covariance = covariance(results, &rating).unwrap_or_else(|| DMatrix::zeros(n, n));
    // The reference (the anchor or the mean) is subtracted from the ratings and from their errors.
    let reference = match anchor.filter(|&a| a < n) {
        Some(a) => unit(n, a),
        None => DVector::from_element(n, 1.0 / n.max(1) as f64),
    };
    let zero = rating.dot(&reference);
    let error = (0..n).map(|i| deviation(&covariance, &(unit(n, i) - &reference))).collect();
    Ratings { elo: rating.iter().map(|r| SCALE * (r - zero)).collect(), error, covariance }
}

/// The most likely ratings in units of log-odds: Newton's method on the concave log-posterior.
fn maximum(results: &Results) -> DVector<f64> {
    let mut rating = DVector::zeros(results.agents);
    for _ in 0..100 {
        let (gradient, information) = slopes(results, &rating);
        let Some(cholesky) = Cholesky::new(information) else { break };
        let step = cholesky.solve(&gradient);
        let length = step.amax();
        let damp = if length > 2.0 { 2.0 / length } else { 1.0 };
        rating.axpy(damp, &step, 1.0);
        if length < 1e-10 {
            break;
        }
    }
    rating
}

impl Ratings {
    /// The difference of two ratings and its standard error.
    pub fn gap(&self, a: usize, b: usize) -> (f64, f64) {
        let n = self.elo.len();
        (self.elo[a] - self.elo[b], deviation(&self.covariance, &(unit(n, a) - unit(n, b))))
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

/// The vector with 1 at `i` and 0 elsewhere.
fn unit(n: usize, i: usize) -> DVector<f64> {
    DVector::from_fn(n, |j, _| f64::from(u8::from(i == j)))
}

/// The standard deviation, in Elo, of a weighted sum of ratings.
fn deviation(covariance: &DMatrix<f64>, weights: &DVector<f64>) -> f64 {
    SCALE * weights.dot(&(covariance * weights)).max(0.0).sqrt()
}

/// The probability that agent `i` beats agent `j`.
fn win_probability(rating: &DVector<f64>, i: usize, j: usize) -> f64 {
    1.0 / (1.0 + (rating[j] - rating[i]).exp())
}

/// The gradient of the log-posterior, and minus its second derivative: the information matrix.
fn slopes(results: &Results, rating: &DVector<f64>) -> (DVector<f64>, DMatrix<f64>) {
    let mut gradient = -rating / PRIOR.powi(2);
    let mut information = prior_information(rating.len());
    for &(i, j, score) in &results.pairs {
        let p = win_probability(rating, i, j);
        let excess = score.points() - score.games() * p;
        gradient[i] += excess;
        gradient[j] -= excess;
        add_pair(&mut information, i, j, score.games() * p * (1.0 - p));
    }
    (gradient, information)
}

/// The sandwich covariance of the ratings.
fn covariance(results: &Results, rating: &DVector<f64>) -> Option<DMatrix<f64>> {
    let (_, information) = slopes(results, rating);
    let mut observed = prior_information(rating.len());
    for &(i, j, score) in &results.pairs {
        let p = win_probability(rating, i, j);
        // Results that are all equal show no variance. The model's variance takes its place.
        let variance =
            if score.is_uniform() { score.games() * p * (1.0 - p) } else { score.squares(p) };
        add_pair(&mut observed, i, j, variance);
    }
    let bread = Cholesky::new(information)?.inverse();
    Some(&bread * observed * &bread)
}

fn prior_information(n: usize) -> DMatrix<f64> {
    DMatrix::from_diagonal_element(n, n, 1.0 / PRIOR.powi(2))
}

/// Adds the information of games between `i` and `j`, which depends on the difference of their ratings only.
fn add_pair(matrix: &mut DMatrix<f64>, i: usize, j: usize, weight: f64) {
    matrix[(i, i)] += weight;
    matrix[(j, j)] += weight;
    matrix[(i, j)] -= weight;
    matrix[(j, i)] -= weight;
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
