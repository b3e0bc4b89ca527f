//! Statistics that can be trusted: intervals, ratings, tests. One idea a file.
//!
//! - [`interval`]: Wilson intervals, and intervals over games that differ (clustered);
//! - [`elo`]: ratings of pairwise results by maximum likelihood, with errors and superiority;
//! - [`ranking`]: Plackett-Luce ratings for more than two at a table;
//! - [`hypothesis`]: t, sign, permutation and chi-squared tests, and Holm's correction;
//! - [`sprt`]: sequential tests on pairs of games;
//! - [`payoff`]: alpha-Rank and Nash averaging of a payoff matrix.

pub mod elo;
pub mod hypothesis;
pub mod interval;
mod linear;
pub mod payoff;
pub mod ranking;
pub mod sprt;

pub use interval::{Interval, Z95, wilson};
