//! Leases: game numbers are leased to workers, and the leases of workers that are gone are taken over.

use super::{Run, Store, StoreError, VERSION, now_ms, on, unique};
use crate::runner::{Claim, Work};
use serde::{Deserialize, Serialize};
use sqlx::{AssertSqlSafe, Row as _};
use std::time::Duration;

/// The usual time that a worker may be silent before others take its games over.
pub const LEASE: Duration = Duration::from_secs(30);

/// A process that plays games.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Worker {
    /// The number of the worker in the database.
    pub id: i64,
    host: String,
    pid: u32,
    cpu: String,
    threads: usize,
    lease: Duration,
}

impl Worker {
    /// This process. `lease` is how long it may be silent before others take its games over.
    pub fn here(threads: usize, lease: Duration) -> Self {
        Worker { id: unique(), host: host(), pid: std::process::id(), cpu: cpu(), threads, lease }
    }

    /// How long the worker may be silent before others take its games over.
    pub(super) fn lease(&self) -> Duration {
        self.lease
    }
}

impl Store {
    /// Registers this process as a worker. `lease` is how long it may be silent before others take its games over.
    ///
    /// # Errors
    /// The database failed.
    pub fn register(&self, threads: usize, lease: Duration) -> Result<Worker, StoreError> {
        let worker = Worker::here(threads, lease);
        self.enrol(&worker)?;
        Ok(worker)
    }

    /// Writes a worker into the database, where it is not there yet.
    ///
    /// # Errors
    /// The database failed.
    pub fn enrol(&self, worker: &Worker) -> Result<(), StoreError> {
        on!(self, |pool| {
            sqlx::query(
                "INSERT INTO worker (id, host, pid, cpu, threads, version, started_ms) \
                 VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (id) DO NOTHING",
            )
            .bind(worker.id)
            .bind(&worker.host)
            .bind(i64::from(worker.pid))
            .bind(&worker.cpu)
            .bind(worker.threads as i64)
            .bind(VERSION)
            .bind(now_ms())
            .execute(pool)
            .await
            .map(|_| ())
        })?;
        Ok(())
    }

    /// Leases at most `most` new games, or the games of an expired lease. `None`: all games are played or leased.
    ///
    /// # Errors
    /// The database failed.
    pub fn claim(&self, run: i64, worker: &Worker, most: u64) -> Result<Option<Claim>, StoreError> {
        let dialect = self.dialect();
        let expired = format!(
            "SELECT first, last FROM lease WHERE run = $1 AND expires_ms < $2 \
             ORDER BY first LIMIT 1{}",
            dialect.lock_free
        );
        let cursor = format!("SELECT next, total FROM run WHERE id = $1{}", dialect.lock);
        let now = now_ms();
        let expires = now + worker.lease.as_millis() as i64;
        let taken: Option<(i64, i64, i64)> = on!(self, |pool| {
            let mut transaction = pool.begin_with(dialect.begin).await?;
            let found = sqlx::query(AssertSqlSafe(expired))
                .bind(run)
                .bind(now)
                .fetch_optional(&mut *transaction)
                .await?;
            let row =
                sqlx::query(AssertSqlSafe(cursor)).bind(run).fetch_one(&mut *transaction).await?;
            let (next, total): (i64, i64) = (row.try_get("next")?, row.try_get("total")?);
            let taken = match found {
                Some(row) => {
                    sqlx::query(
                        "UPDATE lease SET worker = $1, expires_ms = $2 WHERE run = $3 AND first = $4",
                    )
                    .bind(worker.id)
                    .bind(expires)
                    .bind(run)
                    .bind(row.try_get::<i64, _>("first")?)
                    .execute(&mut *transaction)
                    .await?;
                    Some((row.try_get("first")?, row.try_get("last")?, total))
                }
                None if next < total => {
                    let last = total.min(next + most.max(1) as i64);
                    sqlx::query("UPDATE run SET next = $1 WHERE id = $2")
                        .bind(last)
                        .bind(run)
                        .execute(&mut *transaction)
                        .await?;
                    sqlx::query(
                        "INSERT INTO lease (run, first, last, worker, expires_ms) \
                         VALUES ($1, $2, $3, $4, $5)",
                    )
                    .bind(run)
                    .bind(next)
                    .bind(last)
                    .bind(worker.id)
                    .bind(expires)
                    .execute(&mut *transaction)
                    .await?;
                    Some((next, last, total))
                }
                None => None,
            };
            transaction.commit().await?;
            Ok::<_, sqlx::Error>(taken)
        })?;
        let Some((first, last, total)) = taken else { return Ok(None) };
        // Games after the end of a run that was stopped early are not needed.
        let (first, last) = (first as u64, last.min(total).max(first) as u64);
        let mut left = Vec::new();
        let mut from = first;
        for number in self.present(run, first, last)?.into_iter().chain([last]) {
            if from < number {
                left.push(from..number);
            }
            from = number + 1;
        }
        Ok(Some(Claim { first, left }))
    }

