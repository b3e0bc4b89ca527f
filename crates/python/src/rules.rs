//! Games written in Python.
//!
//! An object with five methods becomes a [`Game`](ludex_core::Game) that all agents can play. States are objects that the
//! rules never change; moves are texts. A method that raises ends the game at hand, and the exception comes up at the next
//! call into the package.

use crate::error::{LudexError, value};
use ludex_core::encode::{self, ActionSpace, Encoding};
use ludex_core::{Game, Info, Move, Player, Players, Playouts, Seed, Turn, View};
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The rules of a game written in Python.
pub(crate) struct PythonRules {
    object: Py<PyAny>,
    info: Info,
    texts: Mutex<Texts>,
    failure: Mutex<Option<PyErr>>,
    percepts: bool,
    /// How many moves are known beforehand: the first texts.
    actions: u32,
    shape: Vec<usize>,
}

/// Texts of moves and percepts, by number.
#[derive(Default)]
struct Texts {
    all: Vec<String>,
    numbers: FxHashMap<String, u64>,
}

impl Texts {
    fn number(&mut self, text: &str) -> u64 {
        if let Some(&number) = self.numbers.get(text) {
            return number;
        }
        let number = self.all.len() as u64;
        self.all.push(text.to_owned());
        self.numbers.insert(text.to_owned(), number);
        number
    }
}

/// A state: an object of Python, or nothing after the rules have failed.
#[derive(Clone)]
pub(crate) struct PythonState(Option<Arc<Py<PyAny>>>);

/// The game over the rules.
#[derive(Clone)]
pub(crate) struct PythonGame(Arc<PythonRules>);

impl PythonRules {
    /// Reads the attributes `name`, `players` and the flags of the object.
    pub(crate) fn new(py: Python<'_>, object: Py<PyAny>) -> PyResult<PythonRules> {
        let bound = object.bind(py);
        let name: String = match bound.getattr_opt("name")? {
            Some(name) => name.extract()?,
            None => bound.get_type().name()?.extract()?,
        };
        let players: Vec<String> = bound.getattr("players")?.extract()?;
        if players.is_empty() || players.len() > Players::MOST {
            return Err(value(format!("a game has 1 to {} players", Players::MOST)));
        }
        let names: Vec<&str> = players.iter().map(String::as_str).collect();
        let flag = |key: &str, usual: bool| match bound.getattr_opt(key)? {
            Some(flag) => flag.extract(),
            None => Ok(usual),
        };
        let mut info = Info::new(&name, &name, &names);
        info.chance = flag("chance", false)?;
        info.hidden = flag("hidden", false)?;
        info.tells_moves = info.hidden;
        info.simultaneous = flag("simultaneous", false)?;
        info.constant_sum = flag("constant_sum", players.len() > 1)?;
        info.playouts = Playouts::Interpreted;
        info.engine = "python";
        if let Some(longest) = bound.getattr_opt("longest")? {
            info.longest = longest.extract()?;
        }
        let percepts = bound.hasattr("percept")?;
        if info.hidden && !percepts {
            return Err(value("a game with hidden information needs the method `percept`"));
        }
        let mut texts = Texts::default();
        if let Some(actions) = bound.getattr_opt("actions")? {
            for text in actions.try_iter()? {
                texts.number(&text?.extract::<String>()?);
            }
        }
        let shape: Vec<usize> = match bound.getattr_opt("observation_shape")? {
            Some(shape) => shape.extract()?,
            None => Vec::new(),
        };
        let (actions, texts, failure) =
            (texts.all.len() as u32, Mutex::new(texts), Mutex::default());
        Ok(PythonRules { object, info, texts, failure, percepts, actions, shape })
    }

    pub(crate) fn game(self: &Arc<Self>) -> PythonGame {
        PythonGame(Arc::clone(self))
    }

    pub(crate) fn object(&self, py: Python<'_>) -> Py<PyAny> {
        self.object.clone_ref(py)
    }

