//! Max^n (Luckhardt and Irani 1986): every player plays for itself.

use super::table::{Bound, Entry};
use super::worker::Worker;
use ludex_core::{Game, Move, Player, Turn};

impl<G: Game> Worker<G> {
    /// Leaves everybody's value of the position at `ply` in
    /// `values[ply]`; returns whether it is sure. Nothing is pruned but what follows a mover's
    /// full payoff.
    pub(crate) fn maxn(&mut self, game: &G, ply: usize, depth: u32) -> bool {
        self.values_at(ply);
        if self.out_of_budget() {
            return false;
        }
        let player = match game.turn(&self.states[ply]) {
            Turn::Over => {
                game.payoffs(&self.states[ply], &mut self.values[ply]);
                return true;
            }
            Turn::One(player) if depth > 0 => player,
            Turn::Chance if depth > 0 => return self.maxn_chance(game, ply, depth),
            _ => {
                for p in 0..self.values[ply].len() {
                    let value = self.evaluator.value(game, &self.states[ply], Player(p as u8));
                    self.values[ply][p] = value;
                }
                return false;
            }
        };
        let key = game.hash(&self.states[ply]);
        let first = self.table.get(key).map(|entry| entry.mv);
        self.moves(game, ply, player, first);
        let list = std::mem::take(&mut self.lists[ply]);
        let mover = player.index();
        let (mut best, mut best_move) = (f32::NEG_INFINITY, Move::default());
        let mut sure = true;
        for &(_, mv) in &list {
            if self.stopped {
                break;
            }
            self.step(game, ply, mv);
            let found = self.maxn(game, ply + 1, depth - 1);
            if self.stopped {
                break;
            }
            sure &= found;
            let value = self.values[ply + 1][mover];
            if value > best {
                (best, best_move) = (value, mv);
                let (before, after) = self.values.split_at_mut(ply + 1);
                before[ply].copy_from_slice(&after[0]);
            }
            if best >= 1.0 {
                sure = found;
                self.order.reward(game, &self.states[ply], player, ply, depth, mv);
                break;
            }
        }
        self.lists[ply] = list;
        if !self.stopped {
            let depth = depth.min(u16::MAX.into()) as u16;
            let entry = Entry { mv: best_move, value: best, depth, bound: Bound::Exact, sure };
            self.table.put(key, entry);
        }
        sure
    }

    fn maxn_chance(&mut self, game: &G, ply: usize, depth: u32) -> bool {
        let mut outcomes = Vec::new();
        game.chances(&self.states[ply], &mut outcomes);
        let mut sure = true;
        self.values[ply].fill(0.0);
        for (mv, chance) in outcomes {
            self.step(game, ply, mv);
            sure &= self.maxn(game, ply + 1, depth - 1);
            if self.stopped {
                break;
            }
            let (before, after) = self.values.split_at_mut(ply + 1);
            for (sum, value) in before[ply].iter_mut().zip(&after[0]) {
                *sum += chance as f32 * value;
            }
        }
        sure
    }
}
