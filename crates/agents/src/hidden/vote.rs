//! How the worlds vote: the value of every move in every world, and their weighted mean.

use crate::agent::{Candidate, Choice, Thought};
use ludex_core::{Move, Rng};

/// The sums of simulations, by world and move.
#[derive(Debug, Clone, Default)]
pub(crate) struct Votes {
    moves: Vec<Move>,
    weights: Vec<f64>,
    sums: Vec<f64>,
    visits: Vec<u32>,
}

impl Votes {
    pub(crate) fn new(moves: &[Move], weights: Vec<f64>) -> Self {
        let cells = moves.len() * weights.len();
        let moves = moves.to_vec();
        Votes { moves, weights, sums: vec![0.0; cells], visits: vec![0; cells] }
    }

    pub(crate) fn add(&mut self, world: usize, mv: usize, value: f64) {
        let cell = world * self.moves.len() + mv;
        self.sums[cell] += value;
        self.visits[cell] += 1;
    }

    pub(crate) fn moves(&self) -> &[Move] {
        &self.moves
    }

    pub(crate) fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// A world's value of a move, where it was tried there.
    pub(crate) fn value(&self, world: usize, mv: usize) -> Option<f64> {
        let cell = world * self.moves.len() + mv;
        (self.visits[cell] > 0).then(|| self.sums[cell] / f64::from(self.visits[cell]))
    }

    /// The weighted mean of a move over the worlds in which it was tried.
    pub(crate) fn mean(&self, mv: usize) -> Option<f64> {
        let (mut sum, mut weight) = (0.0, 0.0);
        for (world, &w) in self.weights.iter().enumerate() {
            if let Some(value) = self.value(world, mv) {
                sum += w * value;
                weight += w;
            }
        }
        (weight > 0.0).then(|| sum / weight)
    }

    pub(crate) fn visits(&self, mv: usize) -> u64 {
        self.visits.iter().skip(mv).step_by(self.moves.len()).map(|&n| u64::from(n)).sum()
    }

    /// The move with the best mean; of equal ones any.
    pub(crate) fn best(&self, rng: &mut Rng) -> Option<usize> {
        let mut best = None;
        let (mut value, mut ties) = (f64::NEG_INFINITY, 0);
        for mv in 0..self.moves.len() {
            let Some(mean) = self.mean(mv) else { continue };
            if mean > value + 1e-12 {
                (best, value, ties) = (Some(mv), mean, 1);
            } else if mean > value - 1e-12 {
                ties += 1;
                if rng.below(ties) == 0 {
                    best = Some(mv);
                }
            }
        }
        best
    }

    /// The votes as a choice, best move first.
    pub(crate) fn choice(&self, nodes: u64, depth: u32, rng: &mut Rng) -> Option<Choice> {
        let best = self.best(rng)?;
        let mut order: Vec<usize> = (0..self.moves.len()).collect();
        let rank = |mv: usize| self.mean(mv).unwrap_or(-1.0);
        order.sort_by(|&a, &b| (b == best).cmp(&(a == best)).then(rank(b).total_cmp(&rank(a))));
        let candidates: Vec<Candidate> = order
            .into_iter()
            .map(|at| Candidate {
                mv: self.moves[at],
                visits: self.visits(at),
                value: self.mean(at).unwrap_or(0.0).clamp(0.0, 1.0) as f32,
                line: vec![self.moves[at]],
                ..Candidate::default()
            })
            .collect();
        let thought = Thought {
            sims: candidates.iter().map(|c| c.visits).sum(),
            nodes,
            depth,
            value: candidates.first().map(|c| c.value),
            proven: false,
            notes: Vec::new(),
            candidates,
        };
        Some(Choice { mv: self.moves[best], thought })
    }
}
