//! Runs of the database, and tournaments that this server plays.

use crate::error::{Error, Result};
use crate::players;
use crate::shelf::Shelf;
use crate::table::Table;
use crate::wire::{NewTable, RunInfo, RunReport, StoredInfo, TableInfo};
use ludex_agents::AgentSpec;
use ludex_arena::monitor::Monitor;
use ludex_arena::plot::Figure;
use ludex_arena::report::table::Align;
use ludex_arena::runner::{Control, Progress, Runner};
use ludex_arena::store::{LEASE, play_stored};
use ludex_arena::{Contender, Experiment, Plan, Report, Run, Store, StoreError, World};
use ludex_core::{AnyGame, Game};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Semaphore;

/// The most tournaments at a time.
const MOST_RUNS: usize = 2;
/// The most games of a tournament.
const MOST_GAMES: u64 = 100_000;

/// The database, and the tournaments that this server plays.
pub(crate) struct Runs {
    place: Option<String>,
    active: Mutex<HashMap<String, Arc<Control>>>,
    failed: Mutex<HashMap<String, String>>,
}

impl Runs {
    pub(crate) fn new(place: Option<String>) -> Runs {
        Runs { place, active: Mutex::default(), failed: Mutex::default() }
    }

    fn store(&self) -> Result<Store> {
        let Some(place) = &self.place else {
            let text = "there is no database; start the studio with --db FILE";
            return Err(Error::Missing(text.into()));
        };
        Ok(Store::open(place)?)
    }

    fn active(&self) -> MutexGuard<'_, HashMap<String, Arc<Control>>> {
        self.active.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn info(&self, store: &Store, run: &Run) -> Result<RunInfo> {
        let failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(RunInfo {
            name: run.name.clone(),
            created_ms: run.created_ms,
            agents: run.agents.clone(),
            games: run.games.iter().map(|game| game.game.clone()).collect(),
            played: store.count(run)?,
            total: run.total,
            running: self.active().contains_key(&run.name),
            verdict: run.verdict.clone().or_else(|| failed.get(&run.name).cloned()),
        })
    }

    /// The runs of the database, the newest first; none where there is no database.
    pub(crate) fn list(&self) -> Result<Vec<RunInfo>> {
        // A database that does not exist yet is made by the first tournament.
        let exists = |place: &String| place.contains("://") || std::path::Path::new(place).exists();
        if !self.place.as_ref().is_some_and(exists) {
            return Ok(Vec::new());
        }
        let store = self.store()?;
        store.runs()?.iter().map(|run| self.info(&store, run)).collect()
    }

    /// The report of a run.
    pub(crate) fn report(&self, name: &str) -> Result<RunReport> {
        let store = self.store()?;
        let run = store.run(name)?;
        let info = self.info(&store, &run)?;
        let report = Report::read(&store, &run)?;
        let tables = report.tables().into_iter().map(|table| TableInfo {
            heading: table.heading.into(),
            caption: table.caption.map(str::to_string),
            notes: table.notes(),
            columns: table
                .columns
                .iter()
                .map(|column| (column.title.clone(), column.align == Align::Right))
                .collect(),
            rows: table.rows.clone(),
            detail: table.detail,
        });
        let figures = Figure::ALL.iter().filter_map(|figure| {
            let svg = if report.games > 0 { figure.svg(&report).ok() } else { None };
            Some((figure.name().to_string(), svg?))
        });
        Ok(RunReport {
            summary: report.summary(),
            sprt: report.sprt.as_ref().map(ToString::to_string),
            tables: tables.collect(),
            figures: figures.collect(),
            run: info,
        })
    }

    /// Some games of a run.
    pub(crate) fn games(&self, name: &str, from: u64) -> Result<Vec<StoredInfo>> {
        let store = self.store()?;
        let run = store.run(name)?;
        let results = store.results(&run, from, 200)?;
        let agent = |&index: &usize| run.agents.get(index).cloned().unwrap_or_default();
        Ok(results
            .iter()
            .map(|result| StoredInfo {
                number: result.number,
                game: run.games.get(result.table).map(|g| g.game.clone()).unwrap_or_default(),
                agents: result.seats.iter().map(agent).collect(),
                payoffs: result.payoffs.clone(),
                steps: result.steps,
                ending: result.ending.name().into(),
            })
            .collect())
    }

    /// Sets up a table with a stored game.
    pub(crate) fn open(
        &self,
        shelf: &Shelf,
        (name, number): (&str, u64),
        searches: Arc<Semaphore>,
    ) -> Result<Arc<Table>> {
        let store = self.store()?;
        let run = store.run(name)?;
        let record = store.game(&run, number)?.record;
        // The name comes from the database of the user, so it may name a file.
        let game = match shelf.open(&record.game) {
            Ok(game) => game,
            Err(_) => ludex_library::open(&record.game)?,
        };
        let lines: Vec<String> = record.moves.iter().map(|step| step.join(" | ")).collect();
        let new = NewTable {
            game: record.game.clone(),
            position: record.position.clone(),
            moves: Some(lines.join("\n")),
            seats: vec!["human".into(); game.info().seats()],
            seed: Some(record.seed),
            paused: true,
            ..NewTable::default()
        };
        let table = Table::new(game, &new, searches)?;
        table.open_record(&record.agents);
        Ok(table)
    }

