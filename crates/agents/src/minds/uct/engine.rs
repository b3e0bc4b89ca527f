//! A search by one combination of parts: its tree, its threads, its batches.

use super::CHEAP_LEAF;
use super::lanes::Batch;
use super::params::{Params, Selection};
use super::report::{Report, RootMove};
use super::search::{Arrival, Core, Worker};
use crate::budget::Budget;
use crate::clock::Clock;
use crate::search::playout::Policy;
use crate::search::select::Select;
use crate::search::tree::joint::{Rule, Run};
use crate::search::tree::{Id, Kind, ROOT};
use ludex_core::deadline::{self, Stop};
use ludex_core::{Game, Move, Player, Record, Result, Seed};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// The limits of a search.
#[derive(Debug, Clone)]
pub(super) struct Limits {
    pub(super) clock: Clock,
    pub(super) sims: u64,
    nodes: u64,
    /// Is time the only limit?
    pub(super) timed: bool,
}

impl Limits {
    /// From a budget.
    pub(super) fn new(budget: &Budget) -> Self {
        let bound = budget.sims.is_some() || budget.nodes.is_some();
        Limits {
            clock: Clock::start(budget, bound),
            sims: budget.sims.unwrap_or(u64::MAX),
            nodes: budget.nodes.unwrap_or(u64::MAX),
            timed: !bound,
        }
    }

    /// No limit but a stop flag.
    pub(super) fn until(stop: &Stop) -> Self {
        Limits { clock: Clock::until(stop), sims: u64::MAX, nodes: u64::MAX, timed: true }
    }

    /// The limits of this search for another thread.
    pub(super) fn on_thread(&self) -> Self {
        Limits { clock: self.clock.on_thread(), ..self.clone() }
    }

    /// The share of one of `threads` searches.
    pub(super) fn share(&self, thread: u64, threads: u64) -> Self {
        let part = |all: u64| match all {
            u64::MAX => all,
            all => all / threads + u64::from(thread < all % threads),
        };
        Limits { sims: part(self.sims), nodes: part(self.nodes), ..self.clone() }
    }

    /// Counts one piece of work. Is a limit reached?
    #[inline]
    pub(super) fn tick(&mut self, slots: usize) -> bool {
        self.clock.tick() || slots as u64 >= self.nodes
    }
}

/// Called now and then while a search runs.
pub(super) type Note<'a> = &'a mut dyn FnMut(&dyn Fn(Player) -> Report);

/// A search behind one type, whatever its selection rule and playout policy are.
pub(super) trait Engine<G: Game>: Send {
    /// Puts the root at `state`, which the match has reached after `records`, and keeps the part of the tree below it.
    fn sync(&mut self, game: &G, records: &[Record], state: &G::State);

    /// Searches from `state`, the root's position; returns the number of simulations.
    fn search(&mut self, game: &G, state: &G::State, limits: Limits, note: Note<'_>) -> u64;

    /// The statistics of the root.
    fn report(&self, seat: Player) -> Report;
}

/// A search by a selection rule and a playout policy.
pub(super) struct Search<G: Game, S, P> {
    pub(super) params: Params,
    pub(super) core: Core<S>,
    pub(super) workers: Vec<Worker<G, P>>,
    /// The root's position, and how many steps of the match lead to it.
    root: Option<(G::State, usize)>,
    /// Scratch space of a simulation.
    pub(super) state: Option<G::State>,
    pub(super) batch: Batch<G>,
    cheap: bool,
}

impl<G: Game, S: Select, P: Policy> Search<G, S, P> {
    pub(super) fn new(
        game: &G,
        params: &Params,
        select: S,
        policy: P,
        threads: u64,
        bytes: usize,
        seed: Seed,
    ) -> Result<Self> {
        let worker = |i| {
            // The first has the seed itself: one thread plays as if there were no others.
            let seed = if i == 0 { seed } else { seed.child(i) };
            Worker::new(game, params, policy.clone(), seed)
        };
        Ok(Search {
            params: params.clone(),
            core: Core::new(game, params, select, bytes),
            workers: (0..threads).map(worker).collect::<Result<_>>()?,
            root: None,
            state: None,
            batch: Batch::new(game),
            cheap: game.info().playouts == ludex_core::Playouts::Compiled,
        })
    }