    /// The next work of a worker: it plays leased games, waits for the games of others, or ends.
    pub(super) fn next_work(
        &self,
        run: &Run,
        worker: &Worker,
        most: u64,
    ) -> Result<Work, StoreError> {
        if let Some(claim) = self.claim(run.id, worker, most)? {
            return Ok(Work::Play(claim));
        }
        let run = self.run(&run.name)?;
        if !self.leased(&run)? {
            return Ok(Work::Done);
        }
        self.free_dead_leases(worker)?;
        Ok(Work::Wait)
    }

    /// Moves the cursor of a run back to the first game that is neither stored nor leased. Such gaps exist after an early
    /// stop, or where a database was restored from an older copy. Claims skip stored games.
    pub(super) fn close_gaps(&self, run: &Run) -> Result<(), StoreError> {
        let all = Run { total: u64::MAX >> 1, ..run.clone() };
        if self.leased(&all)? {
            return Ok(());
        }
        if self.count_before(run, run.next)? == run.next {
            return Ok(());
        }
        // Bisection: all numbers before `low` are stored, not all before `high`.
        let (mut low, mut high) = (0, run.next);
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if self.count_before(run, middle)? == middle { low = middle } else { high = middle }
        }
        on!(self, |pool| {
            sqlx::query("UPDATE run SET next = $1 WHERE id = $2 AND next = $3")
                .bind(low as i64)
                .bind(run.id)
                .bind(run.next as i64)
                .execute(pool)
                .await
                .map(|_| ())
        })?;
        Ok(())
    }

    /// Ends a lease all of whose games are stored.
    ///
    /// # Errors
    /// The database failed.
    pub fn finish(&self, run: i64, worker: &Worker, first: u64) -> Result<(), StoreError> {
        on!(self, |pool| {
            sqlx::query("DELETE FROM lease WHERE run = $1 AND first = $2 AND worker = $3")
                .bind(run)
                .bind(first as i64)
                .bind(worker.id)
                .execute(pool)
                .await
                .map(|_| ())
        })?;
        Ok(())
    }

    /// Extends the leases of a worker that is alive.
    pub(super) fn heartbeat(&self, worker: &Worker) -> Result<(), StoreError> {
        self.expire(worker.id, now_ms() + worker.lease.as_millis() as i64)
    }

    /// Releases the leases of a worker that leaves: others may take them over at once.
    ///
    /// # Errors
    /// The database failed.
    pub fn release(&self, worker: &Worker) -> Result<(), StoreError> {
        self.expire(worker.id, 0)
    }

    fn expire(&self, worker: i64, at: i64) -> Result<(), StoreError> {
        on!(self, |pool| {
            sqlx::query("UPDATE lease SET expires_ms = $1 WHERE worker = $2")
                .bind(at)
                .bind(worker)
                .execute(pool)
                .await
                .map(|_| ())
        })?;
        Ok(())
    }

    /// Releases the leases of processes of this host that no longer run, before the leases expire.
    ///
    /// # Errors
    /// The database failed.
    pub fn free_dead_leases(&self, worker: &Worker) -> Result<(), StoreError> {
        let holders: Vec<(i64, i64)> = on!(self, |pool| {
            sqlx::query_as(
                "SELECT DISTINCT worker.id, worker.pid FROM lease \
                 JOIN worker ON worker.id = lease.worker \
                 WHERE worker.host = $1 AND lease.expires_ms > 0",
            )
            .bind(&worker.host)
            .fetch_all(pool)
            .await
        })?;
        for (id, _) in holders.into_iter().filter(|&(_, pid)| !alive(pid)) {
            self.expire(id, 0)?;
        }
        Ok(())
    }

    /// Are games of this run leased, be it to a worker that has left?
    ///
    /// # Errors
    /// The database failed.
    pub fn leased(&self, run: &Run) -> Result<bool, StoreError> {
        self.leased_after(run, -1)
    }

    /// Is a worker playing games of this run now?
    ///
    /// # Errors
    /// The database failed.
    pub fn played_now(&self, run: &Run) -> Result<bool, StoreError> {
        self.leased_after(run, now_ms())
    }

    fn leased_after(&self, run: &Run, time: i64) -> Result<bool, StoreError> {
        let count: i64 = on!(self, |pool| {
            sqlx::query_scalar(
                "SELECT COUNT(*) FROM lease WHERE run = $1 AND first < $2 AND expires_ms > $3",
            )
            .bind(run.id)
            .bind(run.total as i64)
            .bind(time)
            .fetch_one(pool)
            .await
        })?;
        Ok(count > 0)
    }
}

/// Is there a process with this id on this host?
fn alive(pid: i64) -> bool {
    let pid = i32::try_from(pid).ok().and_then(rustix::process::Pid::from_raw);
    pid.is_some_and(|pid| {
        // Any other error, such as a lack of permission, means that the process exists.
        rustix::process::test_kill_process(pid) != Err(rustix::io::Errno::SRCH)
    })
}

fn host() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

/// The model of the processor, or its architecture where the model is unknown.
fn cpu() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = text.lines().find_map(|line| line.strip_prefix("model name"));
    let model = model.and_then(|rest| rest.split_once(':')).map(|(_, name)| name.trim());
    model.unwrap_or(std::env::consts::ARCH).to_string()
}
