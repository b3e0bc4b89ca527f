//! Rules as a Python object.

use crate::error::{UnsupportedError, raise, value};
use crate::interrupt::interruptible;
use crate::rules::PythonRules;
use crate::state::State;
use ludex_core::diagnostic::Texts;
use ludex_core::{
    ActionSpace, AnyGame, Encoding, Error, Game as _, Match, Player, Seed, Transcript,
};
use ludex_gdl::game::{GdlGame, LoadError, Options};
use ludex_library::Description;
use ludex_lud::expand::Library;
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::sync::Arc;

/// The rules of a game. Make one with `ludex.load`.
#[pyclass(frozen, module = "ludex._ludex")]
pub(crate) struct Game {
    pub(crate) game: AnyGame,
    pub(crate) space: ActionSpace,
    pub(crate) encoding: Encoding,
    /// The game written in Python, where it is one.
    pub(crate) python: Option<Arc<PythonRules>>,
    opened: Opened,
}

/// How the game was opened, for pickling.
enum Opened {
    Name,
    Text { text: String, language: String, options: Vec<String> },
    Python,
}

impl Game {
    fn new(py: Python<'_>, game: AnyGame, opened: Opened) -> Game {
        // The rules may play a few games for it.
        let (space, encoding) = py.detach(|| (game.action_space(), game.encoding()));
        Game { game, space, encoding, python: None, opened }
    }

    /// The object of a game that the arena plays.
    pub(crate) fn of_core(game: &AnyGame) -> Game {
        let (space, encoding) = (game.action_space(), game.encoding());
        Game { game: game.clone(), space, encoding, python: None, opened: Opened::Name }
    }

    /// The seat of a number, where the game has it.
    pub(crate) fn seat(&self, player: i64) -> PyResult<Player> {
        let seats = self.game.info().seats();
        match u8::try_from(player) {
            Ok(seat) if usize::from(seat) < seats => Ok(Player(seat)),
            _ => Err(value(format!("player must be from 0 to {}, not {player}", seats - 1))),
        }
    }

    /// The exception of a game in Python whose methods have failed.
    pub(crate) fn check(&self) -> PyResult<()> {
        self.python.as_ref().map_or(Ok(()), |rules| rules.check())
    }

    /// A row of observations.
    pub(crate) fn dense(&self, features: &[(u32, f32)], out: &mut [f32]) {
        for &(at, value) in features {
            if let Some(slot) = out.get_mut(at as usize) {
                *slot = value;
            }
        }
    }
}

#[pymethods]
impl Game {
    /// Reads rules from their text. `language` is "kif" or "lud".
    #[staticmethod]
    #[pyo3(signature = (text, language, options=Vec::new()))]
    fn from_text(
        py: Python<'_>,
        text: &str,
        language: &str,
        options: Vec<String>,
    ) -> PyResult<Game> {
        let name = format!("text.{language}");
        let game = match language {
            "kif" => py.detach(|| read_kif(&name, text)),
            "lud" => py.detach(|| read_lud(&name, text, &options)),
            other => return Err(value(format!("language must be `kif` or `lud`, not `{other}`"))),
        };
        let (text, language) = (text.to_owned(), language.to_owned());
        Ok(Game::new(py, game.map_err(raise)?, Opened::Text { text, language, options }))
    }

    /// A game from an object with the methods of `ludex.PythonGame`.
    #[staticmethod]
    fn from_python(py: Python<'_>, rules: Py<PyAny>) -> PyResult<Game> {
        let rules = Arc::new(PythonRules::new(py, rules)?);
        let game = AnyGame::new(rules.game());
        let made = Game::new(py, game, Opened::Python);
        rules.check()?;
        Ok(Game { python: Some(rules), ..made })
    }

    /// The string that opens this game again.
    #[getter]
    fn name(&self) -> &str {
        &self.game.info().name
    }

    /// One line for people.
    #[getter]
    fn title(&self) -> &str {
        &self.game.info().title
    }

    /// The names of the seats.
    #[getter]
    fn players(&self) -> Vec<String> {
        self.game.info().players.clone()
    }

    /// The engine that runs the rules, for people.
    #[getter]
    fn engine(&self) -> &str {
        self.game.info().engine
    }

    /// Where the rules come from: the language and a digest.
    #[getter]
    fn source(&self) -> String {
        self.game.info().source.to_string()
    }

    /// Has the game hidden information?
    #[getter]
    fn hidden(&self) -> bool {
        self.game.info().hidden
    }

    /// Does chance ever move?
    #[getter]
    fn chance(&self) -> bool {
        self.game.info().chance
    }

