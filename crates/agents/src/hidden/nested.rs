//! HyperPlay-II (Schofield and Thielscher 2015): worlds are played on by players who know no more than
//! they could.
//!
//! An *imperfect-information simulation* begins in a world of the seat's information set. What each role has
//! seen follows from the world's history, so each role decides by an information set of its own, and all
//! play by that until the game is over. So a question is worth what its answer makes possible, and hiding
//! is worth what others can't know.
//!
//! All worlds of the set are simulated together. After a move of the seat they fall apart into groups by what
//! it then sees, and one decision is made for all of a group. As long as only chance has moved, the group is
//! the information set of this decision. Where others have chosen it is smaller: they choose as we think that
//! they do, which the seat can't know; so the decision is made by the whole set of what the seat then
//! has observed. Sets are listed in full where they are small, and sampled by a bag where not. What a set is worth, and
//! what a role does by what it knows, is remembered, so deeper plans cost little where sets repeat.
//!
//! - At depth 0 the seat goes on as a HyperPlayer: by random games over the group.
//! - At depth `d` it tries all moves, and plans with depth `d - 1` after each. The depth grows as long as the
//!   budget lasts, so in small games the value of information is exact: the published player is depth 1.
//! - Where others choose, a simulation is finished by random games after `horizon` further decisions of the seat.
//! - The others are HyperPlayers; with `levels` above 1 they are HyperPlayers of the second kind.

use super::bag::{Bag, Config, shares};
use super::enumerate::enumerate;
use super::judge::{playouts, systematic};
use super::mccfr::set_key;
use super::observations::Observations;
use super::simulated::Simulated;
use super::vote::Votes;
use crate::clock::Clock;
use ludex_core::deadline;
use ludex_core::random::mix;
use ludex_core::{Game, Move, Outcomes, Player, Rng, Turn};
use rustc_hash::FxHashMap;

/// The most answers and values that are kept.
const MOST: usize = 1 << 18;

/// Information sets of nested players with at most so many histories are listed.
const SMALL: u64 = 64;

/// States that a model of a nested player may visit.
const CAP: u64 = 2_000;

/// The deepest plan.
const DEEPEST: u32 = 100;

/// Factor on a value's distance from a draw for every decision of other players. How they choose is a guess, so the sooner of
/// two equal wins is the surer one.
const TRUST: f64 = 0.99;

/// Chance is followed in all of its outcomes as long as a group has at most so many worlds by it.
const SPREAD: usize = 128;

/// Worlds of the first plan where there is a limit of time.
const FIRST: usize = 8;

/// Remembered decisions: by observation history, the move; by information set, the move, the value, and whether the value
/// rests on random games.
#[derive(Debug, Default)]
pub(crate) struct Answers {
    by_history: FxHashMap<u64, Move>,
    by_set: FxHashMap<u64, (Move, f64, bool)>,
    /// By player: the number of steps from which on its information sets are not small.
    large: FxHashMap<u8, usize>,
}

/// A simulated match with its weight, the number of the world in which it began, and whether other
/// players have chosen since.
#[derive(Debug, Clone)]
pub(crate) struct Particle<S: Clone> {
    pub(crate) simulated: Simulated<S>,
    pub(crate) weight: f64,
    world: usize,
    others: bool,
}

pub(crate) type Group<S> = Vec<Particle<S>>;

/// The joint moves of histories, and their weights.
pub(crate) type Histories = (Vec<Vec<Vec<Move>>>, Vec<f64>);

/// What a move leads to: finished games (world, weight, payoff of the seat), and groups of particles. The seat can tell the
/// groups apart.
struct Continuation<S: Clone> {
    over: Vec<(usize, f64, f64)>,
    groups: Vec<Group<S>>,
}

/// How players are nested.
#[derive(Debug, Clone)]
pub(crate) struct Nesting {
    /// Do models count by their choice factor?
    pub(crate) choice_factors: bool,
    /// Models of the nested players.
    pub(crate) inner: usize,
    /// Random games a move and model of the nested players.
    pub(crate) playouts: usize,
    /// How deep players are nested.
    pub(crate) levels: u32,
    /// Own decisions after which a simulation is finished by random games.
    pub(crate) horizon: u32,
    /// The bag of the outermost player.
    pub(crate) bag: Config,
}

