//! What one seat may know of a match.

use crate::error::{UnsupportedError, raise, value};
use crate::game::Game;
use crate::state::State;
use ludex_core::encode::Features;
use ludex_core::{AnyGame, Game as _, Language, Match, Move, Player, Record, Source, Turn};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;

/// The knowledge of a seat, read from its records.
pub(crate) struct Knowledge<'a> {
    pub(crate) play: &'a Match<'static, AnyGame>,
    pub(crate) seat: Player,
    /// The lists of legal moves of earlier own turns, where they are observations.
    pub(crate) told: &'a [(usize, Vec<Move>)],
}

impl Knowledge<'_> {
    /// All that the seat has seen as one line. It tells apart exactly the worlds that the seat can tell apart.
    pub(crate) fn text(&self) -> String {
        let mut pad = Vec::new();
        history(self.play.game(), &self.play.view(self.seat, &mut pad), self.told)
    }

    /// The features of an observation.
    pub(crate) fn features(&self) -> Features {
        let (mut pad, mut features) = (Vec::new(), Features::new());
        let view = self.play.view(self.seat, &mut pad);
        self.play.game().encode(&view, &mut features);
        features
    }
}

/// What a view shows, as one line. `told` are the lists of legal moves of earlier own turns, where they are observations.
fn history(
    game: &AnyGame,
    view: &ludex_core::View<'_, AnyGame>,
    told: &[(usize, Vec<Move>)],
) -> String {
    let info = game.info();
    let mut text = info.player(view.seat()).to_owned();
    let origin = game.position(view.origin());
    if origin != game.position(&game.start()) {
        text.push_str(&format!(" from {origin}"));
    }
    text.push(':');
    let list = |legal: &[Move]| {
        let names: Vec<String> = legal.iter().map(|&mv| game.move_text(mv)).collect();
        format!(" [{}]", names.join(" "))
    };
    let mut told = told.iter().peekable();
    for (step, record) in view.records().iter().enumerate() {
        if let Some((_, legal)) = told.next_if(|(at, _)| *at == step) {
            text.push_str(&list(legal));
        }
        text.push_str(&record_text(game, record));
    }
    if info.tells_moves && !view.legal().is_empty() {
        text.push_str(&list(view.legal()));
    }
    text
}

/// A step as a seat saw it: its own move, then what it was told.
fn record_text(game: &AnyGame, record: &Record) -> String {
    let info = game.info();
    let own = record.own.map(|mv| game.move_text(mv)).unwrap_or_default();
    if !info.hidden {
        // The percept is the whole joint move.
        return format!(" {}", game.percept_text(&record.percept.0));
    }
    let words = &record.percept.0;
    let told = match &info.source {
        // The texts of ludeme percepts name the sites that changed and not how.
        Source::Text { language: Language::Ludemes, .. } => {
            words.iter().map(|word| format!("{word:x}")).collect::<Vec<_>>().join(" ")
        }
        _ => game.percept_text(words),
    };
    match own.is_empty() {
        true => format!(" ({told})"),
        false => format!(" {own}({told})"),
    }
}

/// What a player may know when it must move: agents get it instead of a state.
#[pyclass(frozen, module = "ludex._ludex")]
pub(crate) struct View {
    game: Py<Game>,
    seat: Player,
    /// Action numbers, ascending, and their moves.
    pub(crate) legal: Vec<(i64, Move)>,
    text: String,
    features: Features,
    state: Option<Py<State>>,
}

impl View {
    /// The view of a seat of a state.
    pub(crate) fn of(state: &State, seat: Player) -> PyResult<View> {
        Python::attach(|py| View::make(py, state, seat))
    }

    fn make(py: Python<'_>, state: &State, seat: Player) -> PyResult<View> {
        let knowledge = state.knowledge(seat);
        let game = state.game.clone_ref(py);
        let rules = state.play.game();
        let legal = numbered(rules, state.play.legal(seat));
        let (text, features) = (knowledge.text(), knowledge.features());
        let shown = match rules.info().hidden {
            true => None,
            false => Some(Py::new(py, state.clone())?),
        };
        Ok(View { game, seat, legal, text, features, state: shown })
    }

