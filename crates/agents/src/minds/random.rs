//! `random`: any legal move, each as likely as the others.

use crate::agent::{Agent, Choice};
use crate::budget::Budget;
use crate::catalog::{Entry, Needs, Recipe, recipe};
use ludex_core::{AnyGame, Game, Player, Result, Rng, Seed, View};

pub(crate) const ENTRY: Entry = Entry {
    name: "random",
    summary: "any legal move, each as likely as the others",
    needs: Needs::NOTHING,
    usual: || recipe(Params::default()),
};

ludex_core::params! {
    /// [`Random`] has nothing to set.
    pub struct Params {}
}

impl Recipe for Params {
    fn build(&self, _: &AnyGame, _: Player, seed: Seed) -> Result<Box<dyn Agent<AnyGame>>> {
        Ok(Box::new(Random::new(seed)))
    }
}

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
