//! Shared parts of the agents for hidden information: a bag of models that follows the match, and the worlds behind the
//! last choice.

use super::bag::{Bag, Config, Remedy};
use super::vote::Votes;
use crate::agent::{Belief, Choice, Failure, Possible};
use crate::budget::Budget;
use crate::clock::Clock;
use ludex_core::{Game, Move, Result, Rng, Seed, View};
use rustc_hash::FxHashMap;
use std::time::Instant;

/// A bag of models for one seat, and the worlds of the last choice.
pub(crate) struct Believer<G: Game> {
    name: &'static str,
    config: Config,
    bag: Option<Bag<G>>,
    seed: Seed,
    pub(crate) rng: Rng,
    last: Option<(Vec<Seen<G::State>>, Votes)>,
}

/// A world that was thought about.
pub(crate) struct Seen<S> {
    pub(crate) state: S,
    pub(crate) weight: f64,
    pub(crate) models: usize,
}

/// A decision, and its budget.
pub(crate) struct Task<'a, 'v, G: Game> {
    pub(crate) game: &'a G,
    pub(crate) view: &'a View<'v, G>,
    pub(crate) sims: Option<u64>,
    pub(crate) clock: &'a mut Clock,
}

/// What the worlds with the same position say together: weight, models, and for each move the
/// weighted sum of values with its weight.
#[derive(Default)]
struct Group {
    weight: f64,
    models: usize,
    cells: Vec<(f64, f64)>,
}

/// A bag with these parameters, as all agents keep it.
pub(crate) fn bag_config(models: usize, cap: u64, remedy: Remedy) -> Config {
    Config { models, cap, remedy, revive: true, ..Config::default() }
}

impl<G: Game> Believer<G> {
    pub(crate) fn new(name: &'static str, config: Config, seed: Seed) -> Self {
        let rng = seed.named("thoughts").rng();
        Believer { name, config, bag: None, seed, rng, last: None }
    }

    pub(crate) fn name(&self) -> &'static str {
        self.name
    }

    /// Any legal move: no world was found within the cap.
    pub(crate) fn guess(&mut self, legal: &[Move]) -> Result<Choice, Failure> {
        self.last = None;
        let mv = legal.get(self.rng.index(legal.len())).copied();
        mv.map(Choice::plain).ok_or_else(|| crate::spec::not_to_move(self.name).into())
    }

    /// Chooses a move. A forced move is made at once; otherwise the bag follows the match within half of the time, and `think`
    /// uses the rest.
    pub(crate) fn choose(
        &mut self,
        game: &G,
        view: &View<'_, G>,
        budget: &Budget,
        think: impl FnOnce(&mut Self, &Bag<G>, Task<'_, '_, G>) -> Result<Choice, Failure>,
    ) -> Result<Choice, Failure> {
        if let [only] = view.legal() {
            return Ok(Choice::plain(*only));
        }
        let mut clock = Clock::start(budget, budget.sims.is_some());
        let _scope = clock.enter();
        let until = clock.left().and_then(|left| Instant::now().checked_add(left / 2));
        let mut bag = self.bag.take().unwrap_or_else(|| {
            let (config, seed) = (self.config.clone(), self.seed.named("bag"));
            Bag::new(game, view.origin(), view.seat(), config, seed)
        });
        let observed = bag.observe(game, view.records(), Some(view.legal()), until);
        let choice = observed.map_err(Failure::from).and_then(|()| {
            let task = Task { game, view, sims: budget.sims, clock: &mut clock };
            think(self, &bag, task)
        });
        self.bag = Some(bag);
        choice
    }

    /// Keeps the worlds of a choice, for [`belief`](Believer::belief).
    pub(crate) fn remember(&mut self, seen: Vec<Seen<G::State>>, votes: Votes) {
        self.last = Some((seen, votes));
    }

    /// The worlds of the last choice by position, the likeliest first, and how each of them votes.
    pub(crate) fn belief(&self, game: &G) -> Option<Belief> {
        let (worlds, votes) = self.last.as_ref()?;
        let mut groups: FxHashMap<String, Group> = FxHashMap::default();
        for (at, seen) in worlds.iter().enumerate() {
            let group = groups.entry(game.position(&seen.state)).or_default();
            group.weight += seen.weight;
            group.models += seen.models;
            group.cells.resize(votes.moves().len(), (0.0, 0.0));
            let weight = votes.weights().get(at).copied().unwrap_or(0.0);
            for (mv, (sum, of)) in group.cells.iter_mut().enumerate() {
                if let Some(value) = votes.value(at, mv) {
                    *sum += weight * value;
                    *of += weight;
                }
            }
        }
        let mut possible: Vec<Possible> = groups
            .into_iter()
            .map(|(position, Group { weight, models, cells })| {
                let values: Vec<(Move, f32)> = votes
                    .moves()
                    .iter()
                    .zip(cells)
                    .filter(|(_, (_, of))| *of > 0.0)
                    .map(|(&mv, (sum, of))| (mv, (sum / of) as f32))
                    .collect();
                let best = values.iter().copied().reduce(|a, b| if b.1 > a.1 { b } else { a });
                Possible { position, weight, models, best: best.map(|(mv, _)| mv), values }
            })
            .collect();
        possible.sort_by(|a, b| {
            b.weight.total_cmp(&a.weight).then_with(|| a.position.cmp(&b.position))
        });
        let bag = self.bag.as_ref();
        Some(Belief {
            models: bag.map_or(0, Bag::len),
            active: worlds.iter().map(|seen| seen.models).sum(),
            states: bag.map_or(0, |bag| bag.rounds().iter().map(|r| r.states).sum()),
            possible,
        })
    }
}
