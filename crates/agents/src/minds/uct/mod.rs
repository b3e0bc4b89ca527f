//! `uct` and its family: Monte Carlo tree search (Kocsis and Szepesvári 2006), composed of parts.
//!
//! One simulation goes down the tree by a [selection rule](crate::search::select) (chance nodes draw, at
//! joint nodes every mover chooses its own arm: [`joint`](crate::search::tree::joint)), expands the leaf
//! where it has been visited before, plays a game by a [policy](crate::search::playout) and takes the
//! payoffs back up. Each slot keeps the payoff of the player who chooses it, so any number of
//! players is played by max^n. Finished games are proofs, which climb
//! ([`Tree::deduce`](crate::search::tree::Tree::deduce), or [bounds](crate::search::tree::bounds)); a search whose root
//! is proven stops.
//!
//! | name | selection | playout | backup |
//! |---|---|---|---|
//! | `uct` | UCB1 | uniform | solver |
//! | `ucb1-tuned` | UCB1-Tuned | uniform | solver |
//! | `grave`, `ucb1-grave` | GRAVE, without and with exploration | uniform | solver |
//! | `ph` | Progressive History | uniform | solver |
//! | `mast` | UCB1 | MAST | solver |
//! | `nst` | UCB1 | N-grams | solver |
//! | `bounded` | UCB1 | uniform | bounds |
//!
//! Any other combination has a name by parameters: `uct(select=grave,playout=mast)`.

mod engine;
pub(crate) mod family;
mod lanes;
mod params;
mod report;
mod search;

pub use params::{Backup, Final, Lanes, Parallel, Params, Playout, Selection};

use crate::agent::{Agent, Choice, Failure, Watch};
use crate::best::{self, Best};
use crate::budget::Budget;
use crate::search::playout::{Mast, Nst, Policy, Uniform};
use crate::search::select::{Grave, History, Select, Tuned, Ucb1};
use crate::search::tree::Actions;
use engine::{Engine, Limits, Search};
use ludex_core::deadline::Stop;
use ludex_core::schema::Schema;
use ludex_core::{Game, Player, Result, Rng, Seed, View};
use report::Report;
use std::time::{Duration, Instant};

/// Playouts at a leaf of a native game. There a playout costs less than the way down to it, so
/// that several a leaf are as strong in the same time (Connect Four 0.54 ± 0.05, Breakthrough 0.51 ± 0.07
/// against one a leaf, 5 ms a move), while the tree costs a fifth instead of a half. With a budget
/// in simulations one a leaf is stronger.
pub const CHEAP_LEAF: u32 = 8;

/// Time between two publications of the best move so far.
const NEWS: Duration = Duration::from_millis(5);

/// The agent. Generic, so that a known game runs without a virtual call; with
/// [`AnyGame`](ludex_core::AnyGame) a simulation makes a handful of them.
pub struct Uct<G: Game> {
    params: Params,
    /// One a thread where each has its own tree, else one.
    engines: Vec<Box<dyn Engine<G>>>,
    rng: Rng,
    watch: Option<Watch>,
}

impl<G: Game> Uct<G> {
    /// An agent for `game`.
    ///
    /// # Errors
    /// A heuristic that the game does not have.
    pub fn new(game: &G, params: Params, seed: Seed) -> Result<Self> {
        let threads = u64::from(params.threads.max(1));
        let (engines, workers) = match params.parallel {
            Parallel::Root => (threads, 1),
            Parallel::Tree => (1, threads),
        };
        let bytes = ((params.memory as usize) << 20) / engines as usize;
        let engines = (0..engines)
            .map(|i| {
                let seed = if i == 0 { seed } else { seed.named("tree").child(i) };
                build(game, &params, workers, bytes, seed)
            })
            .collect::<Result<_>>()?;
        Ok(Uct { params, engines, rng: seed.named("choice").rng(), watch: None })
    }

    /// Searches with all engines; returns the number of simulations.
    fn search(&mut self, game: &G, state: &G::State, limits: &Limits, seat: Player) -> u64 {
        let Uct { engines, watch, rng, params, .. } = self;
        let count = engines.len() as u64;
        let mut next = Best::current().map(|_| Instant::now());
        let mut note = |report: &dyn Fn(Player) -> Report| {
            if next.is_some_and(|next| Instant::now() >= next) {
                next = Instant::now().checked_add(NEWS);
                let mut report = report(seat);
                report.rank(params.last, &mut rng.clone());
                report.moves.first().map(|m| m.mv).into_iter().for_each(best::publish);
            }
            if let Some(watch) = watch.as_mut().filter(|watch| watch.due()) {
                let mut report = report(seat);
                report.rank(params.last, &mut rng.clone());
                let visits = report.moves.iter().map(|m| m.visits).sum();
                watch.tell(&report.thought(visits));
            }
        };
        let Some((first, rest)) = engines.split_first_mut() else { return 0 };
        std::thread::scope(|scope| {
            let others: Vec<_> = rest
                .iter_mut()
                .zip(1..)
                .map(|(engine, i)| {
                    let limits = limits.share(i, count);
                    scope.spawn(move || {
                        let limits = limits.on_thread();
                        let _scope = limits.clock.enter();
                        engine.search(game, state, limits, &mut |_| {})
                    })
                })
                .collect();
            let sims = first.search(game, state, limits.share(0, count), &mut note);
            sims + others.into_iter().map(|other| other.join().unwrap_or(0)).sum::<u64>()
        })
    }