    /// Do players ever choose at the same time?
    #[getter]
    fn simultaneous(&self) -> bool {
        self.game.info().simultaneous
    }

    /// Do the results always add up to the same sum?
    #[getter]
    fn constant_sum(&self) -> bool {
        self.game.info().constant_sum
    }

    /// How actions are numbered: "dense", "slots" or "mixed".
    #[getter]
    fn action_numbering(&self) -> &'static str {
        self.space.kind()
    }

    /// The number of actions that mean the same in every position. The numbers from here on are slots of the legal list.
    #[getter]
    fn num_fixed_actions(&self) -> u32 {
        self.space.fixed
    }

    /// The names of the planes or groups of features of an observation.
    #[getter]
    fn observation_names(&self) -> Vec<String> {
        self.encoding.names.clone()
    }

    /// The number of players.
    fn num_players(&self) -> usize {
        self.game.info().seats()
    }

    /// The number of action numbers.
    fn num_distinct_actions(&self) -> u32 {
        self.space.size()
    }

    /// The least result.
    fn min_utility(&self) -> f32 {
        self.game.info().returns[0]
    }

    /// The greatest result.
    fn max_utility(&self) -> f32 {
        self.game.info().returns[1]
    }

    /// The sum of all results where it is constant, else None.
    fn utility_sum(&self) -> Option<f32> {
        let info = self.game.info();
        let [least, most] = info.returns;
        // Payoffs of a game with constant sum add up to half the number of seats, or to 1.
        let two = info.constant_sum && info.seats() == 2;
        two.then_some(least + most)
    }

    /// The most steps of a game; 0 where it is not known.
    fn max_game_length(&self) -> u32 {
        self.game.info().longest.unwrap_or(0)
    }

    /// The shape of `State.observation_tensor`.
    fn observation_tensor_shape(&self) -> Vec<usize> {
        self.encoding.shape.clone()
    }

    /// The number of values of an observation.
    fn observation_tensor_size(&self) -> usize {
        self.encoding.width()
    }

    /// The same as `observation_tensor_shape`.
    fn information_state_tensor_shape(&self) -> Vec<usize> {
        self.encoding.shape.clone()
    }

    /// The same as `observation_tensor_size`.
    fn information_state_tensor_size(&self) -> usize {
        self.encoding.width()
    }

    /// What a program must know of the game before the first move.
    fn get_type<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let info = self.game.info();
        let facts = PyDict::new(py);
        facts.set_item("short_name", &info.name)?;
        facts.set_item("long_name", &info.title)?;
        facts
            .set_item("dynamics", if info.simultaneous { "simultaneous" } else { "sequential" })?;
        facts.set_item("chance_mode", if info.chance { "explicit" } else { "deterministic" })?;
        facts.set_item("information", if info.hidden { "imperfect" } else { "perfect" })?;
        facts
            .set_item("utility", if info.constant_sum { "constant sum" } else { "general sum" })?;
        facts.set_item("reward_model", "terminal")?;
        facts.set_item("actions", self.space.kind())?;
        facts.set_item("num_fixed_actions", self.space.fixed)?;
        facts.set_item("num_slots", self.space.slots)?;
        Ok(facts)
    }

    /// The first position, or the position that `position` describes in the notation of the game.
    #[pyo3(signature = (position=None))]
    fn new_initial_state(slf: &Bound<'_, Self>, position: Option<&str>) -> PyResult<State> {
        let game = &slf.get().game;
        let origin = match position {
            Some(text) => game.parse_position(text).map_err(raise)?,
            None => game.start(),
        };
        slf.get().check()?;
        Ok(State::new(slf.clone().unbind(), Match::owning_at(game.clone(), origin)))
    }

    /// The state after the steps that `State.to_json` or `State.serialize` wrote.
    fn deserialize_state(slf: &Bound<'_, Self>, text: &str) -> PyResult<State> {
        let json: serde_json::Value = match serde_json::from_str(text) {
            Ok(json) => json,
            Err(error) => return Err(raise(Error::BadMatch(error.to_string()))),
        };
        let transcript = Transcript::from_json(&json).map_err(raise)?;
        State::replay(slf.clone().unbind(), &transcript)
    }

    /// The same as `deserialize_state`.
    fn from_json(slf: &Bound<'_, Self>, text: &str) -> PyResult<State> {
        Game::deserialize_state(slf, text)
    }

    /// Plays `n` random games from each of `states`. Returns the results as an array of one row a game, and the number of
    /// steps of each game.
    #[pyo3(signature = (states, n=1, seed=1))]
    #[allow(clippy::type_complexity)]
    fn playouts<'py>(
        slf: &Bound<'py, Self>,
        py: Python<'py>,
        states: Vec<PyRef<'py, State>>,
        n: usize,
        seed: u64,
    ) -> PyResult<(Bound<'py, PyArray2<f32>>, Bound<'py, PyArray1<u32>>)> {
        let this = slf.get();
        let game = &this.game;
        if states.iter().any(|state| !state.game.is(slf)) {
            return Err(value("a state belongs to another game"));
        }
        let starts: Vec<_> = states.iter().map(|state| state.play.state().clone()).collect();
        drop(states);
        let seats = game.info().seats();
        let mut out = ludex_core::Outcomes::new(seats);
        interruptible(py, || {}, || game.playouts(&starts, n, Seed(seed), &mut out))?;
        this.check()?;
        let info = game.info();
        let results: Vec<f32> = out.rows().flatten().map(|&payoff| info.result(payoff)).collect();
        let results = PyArray1::from_vec(py, results).reshape([out.len(), seats])?;
        Ok((results, PyArray1::from_slice(py, out.lengths())))
    }

    /// Checks the laws that every game must keep, by random games. Returns what was checked.
    #[pyo3(signature = (games=30, seed=2026))]
    fn check_laws<'py>(
        &self,
        py: Python<'py>,
        games: u32,
        seed: u64,
    ) -> PyResult<Bound<'py, PyDict>> {
        let game = &self.game;
        let report =
            interruptible(py, || {}, || ludex_core::testkit::check(game, games, Seed(seed)))?;
        self.check()?;
        let report = report
            .map_err(|law| UnsupportedError::new_err(format!("{}: {law}", game.info().name)))?;
        let facts = PyDict::new(py);
        facts.set_item("games", report.games)?;
        facts.set_item("states", report.states)?;
        facts.set_item("positions", report.positions)?;
        facts.set_item("pairs", report.pairs)?;
        Ok(facts)
    }

    fn __repr__(&self) -> String {
        format!("ludex.load({:?})", self.game.info().name)
    }

    fn __str__(&self) -> String {
        self.game.info().name.clone()
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let py = slf.py();
        let this = slf.get();
        match &this.opened {
            Opened::Name => {
                let load = py.import("ludex._ludex")?.getattr("load")?;
                Ok((load, (this.game.info().name.clone(),).into_pyobject(py)?))
            }
            Opened::Text { text, language, options } => {
                let load = py.get_type::<Game>().getattr("from_text")?;
                Ok((load, (text, language, options.clone()).into_pyobject(py)?))
            }
            Opened::Python => match &this.python {
                Some(rules) => {
                    let load = py.get_type::<Game>().getattr("from_python")?;
                    Ok((load, (rules.object(py),).into_pyobject(py)?))
                }
                None => Err(UnsupportedError::new_err("this game cannot be pickled")),
            },
        }
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: Py<PyAny>) -> Py<Self> {
        slf
    }
}

