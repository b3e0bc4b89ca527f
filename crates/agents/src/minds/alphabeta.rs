//! `alphabeta`: iterative deepening with principal variation search, a transposition table, killer
//! and history ordering (Knuth and Moore 1975; Schaeffer 1989), expectimax over chance; for more
//! than two players paranoid (everybody against the one who searches: Sturtevant and Korf 2000),
//! max^n, or best-reply, which has a name of its own: `best-reply`.
//!
//! A search whose root is sure (all lines that its value rests on end) has solved the position and
//! stops. Several threads search the same position and help each other through the shared table
//! (lazy SMP); the first one's answer counts.

use crate::agent::{Agent, Candidate, Choice, Failure, Thought, Watch};
use crate::best;
use crate::budget::Budget;
use crate::catalog::{Entry, Needs, Recipe, recipe};
use crate::clock::Clock;
use crate::heuristic::Heuristic;
use crate::search::minimax::table::Table;
use crate::search::minimax::worker::{Others, Worker};
use ludex_core::deadline;
use ludex_core::schema::Schema;
use ludex_core::{AnyGame, Game, Move, Player, Result, Rng, Seed, Turn, View};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

pub(crate) const ENTRY: Entry = Entry {
    name: "alphabeta",
    summary: "iterative deepening alpha-beta with a transposition table; expectimax",
    needs: Needs::TURNS,
    usual: || recipe(Params::default()),
};

ludex_core::params! {
    /// The parameters of [`AlphaBeta`].
    pub struct Params {
        /// What other players want: paranoid (my worst) or maxn (their best).
        pub others: Others = Others::Paranoid;
        /// How positions are judged at the horizon: auto, chosen (weights that win short games), fitted (weights from random play),
        /// zero, mobility, a term of the game such as material, or terms(material=1,mobility=0.1).
        pub heuristic: Heuristic = Heuristic::Auto;
        /// Plies of loud moves, which change the heuristic, followed beyond the horizon.
        pub quiescence: u32 = 0, 0..=64;
        /// Size of the transposition table in MiB.
        pub table: u32 = 16, 1..=65_536;
        /// Threads that share the table.
        pub threads: u32 = 1, 1..=256;
    }
}

impl Recipe for Params {
    fn build(&self, game: &AnyGame, _: Player, seed: Seed) -> Result<Box<dyn Agent<AnyGame>>> {
        Ok(Box::new(AlphaBeta::new(game, self.clone(), seed)?))
    }
}

/// The agent.
pub struct AlphaBeta<G: Game> {
    params: Params,
    table: Arc<Table>,
    stop: Arc<AtomicBool>,
    /// One a thread; the first one's answer counts.
    workers: Vec<Worker<G>>,
    rng: Rng,
    /// The receiver of progress reports, if there is one: after each depth that takes long enough, and at the end.
    watch: Option<Watch>,
}

/// Lines longer than this are cut off; the stack must hold them.
const DEEPEST: u32 = 400;

impl<G: Game> AlphaBeta<G> {
    /// An agent for `game`.
    ///
    /// # Errors
    /// A heuristic that asks for terms which the game does not have.
    pub fn new(game: &G, params: Params, seed: Seed) -> Result<Self> {
        let evaluator = params.heuristic.resolve(game)?;
        let table = Arc::new(Table::new(params.table));
        let stop = Arc::new(AtomicBool::new(false));
        let worker = |_| {
            let (evaluator, table, stop) = (evaluator.clone(), table.clone(), stop.clone());
            Worker::new(game, evaluator, params.others, params.quiescence, table, stop)
        };
        let workers = (0..params.threads).map(worker).collect();
        Ok(AlphaBeta { params, workers, table, stop, rng: seed.rng(), watch: None })
    }

    /// The first worker deepens until it is done; the others search the same moves in other
    /// orders, half of them a ply ahead, until it raises the flag.
    fn deepen(&mut self, game: &G, deepest: u32, candidates: &mut [Candidate]) -> Thought {
        self.stop.store(false, Ordering::Relaxed);
        let Some((first, rest)) = self.workers.split_first_mut() else {
            return Thought::default();
        };
        let mut orders: Vec<Vec<Candidate>> = vec![candidates.to_vec(); rest.len()];
        orders.iter_mut().for_each(|order| self.rng.shuffle(order));
        let (stop, watch) = (&self.stop, &mut self.watch);
        let mut thought = std::thread::scope(|scope| {
            for (i, (worker, mut order)) in rest.iter_mut().zip(orders).enumerate() {
                scope.spawn(move || {
                    worker.clock = worker.clock.on_thread();
                    let _scope = worker.clock.enter();
                    for depth in 1 + (i as u32 + 1) % 2..=deepest {
                        if worker.iterate(game, depth, &mut order) || worker.stopped {
                            break;
                        }
                    }
                });
            }
            let thought = first_deepens(first, game, deepest, candidates, watch.as_mut());
            stop.store(true, Ordering::Relaxed);
            thought
        });
        thought.nodes = self.workers.iter().map(|worker| worker.nodes).sum();
        thought
    }

