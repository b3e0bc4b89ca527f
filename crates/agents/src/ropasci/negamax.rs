//! `ropasci-negamax`: the report's search over pending moves (section 1.4), and as it was played.
//!
//! Both players' moves are applied together; of each only the `k` best by the heuristic after them
//! alone are looked at. A move is worth the worst that the other's moves leave of it.
//!
//! The report found that this plays worse than greedy. Its program had faults, above all one:
//! while fewer than 21 moves have been made it compares positions to which no move has been
//! applied, finds all equal, and plays **at random for its first eleven turns**.
//! `ropasci-negamax-report` does that, and searches correctly afterwards.

use super::weights::Weights;
use super::{Judge, Seat, ranked};
use ludex_core::deadline;
use ludex_core::{Game, Move, Player, Rng, Seed};
use ludex_games::Ropasci360;
use ludex_games::ropasci::{End, State};

/// The mind.
pub(crate) struct Negamax {
    weights: Weights,
    k: usize,
    random_opening: bool,
    rng: Rng,
}

/// Turns that the report's program plays at random.
const RANDOM_TURNS: u16 = 11;
/// The value of a won game; a drawn one is 0.
const WON: f64 = 20.0;

impl Negamax {
    pub(crate) fn new(weights: Weights, k: u32, random_opening: bool, seed: Seed) -> Self {
        Negamax { weights, k: k as usize, random_opening, rng: seed.rng() }
    }
}

/// The value for `player` of a position reached by a whole turn.
pub(crate) fn settled(weights: &Weights, state: &State, player: Player) -> f64 {
    match (state.end(), player) {
        (End::Not, _) => weights.value(state, player),
        (End::Upper, Player(0)) | (End::Lower, Player(1)) => WON,
        (End::Upper, _) | (End::Lower, _) => -WON,
        _ => 0.0,
    }
}

impl Judge for Negamax {
    fn judge(&mut self, game: &Ropasci360, state: &State, seat: Seat<'_>) -> Vec<(Move, f64)> {
        if self.random_opening && state.turns() < RANDOM_TURNS {
            let any = seat.legal.iter().map(|&mv| (mv, 0.0)).collect();
            return ranked(any, &mut self.rng);
        }
        let weights = self.weights;
        let other = Player(1 - seat.player.0.min(1));
        // In random order, so that the cap treats equals alike.
        let mut legal = seat.legal.to_vec();
        self.rng.shuffle(&mut legal);
        let own = weights.best(game, state, seat.player, &legal, self.k);
        let mut replies = Vec::new();
        game.moves(state, other, &mut replies);
        self.rng.shuffle(&mut replies);
        let replies = weights.best(game, state, other, &replies, self.k);
        let mut next = state.clone();
        let mut judged = Vec::with_capacity(own.len());
        for &mv in &own {
            // The first moves are the best by themselves; one must be judged.
            if !judged.is_empty() && deadline::look() {
                break;
            }
            let mut worst = f64::INFINITY;
            for &reply in &replies {
                next.clone_from(state);
                let joint = if seat.player == Player(0) { [mv, reply] } else { [reply, mv] };
                game.apply(&mut next, &joint);
                worst = worst.min(settled(&weights, &next, seat.player));
            }
            judged.push((mv, worst));
        }
        ranked(judged, &mut self.rng)
    }
}
