//! `ropasci-negamax`: the report's search over pending moves (section 1.4), and as it was played.
//!
//! Both players' moves are applied together; of each only the `k` best by the heuristic after them
//! alone are looked at. A move is worth the worst that the other's moves leave of it.
//!
//! The report found that this plays worse than greedy. Its program had faults, above all one:
//! while fewer than 21 moves have been made it compares positions to which no move has been
//! applied, finds all equal, and plays **at random for its first eleven turns**.
//! `ropasci-negamax-report` does that, and searches correctly afterwards.

use super::lookahead::Lookahead;
use super::weights::Weights;
use super::{Judge, NEEDS, Seat, ranked, seat};
use crate::agent::Agent;
use crate::catalog::{Entry, Recipe, recipe};
use ludex_core::deadline;
use ludex_core::{AnyGame, Game, Move, Player, Result, Rng, Seed};
use ludex_games::Ropasci360;
use ludex_games::ropasci::{End, State, terms};

pub(crate) const ENTRY: Entry = Entry {
    name: "ropasci-negamax",
    summary: "the RoPaSci report's search, correct: the worst reply to each good move",
    needs: NEEDS,
    usual: || recipe(Params::default()),
};

pub(crate) const REPORT: Entry = Entry {
    name: "ropasci-negamax-report",
    summary: "the RoPaSci report's search as it played: at random for eleven turns",
    needs: NEEDS,
    usual: || recipe(Params { style: Style::Report, ..Params::default() }),
};

/// Which of the report's searches of one turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Hopes for the reply that is best for itself.
    Lookahead,
    /// Fears the worst reply.
    Correct,
    /// The same as it played: at random at first.
    Report,
}

ludex_core::params! {
    /// The parameters of the report's searches of one turn.
    pub struct Params {
        /// Weight of throws left.
        pub throws: f64 = terms::REPORT[0];
        /// Weight of tokens killed.
        pub kills: f64 = terms::REPORT[1];
        /// Weight of how near the hunters are.
        pub distance: f64 = terms::REPORT[2];
        /// Weight of mixed symbols.
        pub diversity: f64 = terms::REPORT[3];
        /// Moves of each player that are looked at.
        pub k: u32 = 8, 1..=1_000_000;
    }
    with {
        /// Which search.
        pub style: Style = Style::Correct;
    }
}

impl Recipe for Params {
    fn build(&self, _: &AnyGame, _: Player, seed: Seed) -> Result<Box<dyn Agent<AnyGame>>> {
        let weights = Weights([self.throws, self.kills, self.distance, self.diversity]);
        let k = self.k;
        Ok(match self.style {
            Style::Lookahead => seat("ropasci-lookahead", Lookahead::new(weights, k, seed)),
            Style::Correct => seat(ENTRY.name, Negamax::new(weights, k, false, seed)),
            Style::Report => seat(REPORT.name, Negamax::new(weights, k, true, seed)),
        })
    }
}

/// The agent.
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