    /// Playouts at a leaf.
    fn leaf(&self, limits: &Limits) -> u64 {
        let plain = self.params.select != Selection::Tuned;
        let cheap = self.cheap && limits.timed && plain;
        u64::from(self.params.leaf.unwrap_or(if cheap { CHEAP_LEAF } else { 1 }))
    }

    /// One thread, one leaf after the other.
    fn search_plain(
        &mut self,
        game: &G,
        state: &G::State,
        mut limits: Limits,
        note: Note<'_>,
    ) -> u64 {
        let leaf = self.leaf(&limits);
        let mut at = self.state.take().unwrap_or_else(|| state.clone());
        let mut sims = 0;
        while sims < limits.sims && !self.core.tree.proven(ROOT) {
            at.clone_from(state);
            let most = leaf.min(limits.sims - sims) as u32;
            let Search { core, workers, .. } = self;
            let Some(worker) = workers.first_mut() else { break };
            sims += u64::from(simulate(game, core, worker, &mut at, most));
            if limits.tick(self.core.tree.len()) {
                break;
            }
            if limits.clock.just_looked() {
                note(&|seat| self.report(seat));
            }
        }
        self.state = Some(at);
        sims
    }

    /// Several threads on one tree. Each holds the lock while it takes one result up and goes
    /// down again, and plays out without it.
    fn search_shared(&mut self, game: &G, state: &G::State, limits: Limits) -> u64 {
        let leaf = self.leaf(&limits);
        let actions = self.core.actions();
        let shared = Mutex::new((&mut self.core, 0u64));
        let enough = AtomicBool::new(false);
        std::thread::scope(|scope| {
            for worker in &mut self.workers {
                let (shared, enough, limits) = (&shared, &enough, &limits);
                scope.spawn(move || {
                    let mut limits = limits.on_thread();
                    let _scope = limits.clock.enter();
                    let mut at = state.clone();
                    let mut played: Option<(u32, bool)> = None;
                    loop {
                        let mut guard = shared.lock().unwrap_or_else(PoisonError::into_inner);
                        let (core, sims) = &mut *guard;
                        match played.take() {
                            // Cut short by the clock.
                            Some((weight, _)) if deadline::expired() => {
                                core.release(worker, weight);
                                *sims -= u64::from(weight);
                            }
                            Some((weight, over)) => core.settle(worker, weight, over),
                            None => {}
                        }
                        let done = *sims >= limits.sims || core.tree.proven(ROOT);
                        if done || limits.tick(core.tree.len()) || enough.load(Relaxed) {
                            enough.store(true, Relaxed);
                            break;
                        }
                        let weight = leaf.min(limits.sims - *sims) as u32;
                        *sims += u64::from(weight);
                        at.clone_from(state);
                        let arrival = core.walk(game, &mut at, worker);
                        core.hold(worker, weight);
                        if arrival == Arrival::Cut {
                            played = Some((weight, false));
                            continue;
                        }
                        if actions.is_some() {
                            worker.trace(&core.tree);
                        }
                        drop(guard);
                        let over = arrival == Arrival::Leaf
                            && worker.play_out(game, &mut at, weight, actions.as_ref());
                        played = Some((weight, over));
                    }
                });
            }
        });
        shared.into_inner().map_or(0, |(_, sims)| sims)
    }

    /// How the tree would go on after the root's child `id`: always the most visited.
    fn line_of(&self, id: Id) -> Vec<Move> {
        let tree = &self.core.tree;
        let mut line = vec![tree.link(id).mv];
        let mut family = tree.family(id);
        while line.len() < 24 && !family.is_none() && family.kind() == Kind::One {
            let visits = |child: &Id| (tree.visits(*child), std::cmp::Reverse(*child));
            match family.ids().max_by_key(visits) {
                Some(child) if tree.visits(child) > 0 => {
                    line.push(tree.link(child).mv);
                    family = tree.family(child);
                }
                _ => break,
            }
        }
        line
    }

