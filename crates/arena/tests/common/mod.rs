//! What the tests of the arena share.
#![allow(dead_code)]

use ludex_agents::AgentSpec;
use ludex_arena::bot::Exec;
use ludex_arena::runner::{Control, Progress, StoreDesk, play};
use ludex_arena::store::{Run, Store, Stored};
use ludex_arena::{Contender, Experiment, Plan, World, steward};
use ludex_core::{AnyGame, Result};
use std::sync::Arc;
use std::time::Duration;

/// Native games, our own minds and bots.
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

/// Plays an experiment, or goes on with it, on so many threads.
pub(crate) fn run(place: &str, experiment: &Experiment, threads: usize) -> (Store, Run) {
    let plan = plan(experiment);
    let store = Store::open(place).unwrap();
    let run = steward::enrol(&store, experiment, &plan).unwrap();
    let lease = Duration::from_secs(30);
    let worker = store.sign_in(threads, lease).unwrap();
    let desk = StoreDesk::open(store, &run, worker, lease);
    play(&plan, &desk, threads, &Progress::new(&plan), &Control::default()).unwrap();
    let store = desk.close().unwrap();
    let run = store.run(&run.name).unwrap();
    (store, run)
}

/// All games of a run, without what differs from run to run: times and who played.
pub(crate) fn games(store: &Store, run: &Run) -> Vec<Stored> {
    let mut games = store.games(run, 0, u64::MAX >> 1).unwrap();
    for game in &mut games {
        game.line.think_us.clear();
        game.line.worker = 0;
        game.record.think_ms.clear();
    }
    games
}