    /// The view that an agent of the core gets.
    pub(crate) fn of_core(
        py: Python<'_>,
        game: Py<Game>,
        view: &ludex_core::View<'_, AnyGame>,
    ) -> PyResult<View> {
        let rules = game.get().game.clone();
        let mut features = Features::new();
        rules.encode(view, &mut features);
        let legal = numbered(&rules, view.legal().to_vec());
        // Lists of legal moves of earlier turns are not kept here.
        let text = history(&rules, view, &[]);
        let state = match view.state() {
            None => None,
            Some(_) => Some(Py::new(py, replayed(&game, py, view)?)?),
        };
        Ok(View { game, seat: view.seat(), legal, text, features, state })
    }
}

/// The state of a game without hidden information: its percepts are the joint moves, so the records replay it.
fn replayed(
    game: &Py<Game>,
    py: Python<'_>,
    view: &ludex_core::View<'_, AnyGame>,
) -> PyResult<State> {
    let rules = game.get().game.clone();
    let mut play = Match::owning_at(rules, view.origin().clone());
    for record in view.records() {
        let joint: Vec<Move> = record.percept.0.iter().map(|&word| Move(word)).collect();
        if play.turn() == Turn::Over || play.try_apply(&joint).is_err() {
            // A game that tells its seats something else than the moves: show the position alone.
            let Some(state) = view.state() else { break };
            play = Match::owning_at(game.get().game.clone(), state.clone());
            break;
        }
    }
    Ok(State::new(game.clone_ref(py), play))
}

fn numbered(rules: &AnyGame, legal: Vec<Move>) -> Vec<(i64, Move)> {
    let mut numbers = Vec::with_capacity(legal.len());
    rules.actions(&legal, &mut numbers);
    let mut all: Vec<(i64, Move)> = numbers.into_iter().map(i64::from).zip(legal).collect();
    all.sort_unstable_by_key(|&(number, _)| number);
    all
}

#[pymethods]
impl View {
    /// The seat whose view this is.
    #[getter]
    fn player(&self) -> u8 {
        self.seat.0
    }

    /// The rules.
    #[getter]
    fn game(&self, py: Python<'_>) -> Py<Game> {
        self.game.clone_ref(py)
    }

    /// The state, where the game has no hidden information; else None.
    #[getter]
    fn state(&self, py: Python<'_>) -> Option<Py<State>> {
        self.state.as_ref().map(|state| state.clone_ref(py))
    }

    /// The numbers of the player's legal actions, ascending.
    fn legal_actions(&self) -> Vec<i64> {
        self.legal.iter().map(|&(number, _)| number).collect()
    }

    /// 1 for each legal action number, as an array.
    fn legal_actions_mask<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i8>> {
        let mut mask = vec![0; self.game.get().space.size() as usize];
        for &(number, _) in &self.legal {
            if let Some(bit) = usize::try_from(number).ok().and_then(|at| mask.get_mut(at)) {
                *bit = 1;
            }
        }
        PyArray1::from_vec(py, mask)
    }

    /// The text of a legal action.
    fn action_to_string(&self, action: i64) -> PyResult<String> {
        let found = self.legal.iter().find(|&&(number, _)| number == action);
        let text = found.map(|&(_, mv)| self.game.get().game.move_text(mv));
        text.ok_or_else(|| value(format!("{action} is not legal here")))
    }

    /// The number of a legal action by its text.
    fn string_to_action(&self, text: &str) -> PyResult<i64> {
        let rules = &self.game.get().game;
        let found = self.legal.iter().find(|&&(_, mv)| rules.move_text(mv) == text.trim());
        found.map(|&(number, _)| number).ok_or_else(|| {
            raise(ludex_core::Error::IllegalMove {
                text: text.to_owned(),
                player: rules.info().player(self.seat).to_owned(),
                hint: "no legal move has this text".into(),
            })
        })
    }

    /// What the player has seen: its own moves and percepts, oldest first.
    fn information_state_string(&self) -> &str {
        &self.text
    }

    /// The features of what the player sees now.
    fn observation_tensor<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let game = self.game.get();
        if game.encoding.width() == 0 {
            return Err(UnsupportedError::new_err("this game has no encoding of positions"));
        }
        let mut row = vec![0.0; game.encoding.width()];
        game.dense(&self.features, &mut row);
        Ok(PyArray1::from_vec(py, row).reshape(game.encoding.shape.clone())?.into_any())
    }

    fn __repr__(&self) -> String {
        format!("<ludex.View of {} in {}>", self.seat, self.game.get().game.info().name)
    }
}