    /// The root statistics of all engines, added up.
    fn report(&self, seat: Player) -> Report {
        let mut reports = self.engines.iter().map(|engine| engine.report(seat));
        let mut sum = reports.next().unwrap_or_default();
        reports.for_each(|report| sum.add(report));
        sum
    }
}

/// Puts the parts of a search together.
fn build<G: Game>(
    game: &G,
    params: &Params,
    workers: u64,
    bytes: usize,
    seed: Seed,
) -> Result<Box<dyn Engine<G>>> {
    let actions = Actions::new(game);
    let Params { c, keep, .. } = *params;
    let part = Parts { game, params, workers, bytes, seed, actions };
    match params.select {
        Selection::Ucb1 => part.select(Ucb1::new(c)),
        Selection::Tuned => part.select(Tuned::new(c)),
        Selection::Grave => {
            part.select(Grave::new(c, params.reference, params.bias, &actions, bytes / 4))
        }
        Selection::History => part.select(History::new(c, params.weight, keep, &actions)),
    }
}

/// The parts of a search that do not depend on the selection rule.
struct Parts<'a, G> {
    game: &'a G,
    params: &'a Params,
    workers: u64,
    bytes: usize,
    seed: Seed,
    actions: Actions,
}

impl<G: Game> Parts<'_, G> {
    fn select<S: Select>(self, select: S) -> Result<Box<dyn Engine<G>>> {
        let Params { epsilon, tau, keep, .. } = *self.params;
        match self.params.playout {
            Playout::Uniform => self.policy(select, Uniform),
            Playout::Mast => {
                let policy = Mast::new(epsilon, tau, keep, &self.actions);
                self.policy(select, policy)
            }
            Playout::Nst => {
                let policy = Nst::new(epsilon, keep, &self.actions);
                self.policy(select, policy)
            }
        }
    }

    fn policy<S: Select, P: Policy>(self, select: S, policy: P) -> Result<Box<dyn Engine<G>>> {
        let Parts { game, params, workers, bytes, seed, .. } = self;
        Ok(Box::new(Search::new(game, params, select, policy, workers, bytes, seed)?))
    }
}

impl<G: Game> Agent<G> for Uct<G> {
    fn name(&self) -> String {
        self.params.call("uct", &Params::default()).to_string()
    }

    fn choose(&mut self, game: &G, view: &View<'_, G>, budget: &Budget) -> Result<Choice, Failure> {
        let state = crate::spec::visible(game, view, "uct")?;
        if let [only] = view.legal() {
            return Ok(Choice::plain(*only));
        }
        let limits = Limits::new(budget);
        let _scope = limits.clock.enter();
        for engine in &mut self.engines {
            engine.sync(game, view.records(), state);
        }
        let sims = self.search(game, state, &limits, view.seat());
        let mut report = self.report(view.seat());
        report.rank(self.params.last, &mut self.rng);
        // No simulation was done in time: play the first guess, which is better than a random move.
        if report.proof.is_none()
            && report.moves.iter().all(|m| m.visits == 0 && !m.proven)
            && let Some(guess) = Best::current().and_then(|best| best.get())
            && let Some(at) = report.moves.iter().position(|m| m.mv == guess)
        {
            report.moves.swap(0, at);
        }
        let thought = report.thought(sims);
        let legal = thought.candidates.iter().find(|c| view.legal().contains(&c.mv));
        let Some(first) = legal.cloned() else {
            // Not even the moves were listed in time.
            let guess = Best::current().and_then(|best| best.get());
            let guess = guess.filter(|mv| view.legal().contains(mv));
            let any = view.legal().get(self.rng.index(view.legal().len())).copied();
            let mv = guess.or(any).ok_or_else(|| crate::spec::not_to_move("uct"))?;
            return Ok(Choice::plain(mv));
        };
        if let Some(watch) = &mut self.watch {
            watch.tell(&thought);
        }
        Ok(Choice { mv: first.mv, thought })
    }

    fn watch(&mut self, watch: Option<Watch>) {
        self.watch = watch;
    }

    fn ponder(&mut self, game: &G, view: &View<'_, G>, stop: &Stop) {
        let Some(state) = view.state().filter(|state| !game.is_over(state)) else { return };
        let limits = Limits::until(stop);
        let _scope = limits.clock.enter();
        for engine in &mut self.engines {
            engine.sync(game, view.records(), state);
        }
        self.search(game, state, &limits, view.seat());
    }
}
