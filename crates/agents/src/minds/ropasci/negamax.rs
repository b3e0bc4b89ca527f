//! `ropasci-negamax`: the report's search over pending moves (section 1.4), and as it was played.
//!
//! Both players' moves are applied together; of each only the `k` best by the heuristic after them
//! alone are looked at. A move is worth the worst that the other's moves leave of it. `depth` is the number of turns; alpha-beta
//! leaves out what can't change the choice.
//!
//! The report found that this plays worse than greedy. Its program had faults, above all one:
//! while fewer than 21 moves have been made it compares positions to which no move has been
//! applied, finds all equal, and plays **at random for its first eleven turns**.
//! `ropasci-negamax-report` does that, and searches correctly afterwards.

use super::lookahead::Lookahead;
use super::weights::Weights;
use super::{Judge, NEEDS, Seat, joint, ranked, seat};
use crate::agent::Agent;
use crate::catalog::{Entry, Recipe, recipe};
use ludex_core::deadline;
use ludex_core::{AnyGame, Game, Move, Player, Result, Rng, Seed};
use ludex_games::Ropasci360;
use ludex_games::ropasci::terms::Way;
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

/// The report's searches of one turn.
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
        /// Distances count by their logarithm, as in the report's program, or plain, as in its text.
        pub way as "distances": Way = Way::Log;
        /// Moves of each player that are looked at.
        pub k: u32 = 8, 1..=1_000_000;
        /// Turns of look-ahead (the look-ahead agent has one).
        pub depth: u32 = 1, 1..=360;
    }
    with {
        /// Which search.
        pub style: Style = Style::Correct;
    }
}

impl Recipe for Params {
    fn build(&self, _: &AnyGame, _: Player, seed: Seed) -> Result<Box<dyn Agent<AnyGame>>> {
        let values = [self.throws, self.kills, self.distance, self.diversity];
        let weights = Weights { values, way: self.way };
        let (k, depth) = (self.k, self.depth);
        Ok(match self.style {
            Style::Lookahead => seat("ropasci-lookahead", Lookahead::new(weights, k, seed)),
            Style::Correct => seat(ENTRY.name, Negamax::new(weights, k, depth, false, seed)),
            Style::Report => seat(REPORT.name, Negamax::new(weights, k, depth, true, seed)),
        })
    }
}

/// The agent.
pub(crate) struct Negamax {
    weights: Weights,
    k: usize,
    depth: u32,
    random_opening: bool,
    rng: Rng,
    stopped: bool,
}

/// Turns that the report's program plays at random.
const RANDOM_TURNS: u16 = 11;
/// The value of a won game; a drawn one is 0.
const WON: f64 = 20.0;
/// Moves whose values differ by less are equal, and all of them must be searched with an open window.
const TIE: f64 = 1e-9;

impl Negamax {
    pub(crate) fn new(
        weights: Weights,
        k: u32,
        depth: u32,
        random_opening: bool,
        seed: Seed,
    ) -> Self {
        Negamax { weights, k: k as usize, depth, random_opening, rng: seed.rng(), stopped: false }
    }

    /// The value of a position for `me`, at the beginning of a turn, `turns` turns deep.
    fn value(
        &mut self,
        game: &Ropasci360,
        state: &State,
        me: Player,
        turns: u32,
        window: [f64; 2],
    ) -> f64 {
        self.stopped |= deadline::look();
        if turns == 0 || self.stopped || state.end() != End::Not {
            return settled(&self.weights, state, me);
        }
        let best = |player| {
            let mut legal = Vec::new();
            game.moves(state, player, &mut legal);
            self.weights.best(game, state, player, &legal, self.k)
        };
        let (own, replies) = (best(me), best(Player(1 - me.0.min(1))));
        let [mut alpha, beta] = window;
        let mut most = f64::NEG_INFINITY;
        for mv in own {
            most = most.max(self.pending(game, state, (me, mv), &replies, turns, [alpha, beta]));
            alpha = alpha.max(most);
            if alpha >= beta {
                break;
            }
        }
        most
    }

