//! `ropasci-greedy`: the report's final agent (sections 1.3 and 1.5). The move after which, the
//! other standing still, the heuristic is best.

use super::weights::Weights;
use super::{Judge, Seat, ranked};
use ludex_core::{Move, Rng, Seed};
use ludex_games::Ropasci360;
use ludex_games::ropasci::State;

/// The mind.
pub(crate) struct Greedy {
    weights: Weights,
    rng: Rng,
}

impl Greedy {
    pub(crate) fn new(weights: Weights, seed: Seed) -> Self {
        Greedy { weights, rng: seed.rng() }
    }
}

impl Judge for Greedy {
    fn judge(&mut self, game: &Ropasci360, state: &State, seat: Seat<'_>) -> Vec<(Move, f64)> {
        ranked(self.weights.alone(game, state, seat.player, seat.legal), &mut self.rng)
    }
}
