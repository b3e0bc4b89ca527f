//! `ropasci-lookahead`: the report's look-ahead agent as it was logged. For each of its own best
//! moves it takes the reply that is best *for itself*, where the worst was meant: it hopes.

use super::negamax::{Params, Style, settled};
use super::weights::Weights;
use super::{Judge, NEEDS, Seat, ranked};
use crate::catalog::{Entry, recipe};
use ludex_core::deadline;
use ludex_core::{Game, Move, Player, Rng, Seed};
use ludex_games::Ropasci360;
use ludex_games::ropasci::State;

pub(crate) const ENTRY: Entry = Entry {
    name: "ropasci-lookahead",
    summary: "the RoPaSci report's look-ahead, which hopes for the best reply",
    needs: NEEDS,
    usual: || recipe(Params { style: Style::Lookahead, ..Params::default() }),
};

/// The agent.
pub(crate) struct Lookahead {
    weights: Weights,
    k: usize,
    rng: Rng,
}

impl Lookahead {
    pub(crate) fn new(weights: Weights, k: u32, seed: Seed) -> Self {
        Lookahead { weights, k: k as usize, rng: seed.rng() }
    }
}

impl Judge for Lookahead {
    fn judge(&mut self, game: &Ropasci360, state: &State, seat: Seat<'_>) -> Vec<(Move, f64)> {
        let weights = self.weights;
        let other = Player(1 - seat.player.0.min(1));
        let own = weights.best(game, state, seat.player, seat.legal, self.k);
        let mut replies = Vec::new();
        game.moves(state, other, &mut replies);
        let mut next = state.clone();
        let mut judged = Vec::with_capacity(own.len());
        for &mv in &own {
            // The first moves are the best by themselves; one must be judged.
            if !judged.is_empty() && deadline::look() {
                break;
            }
            let mut hoped = f64::NEG_INFINITY;
            for &reply in &replies {
                next.clone_from(state);
                let joint = if seat.player == Player(0) { [mv, reply] } else { [reply, mv] };
                game.apply(&mut next, &joint);
                hoped = hoped.max(settled(&weights, &next, seat.player));
            }
            judged.push((mv, hoped));
        }
        ranked(judged, &mut self.rng)
    }
}
