//! Lane mode: many leaves are gathered with virtual loss and played out in one batch.
//!
//! An engine that steps many states at once plays hundreds of random games in the time of a few
//! single ones, but only in full batches. So the leaves of several ways down wait for each other,
//! their visits counted as lost meanwhile ([`Tree::hold`](crate::search::tree::Tree::hold)). How many leaves
//! and how many games at each follows from what they cost: where the way down is dear, a leaf gets
//! more games. A batch never takes more than a part of the budget, nor more leaves than the tree is
//! large enough to spread.

use super::engine::{Limits, Note, Search};
use super::params::{Lanes, Parallel};
use super::search::Arrival;
use crate::search::playout::Policy;
use crate::search::select::{Select, Step};
use crate::search::tree::{LANES, ROOT};
use ludex_core::deadline::{self, Deadline};
use ludex_core::playout::LONGEST;
use ludex_core::{Game, Outcomes, Rng};
use rustc_hash::FxHashMap;
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Playouts of a batch by default: they fill the widest engine.
const WIDTH: u32 = 1024;

/// Batches must be so many times as fast as single playouts to be used unasked.
const WORTH: u32 = 4;

/// The most playouts at one leaf.
const MOST_EACH: u32 = 64;

/// The leaves that wait to be played out.
pub(super) struct Batch<G: Game> {
    /// The positions of the leaves. Positions from `count` on are spare.
    starts: Vec<G::State>,
    count: usize,
    /// The paths to the leaves, one after the other.
    steps: Vec<Step>,
    ends: Vec<usize>,
    out: Outcomes,
}

impl<G: Game> Batch<G> {
    pub(super) fn new(game: &G) -> Self {
        Batch {
            starts: Vec::new(),
            count: 0,
            steps: Vec::new(),
            ends: Vec::new(),
            out: Outcomes::new(game.info().seats()),
        }
    }

    fn clear(&mut self) {
        self.count = 0;
        self.steps.clear();
        self.ends.clear();
        self.out.clear();
    }

    fn push(&mut self, state: &G::State, path: &[Step]) {
        match self.starts.get_mut(self.count) {
            Some(spare) => spare.clone_from(state),
            None => self.starts.push(state.clone()),
        }
        self.count += 1;
        self.steps.extend_from_slice(path);
        self.ends.push(self.steps.len());
    }
}

/// The measured cost of batches of a game.
#[derive(Debug, Clone, Copy)]
struct Speed {
    /// A whole batch.
    batch: Duration,
    /// Is that much faster than as many single playouts?
    worth: bool,
}

/// What was measured already, by the game's name: once a process, because a batch of a slow game
/// takes longer than many a move.
static MEASURED: LazyLock<Mutex<FxHashMap<String, Speed>>> = LazyLock::new(Mutex::default);

impl Speed {
    /// Compares a batch with single playouts from `state`; `None` where there is not even the
    /// time to find out.
    fn of<G: Game>(game: &G, state: &G::State, left: Duration, rng: &mut Rng) -> Option<Speed> {
        let name = &game.info().name;
        let known = MEASURED.lock().unwrap_or_else(PoisonError::into_inner).get(name).copied();
        if known.is_some() {
            return known;
        }
        let mut pad = Vec::new();
        let begun = Instant::now();
        let mut copy = state.clone();
        // Finding out must leave time to think.
        let _scope = Deadline::after(left.checked_div(4).unwrap_or(left)).enter();
        game.playout(&mut copy, rng, &mut pad, LONGEST);
        let single = begun.elapsed();
        // Batches that are worth it are at least a hundred times as fast in most games.
        if single * WIDTH / 100 > left || deadline::expired() {
            return None;
        }
        let mut out = Outcomes::new(game.info().seats());
        let begun = Instant::now();
        game.playouts(std::slice::from_ref(state), WIDTH as usize, rng.seed(), &mut out);
        let batch = begun.elapsed();
        if deadline::look() {
            return None;
        }
        let speed = Speed { batch, worth: single * WIDTH > batch * WORTH };
        let mut measured = MEASURED.lock().unwrap_or_else(PoisonError::into_inner);
        measured.insert(name.clone(), speed);
        Some(speed)
    }
}

