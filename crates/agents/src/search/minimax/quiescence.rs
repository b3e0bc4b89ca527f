//! The horizon: a heuristic value is trusted only where the position is quiet.
//!
//! A game does not say which of its moves are captures. But its heuristic shows: a move that
//! changes the value by more than a little is loud. Quiescence follows loud moves only, and
//! either side may stand pat (Beal 1990).

use super::worker::{Found, Worker};
use ludex_core::{Game, Turn};

/// A smaller change of the value than this is quiet play.
const LOUD: f32 = 0.015;

impl<G: Game> Worker<G> {
    /// The value of a position at depth 0, where `turn` is not over.
    pub(crate) fn horizon(
        &mut self,
        game: &G,
        ply: usize,
        turn: Turn,
        alpha: f32,
        beta: f32,
    ) -> Found {
        let stand = self.evaluator.value(game, &self.states[ply], self.me);
        let value = match turn {
            Turn::One(_) if self.quiescence > 0 => {
                self.quiesce(game, ply, self.quiescence, stand, alpha, beta)
            }
            _ => stand,
        };
        Found { value, sure: false }
    }

    /// The value of a position whose heuristic value is `stand`, after at most `left` more plies
    /// of loud moves.
    fn quiesce(
        &mut self,
        game: &G,
        ply: usize,
        left: u32,
        stand: f32,
        mut alpha: f32,
        mut beta: f32,
    ) -> f32 {
        let Turn::One(player) = game.turn(&self.states[ply]) else { return stand };
        let max = player == self.me;
        let mut best = stand;
        if max {
            alpha = alpha.max(best);
        } else {
            beta = beta.min(best);
        }
        if left == 0 || alpha >= beta {
            return best;
        }
        self.moves(game, ply, player, None);
        let list = std::mem::take(&mut self.lists[ply]);
        for &(_, mv) in &list {
            if self.out_of_budget() {
                break;
            }
            self.step(game, ply, mv);
            let value = if game.is_over(&self.states[ply + 1]) {
                self.payoff(game, ply + 1)
            } else {
                let next = self.evaluator.value(game, &self.states[ply + 1], self.me);
                if (next - stand).abs() < LOUD {
                    continue;
                }
                self.quiesce(game, ply + 1, left - 1, next, alpha, beta)
            };
            if max {
                best = best.max(value);
                alpha = alpha.max(best);
            } else {
                best = best.min(value);
                beta = beta.min(best);
            }
            if alpha >= beta {
                break;
            }
        }
        self.lists[ply] = list;
        best
    }
}
