//! Games of a run for a scheduler of other machines, such as Ray.
//!
//! The process that schedules leases game numbers in its own name and renews the leases. The machines that play either
//! write their games into the database themselves (PostgreSQL), or send them back and the scheduling process writes them
//! (SQLite, which has one writer). A game that is written twice is kept once, so the scheduler may play a batch again
//! whenever it is not sure. If the scheduling process dies, its leases end and the run is resumed as usual.

use super::queue::again;
use super::{LEASE, Pool, Row, Run, Store, StoreError, Worker};
use crate::experiment::Experiment;
use crate::monitor::Monitor;
use crate::plan::Plan;
use crate::runner::Work;
use ludex_stats::Standing;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Instant;

/// Finished games and the process that played them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Batch {
    /// The process that played.
    pub worker: Worker,
    /// The games.
    pub rows: Vec<Row>,
}

/// How far a run is.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Status {
    /// The number of the first game that is not stored, where the run is watched; see [`Dispatch::poll`].
    pub read: u64,
    /// The number of games that count.
    pub total: u64,
    /// Why the run stopped early.
    pub verdict: Option<String>,
    /// The agents.
    pub agents: Vec<String>,
    /// The results of the agents in the games before `read`.
    pub standings: Vec<Standing>,
}

/// Leases the games of a run to a scheduler.
pub struct Dispatch {
    store: Store,
    run: Run,
    plan: Arc<Plan>,
    worker: Worker,
    monitor: Monitor,
    renewed: Instant,
}

impl Dispatch {
    /// Begins the run of an experiment, or resumes it.
    ///
    /// # Errors
    /// The run of this name belongs to another experiment, or the database failed.
    pub fn open(db: &str, experiment: &Experiment, plan: Arc<Plan>) -> Result<Self, StoreError> {
        let store = Store::open(db)?;
        let run = store.start_or_resume(experiment, &plan)?;
        let worker = store.register(0, LEASE)?;
        store.free_dead_leases(&worker)?;
        let monitor = Monitor::new(&plan);
        let mut dispatch = Dispatch { store, run, plan, worker, monitor, renewed: Instant::now() };
        dispatch.poll()?;
        Ok(dispatch)
    }

    /// The run.
    pub fn run(&self) -> &Run {
        &self.run
    }

    /// The database.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// Can the machines that play write into the database themselves?
    pub fn is_shared(&self) -> bool {
        matches!(self.store.pool, Pool::Postgres(_))
    }

    /// Leases at most `most` games.
    ///
    /// # Errors
    /// The database failed.
    pub fn claim(&mut self, most: u64) -> Result<Work, StoreError> {
        again(|| self.store.next_work(&self.run, &self.worker, most))
    }

    /// Ends a lease all of whose games are played. `batch`: the games, where they are not stored yet.
    ///
    /// # Errors
    /// The database failed.
    pub fn finish(&mut self, first: u64, batch: Option<&Batch>) -> Result<(), StoreError> {
        if let Some(batch) = batch {
            again(|| self.store.enrol(&batch.worker))?;
            again(|| self.store.add(self.run.id, batch.worker.id, &batch.rows))?;
        }
        again(|| self.store.finish(self.run.id, &self.worker, first))
    }

    /// Renews the leases, reads new results and applies the stop rules. Must be called every few seconds.
    ///
    /// # Errors
    /// The database failed.
    pub fn poll(&mut self) -> Result<Status, StoreError> {
        if self.renewed.elapsed() >= self.worker.lease() / 3 {
            again(|| self.store.heartbeat(&self.worker))?;
            self.renewed = Instant::now();
        }
        if self.run.verdict.is_none() {
            let verdict = again(|| self.monitor.read(&self.store, &self.run, &self.plan))?;
            if let Some(verdict) = verdict {
                again(|| self.store.stop_run(&self.run, self.monitor.next(), &verdict))?;
                self.run = again(|| self.store.run(&self.run.name))?;
            }
        }
        Ok(Status {
            read: self.monitor.next(),
            total: self.run.total,
            verdict: self.run.verdict.clone(),
            agents: self.run.agents.clone(),
            standings: self.monitor.tally().standings(),
        })
    }

    /// The number of stored games.
    ///
    /// # Errors
    /// The database failed.
    pub fn count(&self) -> Result<u64, StoreError> {
        again(|| self.store.count(&self.run))
    }

    /// Releases the leases: others may play the games that are not finished.
    ///
    /// # Errors
    /// The database failed.
    pub fn close(&mut self) -> Result<(), StoreError> {
        again(|| self.store.release(&self.worker))
    }
}
