//! Named numbers that describe a game, and predictions from them.

use crate::error::{LudexError, raise, value};
use crate::game::Game;
use crate::interrupt::interruptible;
use ludex_agents::hyper::predict::{Outlook, outlook};
use ludex_core::Seed;
use ludex_learn::map::{Described, Settings, chart};
use ludex_model::{Effort, describe};
use ludex_stats::plot::Drawing;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// The features of a game: kind, ludemes, concepts, board, statistics of random play.
#[pyfunction]
#[pyo3(signature = (game, seed=1))]
fn concepts<'py>(py: Python<'py>, game: &Game, seed: u64) -> PyResult<Bound<'py, PyDict>> {
    let rules = &game.game;
    let features = interruptible(py, || {}, || describe(rules, Effort::default(), Seed(seed)))?;
    game.check()?;
    let out = PyDict::new(py);
    for (name, value) in features.iter() {
        out.set_item(name, value)?;
    }
    Ok(out)
}

/// How well each agent that can play a game is expected to do: rows of agent, win rate from 0 to 100, the interval that held
/// 95 % of the measured rates of unseen games, and spread, best first.
#[pyfunction]
#[pyo3(signature = (game, model=None, seed=1))]
fn predict<'py>(
    py: Python<'py>,
    game: &Game,
    model: Option<&str>,
    seed: u64,
) -> PyResult<Bound<'py, PyList>> {
    let rules = &game.game;
    let features = interruptible(py, || {}, || describe(rules, Effort::default(), Seed(seed)))?;
    game.check()?;
    let outlook = outlook(rules, &features, model).map_err(raise)?;
    let Outlook { model, answer, order, .. } = outlook;
    let rows = PyList::empty(py);
    for at in order {
        let row = PyDict::new(py);
        row.set_item("agent", model.targets.get(at))?;
        let value = answer.values.get(at).copied().unwrap_or_default();
        row.set_item("win_rate", value)?;
        row.set_item("interval", model.interval(at, value))?;
        row.set_item("spread", answer.spread.as_ref().and_then(|s| s.get(at)))?;
        rows.append(row)?;
    }
    Ok(rows)
}

/// A map of games: names, points, groups, representatives and the picture as SVG.
#[pyfunction]
#[pyo3(signature = (games, choose=10, groups=None, perplexity=30.0, seed=1))]
fn map_games<'py>(
    py: Python<'py>,
    games: Vec<Py<Game>>,
    choose: usize,
    groups: Option<usize>,
    perplexity: f64,
    seed: u64,
) -> PyResult<Bound<'py, PyDict>> {
    let settings = Settings { choose, groups, perplexity, seed: Seed(seed) };
    let made = interruptible(
        py,
        || {},
        || {
            let mut described = Described::default();
            for game in &games {
                described.add(&game.get().game, Seed(seed));
            }
            chart(&described.table(), None, &settings)
        },
    )?;
    games.iter().try_for_each(|game| game.get().check())?;
    let made = made.ok_or_else(|| value("a map needs at least three games"))?;
    let svg = made.map.scatter().svg().map_err(|e| LudexError::new_err(e.to_string()))?;
    let out = PyDict::new(py);
    out.set_item("names", &made.map.names)?;
    out.set_item("points", made.map.points.iter().map(|p| (p[0], p[1])).collect::<Vec<_>>())?;
    out.set_item("groups", &made.groups.of)?;
    out.set_item("chosen", &made.chosen.rows)?;
    out.set_item("svg", svg)?;
    Ok(out)
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(concepts, module)?)?;
    module.add_function(wrap_pyfunction!(map_games, module)?)?;
    module.add_function(wrap_pyfunction!(predict, module)?)
}
