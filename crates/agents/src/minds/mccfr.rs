//! `mccfr`: outcome-sampling Monte Carlo counterfactual regret minimisation over the whole game; the choice is drawn from the
//! average strategy. For small games of two players.

use crate::agent::{Agent, Candidate, Choice, Failure, Thought};
use crate::budget::Budget;
use crate::catalog::{Entry, Needs, Recipe, recipe};
use crate::clock::Clock;
use crate::hidden::observations::learn;
use crate::hidden::{Mccfr, set_key};
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
    }
}

impl Recipe for Params {
    fn build(&self, _: &AnyGame, _: Player, seed: Seed) -> Result<Box<dyn Agent<AnyGame>>> {
        let regrets = Mccfr::new(self.sets);
        Ok(Box::new(RegretMinimiser { regrets, rng: seed.named("thoughts").rng() }))
    }
}

/// The agent.
struct RegretMinimiser {
    regrets: Mccfr,
    rng: Rng,
}

impl RegretMinimiser {
    /// Any legal move: this information set was never reached.
    fn guess(&mut self, legal: &[Move]) -> Result<Choice, Failure> {
        let mv = legal.get(self.rng.index(legal.len())).copied();
        mv.map(Choice::plain).ok_or_else(|| crate::spec::not_to_move(ENTRY.name).into())
    }
}

impl<G: Game> Agent<G> for RegretMinimiser {
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
        let mut done = 0;
        while done < most {
            let update = Player((done % players.max(1) as u64) as u8);
            self.regrets.iterate(game, view.origin(), &zeros, update, &mut self.rng);
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
