//! Statistics of game results, and charts of anything. This crate knows no game, no agent and no database.
//!
//! - [`tally`]: sums of payoffs that do not depend on the order of the games;
//! - [`Sample`]: count, sum and sum of squares of observations;
//! - [`interval`]: Wilson's interval of a mean payoff, and Student's interval over several games;
//! - [`elo`]: ratings from pairwise results by maximum likelihood, with standard errors;
//! - [`pairs`]: pentanomial counts of pairs of games, and normalised Elo;
//! - [`plackett_luce`](mod@plackett_luce): ratings from games of more than two players;
//! - [`payoff`]: alpha-Rank and Nash averaging, which do not assume that strength is a ladder;
//! - [`hypothesis`]: t, Wilcoxon, sign, permutation, chi-squared and Fisher tests, and Holm's correction;
//! - [`sprt`]: the sequential probability ratio test, which says when enough games are played;
//! - [`plot`]: curves, bars, dots, heat maps and histograms as SVG and PNG.

pub mod elo;
pub mod hypothesis;
pub mod interval;
pub mod pairs;
pub mod payoff;
pub mod plackett_luce;
pub mod plot;
mod sample;
pub mod sprt;
pub mod tally;

pub use interval::{Interval, Z95, wilson};
pub use sample::Sample;
pub use tally::{Standing, Tally};
