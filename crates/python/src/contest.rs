//! Matches and tournaments, also of agents and games written in Python.

use crate::callback::Callback;
use crate::error::{LudexError, raise, value};
use crate::game::Game;
use crate::interrupt::interruptible;
use ludex_agents::Budget;
use ludex_arena::monitor::Monitor;
use ludex_arena::plot::Figure;
use ludex_arena::runner::{Control, Counter, Progress, Runner};
use ludex_arena::store::{LEASE, again, play_stored};
use ludex_arena::{Contender, Experiment, Plan, Report, Run, Store, StoreError, World};
use ludex_core::{AnyGame, Result};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::json;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Where names are looked up: the objects that the caller gave, then everything that Ludex knows.
pub(crate) struct Names {
    games: HashMap<String, AnyGame>,
    agents: HashMap<String, Arc<Callback>>,
}

impl World for Names {
    fn game(&self, name: &str) -> Result<AnyGame> {
        self.games.get(name).cloned().map_or_else(|| ludex::Here.game(name), Ok)
    }

    fn agent(&self, name: &str) -> Result<Arc<dyn Contender>> {
        match self.agents.get(name) {
            Some(callback) => Ok(Arc::clone(callback) as Arc<dyn Contender>),
            None => ludex::Here.agent(name),
        }
    }

    fn build(&self) -> String {
        ludex::Here.build()
    }
}

pub(crate) fn names(
    games: &Bound<'_, PyDict>,
    agents: &Bound<'_, PyDict>,
) -> PyResult<(Names, Vec<Py<Game>>)> {
    let mut known = Names { games: HashMap::new(), agents: HashMap::new() };
    let mut objects = Vec::new();
    for (name, game) in games.iter() {
        let game: Py<Game> = game.extract()?;
        known.games.insert(name.extract()?, game.get().game.clone());
        objects.push(game);
    }
    for (name, object) in agents.iter() {
        let name: String = name.extract()?;
        let object = Arc::new(object.unbind());
        let callback = Callback { name: name.clone(), object, budget: Budget::default() };
        known.agents.insert(name, Arc::new(callback));
    }
    Ok((known, objects))
}

pub(crate) fn experiment(text: &str) -> PyResult<Experiment> {
    Experiment::from_json("experiment.json", text).map_err(|e| LudexError::new_err(e.to_string()))
}

/// Plays an experiment without a database. Returns JSON with standings and games.
#[pyfunction]
fn play_match(
    py: Python<'_>,
    text: &str,
    games: &Bound<'_, PyDict>,
    agents: &Bound<'_, PyDict>,
    threads: usize,
) -> PyResult<String> {
    let (names, objects) = names(games, agents)?;
    let experiment = experiment(text)?;
    let control = Control::default();
    let played = interruptible(
        py,
        || control.stop(),
        || {
            let plan = experiment.plan(&names).map_err(|e| e.to_string())?;
            let progress = Progress::new(&plan);
            let records = Mutex::new(Vec::new());
            let finished = |fixture: &ludex_arena::Fixture, record: &ludex_arena::GameRecord| {
                let mut records = records.lock().unwrap_or_else(PoisonError::into_inner);
                records.push((fixture.number, fixture.seats.clone(), record.clone()));
            };
            let runner =
                Runner { finished: &finished, ..Runner::new(&plan, threads, &progress, &control) };
            let Ok(()) = runner.play(&Counter::new(plan.total()));
            let mut records = records.into_inner().unwrap_or_else(PoisonError::into_inner);
            records.sort_by_key(|&(number, ..)| number);
            let games: Vec<_> = records
            .iter()
            .map(|(number, seats, record)| json!({"number": number, "seats": seats, "record": record}))
            .collect();
            let tally = progress.tally();
            Ok::<_, String>(
            json!({
                "agents": plan.names(), "games": games, "played": tally.games,
                "draws": tally.draws, "forfeits": tally.forfeits, "standings": tally.standings(),
            })
            .to_string(),
        )
        },
    )?;
    objects.iter().try_for_each(|game| game.get().check())?;
    played.map_err(LudexError::new_err)
}

/// Plays an experiment, or the rest of its run, into a database. Returns the report as JSON.
#[pyfunction]
fn run_experiment(
    py: Python<'_>,
    text: &str,
    games: &Bound<'_, PyDict>,
    agents: &Bound<'_, PyDict>,
    threads: usize,
    db: &str,
) -> PyResult<String> {
    let (names, objects) = names(games, agents)?;
    let experiment = experiment(text)?;
    let control = Control::default();
    let report = interruptible(
        py,
        || control.stop(),
        || {
            let plan = experiment.plan(&names).map_err(|e| e.to_string())?;
            run_stored(&experiment, &plan, db, threads, &control).map_err(|e| e.to_string())
        },
    )?;
    objects.iter().try_for_each(|game| game.get().check())?;
    report.map_err(LudexError::new_err)
}

