//! `random`: any legal move, each as likely as the others.

use crate::agent::{Agent, Choice};
use crate::budget::Budget;
use ludex_core::{Game, Result, Rng, Seed, View};

/// Plays uniformly at random: the zero of every scale.
#[derive(Debug, Clone)]
pub struct Random {
    rng: Rng,
}

impl Random {
    /// A random player with its own stream.
    pub fn new(seed: Seed) -> Self {
        Random { rng: seed.rng() }
    }
}

impl<G: Game> Agent<G> for Random {
    fn name(&self) -> String {
        "random".into()
    }

    fn choose(&mut self, _: &G, view: &View<'_, G>, _: &Budget) -> Result<Choice> {
        let legal = view.legal();
        match legal.get(self.rng.index(legal.len())) {
            Some(&mv) => Ok(Choice::plain(mv)),
            None => Err(crate::spec::not_to_move("random")),
        }
    }
}
