//! `hyperplay2`: HyperPlay-II (Schofield and Thielscher 2015). The worlds of the bag are played on by nested players who know no
//! more than they could ([`nested`](crate::hidden::nested)), so that asking and hiding are worth what they bring.

use crate::agent::{Agent, Belief, Choice, Failure};
use crate::best;
use crate::budget::Budget;
use crate::catalog::{Entry, Needs, Recipe, recipe};
use crate::clock::Clock;
use crate::hidden::belief::{Believer, Seen, Task, bag_config};
use crate::hidden::judge;
use crate::hidden::nested::{Answers, Nesting, Planner};
use crate::hidden::vote::Votes;
use crate::hidden::{Bag, Remedy};
use ludex_core::deadline::Deadline;
use ludex_core::{AnyGame, Game, Player, Result, Seed, View};

pub(crate) const ENTRY: Entry = Entry {
    name: "hyperplay2",
    summary: "HyperPlay-II: models played on by players who know no more than they could",
    needs: Needs::HIDDEN,
    usual: || recipe(Params::default()),
};

ludex_core::params! {
    /// The parameters of `hyperplay2`.
    pub struct Params {
        /// Models in the bag.
        pub models: usize = 40, 1..=100_000;
        /// States that a model may visit in an update before it goes off line.
        pub cap: u64 = 10_000, 1..=100_000_000;
        /// Do models count by their choice factor?
        pub choice_factors as "cf": bool = true, ["off", "on"];
        /// Models with the same history: none (each counts), weight (they count as one) or balance (they become copies of rare
        /// ones).
        pub remedy: Remedy = Remedy::Weight;
        /// Models of the nested players.
        pub inner: usize = 12, 1..=10_000;
        /// Random games a move and model of the nested players.
        pub playouts: usize = 2, 1..=10_000;
        /// How deep players are nested.
        pub levels: u32 = 1, 1..=8;
        /// Own decisions planned at most; 0: as many as the budget allows.
        pub depth: u32 = 0, 0..=100;
        /// Further own decisions after which a simulation ends in random games.
        pub horizon: u32 = 1;
    }
}

impl Recipe for Params {
    fn build(&self, _: &AnyGame, _: Player, seed: Seed) -> Result<Box<dyn Agent<AnyGame>>> {
        let config = bag_config(self.models, self.cap, self.remedy);
        let believer = Believer::new(ENTRY.name, config, seed);
        Ok(Box::new(HyperPlay2 { params: self.clone(), believer, answers: Answers::default() }))
    }
}

impl Params {
    fn nesting(&self) -> Nesting {
        Nesting {
            choice_factors: self.choice_factors,
            inner: self.inner,
            playouts: self.playouts,
            levels: self.levels,
            horizon: self.horizon,
            bag: bag_config(self.models, self.cap, self.remedy),
        }
    }
}

/// The agent.
struct HyperPlay2<G: Game> {
    params: Params,
    believer: Believer<G>,
    answers: Answers,
}

/// Worlds played on by nested players.
fn nest<G: Game>(
    params: &Params,
    answers: &mut Answers,
    believer: &mut Believer<G>,
    bag: &Bag<G>,
    task: Task<'_, '_, G>,
) -> Result<Choice, Failure> {
    let Task { game, view, sims, clock } = task;
    let rng = &mut believer.rng;
    let nesting = params.nesting();
    let (origin, seat, legal) = (view.origin(), view.seat(), view.legal());
    let left = sims.unwrap_or(u64::MAX);
    let depth = params.depth;
    // Against the clock: first compute the choice of a plain HyperPlayer, in case no plan is ready in time.
    let mut plain = None;
    if let Some(time) = clock.left() {
        let (worlds, weights, models) = bag.histories(params.choice_factors);
        let mut votes = Votes::new(legal, weights.clone());
        let states: Vec<_> = worlds.iter().map(|world| world.state()).collect();
        let mut short = Clock::start(&Budget::time(time / 4), true);
        let scope = short.enter();
        judge::playouts(game, &states, seat, &mut votes, None, &mut short, rng);
        drop(scope);
        let best = votes.best(&mut rng.clone());
        best.and_then(|at| legal.get(at).copied()).into_iter().for_each(best::publish);
        let seen: Vec<_> = (worlds.iter().zip(&weights).zip(models))
            .map(|((world, &weight), models)| Seen { state: world.state().clone(), weight, models })
            .collect();
        plain = Some((votes, seen));
    }
    let listing = clock.left().map(|left| Deadline::after(left / 3).enter());
    let mut planner =
        Planner { game, origin, nesting: &nesting, answers, rng, clock, left, guessed: false };
    let listed = planner.list(bag.observed(), params.models as u64);
    drop(listing);
    let group = planner.particles(listed.unwrap_or_else(|| planner.sample(bag)));
    let judged = match group.is_empty() {
        true => None,
        false => planner.judge(&group, seat, legal, depth),
    };
    let done = left - planner.left;
    let (votes, deep, seen) = match (judged, plain) {
        (Some((votes, deep)), _) => {
            let seen = group
                .into_iter()
                .map(|p| Seen { state: p.simulated.state, weight: p.weight, models: 1 })
                .collect();
            (votes, deep, seen)
        }
        (None, Some((votes, seen))) => (votes, 0, seen),
        (None, None) => return believer.guess(legal),
    };
    let states = bag.rounds().last().map_or(0, |round| round.states);
    let choice = votes.choice(states, deep, rng);
    let Some(mut choice) = choice else { return believer.guess(legal) };
    choice.thought.sims = done;
    believer.remember(seen, votes);
    Ok(choice)
}

impl<G: Game> Agent<G> for HyperPlay2<G> {
    fn name(&self) -> String {
        ENTRY.name.into()
    }

    fn choose(&mut self, game: &G, view: &View<'_, G>, budget: &Budget) -> Result<Choice, Failure> {
        let HyperPlay2 { params, believer, answers } = self;
        believer.choose(game, view, budget, |believer, bag, task| {
            nest(params, answers, believer, bag, task)
        })
    }

    fn belief(&self, game: &G) -> Option<Belief> {
        self.believer.belief(game)
    }
}
