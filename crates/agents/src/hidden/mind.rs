//! The honest minds for hidden information: a bag of models, and one of several ways to think with it.

use super::bag::Bag;
use super::hyperplay;
use super::ismcts::{Forest, Trees};
use super::mccfr::{Mccfr, set_key};
use super::nested::{Answers, Theatre};
use super::params::{Kind, Params};
use super::vote::Votes;
use crate::agent::{Agent, Belief, Candidate, Choice, Possible, Thought};
use crate::best::{self, Best};
use crate::budget::Budget;
use crate::clock::Clock;
use ludex_core::deadline::Deadline;
use ludex_core::{Game, Move, Player, Result, Rng, Seed, View};
use rustc_hash::FxHashMap;
use std::time::Instant;

/// The most arms of the trees.
const MOST_ARMS: usize = 4_000_000;

/// The mind. See [`Kind`] for how it can think.
pub struct Hidden<G: Game> {
    params: Params,
    bag: Option<Bag<G>>,
    forest: Forest,
    regrets: Mccfr,
    answers: Answers,
    seed: Seed,
    rng: Rng,
    /// The worlds of the last choice and what they say.
    last: Option<(Vec<Seen<G::State>>, Votes)>,
}

/// A world that was thought about.
struct Seen<S> {
    state: S,
    weight: f64,
    models: usize,
}

/// What is to be decided, and what it may cost.
struct Task<'a, 'v, G: Game> {
    game: &'a G,
    view: &'a View<'v, G>,
    sims: Option<u64>,
    clock: &'a mut Clock,
}

/// What the worlds with the same position say together: weight, models, and for each move the
/// weighted sum of values with its weight.
#[derive(Default)]
struct Group {
    weight: f64,
    models: usize,
    cells: Vec<(f64, f64)>,
}

impl<G: Game> Hidden<G> {
    /// A mind with its own stream.
    pub fn new(params: Params, seed: Seed) -> Self {
        let trees = match params.kind {
            Kind::SoIsmcts => Trees::One,
            Kind::Pomcp => Trees::Own,
            _ => Trees::Each,
        };
        Hidden {
            forest: Forest::new(trees, params.c, MOST_ARMS),
            regrets: Mccfr::new(params.sets),
            answers: Answers::default(),
            bag: None,
            rng: seed.named("thoughts").rng(),
            last: None,
            seed,
            params,
        }
    }

    /// The bag, once it has been asked.
    pub fn bag(&self) -> Option<&Bag<G>> {
        self.bag.as_ref()
    }

    /// Any legal move: no world was found within the cap.
    fn guess(&mut self, legal: &[Move]) -> Result<Choice> {
        self.last = None;
        let mv = legal.get(self.rng.index(legal.len())).copied();
        mv.map(Choice::plain).ok_or_else(|| crate::spec::not_to_move(self.params.name()))
    }

