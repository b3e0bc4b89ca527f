//! Experiments that commands make themselves instead of reading a file: `ludex match` and `ludex tour`.

use crate::error::usage;
use crate::world::Here;
use crate::{output, stop};
use ludex_arena::report::AgentReport;
use ludex_arena::runner::{Counter, Progress, Runner};
use ludex_arena::store::{LEASE, play_stored};
use ludex_arena::{Experiment, Plan, Store, StoreError};
use serde_json::{Map, Value};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The schedule of an experiment.
pub(crate) fn plan(experiment: &Experiment) -> anyhow::Result<Plan> {
    experiment.plan(&Here).map_err(|problem| usage!("{}", problem.message()))
}

/// Plays an experiment with a progress bar. Its games are stored where a database is given.
pub(crate) fn play(
    experiment: &Experiment,
    plan: &Plan,
    threads: usize,
    db: Option<&str>,
) -> anyhow::Result<Progress> {
    let progress = Progress::new(plan);
    let runner = Runner::new(plan, threads, &progress, stop::control());
    with_bar(&runner, || match db {
        None => {
            let Ok(()) = runner.play(&Counter::new(plan.total()));
            Ok(())
        }
        Some(place) => {
            let store = Store::open(place)?;
            let run = store.start_or_resume(experiment, plan)?;
            let worker = store.register(threads, LEASE)?;
            play_stored(store, &run, &worker, &runner).map(drop)
        }
    })?;
    Ok(progress)
}

/// Shows the progress of a runner while it plays.
fn with_bar(
    runner: &Runner<'_>,
    play: impl FnOnce() -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let bar = output::progress(runner.plan.total(), "games");
    let over = AtomicBool::new(false);
    let played = std::thread::scope(|scope| {
        let watcher = scope.spawn(|| {
            while !over.load(Ordering::Relaxed) {
                bar.set_position(runner.progress.games());
                std::thread::park_timeout(Duration::from_millis(100));
            }
        });
        let played = play();
        over.store(true, Ordering::Relaxed);
        watcher.thread().unpark();
        played
    });
    bar.finish_and_clear();
    played
}

/// A new name for a run: the time in nanoseconds, so that names sort by age.
pub(crate) fn run_name(command: &str) -> String {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    format!("{command}-{:x}", now.map_or(0, |d| d.as_nanos()))
}

/// The columns of an agent as JSON, without the ones that are not known.
pub(crate) fn json_of(agent: &AgentReport) -> Map<String, Value> {
    let Ok(Value::Object(mut values)) = serde_json::to_value(agent) else { return Map::new() };
    values.retain(|_, value| !value.is_null());
    values
}
