//! `pimc`: perfect-information Monte Carlo (Levy 1989; Long, Sturtevant, Buro, Furtak 2010). A tree search in each of some worlds
//! of the bag, as if nothing were hidden in it; the searches vote on the moves.

use crate::agent::{Agent, Belief, Choice};
use crate::budget::Budget;
use crate::catalog::{Entry, Needs, Recipe, recipe};
use crate::hidden::Remedy;
use crate::hidden::belief::{Believer, bag_config};
use crate::hidden::judge::{self, ByTree};
use ludex_core::{AnyGame, Game, Player, Result, Seed, View};

pub(crate) const ENTRY: Entry = Entry {
    name: "pimc",
    summary: "perfect-information Monte Carlo: a tree search in each of some worlds",
    needs: Needs::HIDDEN,
    usual: || recipe(Params::default()),
};

ludex_core::params! {
    /// The parameters of `pimc`.
    pub struct Params {
        /// Worlds that are searched.
        pub worlds: usize = 20, 1..=100_000;
        /// Models in the bag.
        pub models: usize = 100, 1..=100_000;
        /// States that a model may visit in an update before it goes off line.
        pub cap: u64 = 10_000, 1..=100_000_000;
        /// Do models count by their choice factor?
        pub choice_factors as "cf": bool = false, ["off", "on"];
    }
}

impl Recipe for Params {
    fn build(&self, _: &AnyGame, _: Player, seed: Seed) -> Result<Box<dyn Agent<AnyGame>>> {
        let config = bag_config(self.models, self.cap, Remedy::None);
        let believer = Believer::new(ENTRY.name, config, seed);
        Ok(Box::new(Pimc { params: self.clone(), believer }))
    }
}

/// The agent.
struct Pimc<G: Game> {
    params: Params,
    believer: Believer<G>,
}

impl<G: Game> Agent<G> for Pimc<G> {
    fn name(&self) -> String {
        ENTRY.name.into()
    }

    fn choose(&mut self, game: &G, view: &View<'_, G>, budget: &Budget) -> Result<Choice> {
        let Pimc { params, believer } = self;
        believer.choose(game, view, budget, |believer, bag, task| {
            let (worlds, weights, _) = bag.histories(params.choice_factors);
            if worlds.is_empty() {
                return believer.guess(view.legal());
            }
            let by = ByTree { worlds: &worlds, weights: &weights, count: params.worlds };
            judge::choose_by_tree(believer, bag, task, by)
        })
    }

    fn belief(&self, game: &G) -> Option<Belief> {
        self.believer.belief(game)
    }
}