    /// At a joint root: the probability of each of the seat's arms in its strategy.
    fn shares(&self, seat: Player, arms: &[Id]) -> Vec<f32> {
        let tree = &self.core.tree;
        let Some(&first) = arms.first() else { return Vec::new() };
        match self.params.joint {
            Rule::Ducb => arms.iter().map(|&arm| tree.visits(arm) as f32).collect(),
            _ => {
                let first = (first - tree.family(ROOT).first()) as usize;
                let run = Run { first, count: arms.len(), mover: seat.0 };
                let visits: u32 = arms.iter().map(|&arm| tree.visits(arm)).sum();
                let average = tree.joint(ROOT).average(run);
                average.iter().map(|share| share * visits as f32).collect()
            }
        }
    }
}

/// One way down from the root, whose position `state` is, with up to `most` playouts at the
/// leaf; returns how many simulations that was: none where the clock cut it short.
#[inline]
fn simulate<G: Game, S: Select, P: Policy>(
    game: &G,
    core: &mut Core<S>,
    worker: &mut Worker<G, P>,
    state: &mut G::State,
    most: u32,
) -> u32 {
    let arrival = core.walk(game, state, worker);
    if arrival == Arrival::Cut {
        return 0;
    }
    let actions = if S::KEYED || P::LEARNS { core.actions() } else { None };
    if actions.is_some() {
        worker.trace(&core.tree);
    }
    let over = arrival == Arrival::Leaf && worker.play_out(game, state, most, actions.as_ref());
    if deadline::expired() {
        return 0;
    }
    let weight = if over || arrival == Arrival::Known { 1 } else { most };
    core.back_up(worker, weight, over);
    weight
}

impl<G: Game, S: Select, P: Policy> Engine<G> for Search<G, S, P> {
    fn sync(&mut self, game: &G, records: &[Record], state: &G::State) {
        let whole = !std::mem::take(&mut self.core.spoiled);
        let tree = &self.core.tree;
        let kept = match self.root.take() {
            Some((mut at, seen)) if whole && self.params.reuse && seen <= records.len() => {
                let mut slot = Some(ROOT);
                for record in &records[seen..] {
                    let joint: Vec<Move> =
                        record.percept.0.iter().map(|&word| Move(word)).collect();
                    slot = slot.and_then(|slot| tree.follow(slot, &joint));
                    if slot.is_none() {
                        break;
                    }
                    game.apply(&mut at, &joint);
                }
                slot.filter(|_| game.hash(&at) == game.hash(state))
            }
            _ => None,
        };
        let Core { tree, select, .. } = &mut self.core;
        if kept != Some(ROOT) {
            let mut moved = Vec::new();
            match kept {
                Some(slot) => tree.reroot(slot, |old, new| moved.push((old, new))),
                None => tree.clear(),
            }
            select.moved(tree, &moved);
            select.fade();
            self.workers.iter_mut().for_each(|worker| worker.policy.fade());
        }
        self.root = Some((state.clone(), records.len()));
    }

    fn search(&mut self, game: &G, state: &G::State, limits: Limits, note: Note<'_>) -> u64 {
        self.core.depth = 0;
        if let Some(worker) = self.workers.first_mut() {
            self.core.open(game, state, &mut worker.rng);
        }
        if self.workers.len() > 1 {
            return self.search_shared(game, state, limits);
        }
        match self.lanes(game, state, &limits) {
            Some(width) => self.search_lanes(game, state, limits, width, note),
            None => self.search_plain(game, state, limits, note),
        }
    }

    fn report(&self, seat: Player) -> Report {
        let tree = &self.core.tree;
        let ids = tree.choices(seat);
        let joint = !ids.is_empty() && tree.family(ROOT).kind() == Kind::Joint;
        let shares = if joint { self.shares(seat, &ids) } else { Vec::new() };
        let moves = ids.iter().enumerate().map(|(i, &id)| RootMove {
            mv: tree.link(id).mv,
            visits: tree.visits(id).into(),
            value: if tree.visits(id) > 0 || tree.proven(id) { tree.mean(id) } else { 0.0 },
            proven: tree.proven(id),
            cut: tree.cut(id),
            share: shares.get(i).copied().unwrap_or(0.0),
            line: self.line_of(id),
        });
        Report {
            moves: moves.collect(),
            joint,
            proof: tree.proof(ROOT).and_then(|payoffs| payoffs.get(seat.index()).copied()),
            nodes: tree.len() as u64,
            depth: self.core.depth,
        }
    }
}
