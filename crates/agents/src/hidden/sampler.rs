//! The random sampler: histories drawn forward from the start, thrown away at the first percept
//! that differs. It is the yardstick of the bag of models.

use super::observations::Observations;
use super::options::Options;
use ludex_core::{Game, Move, Rng, Seed};

/// The cost of random sampling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Cost {
    /// Histories begun.
    pub attempts: u64,
    /// Histories that agreed to the end.
    pub valid: u64,
    /// States visited, one a step.
    pub visited: u64,
}

impl Cost {
    /// States visited for each valid history; infinite where there was none.
    pub fn per_sample(&self) -> f64 {
        self.visited as f64 / self.valid as f64
    }
}

/// Draws histories at random: the seat's own moves as they were, all others uniform.
#[derive(Debug, Clone)]
pub struct Sampler {
    rng: Rng,
    options: Options,
    joint: Vec<Move>,
    pad: Vec<Move>,
    words: Vec<u64>,
}

impl Sampler {
    /// A sampler with its own stream.
    pub fn new(seed: Seed) -> Self {
        Sampler {
            rng: seed.rng(),
            options: Options::default(),
            joint: Vec::new(),
            pad: Vec::new(),
            words: Vec::new(),
        }
    }

    /// One attempt; the state where it agreed with the whole observation history. Histories come with the
    /// probabilities that they have where the others choose at random, so no weights are due.
    pub fn attempt<G: Game>(
        &mut self,
        game: &G,
        origin: &G::State,
        observed: &Observations,
        cost: &mut Cost,
    ) -> Option<G::State> {
        cost.attempts += 1;
        let mut state = origin.clone();
        let mut after = origin.clone();
        for (depth, step) in observed.steps.iter().enumerate() {
            if !observed.allows(game, &state, depth, &mut self.pad) {
                return None;
            }
            self.options.fill(game, &state, observed.seat, step.record.own);
            if self.options.count() == 0 {
                return None;
            }
            self.joint.clear();
            self.options.joint(self.options.draw(&mut self.rng), &mut self.joint);
            after.clone_from(&state);
            game.apply(&mut after, &self.joint);
            cost.visited += 1;
            self.words.clear();
            game.percept(&state, &self.joint, &after, observed.seat, &mut self.words);
            if self.words != step.record.percept.0 {
                return None;
            }
            std::mem::swap(&mut state, &mut after);
        }
        if !observed.allows(game, &state, observed.len(), &mut self.pad) {
            return None;
        }
        cost.valid += 1;
        Some(state)
    }

    /// Attempts until `wanted` histories are found or `most` states visited.
    pub fn run<G: Game>(
        &mut self,
        game: &G,
        origin: &G::State,
        observed: &Observations,
        wanted: u64,
        most: u64,
        mut found: impl FnMut(G::State),
    ) -> Cost {
        let mut cost = Cost::default();
        while cost.valid < wanted && cost.visited < most && cost.attempts < most {
            if let Some(state) = self.attempt(game, origin, observed, &mut cost) {
                found(state);
            }
        }
        cost
    }
}
