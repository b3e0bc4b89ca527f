//! HyperPlay's bag of models (Schofield, Cerexhe and Thielscher 2012; Schofield and Thielscher
//! 2017): a sample of an information set that is kept from step to step.
//!
//! Each model is a history that explains what the seat observed. After a step every model is
//! extended by a random move of the others; where the percepts differ it tries another, and goes back
//! where none is left. A model that visits more than `cap` states in an update goes off line.
//!
//! Backtracking flattens the sample: histories of an information set come up about equally often,
//! however likely they are. The choice factor (the number of choices of the others along the
//! history) says how likely; [`Bag::weights`] puts it right again. A sample by rejection, such as
//! that of [`Sampler`](super::Sampler), must not be weighted so.

use super::enumerate::contradiction;
use super::model::{Model, Run, Update};
use super::observations::Observations;
use super::options::Options;
use super::wave::Wave;
use ludex_core::deadline::{self, Deadline, Scope};
use ludex_core::{Game, Move, Player, Record, Result, Rng, Seed};
use rustc_hash::FxHashMap;
use std::time::Instant;

/// Remedies for histories that come up too often.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Remedy {
    /// No remedy.
    #[default]
    None,
    /// A history in several models counts as one.
    Weight,
    /// Each step, models of frequent histories become copies of rare ones.
    Balance,
}

ludex_core::words!(Remedy { None = "none", Weight = "weight", Balance = "balance" });

/// How a bag is kept.
#[derive(Debug, Clone, PartialEq)]
pub struct Config {
    /// Models.
    pub models: usize,
    /// States that a model may visit in one update.
    pub cap: u64,
    /// The remedy for bias.
    pub remedy: Remedy,
    /// Do models off line come back? Then a model that is stuck goes off line early
    /// ([`STUCK`]), and a copy of a model on line takes its place after going back some steps and
    /// forward again; where no model is on line, the search goes on where it stopped, up to `cap`.
    pub revive: bool,
    /// The most states that the bag may hold.
    pub memory: usize,
}

impl Default for Config {
    fn default() -> Self {
        Config { models: 100, cap: 100_000, remedy: Remedy::None, revive: true, memory: 1 << 20 }
    }
}

/// After so many states in an update a model that can come back is stuck.
pub const STUCK: u64 = 2_000;

/// A model that comes back goes back at most so many steps.
const BACK: usize = 12;

/// The cost of one update of the bag, as the paper counts it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Round {
    /// Models on line before the update.
    pub tried: u64,
    /// The models whose first random substitution agreed with the percepts.
    pub first: u64,
    /// Models that explain the step.
    pub updated: u64,
    /// States visited by those.
    pub states_updated: u64,
    /// States visited by all models, also by models that gave up.
    pub states: u64,
    /// Models on line after the update (and revival).
    pub active: u64,
}

/// The bag.
pub struct Bag<G: Game> {
    config: Config,
    origin: G::State,
    observed: Observations,
    models: Vec<Model<G>>,
    runs: Vec<Run>,
    rng: Rng,
    rounds: Vec<Round>,
}

impl<G: Game> Bag<G> {
    /// A bag for `seat` of a match that begins at `origin`.
    pub fn new(game: &G, origin: &G::State, seat: Player, config: Config, seed: Seed) -> Self {
        let count = config.models.clamp(1, config.memory.max(1)) as u64;
        let players = game.info().seats();
        let models = (0..count).map(|i| Model::new(origin, players, seed.child(i))).collect();
        Bag {
            config,
            origin: origin.clone(),
            observed: Observations::new(seat),
            models,
            runs: Vec::new(),
            rng: seed.rng(),
            rounds: Vec::new(),
        }
    }

    /// The observation history of the seat, as far as the bag was told.
    pub fn observed(&self) -> &Observations {
        &self.observed
    }

    /// The cost of each update, one for each step of the match.
    pub fn rounds(&self) -> &[Round] {
        &self.rounds
    }

