//! `ropasci-greedy`: the report's final agent (sections 1.3 and 1.5). The move after which, the
//! other standing still, the heuristic is best.

use super::weights::Weights;
use super::{Judge, NEEDS, Seat, ranked, seat};
use crate::agent::Agent;
use crate::catalog::{Entry, Recipe, recipe};
use ludex_core::{AnyGame, Move, Player, Result, Rng, Seed};
use ludex_games::Ropasci360;
use ludex_games::ropasci::terms::Way;
use ludex_games::ropasci::{State, terms};

pub(crate) const ENTRY: Entry = Entry {
    name: "ropasci-greedy",
    summary: "the RoPaSci report's final agent: the best position after its own move",
    needs: NEEDS,
    usual: || recipe(Params::default()),
};

ludex_core::params! {
    /// The parameters of `ropasci-greedy`.
    pub struct Params {
        /// Weight of throws left.
        pub throws: f64 = terms::REPORT[0];
        /// Weight of tokens killed.
        pub kills: f64 = terms::REPORT[1];
        /// Weight of how near the hunters are.
        pub distance: f64 = terms::REPORT[2];
        /// Weight of mixed symbols.
        pub diversity: f64 = terms::REPORT[3];
        /// Distances count by their logarithm, as in the report's program, or plain, as in its text.
        pub way as "distances": Way = Way::Log;
    }
}

impl Recipe for Params {
    fn build(&self, _: &AnyGame, _: Player, seed: Seed) -> Result<Box<dyn Agent<AnyGame>>> {
        let values = [self.throws, self.kills, self.distance, self.diversity];
        let weights = Weights { values, way: self.way };
        Ok(seat(ENTRY.name, Greedy { weights, rng: seed.rng() }))
    }
}

/// The agent.
pub(crate) struct Greedy {
    pub(super) weights: Weights,
    pub(super) rng: Rng,
}

impl Judge for Greedy {
    fn judge(&mut self, game: &Ropasci360, state: &State, seat: Seat<'_>) -> Vec<(Move, f64)> {
        ranked(self.weights.alone(game, state, seat.player, seat.legal), &mut self.rng)
    }
}
