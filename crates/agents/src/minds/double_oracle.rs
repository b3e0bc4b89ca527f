//! `double-oracle`: backward induction for two players who may move at once, deepened until the
//! budget ends. It plays a strategy, not a move: at a joint turn the choice is drawn from an
//! equilibrium, after moves of little weight are left out (purification: Ganzfried, Sandholm and
//! Waugh 2012).

use crate::agent::{Agent, Candidate, Choice, Failure, Thought};
use crate::best;
use crate::budget::Budget;
use crate::catalog::{Entry, Needs, Recipe, recipe};
use crate::clock::Clock;
use crate::heuristic::Heuristic;
use crate::search::joint::oracle::{Plan, Search};
use ludex_core::schema::Schema;
use ludex_core::{AnyGame, Game, Player, Result, Rng, Seed, View};

pub(crate) const ENTRY: Entry = Entry {
    name: "double-oracle",
    summary: "backward induction over joint moves: equilibria by double oracle and LP",
    needs: Needs::DUEL,
    usual: || recipe(Params::default()),
};

ludex_core::params! {
    /// The parameters of [`DoubleOracle`].
    pub struct Params {
        /// How positions are judged at the horizon: auto, zero, mobility, a term of the game such as material, or
        /// terms(material=1,mobility=0.1).
        pub heuristic: Heuristic = Heuristic::Auto;
        /// Moves that the equilibrium plays more rarely are left out; 1 leaves only its likeliest move.
        pub purify: f64 = 0.05, 0.0..=1.0;
        /// Most memory for known positions, in MiB.
        pub memory: u32 = 256, 1..=65_536;
    }
}

impl Recipe for Params {
    fn build(&self, game: &AnyGame, _: Player, seed: Seed) -> Result<Box<dyn Agent<AnyGame>>> {
        Ok(Box::new(DoubleOracle::new(game, self.clone(), seed)?))
    }
}

/// The agent.
pub struct DoubleOracle<G: Game> {
    params: Params,
    search: Search<G>,
    rng: Rng,
}

/// Turns looked ahead at most; the stack must hold them.
const DEEPEST: u32 = 200;
/// Bytes of a known position, with its share of the empty places of the table.
const BYTES_A_POSITION: usize = 64;

impl<G: Game> DoubleOracle<G> {
    /// An agent for `game`.
    ///
    /// # Errors
    /// A heuristic that asks for terms which the game does not have.
    pub fn new(game: &G, params: Params, seed: Seed) -> Result<Self> {
        let evaluator = params.heuristic.resolve(game)?;
        let most = ((params.memory as usize) << 20) / BYTES_A_POSITION;
        let clock = Clock::start(&Budget::default(), true);
        Ok(DoubleOracle { search: Search::new(evaluator, most, clock), params, rng: seed.rng() })
    }
}

/// Draws from a strategy without its rare moves; the likeliest always stays.
fn draw(plan: &Plan, purify: f64, rng: &mut Rng) -> usize {
    let top = plan.moves.iter().map(|&(_, p, _)| p).fold(0.0, f64::max);
    let bar = purify.min(top);
    let kept = || plan.moves.iter().enumerate().filter(|(_, (_, p, _))| *p >= bar && *p > 0.0);
    let total: f64 = kept().map(|(_, &(_, p, _))| p).sum();
    let mut left = rng.unit() * total;
    for (i, &(_, p, _)) in kept() {
        left -= p;
        if left < 0.0 {
            return i;
        }
    }
    kept().next_back().map_or(0, |(i, _)| i)
}

impl<G: Game> Agent<G> for DoubleOracle<G> {
    fn name(&self) -> String {
        self.params.call("double-oracle", &Params::default()).to_string()
    }

    fn choose(&mut self, game: &G, view: &View<'_, G>, budget: &Budget) -> Result<Choice, Failure> {
        let state = crate::spec::visible(game, view, "double-oracle")?;
        if let [only] = view.legal() {
            return Ok(Choice::plain(*only));
        }
        if !game.turn(state).includes(view.seat()) {
            return Err(crate::spec::not_to_move("double-oracle").into());
        }
        let bound = budget.sims.is_some() || budget.nodes.is_some() || budget.depth.is_some();
        let search = &mut self.search;
        search.clock = Clock::start(budget, bound);
        let _scope = search.clock.enter();
        (search.nodes, search.stopped) = (0, false);
        // Without simulations of its own, a budget of simulations counts positions.
        let limits = [budget.nodes, budget.sims];
        search.most_nodes = limits.into_iter().flatten().min().unwrap_or(u64::MAX);
        // Until a first look ahead is done, all moves are alike.
        let legal = view.legal();
        let each = 1.0 / legal.len().max(1) as f64;
        let moves = legal.iter().map(|&mv| (mv, each, 0.5)).collect();
        let mut plan = Plan { value: 0.5, moves, sure: false };
        let mut depth = 0;
        for ahead in 1..=budget.depth.unwrap_or(DEEPEST).min(DEEPEST) {
            search.tidy();
            let Some(found) = search.plan(game, state, view.seat(), ahead) else { break };
            (plan, depth) = (found, ahead);
            let likeliest = plan.moves.iter().max_by(|a, b| a.1.total_cmp(&b.1));
            likeliest.into_iter().for_each(|&(mv, ..)| best::publish(mv));
            if plan.sure {
                break;
            }
        }
        let chosen = draw(&plan, self.params.purify, &mut self.rng);
        let mut candidates: Vec<Candidate> = plan
            .moves
            .iter()
            .map(|&(mv, weight, value)| Candidate {
                mv,
                // The strategy, in thousandths.
                visits: (weight * 1000.0).round() as u64,
                value: value.clamp(0.0, 1.0) as f32,
                proven: plan.sure && weight > 0.0,
                line: vec![mv],
                ..Candidate::default()
            })
            .collect();
        if chosen >= candidates.len() {
            return Err(crate::spec::not_to_move("double-oracle").into());
        }
        let first = candidates.remove(chosen);
        candidates.sort_by(|a, b| b.visits.cmp(&a.visits).then(b.value.total_cmp(&a.value)));
        candidates.insert(0, first);
        Ok(Choice {
            mv: candidates[0].mv,
            thought: Thought {
                nodes: self.search.nodes,
                depth,
                value: Some(plan.value.clamp(0.0, 1.0) as f32),
                proven: plan.sure,
                candidates,
                ..Thought::default()
            },
        })
    }
}
