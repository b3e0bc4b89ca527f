//! `ropasci-nash`: the equilibrium of a matrix of the best moves of both, judged by the report's heuristic. Several public agents
//! of the course play so (docs/ropasci.md); here it is an opponent of known style for the strong player.
//!
//! With `depth` above one a cell is worth the equilibrium of the turn after it (backward induction).

use super::negamax::settled;
use super::weights::Weights;
use super::{Judge, NEEDS, Seat, joint, seat};
use crate::agent::Agent;
use crate::catalog::{Entry, Recipe, recipe};
use crate::search::joint::matrix::{Equilibrium, Matrix};
use ludex_core::deadline;
use ludex_core::{AnyGame, Game, Move, Player, Result, Rng, Seed};
use ludex_games::Ropasci360;
use ludex_games::ropasci::terms::Way;
use ludex_games::ropasci::{End, State, terms};

pub(crate) const ENTRY: Entry = Entry {
    name: "ropasci-nash",
    summary: "RoPaSci 360: the equilibrium of both players' best moves by the report's heuristic",
    needs: NEEDS,
    usual: || recipe(Params::default()),
};

ludex_core::params! {
    /// The parameters of `ropasci-nash`.
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
        pub k: u32 = 10, 1..=300;
        /// Turns of look-ahead.
        pub depth: u32 = 1, 1..=8;
    }
}

impl Recipe for Params {
    fn build(&self, _: &AnyGame, _: Player, seed: Seed) -> Result<Box<dyn Agent<AnyGame>>> {
        let values = [self.throws, self.kills, self.distance, self.diversity];
        let weights = Weights { values, way: self.way };
        let nash = Nash { weights, k: self.k as usize, depth: self.depth, rng: seed.rng() };
        Ok(seat(ENTRY.name, nash))
    }
}

/// The agent.
struct Nash {
    weights: Weights,
    k: usize,
    depth: u32,
    rng: Rng,
}

impl Nash {
    /// The moves of both that are looked at, `me` first, and the equilibrium of their matrix.
    fn solve(
        &mut self,
        game: &Ropasci360,
        state: &State,
        me: Player,
        depth: u32,
    ) -> (Vec<Move>, Equilibrium) {
        let [own, replies] = [me, Player(1 - me.0.min(1))].map(|player| {
            let mut legal = Vec::new();
            game.moves(state, player, &mut legal);
            self.rng.shuffle(&mut legal);
            self.weights.best(game, state, player, &legal, self.k)
        });
        let mut next = state.clone();
        let mut cells = Vec::with_capacity(own.len() * replies.len());
        for &mv in &own {
            for &reply in &replies {
                next.clone_from(state);
                game.apply(&mut next, &joint(me, mv, reply));
                let deeper = depth > 1 && next.end() == End::Not && !deadline::look();
                cells.push(match deeper {
                    true => self.solve(game, &next, me, depth - 1).1.value,
                    false => settled(&self.weights, &next, me),
                });
            }
        }
        (own, Matrix::new(replies.len(), cells).solve())
    }
}

impl Judge for Nash {
    /// The value of a move is its share; the move that is played comes first.
    fn judge(&mut self, game: &Ropasci360, state: &State, seat: Seat<'_>) -> Vec<(Move, f64)> {
        let (own, equilibrium) = self.solve(game, state, seat.player, self.depth);
        let mut judged: Vec<(Move, f64)> = own.into_iter().zip(equilibrium.rows).collect();
        judged.sort_by(|a, b| b.1.total_cmp(&a.1));
        let mut left = self.rng.unit();
        let drawn = judged.iter().position(|&(_, share)| {
            left -= share;
            left < 0.0
        });
        if let Some(drawn) = drawn {
            judged[..=drawn].rotate_right(1);
        }
        judged
    }

    fn payoff(&self, value: f64) -> f32 {
        value.clamp(0.0, 1.0) as f32
    }
}
