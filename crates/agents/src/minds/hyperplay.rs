//! `hyperplay`: HyperPlay (Schofield, Cerexhe and Thielscher 2012). A bag of models; random games from each of them (or a tree
//! search in each) vote on the moves.

use crate::agent::{Agent, Belief, Choice};
use crate::budget::Budget;
use crate::catalog::{Entry, Needs, Recipe, recipe};
use crate::hidden::Remedy;
use crate::hidden::belief::{Believer, Seen, bag_config};
use crate::hidden::judge::{self, ByTree};
use crate::hidden::vote::Votes;
use ludex_core::{AnyGame, Game, Player, Result, Seed, View};

pub(crate) const ENTRY: Entry = Entry {
    name: "hyperplay",
    summary: "HyperPlay: a bag of models, random games from each",
    needs: Needs::HIDDEN,
    usual: || recipe(Params::default()),
};

ludex_core::params! {
    /// The parameters of `hyperplay`.
    pub struct Params {
        /// Models in the bag.
        pub models: usize = 100, 1..=100_000;
        /// States that a model may visit in an update before it goes off line.
        pub cap: u64 = 10_000, 1..=100_000_000;
        /// Do models count by their choice factor?
        pub choice_factors as "cf": bool = true, ["off", "on"];
        /// Models with the same history: none (each counts), weight (they count as one) or balance (they become copies of rare
        /// ones).
        pub remedy: Remedy = Remedy::Weight;
        /// How a model is judged: by playouts or by uct.
        pub tree as "search": bool = false, ["playouts", "uct"];
    }
}

impl Recipe for Params {
    fn build(&self, _: &AnyGame, _: Player, seed: Seed) -> Result<Box<dyn Agent<AnyGame>>> {
        let config = bag_config(self.models, self.cap, self.remedy);
        let believer = Believer::new(ENTRY.name, config, seed);
        Ok(Box::new(HyperPlay { params: self.clone(), believer }))
    }
}

/// The agent.
struct HyperPlay<G: Game> {
    params: Params,
    believer: Believer<G>,
}

impl<G: Game> Agent<G> for HyperPlay<G> {
    fn name(&self) -> String {
        ENTRY.name.into()
    }

    fn choose(&mut self, game: &G, view: &View<'_, G>, budget: &Budget) -> Result<Choice> {
        let HyperPlay { params, believer } = self;
        believer.choose(game, view, budget, |believer, bag, task| {
            let (worlds, weights, models) = bag.histories(params.choice_factors);
            if worlds.is_empty() {
                return believer.guess(view.legal());
            }
            if params.tree {
                let by = ByTree { worlds: &worlds, weights: &weights, count: worlds.len() };
                return judge::choose_by_tree(believer, bag, task, by);
            }
            let mut votes = Votes::new(view.legal(), weights.clone());
            let states: Vec<_> = worlds.iter().map(|world| world.state()).collect();
            let (sims, clock, seat) = (task.sims, task.clock, view.seat());
            judge::playouts(game, &states, seat, &mut votes, sims, clock, &mut believer.rng);
            let seen = (worlds.iter().zip(weights).zip(models))
                .map(|((world, weight), models)| Seen {
                    state: world.state().clone(),
                    weight,
                    models,
                })
                .collect();
            let states = bag.rounds().last().map_or(0, |round| round.states);
            match votes.choice(states, 1, &mut believer.rng) {
                None => believer.guess(view.legal()),
                Some(choice) => {
                    believer.remember(seen, votes);
                    Ok(choice)
                }
            }
        })
    }

    fn belief(&self, game: &G) -> Option<Belief> {
        self.believer.belief(game)
    }
}
