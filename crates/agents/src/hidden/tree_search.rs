//! The agent behind `so-ismcts`, `mo-ismcts`, `pomcp` and `hyperplay-ismcts`: trees over what players know, fed by the worlds of
//! a bag. The names differ in whose knowledge makes the nodes, and in how much each world counts.

use super::bag::{Bag, Remedy};
use super::belief::{Believer, Seen, Task, bag_config};
use super::ismcts::{Forest, Trees};
use super::judge;
use super::vote::Votes;
use crate::agent::{Agent, Belief, Candidate, Choice, Failure, Thought};
use crate::best::{self, Best};
use crate::budget::Budget;
use crate::catalog::Recipe;
use ludex_core::{AnyGame, Game, Player, Result, Seed, View};

/// The most arms of the trees.
const MOST_ARMS: usize = 4_000_000;

ludex_core::params! {
    /// The parameters of information-set tree search.
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
        /// Exploration constant of the tree.
        pub c: f64 = 0.7, 0.0..;
        /// In trees of all players: until it has so many visits, a node of what another player knows leaves the choice to one of what
        /// the searcher knows.
        pub shared: u32 = 0, 0..=1_000_000;
    }
    with {
        /// The name that people type.
        pub(crate) name: &'static str = "hyperplay-ismcts";
        /// Whose knowledge makes the nodes.
        pub(crate) trees: Trees = Trees::Each;
    }
}

impl Params {
    /// Worlds count as equals, as in the publications of `so-ismcts` and `mo-ismcts`.
    pub(crate) fn of_equals(name: &'static str, trees: Trees) -> Self {
        let (choice_factors, remedy) = (false, Remedy::None);
        Params { choice_factors, remedy, name, trees, ..Params::default() }
    }
}

impl Recipe for Params {
    fn build(&self, _: &AnyGame, _: Player, seed: Seed) -> Result<Box<dyn Agent<AnyGame>>> {
        let config = bag_config(self.models, self.cap, self.remedy);
        Ok(Box::new(TreeSearch {
            choice_factors: self.choice_factors,
            forest: Forest::new(self.trees, self.c, self.shared, MOST_ARMS),
            believer: Believer::new(self.name, config, seed),
        }))
    }
}

/// The agent.
struct TreeSearch<G: Game> {
    choice_factors: bool,
    forest: Forest,
    believer: Believer<G>,
}

/// Trees of what is known, fed by the worlds of the bag.
fn grow<G: Game>(
    forest: &mut Forest,
    choice_factors: bool,
    believer: &mut Believer<G>,
    bag: &Bag<G>,
    task: Task<'_, '_, G>,
) -> Result<Choice, Failure> {
    let Task { game, view, sims, clock } = task;
    let worlds = bag.worlds();
    let weights = bag.weights(choice_factors);
    let seat = view.seat();
    let Some(known) = worlds.first().and_then(|w| w.known().get(seat.index()).copied()) else {
        return believer.guess(view.legal());
    };
    forest.make_room();
    let mut votes = Votes::new(view.legal(), weights.clone());
    let (mut done, mut deepest) = (0, 0);
    let most = sims.unwrap_or(u64::MAX);
    'search: loop {
        for pick in judge::systematic(&weights, worlds.len().max(16), &mut believer.rng) {
            if done >= most {
                break 'search;
            }
            let world = &worlds[pick];
            let simulated =
                forest.simulate(game, world.state(), world.known(), seat, &mut believer.rng);
            let Some((depth, first, payoff)) = simulated else { break 'search };
            deepest = depth.max(deepest);
            if let Some(at) = view.legal().iter().position(|&mv| mv == first) {
                votes.add(pick, at, payoff.into());
            }
            done += 1;
            if clock.tick() {
                break 'search;
            }
            if clock.just_looked() && Best::current().is_some() {
                let arms = forest.root(known, seat).iter();
                let legal = arms.filter(|arm| view.legal().contains(&arm.mv));
                let most = legal.max_by_key(|arm| arm.visits).map(|arm| arm.mv);
                most.into_iter().for_each(best::publish);
            }
        }
    }
    let mut arms: Vec<_> =
        forest.root(known, seat).iter().filter(|a| view.legal().contains(&a.mv)).collect();
    believer.rng.shuffle(&mut arms);
    arms.sort_by_key(|arm| std::cmp::Reverse(arm.visits));
    let candidates: Vec<Candidate> = arms
        .iter()
        .map(|arm| Candidate {
            mv: arm.mv,
            visits: arm.visits.into(),
            value: arm.mean().clamp(0.0, 1.0) as f32,
            line: vec![arm.mv],
            ..Candidate::default()
        })
        .collect();
    let Some(best) = candidates.first() else { return believer.guess(view.legal()) };
    let thought = Thought {
        sims: done,
        nodes: forest.nodes() as u64,
        depth: deepest,
        value: Some(best.value),
        proven: false,
        notes: Vec::new(),
        candidates: candidates.clone(),
    };
    let choice = Choice { mv: best.mv, thought };
    let seen = worlds
        .iter()
        .zip(weights)
        .map(|(w, weight)| Seen { state: w.state().clone(), weight, models: 1 })
        .collect();
    believer.remember(seen, votes);
    Ok(choice)
}

impl<G: Game> Agent<G> for TreeSearch<G> {
    fn name(&self) -> String {
        self.believer.name().into()
    }

    fn choose(&mut self, game: &G, view: &View<'_, G>, budget: &Budget) -> Result<Choice, Failure> {
        let TreeSearch { choice_factors, forest, believer } = self;
        believer.choose(game, view, budget, |believer, bag, task| {
            grow(forest, *choice_factors, believer, bag, task)
        })
    }

    fn belief(&self, game: &G) -> Option<Belief> {
        self.believer.belief(game)
    }
}
