//! Agents by name, and agents that search with an evaluator written in Python.

use crate::error::{raise, value};
use crate::game::Game;
use crate::interrupt::interruptible;
use crate::puct::{Params, Puct};
use crate::state::State;
use ludex_agents::{Agent as CoreAgent, AgentSpec, Budget, Choice};
use ludex_core::deadline::{Deadline, Stop};
use ludex_core::{AnyGame, Error, Game as _, Move, Player, Seed};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// What makes the agent of a seat.
enum Maker {
    Spec(AgentSpec),
    Puct { evaluator: Arc<Py<PyAny>>, params: Params },
}

/// An agent: `ludex.agent("uct(c=1.4)@sims=500")`.
#[pyclass(frozen, module = "ludex._ludex")]
pub(crate) struct Agent {
    maker: Maker,
    name: String,
    seed: Seed,
    stop: Stop,
    seats: Mutex<HashMap<Player, Seated>>,
}

/// The agent of a seat, with the game and the length of the match that it has seen.
struct Seated {
    game: Py<Game>,
    agent: Box<dyn CoreAgent<AnyGame>>,
    seen: usize,
}

impl Agent {
    fn build(&self, game: &Py<Game>, seat: Player) -> Result<Box<dyn CoreAgent<AnyGame>>, Error> {
        let rules = &game.get().game;
        let seed = self.seed.named("seat").child(seat.0.into());
        match &self.maker {
            Maker::Spec(spec) => spec.build(rules, seat, seed),
            Maker::Puct { evaluator, params } => {
                Ok(Box::new(Puct::new(rules, Arc::clone(evaluator), params.clone(), seed)?))
            }
        }
    }

    /// Chooses a move for the player to move. The agent of a seat goes on with its match; where the match does not go on, a
    /// new agent takes the seat.
    fn choose(&self, py: Python<'_>, state: &State, seat: Player) -> PyResult<Choice> {
        let taken = {
            let mut seats = self.seats.lock().unwrap_or_else(PoisonError::into_inner);
            seats.remove(&seat)
        };
        let length = state.play.len();
        let kept = taken.filter(|seated| seated.game.is(&*state.game) && seated.seen <= length);
        let game = state.game.clone_ref(py);
        let play = state.play.clone();
        let (stop, budget) = (self.stop.clone(), Budget::default());
        stop.clear();
        let work = || {
            let mut agent = match kept {
                Some(seated) => seated.agent,
                None => self.build(&game, seat)?,
            };
            let _scope = Deadline { stops: vec![stop], ..Deadline::default() }.enter();
            let mut pad = Vec::new();
            let view = match agent.cheats() {
                true => play.cheating_view(seat, &mut pad),
                false => play.view(seat, &mut pad),
            };
            if view.legal().is_empty() {
                let text = "no move is due from this player here".to_owned();
                return Err(Error::Unsupported(text));
            }
            let choice = agent.choose(play.game(), &view, &budget)?;
            Ok((agent, choice))
        };
        let (agent, choice) = interruptible(py, || {}, work)?.map_err(raise)?;
        state.game.get().check()?;
        let seated = Seated { game: state.game.clone_ref(py), agent, seen: length };
        let mut seats = self.seats.lock().unwrap_or_else(PoisonError::into_inner);
        seats.insert(seat, seated);
        Ok(choice)
    }

    fn seat(&self, state: &State, player: Option<i64>) -> PyResult<Player> {
        match (player, state.play.turn()) {
            (Some(player), _) => state.game.get().seat(player),
            (None, ludex_core::Turn::One(player)) => Ok(player),
            (None, _) => Err(value("say which player: not one player is to move")),
        }
    }
}

/// The action number of a move among the legal moves of a seat.
fn number(state: &State, seat: Player, mv: Move) -> i64 {
    let legal = state.play.legal(seat);
    let mut numbers = Vec::new();
    state.play.game().actions(&legal, &mut numbers);
    let found = legal.iter().zip(&numbers).find(|(known, _)| **known == mv);
    found.map_or(-1, |(_, &number)| number.into())
}

#[pymethods]
impl Agent {
    /// An agent by its name. The same seed gives the same choices, where the budget is not a time.
    #[new]
    #[pyo3(signature = (spec, seed=1))]
    fn new(spec: &str, seed: u64) -> PyResult<Agent> {
        let spec: AgentSpec = spec.parse().map_err(raise)?;
        let name = spec.to_string();
        Ok(Agent::of(Maker::Spec(spec), name, seed))
    }