/// The shape of the next batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Shape {
    leaves: u32,
    each: u32,
}

impl Shape {
    /// For a tree of so many visits whose root has so many moves, with so many simulations left;
    /// `dear`: how many playouts cost as much as one way down.
    fn new(width: u32, visits: u32, moves: u32, left: u64, dear: f64) -> Self {
        // At most one leaf for eight visits so far: more leaves would be chosen blindly.
        let known = (visits / 8).max(moves.min(width / 2)).max(1);
        let balanced = (f64::from(width) / dear.clamp(1.0, MOST_EACH.into())) as u32;
        let leaves = balanced.clamp(1, known).min(width);
        let each = (width / leaves).clamp(1, MOST_EACH);
        // A batch takes a sixteenth of a budget in simulations, so that later rounds learn from earlier ones.
        let part = (left / 16).clamp(1, u32::MAX.into()) as u32;
        let leaves = leaves.min(part);
        Shape { leaves, each: each.min(part / leaves).max(1) }
    }
}

impl<G: Game, S: Select, P: Policy> Search<G, S, P> {
    /// The width of batches, where they are to be used.
    pub(super) fn lanes(&mut self, game: &G, state: &G::State, limits: &Limits) -> Option<u32> {
        match self.params.lanes {
            Lanes::Off => None,
            Lanes::Of(width) => Some(width),
            // A choice by the clock cannot be repeated, so a budget of simulations makes none.
            Lanes::Auto => {
                let fits = limits.timed
                    && !self.params.traced()
                    && self.params.cap.is_none()
                    && self.params.leaf.is_none()
                    && (self.params.threads == 1 || self.params.parallel == Parallel::Root)
                    && game.info().playouts == ludex_core::Playouts::Batched;
                let worker = self.workers.first_mut().filter(|_| fits)?;
                let left = limits.clock.left().unwrap_or(Duration::MAX);
                let speed = Speed::of(game, state, left, &mut worker.rng)?;
                // With fewer than four batches a move there is nothing for a tree to learn.
                (speed.worth && speed.batch < left / 4).then_some(WIDTH)
            }
        }
    }

    /// One thread, a batch of leaves at a time.
    pub(super) fn search_lanes(
        &mut self,
        game: &G,
        state: &G::State,
        mut limits: Limits,
        width: u32,
        note: Note<'_>,
    ) -> u64 {
        let mut at = self.state.take().unwrap_or_else(|| state.clone());
        let mut sims = 0;
        let mut dear = if limits.timed { 8.0 } else { 1.0 };
        while sims < limits.sims && !self.core.tree.proven(ROOT) {
            let tree = &self.core.tree;
            let (visits, moves) = (tree.visits(ROOT), tree.family(ROOT).count() as u32);
            let left = if limits.sims == u64::MAX { u64::MAX } else { limits.sims - sims };
            let shape = Shape::new(width, visits, moves, left, dear);
            let begun = Instant::now();
            let walked = self.gather(game, state, &mut at, shape, &mut sims);
            let gathered = begun.elapsed();
            if limits.clock.look() {
                self.release(shape.each);
                break;
            }
            self.play_batch(game, shape.each);
            let took = begun.elapsed();
            if limits.timed {
                dear = self.balance(dear, gathered, took - gathered, walked, shape.each);
            }
            // A batch can't be left half done: the next must fit into the time that is left.
            let late = limits.clock.left().is_some_and(|left| left < took);
            if late || limits.tick(self.core.tree.len() / LANES * LANES) {
                break;
            }
            note(&|seat| super::engine::Engine::report(self, seat));
        }
        self.state = Some(at);
        sims
    }

