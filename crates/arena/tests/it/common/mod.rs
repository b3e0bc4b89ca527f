//! What the tests of the arena share.
#![allow(dead_code)]

use ludex_agents::AgentSpec;
use ludex_arena::bot::Exec;
use ludex_arena::runner::{Control, Progress, Runner};
use ludex_arena::store::{LEASE, Run, Store, Stored, play_stored};
use ludex_arena::{Contender, Experiment, Plan, World};
use ludex_core::{AnyGame, Result};
use std::sync::Arc;

/// Native games, our own agents and bots.
pub(crate) struct Here;

impl World for Here {
    fn game(&self, name: &str) -> Result<AnyGame> {
        ludex_games::open(name)
    }

    fn agent(&self, name: &str) -> Result<Arc<dyn Contender>> {
        Ok(match name.strip_prefix("exec:") {
            Some(_) => Arc::new(name.parse::<Exec>()?),
            None => Arc::new(name.parse::<AgentSpec>()?),
        })
    }
}

pub(crate) fn plan(experiment: &Experiment) -> Plan {
    experiment.plan(&Here).unwrap()
}

/// Plays an experiment, or resumes it, on this number of threads.
pub(crate) fn run(place: &str, experiment: &Experiment, threads: usize) -> (Store, Run) {
    let plan = plan(experiment);
    let store = Store::open(place).unwrap();
    let run = store.start_or_resume(experiment, &plan).unwrap();
    let worker = store.register(threads, LEASE).unwrap();
    let (progress, control) = (Progress::new(&plan), Control::default());
    let runner = Runner::new(&plan, threads, &progress, &control);
    let store = play_stored(store, &run, &worker, &runner).unwrap();
    let run = store.run(&run.name).unwrap();
    (store, run)
}

/// All games of a run, without what differs from run to run: times and who played.
pub(crate) fn games(store: &Store, run: &Run) -> Vec<Stored> {
    let mut games = store.games(run, 0, u64::MAX >> 1).unwrap();
    for game in &mut games {
        game.result.think_us.clear();
        game.result.worker = 0;
        game.record.think_ms.clear();
    }
    games
}
