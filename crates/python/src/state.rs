//! A match under way, with the names that OpenSpiel's programs call.
//!
//! A state is the referee's: it knows everything. What a player may know comes from `observation_*`,
//! `information_state_*` and `view`, which read the records of the seat and never the state of a game with hidden
//! information.

use crate::error::{UnsupportedError, raise, value};
use crate::game::Game;
use crate::view::{Knowledge, View};
use ludex_core::{AnyGame, Game as _, Match, Move, Player, Transcript, Turn};
use ludex_draw::Marks;
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::sync::Arc;

/// The numbers of OpenSpiel for turns that no single player has.
const CHANCE: i64 = -1;
const SIMULTANEOUS: i64 = -2;
const TERMINAL: i64 = -4;

/// A position with the moves that led to it.
#[pyclass(module = "ludex._ludex")]
#[derive(Clone)]
pub(crate) struct State {
    /// Shared, so that a copy needs no interpreter lock.
    pub(crate) game: Arc<Py<Game>>,
    pub(crate) play: Match<'static, AnyGame>,
    /// The numbers of all actions so far, with the player of each.
    history: Vec<(i64, i64)>,
    /// By seat, in games where the list of legal moves is an observation: the step and the list of each own turn.
    told: Vec<Vec<(usize, Vec<Move>)>>,
}

impl State {
    pub(crate) fn new(game: Py<Game>, play: Match<'static, AnyGame>) -> State {
        let info = play.game().info();
        let told = vec![Vec::new(); if info.tells_moves { info.seats() } else { 0 }];
        State { game: Arc::new(game), play, history: Vec::new(), told }
    }

    /// Plays a transcript again.
    pub(crate) fn replay(game: Py<Game>, transcript: &Transcript) -> PyResult<State> {
        let start = Transcript { steps: Vec::new(), ..transcript.clone() };
        let play = Match::replay_owning(game.get().game.clone(), &start).map_err(raise)?;
        let mut state = State::new(game, play);
        for (index, step) in transcript.steps.iter().enumerate() {
            let joint = state.play.parse_joint(step).map_err(|error| {
                raise(ludex_core::Error::BadStep {
                    step: index + 1,
                    text: step.join(" | "),
                    error: Box::new(error),
                })
            })?;
            state.advance(&joint)?;
        }
        Ok(state)
    }

    fn rules(&self) -> &AnyGame {
        self.play.game()
    }

    /// The legal moves of a seat with their action numbers, in the order of the numbers.
    fn numbered(&self, seat: Player) -> Vec<(i64, Move)> {
        let legal = self.play.legal(seat);
        let mut numbers = Vec::with_capacity(legal.len());
        self.rules().actions(&legal, &mut numbers);
        let mut all: Vec<(i64, Move)> = numbers.into_iter().map(i64::from).zip(legal).collect();
        all.sort_unstable_by_key(|&(number, _)| number);
        all
    }

    /// The outcomes of chance, numbered in the order of their list.
    fn outcomes(&self) -> Vec<(Move, f64)> {
        let mut out = Vec::new();
        if self.play.turn() == Turn::Chance {
            self.rules().chances(self.play.state(), &mut out);
        }
        out
    }

    /// The player whose turn it is, where there is one.
    fn mover(&self) -> Option<Player> {
        match self.play.turn() {
            Turn::One(player) => Some(player),
            _ => None,
        }
    }

    /// The seat that a call is about: the given one, or the one to move.
    fn seat(&self, player: Option<i64>) -> PyResult<Player> {
        match player {
            Some(player) if player >= 0 => self.game.get().seat(player),
            None => {
                self.mover().ok_or_else(|| value("say which player: not one player is to move"))
            }
            Some(player) => Err(value(format!("no player has the number {player}"))),
        }
    }

    /// The legal move of a seat with an action number.
    fn find(&self, seat: Player, action: i64) -> PyResult<Move> {
        let all = self.numbered(seat);
        match all.binary_search_by_key(&action, |&(number, _)| number) {
            Ok(at) => Ok(all[at].1),
            Err(_) => {
                let some: Vec<String> = all
                    .iter()
                    .take(8)
                    .map(|&(number, mv)| format!("{number} ({})", self.rules().move_text(mv)))
                    .collect();
                let hint = match (self.play.is_over(), some.is_empty()) {
                    (true, _) => "the game is over".to_owned(),
                    (_, true) => "no move is due from this player here".to_owned(),
                    _ if all.len() > some.len() => format!("legal here: {}, ...", some.join(", ")),
                    _ => format!("legal here: {}", some.join(", ")),
                };
                Err(raise(ludex_core::Error::IllegalMove {
                    text: action.to_string(),
                    player: self.rules().info().player(seat).to_owned(),
                    hint,
                }))
            }
        }
    }