/// How often the stop rules are applied.
const POLL: Duration = Duration::from_millis(400);

/// Plays while a second thread, with a connection of its own, applies the stop rules.
fn run_stored(
    experiment: &Experiment,
    plan: &Plan,
    db: &str,
    threads: usize,
    control: &Control,
) -> Result<String, StoreError> {
    let store = Store::open(db)?;
    let run = store.start_or_resume(experiment, plan)?;
    let mut monitor = Monitor::new(plan);
    let run = apply_stop_rules(&store, &mut monitor, run, plan)?;
    let reader = Store::open(db)?;
    let over = AtomicBool::new(false);
    let progress = Progress::new(plan);
    let runner = Runner::new(plan, threads, &progress, control);
    let (store, watched) = std::thread::scope(|scope| {
        let watcher = scope.spawn(|| {
            let mut run = run.clone();
            while !over.load(Ordering::Relaxed) && plan.setup.stop.is_some() {
                std::thread::park_timeout(POLL);
                run = apply_stop_rules(&reader, &mut monitor, run, plan)?;
            }
            Ok::<(), StoreError>(())
        });
        let played = store
            .register(threads, LEASE)
            .and_then(|worker| play_stored(store, &run, &worker, &runner));
        over.store(true, Ordering::Relaxed);
        watcher.thread().unpark();
        let watched = watcher.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        (played, watched)
    });
    let store = store?;
    watched?;
    let run = store.run(&run.name)?;
    let run = apply_stop_rules(&store, &mut Monitor::new(plan), run, plan)?;
    let report = Report::read(&store, &run)?;
    Ok(serde_json::to_string(&report).unwrap_or_default())
}

fn apply_stop_rules(
    store: &Store,
    monitor: &mut Monitor,
    run: Run,
    plan: &Plan,
) -> Result<Run, StoreError> {
    if run.verdict.is_some() || plan.setup.stop.is_none() {
        return Ok(run);
    }
    match again(|| monitor.read(store, &run, plan))? {
        Some(verdict) => {
            again(|| store.stop_run(&run, monitor.next(), &verdict))?;
            again(|| store.run(&run.name))
        }
        None => Ok(run),
    }
}

/// The report of a run in a database as JSON; of the newest run, where no name is given.
#[pyfunction]
#[pyo3(signature = (db, run=None))]
fn report(py: Python<'_>, db: &str, run: Option<&str>) -> PyResult<String> {
    match py.detach(|| read_report(db, run)) {
        Ok(Some(report)) => serde_json::to_string(&report).map_err(|e| value(e.to_string())),
        Ok(None) => Err(value("the database has no run")),
        Err(error) => Err(LudexError::new_err(error.to_string())),
    }
}

/// A figure of a run in a database as SVG: "scores", "heat", "elo" or "lengths".
#[pyfunction]
#[pyo3(signature = (db, figure, run=None))]
fn plot_run(py: Python<'_>, db: &str, figure: &str, run: Option<&str>) -> PyResult<String> {
    let Some(known) = Figure::ALL.into_iter().find(|known| known.name() == figure) else {
        let names = Figure::ALL.map(Figure::name).join(", ");
        return Err(value(format!("no figure `{figure}`; there are {names}")));
    };
    match py.detach(|| read_report(db, run)).map_err(|e| LudexError::new_err(e.to_string()))? {
        Some(report) => known.svg(&report).map_err(|e| LudexError::new_err(e.to_string())),
        None => Err(value("the database has no run")),
    }
}

/// The report of a run; of the newest one, where no name is given. `None`: the database has no run.
fn read_report(db: &str, run: Option<&str>) -> Result<Option<Report>, StoreError> {
    let store = Store::open(db)?;
    let run = match run {
        Some(name) => store.run(name)?,
        None => match store.runs()?.into_iter().next() {
            Some(run) => run,
            None => return Ok(None),
        },
    };
    Report::read(&store, &run).map(Some)
}

/// Reads an experiment in TOML and gives it as JSON.
#[pyfunction]
fn experiment_of_toml(file: &str, text: &str) -> PyResult<String> {
    let read = Experiment::read(file, text).map_err(|e| LudexError::new_err(e.to_string()))?;
    serde_json::to_string(&read).map_err(|e| raise(ludex_core::Error::BadMatch(e.to_string())))
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(play_match, module)?)?;
    module.add_function(wrap_pyfunction!(run_experiment, module)?)?;
    module.add_function(wrap_pyfunction!(report, module)?)?;
    module.add_function(wrap_pyfunction!(plot_run, module)?)?;
    module.add_function(wrap_pyfunction!(experiment_of_toml, module)?)
}