    /// A tree search whose leaves a function of Python judges, many at a time.
    #[staticmethod]
    #[pyo3(signature = (evaluator, sims=400, batch=16, c=1.5, seed=1, name=None))]
    fn puct(
        evaluator: Py<PyAny>,
        sims: u64,
        batch: usize,
        c: f32,
        seed: u64,
        name: Option<String>,
    ) -> PyResult<Agent> {
        if sims == 0 || batch == 0 || !c.is_finite() {
            return Err(value("sims and batch must be positive, and c a number"));
        }
        let name = name.unwrap_or_else(|| format!("puct(c={c},batch={batch})@sims={sims}"));
        let params = Params { sims, batch, c, name: name.clone() };
        Ok(Agent::of(Maker::Puct { evaluator: Arc::new(evaluator), params }, name, seed))
    }

    /// The string that makes the agent again.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// The number of the action that it chooses for the player to move, or for `player`.
    #[pyo3(signature = (state, player=None))]
    fn step(&self, py: Python<'_>, state: PyRef<'_, State>, player: Option<i64>) -> PyResult<i64> {
        let state: State = state.clone();
        let seat = self.seat(&state, player)?;
        let choice = self.choose(py, &state, seat)?;
        Ok(number(&state, seat, choice.mv))
    }

    /// The choice and the thought behind it, as a dictionary.
    #[pyo3(signature = (state, player=None))]
    fn think<'py>(
        &self,
        py: Python<'py>,
        state: PyRef<'_, State>,
        player: Option<i64>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let state: State = state.clone();
        let seat = self.seat(&state, player)?;
        let choice = self.choose(py, &state, seat)?;
        let game = state.play.game();
        let rows = PyList::empty(py);
        for candidate in &choice.thought.candidates {
            let row = PyDict::new(py);
            row.set_item("action", number(&state, seat, candidate.mv))?;
            row.set_item("move", game.move_text(candidate.mv))?;
            row.set_item("visits", candidate.visits)?;
            row.set_item("value", candidate.value)?;
            row.set_item("proven", candidate.proven)?;
            let line: Vec<String> = candidate.line.iter().map(|&mv| game.move_text(mv)).collect();
            row.set_item("line", line)?;
            rows.append(row)?;
        }
        let thought = &choice.thought;
        let facts = PyDict::new(py);
        facts.set_item("action", number(&state, seat, choice.mv))?;
        facts.set_item("move", game.move_text(choice.mv))?;
        facts.set_item("value", thought.value)?;
        facts.set_item("proven", thought.proven)?;
        facts.set_item("sims", thought.sims)?;
        facts.set_item("nodes", thought.nodes)?;
        facts.set_item("depth", thought.depth)?;
        facts.set_item("notes", &thought.notes)?;
        facts.set_item("candidates", rows)?;
        Ok(facts)
    }

    /// Ends the thinking of another thread: the agent answers with its best move so far.
    fn stop(&self) {
        self.stop.set();
    }

    /// Forgets the match: the next choice begins a new one.
    fn restart(&self) {
        self.seats.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Checks that it can play a game.
    fn check(&self, game: &Game) -> PyResult<()> {
        match &self.maker {
            Maker::Spec(spec) => spec.supports(game.game.info()).map_err(raise),
            Maker::Puct { .. } => Puct::supports(game.game.info()).map_err(raise),
        }
    }

    fn __repr__(&self) -> String {
        format!("ludex.agent({:?})", self.name)
    }
}

impl Agent {
    fn of(maker: Maker, name: String, seed: u64) -> Agent {
        let (stop, seats) = (Stop::default(), Mutex::default());
        Agent { maker, name, seed: Seed(seed), stop, seats }
    }

    /// An agent of the core for a seat of a tournament; `None` for agents that are known by their name.
    pub(crate) fn in_tournament(
        &self,
        game: &AnyGame,
        seed: Seed,
    ) -> Option<Result<Box<dyn CoreAgent<AnyGame>>, Error>> {
        match &self.maker {
            Maker::Spec(_) => None,
            Maker::Puct { evaluator, params } => Some(
                Puct::new(game, Arc::clone(evaluator), params.clone(), seed)
                    .map(|agent| Box::new(agent) as Box<dyn CoreAgent<AnyGame>>),
            ),
        }
    }
}

/// The agents that can be named, as pairs of name and summary; those that can play `game`, where one is given.
#[pyfunction]
#[pyo3(signature = (game=None))]
fn agents(game: Option<&Game>) -> Vec<(String, String)> {
    let able = game.map(|game| ludex_agents::supporting(game.game.info()));
    let entries = ludex_agents::catalog().iter();
    entries
        .filter(|entry| able.as_ref().is_none_or(|able| able.contains(&entry.name)))
        .map(|entry| (entry.name.to_owned(), entry.summary.to_owned()))
        .collect()
}

/// The name of the agent that plays a game where no other is named.
#[pyfunction]
fn usual_agent(game: &Game) -> &'static str {
    ludex_agents::usual(game.game.info())
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(agents, module)?)?;
    module.add_function(wrap_pyfunction!(usual_agent, module)?)
}