    /// The line that the table remembers after the root move `mv`.
    fn line_of(&self, game: &G, state: &G::State, mv: Move) -> Vec<Move> {
        let mut line = vec![mv];
        let mut at = state.clone();
        game.apply(&mut at, &[mv]);
        let mut legal = Vec::new();
        while line.len() < 24
            && let Turn::One(player) = game.turn(&at)
            && let Some(entry) = self.table.get(game.hash(&at))
        {
            legal.clear();
            game.moves(&at, player, &mut legal);
            if !legal.contains(&entry.mv) {
                break;
            }
            if deadline::look() {
                break;
            }
            line.push(entry.mv);
            game.apply(&mut at, &[entry.mv]);
        }
        line
    }
}

/// Iterative deepening of one worker.
fn first_deepens<G: Game>(
    worker: &mut Worker<G>,
    game: &G,
    deepest: u32,
    candidates: &mut [Candidate],
    mut watch: Option<&mut Watch>,
) -> Thought {
    let mut thought = Thought::default();
    for depth in 1..=deepest {
        let stand = candidates.first().map(|c| c.mv);
        let sure = worker.iterate(game, depth, candidates);
        if worker.stopped {
            break;
        }
        thought.depth = depth;
        candidates.first().map(|c| c.mv).into_iter().for_each(best::publish);
        if let Some(watch) = watch.as_deref_mut().filter(|watch| watch.due()) {
            let nodes = worker.nodes;
            let value = candidates.first().map(|c| c.value);
            let candidates = candidates.to_vec();
            watch.tell(&Thought { nodes, value, candidates, ..thought.clone() });
        }
        if sure {
            thought.proven = true;
            // All moves lose: the move that looked best one ply ago delays the loss longest.
            let lost = candidates.first().is_some_and(|c| c.value <= 0.0);
            if lost && let Some(at) = candidates.iter().position(|c| Some(c.mv) == stand) {
                candidates[..=at].rotate_right(1);
            }
            break;
        }
    }
    thought
}

impl<G: Game> Agent<G> for AlphaBeta<G> {
    fn name(&self) -> String {
        self.params.call("alphabeta", &Params::default()).to_string()
    }

    fn choose(&mut self, game: &G, view: &View<'_, G>, budget: &Budget) -> Result<Choice, Failure> {
        let name = "alphabeta";
        let state = crate::spec::visible(game, view, name)?;
        if let [only] = view.legal() {
            return Ok(Choice::plain(*only));
        }
        if game.turn(state) != Turn::One(view.seat()) {
            return Err(crate::spec::not_to_move(name).into());
        }
        let bound = budget.sims.is_some() || budget.nodes.is_some() || budget.depth.is_some();
        let mut clock = Clock::start(budget, bound);
        let _scope = clock.enter();
        // Without simulations of its own, a budget of simulations counts positions.
        let most = [budget.nodes, budget.sims].into_iter().flatten().min().unwrap_or(u64::MAX);
        let share = most / self.workers.len().max(1) as u64;
        for (i, worker) in self.workers.iter_mut().enumerate() {
            // The first worker gets the remainder.
            let rest =
                if i == 0 { most - share * u64::from(self.params.threads - 1) } else { share };
            worker.begin(state, view.seat(), rest, clock.clone());
        }
        let mut candidates: Vec<Candidate> = view
            .legal()
            .iter()
            .map(|&mv| Candidate { mv, value: 0.5, ..Candidate::default() })
            .collect();
        self.rng.shuffle(&mut candidates);
        let deepest = budget.depth.unwrap_or(DEEPEST).min(DEEPEST);
        let mut thought = self.deepen(game, deepest, &mut candidates);
        for (i, candidate) in candidates.iter_mut().enumerate() {
            candidate.line = match i {
                0..8 if !clock.look() => self.line_of(game, state, candidate.mv),
                _ => vec![candidate.mv],
            };
        }
        let Some(best) = candidates.first() else {
            return Err(crate::spec::not_to_move(name).into());
        };
        thought.value = Some(best.value);
        let choice = Choice { mv: best.mv, thought: Thought { candidates, ..thought } };
        if let Some(watch) = &mut self.watch {
            watch.tell(&choice.thought);
        }
        Ok(choice)
    }

    fn watch(&mut self, watch: Option<Watch>) {
        self.watch = watch;
    }
}