    /// Makes a step that is known to be legal.
    fn advance(&mut self, joint: &[Move]) -> PyResult<()> {
        let turn = self.play.turn();
        let step = self.play.len();
        match turn {
            Turn::Chance => {
                let outcomes = self.outcomes();
                let at = outcomes.iter().position(|&(mv, _)| Some(&mv) == joint.first());
                self.history.push((CHANCE, at.map_or(-1, |at| at as i64)));
            }
            _ => {
                for (seat, &mv) in turn.movers().iter().zip(joint) {
                    let all = self.numbered(seat);
                    let number = all.iter().find(|&&(_, known)| known == mv);
                    self.history.push((seat.0.into(), number.map_or(-1, |&(number, _)| number)));
                    if let Some(told) = self.told.get_mut(seat.index()) {
                        told.push((step, self.play.legal(seat)));
                    }
                }
            }
        }
        self.play.apply(joint);
        self.game.get().check()
    }

    /// What a seat knows.
    pub(crate) fn knowledge(&self, seat: Player) -> Knowledge<'_> {
        let told = self.told.get(seat.index()).map_or(&[][..], Vec::as_slice);
        Knowledge { play: &self.play, seat, told }
    }
}

#[pymethods]
impl State {
    /// The player to move; -1 for chance, -2 where several players move at once, -4 where the game is over.
    fn current_player(&self) -> i64 {
        match self.play.turn() {
            Turn::Over => TERMINAL,
            Turn::Chance => CHANCE,
            Turn::One(player) => player.0.into(),
            Turn::Joint(_) => SIMULTANEOUS,
        }
    }

    /// Is the game over?
    fn is_terminal(&self) -> bool {
        self.play.is_over()
    }

    /// Does chance move?
    fn is_chance_node(&self) -> bool {
        self.play.turn() == Turn::Chance
    }

    /// Do several players move at once?
    fn is_simultaneous_node(&self) -> bool {
        matches!(self.play.turn(), Turn::Joint(_))
    }

    /// Does one player move?
    fn is_player_node(&self) -> bool {
        self.mover().is_some()
    }

    /// The numbers of the legal actions, ascending: of the player to move, of `player`, or of chance.
    #[pyo3(signature = (player=None))]
    fn legal_actions(&self, player: Option<i64>) -> PyResult<Vec<i64>> {
        let chance = self.play.turn() == Turn::Chance;
        match player {
            None | Some(CHANCE) if chance => Ok((0..self.outcomes().len() as i64).collect()),
            None if self.play.is_over() => Ok(Vec::new()),
            Some(CHANCE | TERMINAL) => Ok(Vec::new()),
            player => {
                let all = self.numbered(self.seat(player)?);
                self.game.get().check()?;
                Ok(all.into_iter().map(|(number, _)| number).collect())
            }
        }
    }

    /// 1 for each legal action number, as a list.
    #[pyo3(signature = (player=None))]
    fn legal_actions_mask(&self, player: Option<i64>) -> PyResult<Vec<i8>> {
        let legal = self.legal_actions(player)?;
        let chance = self.play.turn() == Turn::Chance;
        let size = if chance { legal.len() } else { self.game.get().space.size() as usize };
        let mut mask = vec![0; size];
        for action in legal {
            if let Some(bit) = usize::try_from(action).ok().and_then(|at| mask.get_mut(at)) {
                *bit = 1;
            }
        }
        Ok(mask)
    }

    /// The outcomes of chance with their probabilities.
    fn chance_outcomes(&self) -> Vec<(i64, f64)> {
        self.outcomes().iter().enumerate().map(|(at, &(_, p))| (at as i64, p)).collect()
    }