    /// How many models there are, on line or not.
    pub fn len(&self) -> usize {
        self.models.len()
    }

    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.models.is_empty()
    }

    /// Takes in what the seat observed since the last time and, where it is to move, its legal
    /// moves. an observation history that does not go on from the known one begins a new match. Stops at
    /// `until`, with models off line that were not done; where none was done it searches on for the first one, for most of
    /// the time that the thread's deadline leaves.
    ///
    /// # Errors
    /// [`ludex_core::Error::Contradiction`] where no history explains the record. Where the
    /// search was merely too long, the bag is left without models on line.
    pub fn observe(
        &mut self,
        game: &G,
        records: &[Record],
        legal: Option<&[Move]>,
        until: Option<Instant>,
    ) -> Result<()> {
        if !self.observed.begins(records) {
            self.restart(game);
        }
        let known = self.observed.len();
        let fresh = records.get(known..).unwrap_or(&[]);
        for (i, record) in fresh.iter().enumerate() {
            self.observed.push(record.clone());
            if let (Some(legal), true) = (legal, i + 1 == fresh.len()) {
                self.observed.asked(legal);
            }
            self.round(game, until)?;
        }
        if let (Some(legal), true) = (legal, fresh.is_empty()) {
            self.observed.asked(legal);
        }
        Ok(())
    }

    /// The probability that a random step agrees with the seat's next observation, by the models as they are
    /// now: each counts by choice factor, and all of its options are tried. The expected share
    /// of first-draw successes of a random sampler that has come so far.
    pub fn agreement(&self, game: &G, next: &Record, legal: Option<&[Move]>) -> f64 {
        let mut observed = self.observed.clone();
        observed.push(next.clone());
        legal.iter().for_each(|legal| observed.asked(legal));
        let depth = observed.len();
        let mut options = Options::default();
        let (mut joint, mut pad, mut words) = (Vec::new(), Vec::new(), Vec::new());
        let mut sum = 0.0;
        for (world, weight) in self.worlds().iter().zip(self.weights(true)) {
            let state = world.state();
            options.fill(game, state, observed.seat, next.own);
            for number in 0..options.count() {
                joint.clear();
                options.joint(number, &mut joint);
                let mut after = state.clone();
                game.apply(&mut after, &joint);
                words.clear();
                game.percept(state, &joint, &after, observed.seat, &mut words);
                if words == next.percept.0 && observed.allows(game, &after, depth, &mut pad) {
                    sum += weight * options.ln_chance(number).exp();
                }
            }
        }
        sum
    }

    fn restart(&mut self, game: &G) {
        let Bag { models, origin, rng, .. } = self;
        let players = game.info().seats();
        models.iter_mut().for_each(|m| *m = Model::new(origin, players, rng.seed()));
        self.observed = Observations::new(self.observed.seat);
        self.rounds.clear();
    }

    /// Brings all models up to the present.
    fn round(&mut self, game: &G, until: Option<Instant>) -> Result<()> {
        self.keep_to_memory();
        let Bag { config, observed, models, runs, .. } = self;
        let mut round = Round::default();
        let online: Vec<usize> = (0..models.len()).filter(|&at| models[at].online).collect();
        let cap = if config.revive { config.cap.min(STUCK) } else { config.cap };
        let wave = Wave { game, observed, cap, timed: until.is_some(), race: false };
        let (mut stuck, mut impossible) = (Vec::new(), false);
        let scope = soft(until);
        wave.run(models, online.into_iter(), runs, |at, end, run| {
            round.tried += 1;
            round.states += run.visited;
            round.first += u64::from(run.first);
            match end {
                Update::Done => {
                    round.updated += 1;
                    round.states_updated += run.visited;
                }
                Update::Capped => stuck.push(at),
                Update::Impossible => impossible = true,
            }
        });
        drop(scope);
        if impossible {
            return Err(contradiction(observed));
        }
        stuck.into_iter().for_each(|at| models[at].online = false);
        if self.config.revive {
            self.revive(game, until, &mut round)?;
        }
        if self.config.remedy == Remedy::Balance {
            self.balance();
        }
        let Bag { models, observed, .. } = self;
        let _scope = soft(until);
        for model in models.iter_mut().filter(|model| model.online) {
            if round.active > 0 && deadline::look() {
                model.online = false;
                continue;
            }
            round.active += 1;
            model.learn(game, observed);
        }
        self.rounds.push(round);
        Ok(())
    }

    /// Brings models back on line. Where no model is on line, one of them searches on until it is; the others become
    /// copies and relatives of models on line.
    fn revive(&mut self, game: &G, until: Option<Instant>, round: &mut Round) -> Result<()> {
        let Bag { config, observed, models, runs, rng, .. } = self;
        if models.iter().all(|model| !model.online) {
            let timed = until.is_some();
            let wave = Wave { game, observed, cap: config.cap, timed, race: true };
            let mut all: Vec<usize> = (0..models.len()).collect();
            if timed {
                // The one that has come furthest first.
                all.sort_by_key(|&at| std::cmp::Reverse(models[at].depth()));
            }
            let left = Deadline::current().wall.filter(|_| timed);
            let left = left.map(|end| end.saturating_duration_since(Instant::now()));
            let _scope = left.map(|left| Deadline::after(left * 3 / 4).enter());
            let (mut done, mut impossible) = (Vec::new(), false);
            wave.run(models, all.into_iter(), runs, |at, end, run| {
                round.states += run.visited;
                match end {
                    Update::Done => done.push(at),
                    Update::Capped => {}
                    Update::Impossible => impossible = true,
                }
            });
            if impossible {
                return Err(contradiction(observed));
            }
            done.into_iter().for_each(|at| models[at].online = true);
        }
        let _scope = soft(until);
        let late = deadline::look();
        let (able, gone): (Vec<usize>, Vec<usize>) =
            (0..models.len()).partition(|&at| models[at].online);
        if able.is_empty() || late {
            return Ok(());
        }
        let target = observed.len();
        let parents: Vec<usize> = gone.iter().map(|_| able[rng.index(able.len())]).collect();
        for (&at, &parent) in gone.iter().zip(&parents) {
            if deadline::look() {
                return Ok(());
            }
            let mut child = models[parent].copy(rng.seed());
            child.cut(target - 1 - rng.index(target.min(BACK)));
            models[at] = child;
            // Not before it is done.
            models[at].online = false;
        }
        let timed = until.is_some();
        let wave = Wave { game, observed, cap: config.cap.min(STUCK), timed, race: false };
        let mut lost = Vec::new();
        wave.run(models, gone.iter().copied(), runs, |at, end, run| {
            round.states += run.visited;
            if end != Update::Done {
                lost.push(at);
            }
        });
        for &at in gone.iter().filter(|at| !lost.contains(at)) {
            models[at].online = true;
        }
        // The parent's own history is one of the possible ones.
        for (&at, &parent) in gone.iter().zip(&parents).filter(|(at, _)| lost.contains(at)) {
            if deadline::look() {
                break;
            }
            models[at] = models[parent].copy(rng.seed());
        }
        Ok(())
    }

    /// Gives up models where the bag would hold too many states.
    fn keep_to_memory(&mut self) {
        let mut held: usize = self.models.iter().map(|m| m.size() + 1).sum();
        while held > self.config.memory && self.models.len() > 1 {
            let offline = self.models.iter().rposition(|m| !m.online);
            let gone = self.models.swap_remove(offline.unwrap_or(self.models.len() - 1));
            held -= gone.size() + 1;
        }
    }

    /// Every history in as many models as every other.
    fn balance(&mut self) {
        let mut groups: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
        for (i, model) in self.models.iter().enumerate().filter(|(_, m)| m.online) {
            groups.entry(model.footprint()).or_default().push(i);
        }
        let online: usize = groups.values().map(Vec::len).sum();
        if groups.len() < 2 {
            return;
        }
        let mut groups: Vec<Vec<usize>> = groups.into_values().collect();
        groups.sort_unstable();
        self.rng.shuffle(&mut groups);
        let (each, more) = (online / groups.len(), online % groups.len());
        let mut surplus = Vec::new();
        for (g, group) in groups.iter_mut().enumerate() {
            let due = each + usize::from(g < more);
            surplus.extend(group.drain(due.min(group.len())..));
        }
        for (g, group) in groups.iter().enumerate() {
            let due = each + usize::from(g < more);
            for _ in group.len()..due {
                let (Some(&from), Some(to)) = (group.first(), surplus.pop()) else { return };
                self.models[to] = self.models[from].copy(self.rng.seed());
            }
        }
    }

    fn live(&self) -> impl Iterator<Item = &Model<G>> {
        let now = self.observed.len();
        self.models.iter().filter(move |m| m.online && m.depth() == now)
    }

    /// The different histories among [`worlds`](Bag::worlds), the weight of all models of each,
    /// and how many they are.
    pub fn histories(&self, choice_factors: bool) -> (Vec<World<'_, G>>, Vec<f64>, Vec<usize>) {
        let mut index: FxHashMap<u64, usize> = FxHashMap::default();
        let (mut worlds, mut weights, mut models) = (Vec::new(), Vec::new(), Vec::new());
        for (world, weight) in self.worlds().into_iter().zip(self.weights(choice_factors)) {
            let at = *index.entry(world.footprint()).or_insert(worlds.len());
            if at == worlds.len() {
                worlds.push(world);
                weights.push(0.0);
                models.push(0);
            }
            weights[at] += weight;
            models[at] += 1;
        }
        (worlds, weights, models)
    }

    /// The models that explain everything, as worlds.
    pub fn worlds(&self) -> Vec<World<'_, G>> {
        self.live().map(|model| World { model }).collect()
    }

    /// The share of each of [`worlds`](Bag::worlds), adding up to 1. With `choice_factors` each
    /// counts by how likely its history is.
    pub fn weights(&self, choice_factors: bool) -> Vec<f64> {
        let mut times: FxHashMap<u64, f64> = FxHashMap::default();
        if self.config.remedy == Remedy::Weight {
            self.live().for_each(|m| *times.entry(m.footprint()).or_default() += 1.0);
        }
        let ln: Vec<f64> = self
            .live()
            .map(|m| {
                let cf = if choice_factors { m.ln_chance() } else { 0.0 };
                cf - times.get(&m.footprint()).map_or(0.0, |n| n.ln())
            })
            .collect();
        shares(&ln)
    }
}

