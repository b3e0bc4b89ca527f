//! `ropasci`: the strong player. Backward induction over two turns: the matrix of both players'
//! best moves, each cell worth the equilibrium of the next turn's smaller matrix, each cell of
//! that judged by the heuristic with weights that hoard throws.
//!
//! It plays the equilibrium's likeliest moves, and avoids coming back to a configuration unless a
//! draw is what it wants.

use super::negamax::settled;
use super::weights::Weights;
use super::{Judge, Seat};
use crate::joint::matrix::{Equilibrium, Matrix};
use ludex_core::{Game, Move, Player, Rng, Seed};
use ludex_games::Ropasci360;
use ludex_games::ropasci::State;

/// How many moves of each player are looked at, turn by turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Width {
    /// This turn.
    pub first: u32,
    /// The next turn; 0: it is not looked at.
    pub second: u32,
}

/// The mind.
pub(crate) struct Strong {
    weights: Weights,
    width: Width,
    rng: Rng,
    /// Positions to write on, by turn.
    spare: Vec<State>,
}

/// Moves that the equilibrium plays more rarely are left out.
const PURIFY: f64 = 0.1;
/// What a configuration that has come up before loses of its worth: on the way to a draw.
const STALE: f64 = 0.5;

/// A solved turn.
struct Solved {
    rows: Vec<Move>,
    columns: Vec<Move>,
    equilibrium: Equilibrium,
}

impl Strong {
    pub(crate) fn new(weights: Weights, width: Width, seed: Seed) -> Self {
        Strong { weights, width, rng: seed.rng(), spare: Vec::new() }
    }

    /// The equilibrium between the best moves of both, from upper's side.
    fn solve(&mut self, game: &Ropasci360, state: &State, turn: usize) -> Solved {
        let width = [self.width.first, self.width.second][turn] as usize;
        let mut list = |player: Player| {
            let mut legal = Vec::new();
            game.moves(state, player, &mut legal);
            // So that the cap treats equals alike.
            self.rng.shuffle(&mut legal);
            self.weights.best(game, state, player, &legal, width)
        };
        let (rows, columns) = (list(Player(0)), list(Player(1)));
        let mut next = match self.spare.pop() {
            Some(spare) => spare,
            None => state.clone(),
        };
        let mut cells = Vec::with_capacity(rows.len() * columns.len());
        for &row in &rows {
            for &column in &columns {
                next.clone_from(state);
                game.apply(&mut next, &[row, column]);
                cells.push(self.worth(game, &next, turn));
            }
        }
        self.spare.push(next);
        let equilibrium = Matrix::new(columns.len(), cells).solve();
        Solved { rows, columns, equilibrium }
    }

    /// What a position is worth to upper, reached on `turn`.
    fn worth(&mut self, game: &Ropasci360, state: &State, turn: usize) -> f64 {
        let value = match turn == 0 && self.width.second > 0 && !game.is_over(state) {
            true => self.solve(game, state, 1).equilibrium.value,
            false => settled(&self.weights, state, Player(0)),
        };
        match state.repeats() {
            0 | 1 => value,
            _ => value * STALE,
        }
    }
}

impl Judge for Strong {
    fn judge(&mut self, game: &Ropasci360, state: &State, seat: Seat<'_>) -> Vec<(Move, f64)> {
        let solved = self.solve(game, state, 0);
        let (moves, strategy, value) = match seat.player {
            Player(0) => (solved.rows, solved.equilibrium.rows, solved.equilibrium.value),
            _ => (solved.columns, solved.equilibrium.columns, -solved.equilibrium.value),
        };
        let most = strategy.iter().copied().fold(0.0, f64::max);
        let kept = |p: f64| if p >= PURIFY.min(most) { p } else { 0.0 };
        let total: f64 = strategy.iter().map(|&p| kept(p)).sum();
        let mut left = self.rng.unit() * total;
        let drawn = strategy.iter().position(|&p| {
            left -= kept(p);
            left < 0.0
        });
        // The value is that of the strategy; a move's share of it tells how often it is played.
        let mut judged: Vec<(Move, f64)> =
            moves.iter().zip(&strategy).map(|(&mv, &p)| (mv, value - (1.0 - p))).collect();
        let first = judged.remove(drawn.unwrap_or(0));
        judged.sort_by(|a, b| b.1.total_cmp(&a.1));
        judged.insert(0, (first.0, value));
        judged
    }
}
