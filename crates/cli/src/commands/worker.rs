//! `ludex worker`

use super::{ThreadsArgs, duration};
use crate::stop;
use crate::world::Here;
use clap::Args;
use ludex_arena::runner::{Progress, Runner};
use ludex_arena::store::{again, hide_password, play_stored};
use ludex_arena::{Experiment, Plan, Run, Store};
use std::time::{Duration, Instant};

/// Play games of the runs in a shared database
#[derive(Args)]
#[command(after_help = "Examples:
  ludex worker --connect postgres://me@server/games
  ludex worker --connect games.db --threads 4 --idle 10s     a shared file
  ssh node7 ludex worker --connect postgres://me@server/games

A worker leases a batch of games and renews the lease while it is alive. If it is gone, other workers play the rest of \
the batch. The results do not depend on which worker plays a game.")]
pub(crate) struct Worker {
    /// The database: postgres://USER@HOST/NAME, or a file
    #[arg(long, value_name = "URL|FILE")]
    connect: String,
    /// Play only this run
    #[arg(long)]
    run: Option<String>,
    #[command(flatten)]
    threads: ThreadsArgs,
    /// How long the worker may be silent before others take over its games
    #[arg(long, default_value = "30s", value_parser = duration)]
    lease: Duration,
    /// End after this time without work
    #[arg(long, default_value = "60s", value_parser = duration)]
    idle: Duration,
}

impl Worker {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let mut store = Store::open(&self.connect)?;
        let threads = self.threads.get();
        let control = stop::control();
        let worker = store.register(threads, self.lease)?;
        eprintln!("worker {:x} at {}", worker.id, hide_password(&self.connect));
        let mut idle = Instant::now();
        let mut refused: Vec<i64> = Vec::new();
        while !control.stopped() && idle.elapsed() < self.idle {
            let open = again(|| self.open(&store))?;
            let Some(run) = open.into_iter().find(|run| !refused.contains(&run.id)) else {
                std::thread::sleep(Duration::from_millis(200));
                continue;
            };
            let plan = match plan(&run) {
                Ok(plan) => plan,
                Err(error) => {
                    eprintln!("{error:#}");
                    refused.push(run.id);
                    continue;
                }
            };
            let progress = Progress::new(&plan);
            let runner = Runner::new(&plan, threads, &progress, control);
            store = play_stored(store, &run, &worker, &runner)?;
            eprintln!("{}: {} games played", run.name, progress.games());
            idle = Instant::now();
        }
        Ok(())
    }

    /// The unfinished runs, the oldest first.
    fn open(&self, store: &Store) -> Result<Vec<Run>, ludex_arena::StoreError> {
        let mut open = Vec::new();
        for run in store.runs()?.into_iter().rev() {
            let wanted = self.run.as_ref().is_none_or(|name| *name == run.name);
            if wanted && (run.next < run.total || store.leased(&run)?) {
                open.push(run);
            }
        }
        Ok(open)
    }
}

/// The schedule of a run. The rules and the build here must be those of the run.
fn plan(run: &Run) -> anyhow::Result<Plan> {
    let experiment: Experiment = serde_json::from_str(&run.config)?;
    let plan = experiment.plan(&Here)?;
    run.check(&plan)?;
    Ok(plan)
}