/// Plans by simulating the particles of an information set.
pub(crate) struct Planner<'a, G: Game> {
    pub(crate) game: &'a G,
    pub(crate) origin: &'a G::State,
    pub(crate) nesting: &'a Nesting,
    pub(crate) answers: &'a mut Answers,
    pub(crate) rng: &'a mut Rng,
    pub(crate) clock: &'a mut Clock,
    /// Simulations left: pairs of a world and a move tried in it.
    pub(crate) left: u64,
    /// Did the last plan fall back on the move of a HyperPlayer at its horizon?
    pub(crate) guessed: bool,
}

impl<G: Game> Planner<'_, G> {
    /// All histories of an information set with their weights, where it has at most `most`.
    pub(crate) fn list(&self, observed: &Observations, most: u64) -> Option<Histories> {
        let (mut steps, mut ln) = (Vec::new(), Vec::new());
        let all = enumerate(self.game, self.origin, observed, most, |history| {
            ln.push(if self.nesting.choice_factors { history.ln_chance } else { 0.0 });
            steps.push(history.steps.to_vec());
        });
        all.is_ok().then(|| (steps, shares(&ln)))
    }

    /// The histories of a bag with their weights.
    pub(crate) fn sample(&self, bag: &Bag<G>) -> Histories {
        let (worlds, weights, _) = bag.histories(self.nesting.choice_factors);
        let steps = worlds.iter().map(|w| w.steps().map(|s| s.1.to_vec()).collect()).collect();
        (steps, weights)
    }

    /// Histories as a group of particles; as many as the clock leaves time for.
    pub(crate) fn particles(&self, (steps, weights): Histories) -> Group<G::State> {
        let worlds = steps.iter().zip(weights).enumerate();
        worlds
            .map_while(|(world, (steps, weight))| {
                let steps = steps.iter().map(Vec::as_slice);
                let simulated = Simulated::after(self.game, self.origin, steps)?;
                Some(Particle { simulated, weight, world, others: false })
            })
            .collect()
    }

    /// Values the moves in all worlds of a group, deeper and deeper until the budget is spent; also how deep.
    /// `None` where not even the first plan was done in time.
    pub(crate) fn judge(
        &mut self,
        group: &Group<G::State>,
        seat: Player,
        legal: &[Move],
        depth: u32,
    ) -> Option<(Votes, u32)> {
        if self.answers.by_set.len() + self.answers.by_history.len() > MOST / 2 {
            self.answers.by_history.clear();
            self.answers.by_set.clear();
        }
        let weights: Vec<f64> = group.iter().map(|p| p.weight).collect();
        let mut moves: Vec<usize> = (0..legal.len()).collect();
        self.rng.shuffle(&mut moves);
        moves.truncate(usize::try_from(self.left).unwrap_or(usize::MAX).max(1));
        let able = usize::try_from(self.left).unwrap_or(usize::MAX) / moves.len().max(1);
        let first = if self.clock.left().is_some() { FIRST } else { group.len() };
        let mut count = first.min(able).max(1);
        let mut best = None;
        let mut deep = 1;
        loop {
            let some: Group<G::State> = if count >= group.len() {
                group.clone()
            } else {
                let mut picks = systematic(&weights, count, self.rng);
                picks.sort_unstable();
                let even = |&at: &usize| Particle { weight: 1.0, ..group[at].clone() };
                picks.iter().map(even).collect()
            };
            let mut votes = Votes::new(legal, weights.clone());
            self.guessed = false;
            for &at in &moves {
                if self.vote(&some, seat, legal[at], at, deep, &mut votes).is_none() {
                    return best;
                }
            }
            best = Some((votes, deep));
            let whole = count >= group.len();
            // A deeper plan would see no more, or the depth is limited.
            if whole && (!self.guessed || depth > 0 && deep >= depth) || deep >= DEEPEST {
                return best;
            }
            if whole {
                deep += 1;
            } else if able <= count {
                return best;
            } else {
                count = (2 * count).min(able);
            }
        }
    }

    /// Adds the value of a move in each world of a group to the votes.
    fn vote(
        &mut self,
        group: &Group<G::State>,
        seat: Player,
        mv: Move,
        at: usize,
        depth: u32,
        votes: &mut Votes,
    ) -> Option<()> {
        self.left = self.left.checked_sub(group.len() as u64)?;
        let level = self.nesting.levels;
        let next = self.advance(group, seat, mv, level)?;
        let mut sums: FxHashMap<usize, (f64, f64)> = FxHashMap::default();
        let mut add = |world: usize, weight: f64, value: f64| {
            let (sum, of) = sums.entry(world).or_default();
            *sum += weight * value;
            *of += weight;
        };
        next.over.iter().for_each(|&(world, weight, value)| add(world, weight, value));
        for group in &next.groups {
            let (_, value) = self.think(group, seat, depth - 1, level, 1)?;
            group.iter().for_each(|p| add(p.world, p.weight, value));
        }
        let mut worlds: Vec<_> = sums.into_iter().collect();
        worlds.sort_unstable_by_key(|(world, _)| *world);
        worlds.iter().for_each(|&(world, (sum, of))| votes.add(world, at, sum / of));
        Some(())
    }

    /// The seat's decision for a group, and the value of the group by it.
    fn think(
        &mut self,
        group: &Group<G::State>,
        seat: Player,
        depth: u32,
        level: u32,
        age: u32,
    ) -> Option<(Move, f64)> {
        // A decision takes long, so look at the clock every time.
        if self.clock.look() {
            return None;
        }
        let first = group.first()?;
        let mut legal = Vec::new();
        self.game.moves(&first.simulated.state, seat, &mut legal);
        let total: f64 = group.iter().map(|p| p.weight).sum();
        if !first.others {
            return self.decide(group, seat, &legal, depth, level, age);
        }
        let trust = |value: f64| 0.5 + TRUST * (value - 0.5);
        if depth == 0 && age > self.nesting.horizon {
            self.guessed = true;
            return Some((*legal.first()?, trust(self.finish(group, seat, total)?)));
        }
        if depth > 0 {
            let set = self.set(&first.simulated, seat, &legal);
            if !set.is_empty() {
                let (mv, value) = self.decide(&set, seat, &legal, depth, level, age)?;
                return Some((mv, trust(value)));
            }
        }
        let (mv, _) = self.answer(&first.simulated, seat, level - 1)?;
        self.guessed = true;
        Some((mv, trust(self.follow(group, seat, mv, 0, level, age)? / total)))
    }

    /// The seat's decision for a whole information set, and the value of the set by it.
    fn decide(
        &mut self,
        set: &Group<G::State>,
        seat: Player,
        legal: &[Move],
        depth: u32,
        level: u32,
        age: u32,
    ) -> Option<(Move, f64)> {
        let total: f64 = set.iter().map(|p| p.weight).sum();
        let key = self.key(set, seat, legal, total, depth.into(), level);
        if let Some(&(mv, value, guessed)) = self.answers.by_set.get(&key) {
            self.guessed |= guessed;
            return Some((mv, value));
        }
        let before = std::mem::replace(&mut self.guessed, depth == 0);
        let chosen = match depth {
            0 => vec![self.policy(set, seat, legal, level - 1)?],
            _ => {
                self.left = self.left.checked_sub((set.len() * legal.len()) as u64)?;
                legal.to_vec()
            }
        };
        let (mut best, mut value, mut ties) = (*legal.first()?, f64::NEG_INFINITY, 0);
        for mv in chosen {
            let mean = self.follow(set, seat, mv, depth.saturating_sub(1), level, age)? / total;
            ties = if mean > value + 1e-9 { 1 } else { ties + u32::from(mean > value - 1e-9) };
            if mean > value + 1e-9 || mean > value - 1e-9 && self.rng.below(ties) == 0 {
                (best, value) = (mv, mean.max(value));
            }
        }
        if self.answers.by_set.len() < MOST {
            self.answers.by_set.insert(key, (best, value, self.guessed));
        }
        self.guessed |= before;
        Some((best, value))
    }

    /// The value of `mv` to a group, times the weight of the group, where the seat plans on with `depth`.
    fn follow(
        &mut self,
        group: &Group<G::State>,
        seat: Player,
        mv: Move,
        depth: u32,
        level: u32,
        age: u32,
    ) -> Option<f64> {
        let next = self.advance(group, seat, mv, level)?;
        let mut sum: f64 = next.over.iter().map(|(_, weight, value)| weight * value).sum();
        for group in &next.groups {
            let weight: f64 = group.iter().map(|p| p.weight).sum();
            sum += weight * self.think(group, seat, depth, level, age + 1)?.1;
        }
        Some(sum)
    }

    /// A key for groups: equal states, with equal knowledge of the other players and equal weights, have equal keys.
    fn key(
        &self,
        group: &Group<G::State>,
        seat: Player,
        legal: &[Move],
        total: f64,
        depth: u64,
        level: u32,
    ) -> u64 {
        let sum = group.iter().fold(0u64, |sum, particle| {
            let others = particle.simulated.known_to_others(seat);
            let hash = self.game.hash(&particle.simulated.state);
            let known = others.fold(hash, |hash, known| mix(hash ^ known));
            let weight = (particle.weight / total * 1e6).round() as u64;
            // A sum over weights: two particles of half the weight are equal to one particle.
            sum.wrapping_add(mix(known).wrapping_mul(weight))
        });
        set_key(sum, seat, legal).wrapping_add(mix(depth << 8 | u64::from(level)))
    }

    /// Random games to the end from all worlds; `None` where the clock rings.
    fn finish(&mut self, group: &Group<G::State>, seat: Player, total: f64) -> Option<f64> {
        let starts: Vec<G::State> = group.iter().map(|p| p.simulated.state.clone()).collect();
        let each = (self.nesting.inner * self.nesting.playouts).div_ceil(starts.len().max(1));
        let mut out = Outcomes::new(self.game.info().seats());
        self.game.playouts(&starts, each, self.rng.seed(), &mut out);
        let worlds = group.iter().flat_map(|p| std::iter::repeat_n(p.weight, each));
        let values = worlds
            .zip(out.rows())
            .map(|(weight, row)| weight * f64::from(row.get(seat.index()).copied().unwrap_or(0.5)));
        let sum: f64 = values.sum();
        (!deadline::expired()).then(|| sum / (total * each as f64))
    }

    /// `seat` makes `mv` in all worlds of a group; they go on until it has to choose again.
    fn advance(
        &mut self,
        group: &Group<G::State>,
        seat: Player,
        mv: Move,
        level: u32,
    ) -> Option<Continuation<G::State>> {
        let mut next = Continuation { over: Vec::new(), groups: Vec::new() };
        let mut index: FxHashMap<u64, usize> = FxHashMap::default();
        let mut todo: Vec<(Particle<G::State>, Option<Move>)> =
            group.iter().rev().map(|p| (p.clone(), Some(mv))).collect();
        let mut spread = group.len();
        let (mut legal, mut outcomes) = (Vec::new(), Vec::new());
        while let Some((mut particle, mut own)) = todo.pop() {
            if deadline::look() {
                return None;
            }
            let turn = self.game.turn(&particle.simulated.state);
            match turn {
                Turn::Over => {
                    let mut payoffs = vec![0.5; self.game.info().seats()];
                    self.game.payoffs(&particle.simulated.state, &mut payoffs);
                    let value = payoffs.get(seat.index()).copied().unwrap_or(0.5);
                    next.over.push((particle.world, particle.weight, value.into()));
                    continue;
                }
                Turn::Chance => {
                    outcomes.clear();
                    self.game.chances(&particle.simulated.state, &mut outcomes);
                    outcomes.retain(|(_, p)| *p > 0.0);
                    if spread + outcomes.len() - 1 > SPREAD {
                        let drawn = self.game.sample_chance(&particle.simulated.state, self.rng);
                        outcomes = vec![(drawn, 1.0)];
                    }
                    spread += outcomes.len().saturating_sub(1);
                    for &(outcome, p) in outcomes.iter().rev() {
                        let mut branch = particle.clone();
                        branch.simulated.step(self.game, turn, &[outcome]);
                        branch.weight *= p;
                        todo.push((branch, own));
                    }
                    continue;
                }
                Turn::One(_) | Turn::Joint(_) => {}
            }
            if turn.includes(seat) && own.is_none() {
                legal.clear();
                self.game.moves(&particle.simulated.state, seat, &mut legal);
                if let [only] = legal.as_slice() {
                    own = Some(*only);
                } else {
                    let key = set_key(particle.simulated.known(seat), seat, &legal);
                    let at = *index.entry(key).or_insert(next.groups.len());
                    match next.groups.get_mut(at) {
                        Some(group) => group.push(particle),
                        None => next.groups.push(vec![particle]),
                    }
                    continue;
                }
            }
            let mut joint = Vec::new();
            for player in turn.movers().iter() {
                joint.push(match (player == seat).then(|| own.take()).flatten() {
                    Some(mv) => mv,
                    None => {
                        let (mv, chosen) = self.answer(&particle.simulated, player, level - 1)?;
                        particle.others |= chosen;
                        mv
                    }
                });
            }
            particle.simulated.step(self.game, turn, &joint);
            todo.push((particle, own));
        }
        Some(next)
    }

    /// The move that `player` makes by its own knowledge alone, and whether it had a choice.
    fn answer(
        &mut self,
        simulated: &Simulated<G::State>,
        player: Player,
        level: u32,
    ) -> Option<(Move, bool)> {
        let mut legal = Vec::new();
        self.game.moves(&simulated.state, player, &mut legal);
        if let [only] = legal.as_slice() {
            return Some((*only, false));
        }
        let key = set_key(simulated.known(player), player, &legal).wrapping_add(mix(level.into()));
        if let Some(&mv) = self.answers.by_history.get(&key) {
            return Some((mv, true));
        }
        if self.clock.look() {
            return None;
        }
        let set = self.set(simulated, player, &legal);
        if deadline::expired() {
            return None;
        }
        let mv = match set.is_empty() {
            true => *legal.get(self.rng.index(legal.len()))?,
            false => self.policy(&set, player, &legal, level)?,
        };
        if self.answers.by_history.len() < MOST {
            self.answers.by_history.insert(key, mv);
        }
        Some((mv, true))
    }

    /// The information set of a player in a simulated match; empty where nothing was found.
    fn set(
        &mut self,
        simulated: &Simulated<G::State>,
        player: Player,
        legal: &[Move],
    ) -> Group<G::State> {
        let observed = simulated.observed(player, legal);
        let from = self.answers.large.get(&player.0).copied().unwrap_or(usize::MAX);
        let listed = if observed.len() < from { self.list(&observed, SMALL) } else { None };
        let histories = listed.unwrap_or_else(|| {
            self.answers.large.insert(player.0, observed.len().min(from));
            let config =
                Config { models: self.nesting.inner, cap: CAP, ..self.nesting.bag.clone() };
            let mut bag = Bag::new(self.game, self.origin, player, config, self.rng.seed());
            let records: Vec<_> = observed.steps.iter().map(|m| m.record.clone()).collect();
            match bag.observe(self.game, &records, Some(legal), None) {
                Ok(()) => self.sample(&bag),
                Err(_) => Histories::default(),
            }
        });
        self.particles(histories)
    }

    /// The move of a nested player with this group of particles: at level 0 it is a HyperPlayer.
    fn policy(
        &mut self,
        group: &Group<G::State>,
        player: Player,
        legal: &[Move],
        level: u32,
    ) -> Option<Move> {
        if level > 0 {
            return self.think(group, player, 1, level, 1).map(|(mv, _)| mv);
        }
        let total: f64 = group.iter().map(|p| p.weight).sum();
        // A random game depends on the state alone, so particles with the same state are one.
        let (mut states, mut weights) = (Vec::new(), Vec::new());
        let mut index: FxHashMap<u64, usize> = FxHashMap::default();
        for particle in group {
            let state = &particle.simulated.state;
            let at = *index.entry(self.game.hash(state)).or_insert(states.len());
            if at == states.len() {
                states.push(state);
                weights.push(0.0);
            }
            weights[at] += particle.weight / total;
        }
        let key = states.iter().zip(&weights).fold(0u64, |sum, (state, weight)| {
            let weight = (weight * 1e6).round() as u64;
            sum.wrapping_add(mix(self.game.hash(state)).wrapping_mul(weight))
        });
        let key = set_key(key, player, legal).wrapping_add(0x5e1f);
        if let Some(&(mv, ..)) = self.answers.by_set.get(&key) {
            return Some(mv);
        }
        let each = (self.nesting.inner * self.nesting.playouts).max(states.len());
        let sims = (each * legal.len()) as u64;
        let mut votes = Votes::new(legal, weights);
        playouts(self.game, &states, player, &mut votes, Some(sims), self.clock, self.rng);
        // An answer that was cut off by the clock must not be remembered.
        if deadline::expired() {
            return None;
        }
        let at = votes.best(self.rng)?;
        let mv = *legal.get(at)?;
        if self.answers.by_set.len() < MOST {
            self.answers.by_set.insert(key, (mv, votes.mean(at).unwrap_or(0.5), true));
        }
        Some(mv)
    }
}