    /// Trees of what is known, fed by the worlds of the bag.
    fn grow(&mut self, task: Task<'_, '_, G>) -> Result<Choice> {
        let Task { game, view, sims, clock } = task;
        let Hidden { params, bag, forest, rng, .. } = self;
        let Some(bag) = bag.as_ref() else { return self.guess(view.legal()) };
        let worlds = bag.worlds();
        let weights = bag.weights(params.choice_factors);
        let seat = view.seat();
        let Some(known) = worlds.first().and_then(|w| w.known().get(seat.index()).copied()) else {
            return self.guess(view.legal());
        };
        forest.make_room();
        let mut votes = Votes::new(view.legal(), weights.clone());
        let (mut done, mut deepest) = (0, 0);
        let most = sims.unwrap_or(u64::MAX);
        'search: loop {
            for pick in hyperplay::systematic(&weights, worlds.len().max(16), rng) {
                if done >= most {
                    break 'search;
                }
                let world = &worlds[pick];
                let simulated = forest.simulate(game, world.state(), world.known(), seat, rng);
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
        rng.shuffle(&mut arms);
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
        let Some(best) = candidates.first() else { return self.guess(view.legal()) };
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
        self.last = Some((seen, votes));
        Ok(choice)
    }

    /// Regret minimisation over the whole game; the average strategy here is drawn from.
    fn regret(&mut self, task: Task<'_, '_, G>) -> Result<Choice> {
        let Task { game, view, sims, clock } = task;
        let players = game.info().seats();
        let known = view
            .records()
            .iter()
            .fold(0, |known, record| super::life::learn(known, record.own, &record.percept.0));
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

    /// Worlds played on by nested players.
    fn nest(&mut self, task: Task<'_, '_, G>) -> Result<Choice> {
        let Task { game, view, sims, clock } = task;
        let Hidden { params, bag, rng, answers, .. } = self;
        let Some(bag) = bag.as_ref() else { return self.guess(view.legal()) };
        let (origin, seat, legal) = (view.origin(), view.seat(), view.legal());
        let left = sims.unwrap_or(u64::MAX);
        let depth = params.depth;
        // Against the clock: first what a plain HyperPlayer would say, in case that nothing else is ready.
        let mut plain = None;
        if let Some(time) = clock.left() {
            let (worlds, weights, models) = bag.histories(params.choice_factors);
            let mut votes = Votes::new(legal, weights.clone());
            let states: Vec<_> = worlds.iter().map(|world| world.state()).collect();
            let mut short = Clock::start(&Budget::time(time / 4), true);
            let scope = short.enter();
            hyperplay::playouts(game, &states, seat, &mut votes, None, &mut short, rng);
            drop(scope);
            let best = votes.best(&mut rng.clone());
            best.and_then(|at| legal.get(at).copied()).into_iter().for_each(best::publish);
            let seen: Vec<_> = (worlds.iter().zip(&weights).zip(models))
                .map(|((world, &weight), models)| Seen {
                    state: world.state().clone(),
                    weight,
                    models,
                })
                .collect();
            plain = Some((votes, seen));
        }
        let listing = clock.left().map(|left| Deadline::after(left / 3).enter());
        let mut theatre =
            Theatre { game, origin, params, answers, rng, clock, left, guessed: false };
        let listed = theatre.list(bag.life(), params.models as u64);
        drop(listing);
        let group = theatre.cast(listed.unwrap_or_else(|| theatre.sample(bag)));
        let judged = match group.is_empty() {
            true => None,
            false => theatre.judge(&group, seat, legal, depth),
        };
        let done = left - theatre.left;
        let (votes, deep, seen) = match (judged, plain) {
            (Some((votes, deep)), _) => {
                let seen = group
                    .into_iter()
                    .map(|p| Seen { state: p.scene.state, weight: p.weight, models: 1 })
                    .collect();
                (votes, deep, seen)
            }
            (None, Some((votes, seen))) => (votes, 0, seen),
            (None, None) => return self.guess(legal),
        };
        let states = bag.rounds().last().map_or(0, |round| round.states);
        let choice = votes.choice(states, deep, rng);
        let Some(mut choice) = choice else { return self.guess(legal) };
        choice.thought.sims = done;
        self.last = Some((seen, votes));
        Ok(choice)
    }

    /// Worlds that vote on the moves.
    fn vote(&mut self, task: Task<'_, '_, G>) -> Result<Choice> {
        let Task { game, view, sims, clock } = task;
        let Hidden { params, bag, rng, .. } = self;
        let Some(bag) = bag.as_ref() else { return self.guess(view.legal()) };
        let (worlds, weights, models) = bag.histories(params.choice_factors);
        if worlds.is_empty() {
            return self.guess(view.legal());
        }
        let keep = |at: usize, weight: f64, models: usize| Seen {
            state: worlds[at].state().clone(),
            weight,
            models,
        };
        let (seen, votes, sims) = if params.kind == Kind::Pimc || params.tree {
            let count = if params.tree { worlds.len() } else { params.worlds };
            let found = hyperplay::search(game, &worlds, &weights, count, view, sims, clock, rng)?;
            let (picks, votes, spent) = found;
            let share = 1.0 / picks.len().max(1) as f64;
            (picks.into_iter().map(|at| keep(at, share, 1)).collect(), votes, Some(spent))
        } else {
            let mut votes = Votes::new(view.legal(), weights.clone());
            let states: Vec<_> = worlds.iter().map(|world| world.state()).collect();
            hyperplay::playouts(game, &states, view.seat(), &mut votes, sims, clock, rng);
            let seen: Vec<_> =
                (0..worlds.len()).map(|at| keep(at, weights[at], models[at])).collect();
            (seen, votes, None)
        };
        let states = bag.rounds().last().map_or(0, |round| round.states);
        let choice = votes.choice(states, 1, rng);
        let Some(mut choice) = choice else { return self.guess(view.legal()) };
        choice.thought.sims = sims.unwrap_or(choice.thought.sims);
        self.last = Some((seen, votes));
        Ok(choice)
    }
}

impl<G: Game> Agent<G> for Hidden<G> {
    fn name(&self) -> String {
        self.params.to_string()
    }

    fn choose(&mut self, game: &G, view: &View<'_, G>, budget: &Budget) -> Result<Choice> {
        if let [only] = view.legal() {
            return Ok(Choice::plain(*only));
        }
        let mut clock = Clock::start(budget, budget.sims.is_some());
        let _scope = clock.enter();
        let until = clock.left().and_then(|left| Instant::now().checked_add(left / 2));
        if self.params.kind != Kind::Mccfr {
            // Half of the time is for thinking.
            let (params, seed) = (&self.params, self.seed);
            let bag = self.bag.get_or_insert_with(|| {
                Bag::new(game, view.origin(), view.seat(), params.bag(), seed.named("bag"))
            });
            bag.observe(game, view.records(), Some(view.legal()), until)?;
        }
        let task = Task { game, view, sims: budget.sims, clock: &mut clock };
        match self.params.kind {
            Kind::Mccfr => self.regret(task),
            Kind::SoIsmcts | Kind::MoIsmcts | Kind::Pomcp | Kind::HyperPlayIsmcts => {
                self.grow(task)
            }
            Kind::HyperPlay2 => self.nest(task),
            Kind::HyperPlay | Kind::Pimc | Kind::CheatUct => self.vote(task),
        }
    }

    fn belief(&self, game: &G) -> Option<Belief> {
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