/// Opens a game by its name, such as "connect4(5,4)", "lud:hex" or "kif:path/to/game.kif".
#[pyfunction]
fn load(py: Python<'_>, name: &str) -> PyResult<Game> {
    let game = py.detach(|| ludex_library::open(name)).map_err(raise)?;
    Ok(Game::new(py, game, Opened::Name))
}

/// The names of all games that are known here.
#[pyfunction]
fn registered_names(py: Python<'_>) -> Vec<String> {
    py.detach(ludex_library::names)
}

fn read_kif(name: &str, text: &str) -> Result<AnyGame, Error> {
    let bad = |reason: String| Error::BadParameter { name: name.to_owned(), reason };
    match GdlGame::load(name, text, &Options::default()) {
        Ok(game) => Ok(AnyGame::new(game)),
        Err(LoadError::Rules(found)) => {
            let texts = Texts::one(name.to_owned(), text.to_owned());
            let lines: Vec<String> =
                found.iter().filter(|d| d.is_error()).map(|d| d.line(&texts)).collect();
            Err(bad(lines.join("; ")))
        }
        Err(error) => Err(bad(error.to_string())),
    }
}

fn read_lud(name: &str, text: &str, options: &[String]) -> Result<AnyGame, Error> {
    let description = Description { origin: name.to_owned(), text: text.to_owned(), defines: None };
    let loaded = ludex_library::load_lud(name, &description, &Library::default(), options);
    let bad = |reason: String| Error::BadParameter { name: name.to_owned(), reason };
    Ok(AnyGame::new(loaded.into_game().map_err(bad)?))
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(load, module)?)?;
    module.add_function(wrap_pyfunction!(registered_names, module)?)
}
