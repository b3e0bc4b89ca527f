//! The habits of a player, learned while it plays: a logit model of its choices (McFadden 1974).
//!
//! Every move has a few qualities: the terms of the report's heuristic after it alone, how near it
//! brings the player to its nearest prey and its nearest hunter, what the experts say of it.
//! The chance of a move grows with the weighted sum of its qualities. The weights begin at what
//! any sane player wants and follow the moves that come by stochastic gradient.

use ludex_core::{Move, Player, Rng, Seed};
use ludex_games::Ropasci360;
use ludex_games::ropasci::{State, terms};

/// Qualities of a move: four terms, the value of the position, two distances, throws, and four
/// experts.
const QUALITIES: usize = 12;

/// The habits of a player, as learned so far.
pub(crate) struct Habits {
    weights: [f64; QUALITIES],
    /// The turns seen: the qualities of all moves, and which was made.
    seen: Vec<(Vec<[f64; QUALITIES]>, usize)>,
    /// The turn that is being waited for.
    pending: Vec<[f64; QUALITIES]>,
    rng: Rng,
}

impl Default for Habits {
    fn default() -> Self {
        let mut weights = [0.0; QUALITIES];
        weights[..4].copy_from_slice(&[0.3, 0.6, 0.6, 0.0]);
        Habits { weights, seen: Vec::new(), pending: Vec::new(), rng: Seed(1).rng() }
    }
}

/// The step of the gradient, and how many earlier turns are looked at again after each turn.
const RATE: f64 = 0.1;
const AGAIN: usize = 8;
/// No more turns are kept.
const MEMORY: usize = 60;

impl Habits {
    /// The chance of each move.
    pub(crate) fn predict(
        &mut self,
        game: &Ropasci360,
        state: &State,
        player: Player,
        moves: &[Move],
        experts: &[Vec<f64>],
    ) -> Vec<f64> {
        let mut next = state.clone();
        self.pending.clear();
        for (i, &mv) in moves.iter().enumerate() {
            game.alone(state, player, mv, &mut next);
            let [throws, kills, distance, diversity] = terms::of(&next, player);
            let [prey, hunter] = terms::nearest(&next, player).map(|steps| f64::from(steps).ln());
            let expert = |n: usize| experts.get(n).map_or(0.0, |expert| expert[i]);
            self.pending.push([
                throws,
                kills,
                distance,
                diversity,
                prey,
                hunter,
                f64::from(u8::from(game.back(mv).is_none())),
                expert(0),
                expert(1),
                expert(2),
                expert(3),
                expert(4),
            ]);
        }
        standardise(&mut self.pending);
        chances(&self.weights, &self.pending)
    }

    /// The move of the last prediction that was made.
    pub(crate) fn learn(&mut self, made: usize) {
        if self.seen.len() == MEMORY {
            self.seen.swap_remove(0);
        }
        self.seen.push((std::mem::take(&mut self.pending), made));
        let last = self.seen.len() - 1;
        self.step(last);
        for _ in 0..AGAIN {
            let again = self.rng.index(self.seen.len());
            self.step(again);
        }
    }

    /// One step of the gradient of the logarithm of the chance of the move made.
    fn step(&mut self, turn: usize) {
        let Some((qualities, made)) = self.seen.get(turn) else { return };
        let Some(chosen) = qualities.get(*made) else { return };
        let mut gradient = *chosen;
        for (chance, quality) in chances(&self.weights, qualities).iter().zip(qualities) {
            gradient.iter_mut().zip(quality).for_each(|(g, q)| *g -= chance * q);
        }
        self.weights.iter_mut().zip(gradient).for_each(|(w, g)| *w += RATE * g);
    }
}

/// Mean 0 and deviation 1 over the moves of a turn: units do not matter.
fn standardise(qualities: &mut [[f64; QUALITIES]]) {
    let n = qualities.len().max(1) as f64;
    for i in 0..QUALITIES {
        let mean = qualities.iter().map(|q| q[i]).sum::<f64>() / n;
        let deviation = (qualities.iter().map(|q| (q[i] - mean).powi(2)).sum::<f64>() / n).sqrt();
        let scale = if deviation > 1e-9 { 1.0 / deviation } else { 0.0 };
        qualities.iter_mut().for_each(|q| q[i] = (q[i] - mean) * scale);
    }
}

fn chances(weights: &[f64; QUALITIES], qualities: &[[f64; QUALITIES]]) -> Vec<f64> {
    let urge = |q: &[f64; QUALITIES]| q.iter().zip(weights).map(|(q, w)| q * w).sum::<f64>();
    let mut chances: Vec<f64> = qualities.iter().map(urge).collect();
    let most = chances.iter().copied().fold(f64::MIN, f64::max);
    chances.iter_mut().for_each(|c| *c = (*c - most).exp());
    let total: f64 = chances.iter().sum();
    chances.iter_mut().for_each(|c| *c /= total);
    chances
}