    /// Starts a tournament and returns its name.
    ///
    /// # Errors
    /// An experiment that makes no sense, or a limit of the server.
    pub(crate) fn start(self: &Arc<Self>, shelf: &Arc<Shelf>, toml: &str) -> Result<String> {
        let place = self.place.clone();
        let place = place.ok_or_else(|| Error::Missing("there is no database".into()))?;
        if self.active().len() >= MOST_RUNS {
            return Err(Error::Busy(format!("{MOST_RUNS} tournaments run already")));
        }
        let mut experiment = Experiment::from_toml("tournament.toml", toml)
            .map_err(|problem| Error::Bad(problem.to_string()))?;
        if experiment.limit.is_none_or(|limit| limit > MOST_GAMES) {
            experiment.limit = Some(MOST_GAMES);
        }
        let world = Safe { shelf: shelf.clone() };
        let plan = experiment
            .plan(&world)
            .map_err(|problem| Error::Bad(problem.at("tournament.toml", toml).to_string()))?;
        let store = Store::open(&place)?;
        let run = store.start_or_resume(&experiment, &plan)?;
        let name = run.name.clone();
        let control = Arc::new(Control::default());
        if self.active().insert(name.clone(), control.clone()).is_some() {
            return Err(Error::Busy(format!("{name} runs already")));
        }
        let runs = self.clone();
        let thread = std::thread::Builder::new().name("tournament".into());
        let work = move || {
            let over = AtomicBool::new(false);
            let progress = Progress::new(&plan);
            let threads = std::thread::available_parallelism().map_or(1, |n| n.get() / 2).max(1);
            let runner = Runner::new(&plan, threads, &progress, &control);
            let played = store.register(threads, LEASE).and_then(|worker| {
                std::thread::scope(|scope| {
                    let watcher = scope.spawn(|| watch(&place, &run, &plan, &over));
                    let played = play_stored(store, &run, &worker, &runner).map(drop);
                    over.store(true, Ordering::Relaxed);
                    watcher.thread().unpark();
                    let watched = watcher.join().unwrap_or(Ok(()));
                    played.and(watched)
                })
            });
            runs.active().remove(&run.name);
            if let Err(error) = played {
                let mut failed = runs.failed.lock().unwrap_or_else(PoisonError::into_inner);
                failed.insert(run.name.clone(), error.to_string());
            }
        };
        if let Err(error) = thread.spawn(work) {
            self.active().remove(&name);
            return Err(Error::Busy(error.to_string()));
        }
        Ok(name)
    }

    /// Stops a tournament. Finished games are kept.
    pub(crate) fn stop(&self, name: &str) {
        if let Some(control) = self.active().get(name) {
            control.stop();
        }
    }

    /// Stops all tournaments.
    pub(crate) fn stop_all(&self) {
        self.active().values().for_each(|control| control.stop());
    }
}

/// Applies the stop rules of a run while it is played, with a connection of its own.
fn watch(
    place: &str,
    run: &Run,
    plan: &Plan,
    over: &AtomicBool,
) -> std::result::Result<(), StoreError> {
    if plan.setup.stop.is_none() {
        return Ok(());
    }
    let store = Store::open(place)?;
    let mut monitor = Monitor::new(plan);
    loop {
        // The last rounds may bring the verdict: look once more after the last game.
        let last = over.load(Ordering::Relaxed);
        if let Some(verdict) = monitor.read(&store, run, plan)? {
            return store.stop_run(run, monitor.next(), &verdict).map(drop);
        }
        if last {
            return Ok(());
        }
        std::thread::park_timeout(POLL);
    }
}

/// How often stop rules look at the results.
const POLL: Duration = Duration::from_millis(500);

/// The games and agents that a page may name.
struct Safe {
    shelf: Arc<Shelf>,
}

impl World for Safe {
    fn game(&self, name: &str) -> ludex_core::Result<AnyGame> {
        self.shelf.open(name).map_err(|error| match error {
            Error::Game(error) => error,
            other => ludex_core::Error::Unsupported(other.to_string()),
        })
    }

    fn agent(&self, name: &str) -> ludex_core::Result<Arc<dyn Contender>> {
        // The name is checked without a game; the experiment checks each game.
        players::check(name).map_err(|error| match error {
            Error::Game(error) => error,
            other => ludex_core::Error::Unsupported(other.to_string()),
        })?;
        Ok(Arc::new(name.parse::<AgentSpec>()?))
    }
}