    /// The value of a move that waits for the other's, for its maker: what the worst of the replies leaves.
    fn pending(
        &mut self,
        game: &Ropasci360,
        state: &State,
        (me, mv): (Player, Move),
        replies: &[Move],
        turns: u32,
        [alpha, beta]: [f64; 2],
    ) -> f64 {
        let mut next = state.clone();
        let mut worst = f64::INFINITY;
        for &reply in replies {
            next.clone_from(state);
            game.apply(&mut next, &joint(me, mv, reply));
            worst = worst.min(self.value(game, &next, me, turns - 1, [alpha, beta.min(worst)]));
            if worst <= alpha {
                break;
            }
        }
        worst
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
        self.stopped = false;
        let mut judged = Vec::with_capacity(own.len());
        let mut most = f64::NEG_INFINITY;
        for &mv in &own {
            // Equal moves draw lots, so that the window stays open for them.
            let window = [most - 2.0 * TIE, f64::INFINITY];
            let value = self.pending(game, state, (seat.player, mv), &replies, self.depth, window);
            // The first moves are the best by themselves; one must be judged.
            if self.stopped && !judged.is_empty() {
                break;
            }
            most = most.max(value);
            judged.push((mv, value));
        }
        ranked(judged, &mut self.rng)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;
    use ludex_core::Spec;

    /// Every move of both to the end of the horizon, without a window.
    fn plain(mind: &Negamax, game: &Ropasci360, state: &State, turns: u32) -> f64 {
        if turns == 0 || state.end() != End::Not {
            return settled(&mind.weights, state, Player(0));
        }
        let lists = [0, 1].map(|p| {
            let mut legal = Vec::new();
            game.moves(state, Player(p), &mut legal);
            mind.weights.best(game, state, Player(p), &legal, mind.k)
        });
        let worst = |&mv: &Move| {
            let values = lists[1].iter().map(|&reply| {
                let mut next = state.clone();
                game.apply(&mut next, &[mv, reply]);
                plain(mind, game, &next, turns - 1)
            });
            values.fold(f64::INFINITY, f64::min)
        };
        lists[0].iter().map(worst).fold(f64::NEG_INFINITY, f64::max)
    }

    #[test]
    fn alpha_beta_finds_the_value_of_the_whole_tree() {
        let game = Ropasci360::new(&Spec::new("ropasci360")).unwrap();
        let positions = ["0,0=s 1,0=R -2,1=p 3,-1=P | 3,2 | 9", "0,0=R 4,0=s 0,1=s | 9,9 | 20"];
        for (position, (k, depth)) in
            positions.iter().flat_map(|p| [(8, 1), (5, 2), (3, 3)].map(|shape| (p, shape)))
        {
            let state = game.parse_position(position).unwrap();
            for way in [Way::Log, Way::Plain] {
                let weights = Weights { way, ..Weights::default() };
                let mut mind = Negamax::new(weights, k, depth, false, Seed(1));
                let open = [f64::NEG_INFINITY, f64::INFINITY];
                let found = mind.value(&game, &state, Player(0), depth, open);
                let whole = plain(&mind, &game, &state, depth);
                assert!((found - whole).abs() < 1e-9, "{position} {k} {depth}: {found} {whole}");
            }
        }
    }

    #[test]
    fn two_turns_see_a_win_that_one_does_not() {
        // Rock takes either scissors in two turns at the latest: the first step must be towards them.
        let game = Ropasci360::new(&Spec::new("ropasci360")).unwrap();
        let state = game.parse_position("0,0=R -4,0=P 2,0=s 2,-1=s | 9,9 | 20").unwrap();
        let mut legal = Vec::new();
        game.moves(&state, Player(0), &mut legal);
        let budget = Budget::default();
        let seat = Seat { player: Player(0), legal: &legal, last: None, budget: &budget };
        let mut mind = Negamax::new(Weights::default(), 8, 2, false, Seed(1));
        let judged = mind.judge(&game, &state, seat);
        assert!(game.move_text(judged[0].0).starts_with("L 0 0"), "{:?}", judged[0]);
    }
}