    /// How many playouts cost as much as one way down, a running mean.
    fn balance(
        &self,
        before: f64,
        gathered: Duration,
        played: Duration,
        walked: u32,
        each: u32,
    ) -> f64 {
        let games = self.batch.count as f64 * f64::from(each);
        if walked == 0 || games == 0.0 || played.is_zero() {
            return before;
        }
        let walk = gathered.as_secs_f64() / f64::from(walked);
        let game = played.as_secs_f64() / games;
        (before + walk / game) / 2.0
    }

    /// Goes down to so many leaves. The values of proven and finished leaves go up at once. Returns the number of ways
    /// down.
    fn gather(
        &mut self,
        game: &G,
        state: &G::State,
        at: &mut G::State,
        shape: Shape,
        sims: &mut u64,
    ) -> u32 {
        let Search { core, workers, batch, .. } = self;
        batch.clear();
        let Some(worker) = workers.first_mut() else { return 0 };
        for walked in 0..shape.leaves {
            if core.tree.proven(ROOT) {
                return walked;
            }
            at.clone_from(state);
            let arrival = core.walk(game, at, worker);
            if arrival == Arrival::Cut {
                return walked;
            }
            let over = arrival == Arrival::Leaf && game.is_over(at);
            *sims += u64::from(shape.each);
            if over {
                game.payoffs(at, &mut worker.payoffs);
            }
            if over || arrival == Arrival::Known {
                core.back_up(worker, shape.each, over);
            } else {
                core.hold(worker, shape.each);
                batch.push(at, &worker.path);
            }
        }
        shape.leaves
    }

    /// Plays the gathered leaves out and takes the results up.
    fn play_batch(&mut self, game: &G, each: u32) {
        let Search { core, workers, batch, .. } = self;
        let Some(worker) = workers.first_mut() else { return };
        if batch.count == 0 {
            return;
        }
        let seed = worker.rng.seed();
        game.playouts(&batch.starts[..batch.count], each as usize, seed, &mut batch.out);
        let mut rows = batch.out.rows();
        let mut from = 0;
        for &end in &batch.ends {
            worker.payoffs.fill(0.0);
            worker.retrace(&batch.steps[from..end]);
            from = end;
            // The clock cut the batch short: drop the leaves that were not played.
            if rows.len() < each as usize {
                core.release(worker, each);
                continue;
            }
            for row in rows.by_ref().take(each as usize) {
                worker.payoffs.iter_mut().zip(row).for_each(|(sum, payoff)| *sum += payoff);
            }
            worker.payoffs.iter_mut().for_each(|sum| *sum /= each as f32);
            core.settle(worker, each, false);
        }
    }

    /// Takes the gathered visits back: the search was stopped before they were played.
    fn release(&mut self, each: u32) {
        let Search { core, batch, .. } = self;
        batch.steps.iter().for_each(|step| core.tree.release(step.slot, each));
        batch.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_grow_with_the_tree_and_never_take_more_than_a_part_of_the_budget() {
        let cheap = |visits, left| Shape::new(512, visits, 20, left, 1.0);
        assert_eq!(cheap(0, u64::MAX), Shape { leaves: 20, each: 25 });
        assert_eq!(cheap(1000, u64::MAX), Shape { leaves: 125, each: 4 });
        assert_eq!(cheap(100_000, u64::MAX), Shape { leaves: 512, each: 1 });
        assert_eq!(cheap(0, 200), Shape { leaves: 12, each: 1 });
        assert_eq!(cheap(199, 1), Shape { leaves: 1, each: 1 });
        let dear = Shape::new(512, 100_000, 20, u64::MAX, 30.0);
        assert_eq!(dear, Shape { leaves: 17, each: 30 });
        for left in 1..3000 {
            let shape = cheap(left as u32, left);
            assert!(u64::from(shape.leaves * shape.each) <= (left / 16).max(1), "{left}");
        }
    }
}