    /// The exception of a method that failed since the last check.
    pub(crate) fn check(&self) -> PyResult<()> {
        let failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner).take();
        failure.map_or(Ok(()), Err)
    }

    /// Runs a call into Python and keeps its exception.
    fn call<T>(
        &self,
        call: impl FnOnce(Python<'_>, &Bound<'_, PyAny>) -> PyResult<T>,
    ) -> Option<T> {
        Python::attach(|py| match call(py, self.object.bind(py)) {
            Ok(value) => Some(value),
            Err(error) => {
                let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
                failure.get_or_insert(error);
                None
            }
        })
    }

    fn number(&self, text: &str) -> u64 {
        self.texts.lock().unwrap_or_else(PoisonError::into_inner).number(text)
    }

    fn text(&self, number: u64) -> String {
        let texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        let text = usize::try_from(number).ok().and_then(|at| texts.all.get(at));
        text.cloned().unwrap_or_else(|| "?".into())
    }

    /// The texts of a joint move, as a tuple.
    fn joint<'py>(&self, py: Python<'py>, joint: &[Move]) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, joint.iter().map(|mv| PyString::new(py, &self.text(mv.0))))
    }
}

/// Reads the answer of `turn`: None, "chance", a seat, or seats that move at once.
fn read_turn(answer: &Bound<'_, PyAny>, seats: usize) -> PyResult<Turn> {
    let seat = |number: i64| match u8::try_from(number) {
        Ok(seat) if usize::from(seat) < seats => Ok(Player(seat)),
        _ => Err(value(format!("turn gave the seat {number}, and there are {seats}"))),
    };
    if answer.is_none() {
        return Ok(Turn::Over);
    }
    if let Ok(text) = answer.extract::<String>() {
        return match text.as_str() {
            "chance" => Ok(Turn::Chance),
            other => Err(value(format!("turn gave `{other}`; give None, \"chance\" or seats"))),
        };
    }
    if let Ok(number) = answer.extract::<i64>() {
        return seat(number).map(Turn::One);
    }
    let mut players = Players(0);
    for number in answer.extract::<Vec<i64>>()? {
        players = players.with(seat(number)?);
    }
    match players.len() {
        0 => Ok(Turn::Over),
        1 => Ok(Turn::One(players.iter().next().unwrap_or_default())),
        _ => Ok(Turn::Joint(players)),
    }
}

impl Game for PythonGame {
    type State = PythonState;

    fn info(&self) -> &Info {
        &self.0.info
    }

    fn start(&self) -> PythonState {
        let made = self.0.call(|_, rules| Ok(rules.call_method0("start")?.unbind()));
        PythonState(made.map(Arc::new))
    }

    fn turn(&self, state: &PythonState) -> Turn {
        let Some(state) = &state.0 else { return Turn::Over };
        let seats = self.0.info.seats();
        let turn = self
            .0
            .call(|py, rules| read_turn(&rules.call_method1("turn", (state.bind(py),))?, seats));
        turn.unwrap_or(Turn::Over)
    }

    fn moves(&self, state: &PythonState, player: Player, out: &mut Vec<Move>) {
        let Some(state) = &state.0 else { return };
        let texts: Option<Vec<String>> = self.0.call(|py, rules| {
            let texts = rules.call_method1("moves", (state.bind(py), player.0))?;
            let texts: Vec<String> =
                texts.try_iter()?.map(|t| t?.extract()).collect::<PyResult<_>>()?;
            if texts.is_empty() {
                return Err(LudexError::new_err(
                    "moves gave no move for a player whose turn it is",
                ));
            }
            Ok(texts)
        });
        out.extend(texts.into_iter().flatten().map(|text| Move(self.0.number(&text))));
    }

    fn apply(&self, state: &mut PythonState, joint: &[Move]) {
        let Some(before) = state.0.take() else { return };
        let after = self.0.call(|py, rules| {
            let joint = self.0.joint(py, joint)?;
            Ok(rules.call_method1("play", (before.bind(py), joint))?.unbind())
        });
        state.0 = after.map(Arc::new);
    }