    /// Makes the action with this number: a legal one of the player to move, or an outcome of chance.
    fn apply_action(&mut self, action: i64) -> PyResult<()> {
        let mv = match self.play.turn() {
            Turn::Chance => {
                let outcomes = self.outcomes();
                let found = usize::try_from(action).ok().and_then(|at| outcomes.get(at).copied());
                found.map(|(mv, _)| mv).ok_or_else(|| {
                    let hint = format!("chance has the outcomes 0 to {}", outcomes.len() - 1);
                    let (text, player) = (action.to_string(), "chance".into());
                    raise(ludex_core::Error::IllegalMove { text, player, hint })
                })?
            }
            Turn::One(player) => self.find(player, action)?,
            Turn::Joint(_) => {
                return Err(value("several players move at once: use apply_actions"));
            }
            Turn::Over => self.find(Player(0), action)?,
        };
        self.advance(&[mv])
    }

    /// Makes the actions of all players, by seat. Entries of seats that do not move are ignored.
    fn apply_actions(&mut self, actions: Vec<i64>) -> PyResult<()> {
        let turn = self.play.turn();
        let Turn::Joint(movers) = turn else {
            return Err(value("one player or chance moves: use apply_action"));
        };
        let seats = self.rules().info().seats();
        if actions.len() != seats {
            return Err(value(format!("{seats} actions are due, not {}", actions.len())));
        }
        let joint: PyResult<Vec<Move>> =
            movers.iter().map(|seat| self.find(seat, actions[seat.index()])).collect();
        self.advance(&joint?)
    }

    /// Makes a step that is given as text: one text, or one for each mover in seat order.
    #[pyo3(signature = (*texts))]
    fn apply_text(&mut self, texts: Vec<String>) -> PyResult<()> {
        let joint = self.play.parse_joint(&texts).map_err(raise)?;
        self.advance(&joint)
    }

    /// Makes a random step: players choose uniformly, chance by its probabilities.
    fn apply_random(&mut self, seed: u64) -> PyResult<()> {
        let mut rng = ludex_core::Seed(seed).child(self.play.len() as u64).rng();
        let mut twin = self.play.clone();
        twin.apply_random(&mut rng);
        let joint = twin.joint(self.play.len()).map(<[Move]>::to_vec);
        joint.map_or(Ok(()), |joint| self.advance(&joint))
    }

    /// Takes the last step back.
    fn undo(&mut self) -> PyResult<()> {
        let Some(last) = self.play.len().checked_sub(1) else {
            return Err(value("no step was made"));
        };
        let moves = self.play.joint(last).map_or(0, <[Move]>::len);
        self.history.truncate(self.history.len().saturating_sub(moves));
        self.told.iter_mut().for_each(|told| told.retain(|&(step, _)| step < last));
        self.play.truncate(last);
        Ok(())
    }

    /// Takes the last action back. It must be this action of this player.
    fn undo_action(&mut self, player: i64, action: i64) -> PyResult<()> {
        if self.history.last() != Some(&(player, action)) {
            return Err(value("this is not the last action"));
        }
        self.undo()
    }

    /// A copy in which the action has been made.
    fn child(&self, action: i64) -> PyResult<State> {
        let mut child = self.clone();
        child.apply_action(action)?;
        Ok(child)
    }

    /// A copy.
    #[pyo3(name = "clone")]
    fn copy(&self) -> State {
        self.clone()
    }

    /// The result of each player; zeros before the end.
    fn returns(&self) -> Vec<f64> {
        let info = self.rules().info();
        // Payoffs have seven digits; results that add up to 0 shall do so without an error of rounding.
        let exact = |payoff: f32| (f64::from(info.result(payoff)) * 1e6).round() / 1e6;
        match self.play.payoffs() {
            Some(payoffs) => payoffs.into_iter().map(exact).collect(),
            None => vec![0.0; info.seats()],
        }
    }

    /// The same as `returns`: nothing is paid before the end.
    fn rewards(&self) -> Vec<f64> {
        self.returns()
    }

    /// The payoff of each player from 0 to 1; None before the end.
    fn payoffs(&self) -> Option<Vec<f32>> {
        self.play.payoffs()
    }

    /// The result of one player.
    fn player_return(&self, player: i64) -> PyResult<f64> {
        let seat = self.game.get().seat(player)?;
        Ok(self.returns().get(seat.index()).copied().unwrap_or(0.0))
    }

    /// The same as `player_return`.
    fn player_reward(&self, player: i64) -> PyResult<f64> {
        self.player_return(player)
    }