/// Weights from their logarithms, adding up to 1.
pub(crate) fn shares(ln: &[f64]) -> Vec<f64> {
    let most = ln.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weights: Vec<f64> = ln.iter().map(|ln| (ln - most).exp()).collect();
    let sum: f64 = weights.iter().sum();
    weights.iter().map(|w| w / sum).collect()
}

/// Until the guard is dropped the thread's deadline is no later than this.
fn soft(until: Option<Instant>) -> Option<Scope> {
    until.map(|_| Deadline { wall: until, ..Deadline::default() }.enter())
}

/// A history that explains everything.
pub struct World<'a, G: Game> {
    model: &'a Model<G>,
}

impl<'a, G: Game> World<'a, G> {
    /// The present state in this world.
    pub fn state(&self) -> &'a G::State {
        self.model.state()
    }

    /// Equal for equal histories.
    pub fn footprint(&self) -> u64 {
        self.model.footprint()
    }

    /// The logarithm of its probability where the others choose at random: minus that of the
    /// choice factor.
    pub fn ln_chance(&self) -> f64 {
        self.model.ln_chance()
    }

    /// The knowledge of each player as a number. Equal histories have equal numbers.
    pub fn known(&self) -> &'a [u64] {
        self.model.known()
    }

    /// The steps that led here.
    pub fn steps(&self) -> impl Iterator<Item = (&'a G::State, &'a [Move], &'a G::State)> {
        self.model.steps()
    }
}
