//! `mccfr`: outcome-sampling Monte Carlo counterfactual regret minimisation over the whole game; the choice is drawn from the
//! average strategy. For small games of two players. With `target` above 0 it is online outcome sampling (Lisy, Lanctot and
//! Bowling 2015): that share of the sampled games passes through the present information set.

use crate::agent::{Agent, Candidate, Choice, Failure, Thought};
use crate::budget::Budget;
use crate::catalog::{Entry, Needs, Recipe, recipe};
use crate::clock::Clock;
use crate::hidden::observations::learn;
use crate::hidden::{Bag, Config, Mccfr, Target, set_key};
use ludex_core::{AnyGame, Game, Move, Player, Result, Rng, Seed, View};

pub(crate) const ENTRY: Entry = Entry {
    name: "mccfr",
    summary: "regret minimisation over the whole game (outcome sampling); for small games",
    needs: Needs::HIDDEN_DUEL,
    usual: || recipe(Params::default()),
};

ludex_core::params! {
    /// The parameters of `mccfr`.
    pub struct Params {
        /// Most information sets remembered.
        pub sets: usize = 2_000_000, 1..=50_000_000;
        /// The share of sampled games that are aimed at the present information set; 0 aims none.
        pub target: f64 = 0.0, 0.0..=0.99;
        /// Information sets of more histories are aimed at by a bag of 100 models instead of a list.
        pub listed: u64 = 2_000, 1..=1_000_000;
    }
}

impl Recipe for Params {
    fn build(&self, _: &AnyGame, _: Player, seed: Seed) -> Result<Box<dyn Agent<AnyGame>>> {
        let regrets = Mccfr::new(self.sets);
        let rng = seed.named("thoughts").rng();
        let bag = None;
        Ok(Box::new(RegretMinimiser { params: self.clone(), regrets, bag, seed, rng }))
    }
}

/// The agent.
struct RegretMinimiser<G: Game> {
    params: Params,
    regrets: Mccfr,
    /// The sample of information sets that are too large for a list.
    bag: Option<Bag<G>>,
    seed: Seed,
    rng: Rng,
}

impl<G: Game> RegretMinimiser<G> {
    /// Any legal move: this information set was never reached.
    fn guess(&mut self, legal: &[Move]) -> Result<Choice, Failure> {
        let mv = legal.get(self.rng.index(legal.len())).copied();
        mv.map(Choice::plain).ok_or_else(|| crate::spec::not_to_move(ENTRY.name).into())
    }

    /// The present information set, where samples are to be aimed and it can be found.
    fn aim(&mut self, game: &G, view: &View<'_, G>) -> Option<Target> {
        if self.params.target <= 0.0 {
            return None;
        }
        let seed = self.seed.named("bag");
        let bag = self.bag.get_or_insert_with(|| {
            Bag::new(game, view.origin(), view.seat(), Config::default(), seed)
        });
        bag.observe(game, view.records(), Some(view.legal()), None).ok()?;
        Target::of(game, view.origin(), bag.observed(), self.params.listed, bag)
    }
}

impl<G: Game> Agent<G> for RegretMinimiser<G> {
    fn name(&self) -> String {
        ENTRY.name.into()
    }

    fn choose(&mut self, game: &G, view: &View<'_, G>, budget: &Budget) -> Result<Choice, Failure> {
        if let [only] = view.legal() {
            return Ok(Choice::plain(*only));
        }
        let mut clock = Clock::start(budget, budget.sims.is_some());
        let _scope = clock.enter();
        let sims = budget.sims;
        let players = game.info().seats();
        let known = view
            .records()
            .iter()
            .fold(0, |known, record| learn(known, record.own, &record.percept.0));
        let zeros = vec![0; players];
        let most = sims.unwrap_or(u64::MAX);
        let target = self.aim(game, view);
        let mut done = 0;
        while done < most {
            let update = Player((done % players.max(1) as u64) as u8);
            let (regrets, rng, origin) = (&mut self.regrets, &mut self.rng, view.origin());
            match &target {
                None => regrets.iterate(game, origin, &zeros, update, rng),
                Some(target) => {
                    let share = self.params.target;
                    regrets.iterate_at(game, origin, &zeros, update, target, share, rng);
                }
            }
            done += 1;
            if clock.tick() {
                break;
            }
        }
        let Some(strategy) = self.regrets.strategy(set_key(known, view.seat(), view.legal()))
        else {
            return self.guess(view.legal());
        };
        let mut at = self.rng.unit();
        let mut chosen = None;
        for &(mv, p) in strategy.iter().filter(|(mv, _)| view.legal().contains(mv)) {
            chosen = chosen.filter(|_| at < 0.0).or(Some(mv));
            at -= p;
            if at < 0.0 {
                break;
            }
        }
        let Some(mv) = chosen else { return self.guess(view.legal()) };
        let mut candidates: Vec<Candidate> = strategy
            .iter()
            .filter(|(mv, _)| view.legal().contains(mv))
            .map(|&(mv, p)| Candidate {
                mv,
                value: p as f32,
                line: vec![mv],
                ..Candidate::default()
            })
            .collect();
        candidates
            .sort_by(|a, b| (b.mv == mv).cmp(&(a.mv == mv)).then(b.value.total_cmp(&a.value)));
        let nodes = self.regrets.len() as u64;
        Ok(Choice { mv, thought: Thought { sims: done, nodes, candidates, ..Thought::default() } })
    }
}