    fn payoffs(&self, state: &PythonState, out: &mut [f32]) {
        out.fill(0.5);
        let Some(state) = &state.0 else { return };
        let given: Option<Vec<f32>> = self.0.call(|py, rules| {
            let payoffs: Vec<f32> = rules.call_method1("payoffs", (state.bind(py),))?.extract()?;
            let fit = payoffs.len() == self.0.info.seats();
            match fit && payoffs.iter().all(|p| (0.0..=1.0).contains(p)) {
                true => Ok(payoffs),
                false => Err(value("payoffs must be one number from 0 to 1 for each player")),
            }
        });
        out.iter_mut().zip(given.into_iter().flatten()).for_each(|(slot, payoff)| *slot = payoff);
    }

    fn hash(&self, state: &PythonState) -> u64 {
        let Some(state) = &state.0 else { return 0 };
        let hash = self.0.call(|py, _| state.bind(py).hash());
        hash.map_or(0, |hash| ludex_core::random::mix(hash as u64))
    }

    fn action_space(&self) -> ActionSpace {
        match self.0.actions {
            0 => ActionSpace::slots(encode::widest(self, 20, 200, Seed(0xac7)).saturating_mul(2)),
            known => ActionSpace::dense(known),
        }
    }

    fn actions(&self, legal: &[Move], out: &mut Vec<u32>) {
        match self.0.actions {
            0 => out.extend(0..legal.len() as u32),
            _ => out.extend(legal.iter().map(|mv| u32::try_from(mv.0).unwrap_or(u32::MAX))),
        }
    }

    fn encoding(&self) -> Encoding {
        Encoding { shape: self.0.shape.clone(), names: Vec::new() }
    }

    fn encode(&self, view: &View<'_, Self>, out: &mut encode::Features) {
        let Some(PythonState(Some(state))) = view.state() else { return };
        if self.0.shape.is_empty() {
            return;
        }
        let values: Option<Vec<f32>> = self.0.call(|py, rules| {
            let given = rules.call_method1("observe", (state.bind(py), view.seat().0))?;
            let flat = py.import("numpy")?.call_method1("ravel", (given,))?;
            flat.call_method0("tolist")?.extract()
        });
        let values = (0..).zip(values.into_iter().flatten());
        out.extend(values.filter(|&(_, value): &(u32, f32)| value != 0.0));
    }

    fn move_text(&self, mv: Move) -> String {
        self.0.text(mv.0)
    }

    fn position(&self, state: &PythonState) -> String {
        let Some(state) = &state.0 else { return "?".into() };
        self.0.call(|py, _| Ok(state.bind(py).repr()?.to_string())).unwrap_or_else(|| "?".into())
    }

    fn chances(&self, state: &PythonState, out: &mut Vec<(Move, f64)>) {
        let Some(state) = &state.0 else { return };
        let given: Option<Vec<(String, f64)>> =
            self.0.call(|py, rules| rules.call_method1("chances", (state.bind(py),))?.extract());
        let outcomes = given.into_iter().flatten();
        out.extend(outcomes.map(|(text, chance)| (Move(self.0.number(&text)), chance)));
    }

    fn percept(
        &self,
        before: &PythonState,
        joint: &[Move],
        after: &PythonState,
        player: Player,
        out: &mut Vec<u64>,
    ) {
        if !self.0.percepts {
            out.extend(joint.iter().map(|mv| mv.0));
            return;
        }
        let (Some(before), Some(after)) = (&before.0, &after.0) else { return };
        let texts: Option<Vec<String>> = self.0.call(|py, rules| {
            let joint = self.0.joint(py, joint)?;
            let given = rules
                .call_method1("percept", (before.bind(py), joint, after.bind(py), player.0))?;
            given.try_iter()?.map(|text| text?.extract()).collect()
        });
        out.extend(texts.into_iter().flatten().map(|text| self.0.number(&text)));
    }

    fn draw(&self, state: &PythonState, viewer: Option<Player>) -> String {
        if viewer.is_some() && self.0.info.hidden {
            return "(hidden)".into();
        }
        let Some(state) = &state.0 else { return "?".into() };
        self.0.call(|py, _| Ok(state.bind(py).str()?.to_string())).unwrap_or_else(|| "?".into())
    }
}
