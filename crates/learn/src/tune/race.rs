//! Races: which candidates of a step play further games.
//!
//! Games are the cost of a search, and most candidates are clearly bad after a few games (Heidrich-Meisner and Igel 2009,
//! 'Hoeffding and Bernstein races for selecting policies in evolutionary direct policy search'). After each heat a
//! candidate leaves the race if its interval lies below the intervals of as many others as are wanted.

use ludex_stats::{Z95, wilson};

/// The results of a candidate so far.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Score {
    /// The number of games.
    pub games: u64,
    /// The sum of the payoffs.
    pub sum: f64,
    /// Games that the candidate won.
    pub wins: u64,
    /// Games that another agent won.
    pub losses: u64,
}

impl Score {
    /// Adds one game.
    pub(super) fn add(&mut self, payoff: f64, best_of_others: f64) {
        self.games += 1;
        self.sum += payoff;
        self.wins += u64::from(payoff > best_of_others);
        self.losses += u64::from(payoff < best_of_others);
    }

    /// Adds the games of another score.
    pub(super) fn merge(&mut self, other: &Score) {
        self.games += other.games;
        self.sum += other.sum;
        self.wins += other.wins;
        self.losses += other.losses;
    }

    /// The mean payoff.
    pub(super) fn mean(&self) -> f64 {
        self.sum / self.games.max(1) as f64
    }

    /// Games without a single winner.
    pub(super) fn draws(&self) -> u64 {
        self.games.saturating_sub(self.wins + self.losses)
    }
}

/// The candidates that can still be among the `wanted` best.
pub(super) fn in_the_race(scores: &[Score], wanted: usize) -> Vec<bool> {
    let intervals: Vec<_> =
        scores.iter().map(|score| wilson(score.mean(), score.games, Z95)).collect();
    intervals
        .iter()
        .map(|one| intervals.iter().filter(|other| other.low > one.high).count() < wanted)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(games: u64, mean: f64) -> Score {
        Score { games, sum: mean * games as f64, ..Score::default() }
    }

    #[test]
    fn only_the_hopeless_leave() {
        let few = [0.9, 0.6, 0.5, 0.1].map(|mean| score(4, mean));
        assert_eq!(in_the_race(&few, 2), [true; 4], "four games tell little");
        let many = [0.9, 0.6, 0.5, 0.1].map(|mean| score(400, mean));
        assert_eq!(in_the_race(&many, 2), [true, true, false, false]);
        assert_eq!(in_the_race(&many, 4), [true; 4]);
    }
}
