//! Agents written in Python, for matches and tournaments.
//!
//! An agent is a function of a [`View`] that gives an action number or the text of a move, an object with such a method
//! `step`, or a class of such objects: then every seat of every game gets an object of its own.

use crate::agent::Agent as NamedAgent;
use crate::game::Game;
use crate::view::View;
use ludex_agents::{Agent, Budget, Choice, Failure};
use ludex_arena::Contender;
use ludex_core::{AnyGame, Error, Game as _, Info, Move, Player, Result, Seed};
use pyo3::prelude::*;
use pyo3::types::PyType;
use std::sync::Arc;
use std::time::Duration;

/// A participant written in Python.
pub(crate) struct Callback {
    pub(crate) name: String,
    pub(crate) object: Arc<Py<PyAny>>,
    pub(crate) budget: Budget,
}

/// A participant at a seat.
struct Seat {
    name: String,
    step: Py<PyAny>,
    game: Py<Game>,
}

impl Contender for Callback {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn budget(&self) -> &Budget {
        &self.budget
    }

    fn supports(&self, _: &Info) -> Result<()> {
        Ok(())
    }

    fn build(
        &self,
        game: &AnyGame,
        _: Player,
        seed: Seed,
        _: Duration,
    ) -> Result<Box<dyn Agent<AnyGame>>, Failure> {
        Python::attach(|py| {
            let object = self.object.bind(py);
            if let Ok(named) = object.cast::<NamedAgent>()
                && let Some(built) = named.get().in_tournament(game, seed)
            {
                return Ok(built?);
            }
            let failed = |error: PyErr| Failure::Error(Error::Unsupported(error.to_string()));
            let object = match object.is_instance_of::<PyType>() {
                true => object.call0().map_err(failed)?,
                false => object.clone(),
            };
            let step = match object.getattr_opt("step").map_err(failed)? {
                Some(step) => step.unbind(),
                None => object.unbind(),
            };
            let game = Py::new(py, Game::of_core(game)).map_err(failed)?;
            Ok(Box::new(Seat { name: self.name.clone(), step, game }) as Box<dyn Agent<AnyGame>>)
        })
    }
}

impl Agent<AnyGame> for Seat {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn choose(
        &mut self,
        game: &AnyGame,
        view: &ludex_core::View<'_, AnyGame>,
        _: &Budget,
    ) -> Result<Choice, Failure> {
        let answer = Python::attach(|py| -> PyResult<Option<Move>> {
            let view = View::of_core(py, self.game.clone_ref(py), view)?;
            let legal = view.legal.clone();
            let answer = self.step.bind(py).call1((view,))?;
            if let Ok(text) = answer.extract::<String>() {
                let found = legal.iter().find(|&&(_, mv)| game.move_text(mv) == text.trim());
                return Ok(found.map(|&(_, mv)| mv));
            }
            let number: i64 = answer.call_method0("__int__")?.extract()?;
            Ok(legal.iter().find(|&&(known, _)| known == number).map(|&(_, mv)| mv))
        });
        match answer {
            Ok(Some(mv)) => Ok(Choice::plain(mv)),
            Ok(None) => Err(Failure::Error(Error::IllegalMove {
                text: "an answer of the agent".into(),
                player: self.name.clone(),
                hint: "it names no legal move".into(),
            })),
            Err(error) => Err(Failure::Error(Error::Unsupported(error.to_string()))),
        }
    }
}