    /// What a player has seen: its own moves and percepts, oldest first. Equal strings mean that the player cannot tell the
    /// states apart.
    #[pyo3(signature = (player=None))]
    fn information_state_string(&self, player: Option<i64>) -> PyResult<String> {
        Ok(self.knowledge(self.seat(player)?).text())
    }

    /// What a player sees now: the position, or what it has learned where the game hides a part.
    #[pyo3(signature = (player=None))]
    fn observation_string(&self, player: Option<i64>) -> PyResult<String> {
        let seat = self.seat(player)?;
        Ok(match self.rules().info().hidden {
            true => self.knowledge(seat).text(),
            false => self.play.position(),
        })
    }

    /// The features of what a player sees now, as an array with the shape of `Game.observation_tensor_shape`.
    #[pyo3(signature = (player=None))]
    fn observation_tensor<'py>(
        &self,
        py: Python<'py>,
        player: Option<i64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let game = self.game.get();
        let width = game.encoding.width();
        if width == 0 {
            let name = &self.rules().info().name;
            return Err(UnsupportedError::new_err(format!("{name} has no encoding of positions")));
        }
        let mut row = vec![0.0; width];
        game.dense(&self.knowledge(self.seat(player)?).features(), &mut row);
        let shape = game.encoding.shape.clone();
        Ok(PyArray1::from_vec(py, row).reshape(shape)?.into_any())
    }

    /// The same as `observation_tensor`.
    #[pyo3(signature = (player=None))]
    fn information_state_tensor<'py>(
        &self,
        py: Python<'py>,
        player: Option<i64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.observation_tensor(py, player)
    }

    /// All that a player may know, as an object for agents.
    #[pyo3(signature = (player=None))]
    fn view(&self, player: Option<i64>) -> PyResult<View> {
        let seat = self.seat(player)?;
        View::of(self, seat)
    }

    /// The numbers of all actions so far.
    fn history(&self) -> Vec<i64> {
        self.history.iter().map(|&(_, action)| action).collect()
    }

    /// The actions so far as pairs of player and number.
    fn full_history(&self) -> Vec<(i64, i64)> {
        self.history.clone()
    }

    /// The numbers of all actions so far as text.
    fn history_str(&self) -> String {
        self.history().iter().map(i64::to_string).collect::<Vec<_>>().join(", ")
    }

    /// The moves of all steps as text.
    fn moves_text(&self) -> Vec<Vec<String>> {
        self.play.moves_text()
    }

    /// The number of steps so far.
    fn move_number(&self) -> usize {
        self.play.len()
    }

    /// The number of players.
    fn num_players(&self) -> usize {
        self.rules().info().seats()
    }

    /// The number of action numbers.
    fn num_distinct_actions(&self) -> u32 {
        self.game.get().space.size()
    }

    /// The rules.
    fn get_game(&self, py: Python<'_>) -> Py<Game> {
        self.game.clone_ref(py)
    }

    /// The text of a legal action: `action_to_string(action)` or `action_to_string(player, action)`.
    #[pyo3(signature = (player_or_action, action=None))]
    fn action_to_string(&self, player_or_action: i64, action: Option<i64>) -> PyResult<String> {
        let (player, action) = match action {
            Some(action) => (Some(player_or_action), action),
            None => (None, player_or_action),
        };
        if self.play.turn() == Turn::Chance && player.is_none_or(|player| player == CHANCE) {
            let outcomes = self.outcomes();
            let found = usize::try_from(action).ok().and_then(|at| outcomes.get(at).copied());
            let text = found.map(|(mv, _)| self.rules().move_text(mv));
            return text.ok_or_else(|| value(format!("chance has no outcome {action}")));
        }
        let seat = self.seat(player)?;
        Ok(self.rules().move_text(self.find(seat, action)?))
    }

    /// The number of a legal action by its text: `string_to_action(text)` or `string_to_action(player, text)`.
    #[pyo3(signature = (player_or_text, text=None))]
    fn string_to_action(
        &self,
        player_or_text: &Bound<'_, PyAny>,
        text: Option<&str>,
    ) -> PyResult<i64> {
        let (player, text): (Option<i64>, String) = match text {
            Some(text) => (Some(player_or_text.extract()?), text.to_owned()),
            None => (None, player_or_text.extract()?),
        };
        if self.play.turn() == Turn::Chance {
            let mv = self.rules().parse_chance(self.play.state(), &text).map_err(raise)?;
            let at = self.outcomes().iter().position(|&(known, _)| known == mv);
            return at.map(|at| at as i64).ok_or_else(|| value("no such outcome"));
        }
        let seat = self.seat(player)?;
        let mv = self.rules().parse_move(self.play.state(), seat, &text).map_err(raise)?;
        let all = self.numbered(seat);
        let number = all.iter().find(|&&(_, known)| known == mv).map(|&(number, _)| number);
        number.ok_or_else(|| value("this move has no number"))
    }

    /// What an action is, as a dictionary: its text, number, and the sites at which it begins and ends.
    fn action_to_dict<'py>(
        &self,
        py: Python<'py>,
        player: i64,
        action: i64,
    ) -> PyResult<Bound<'py, PyDict>> {
        let seat = self.seat(Some(player))?;
        let mv = self.find(seat, action)?;
        let sites = self.rules().move_sites(mv);
        let facts = PyDict::new(py);
        facts.set_item("action", action)?;
        facts.set_item("text", self.rules().move_text(mv))?;
        facts.set_item("from", sites.from)?;
        facts.set_item("to", sites.to)?;
        facts.set_item("fixed", action < i64::from(self.game.get().space.fixed))?;
        Ok(facts)
    }

    /// The position as one line of text, which `Game.new_initial_state` reads.
    fn position(&self) -> String {
        self.play.position()
    }

    /// A 64-bit hash: equal positions have equal hashes.
    fn hash(&self) -> u64 {
        self.rules().hash(self.play.state())
    }

    /// The match as JSON: the game, its rules, the first position and all moves.
    fn to_json(&self) -> String {
        self.play.transcript().to_json().to_string()
    }

    /// The same as `to_json`.
    fn serialize(&self) -> String {
        self.to_json()
    }

    /// The position as a dictionary, in the form of the game.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let text = self.rules().json(self.play.state()).to_string();
        py.import("json")?.call_method1("loads", (text,))
    }

    /// The board as text, as `viewer` may see it (None: everything).
    #[pyo3(signature = (viewer=None))]
    fn render(&self, viewer: Option<i64>) -> PyResult<String> {
        let viewer = viewer.map(|viewer| self.game.get().seat(viewer)).transpose()?;
        Ok(ludex_draw::board(self.rules(), self.play.state(), viewer, &self.marks()))
    }

    /// The board as an SVG picture, as `viewer` may see it (None: everything).
    #[pyo3(signature = (viewer=None))]
    fn svg(&self, viewer: Option<i64>) -> PyResult<String> {
        let viewer = viewer.map(|viewer| self.game.get().seat(viewer)).transpose()?;
        let game = self.rules();
        let view = game.view(self.play.state(), viewer);
        Ok(ludex_draw::svg(&game.scene(), &view, &self.marks()))
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        self.svg(None)
    }

    fn __str__(&self) -> PyResult<String> {
        self.render(None)
    }

    fn __repr__(&self) -> String {
        let name = &self.rules().info().name;
        format!("<ludex.State of {name} after {} steps: {}>", self.play.len(), self.play.position())
    }

    fn __copy__(&self) -> State {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: Py<PyAny>) -> State {
        self.clone()
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let py = slf.py();
        let this = slf.borrow();
        let read = py.import("ludex._ludex")?.getattr("_read_state")?;
        Ok((read, (this.game.clone_ref(py), this.to_json()).into_pyobject(py)?))
    }
}

impl State {
    fn marks(&self) -> Marks {
        let last = self.play.len().checked_sub(1).and_then(|step| self.play.joint(step));
        let last = last.and_then(<[Move]>::first).map(|&mv| self.rules().move_sites(mv));
        // Drawings of hidden moves are not for every viewer.
        Marks { last: last.filter(|_| !self.rules().info().hidden), colour: false }
    }
}

/// Reads a pickled state.
#[pyfunction]
fn _read_state(game: &Bound<'_, Game>, text: &str) -> PyResult<State> {
    game.call_method1("deserialize_state", (text,))?
        .extract::<PyRef<'_, State>>()
        .map(|s| s.clone())
        .map_err(Into::into)
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(_read_state, module)?)
}
