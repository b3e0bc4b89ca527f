//! Who plays what: numbers are leased to workers, and taken over from those that are gone.

use super::{Pool, Run, Store, StoreError, VERSION, now_ms, on, unique};
use sqlx::{AssertSqlSafe, Row as _};
use std::ops::Range;
use std::time::Duration;

/// A process that plays.
#[derive(Debug, Clone)]
pub struct Worker {
    /// Its number in the database.
    pub id: i64,
    host: String,
    lease: Duration,
}

/// Games that a worker may play now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// The lease's first number.
    pub first: u64,
    /// What is left to play of it.
    pub left: Vec<Range<u64>>,
}

impl Claim {
    /// The numbers to be played.
    pub fn numbers(&self) -> impl Iterator<Item = u64> {
        self.left.iter().flat_map(Clone::clone)
    }
}

impl Store {
    /// Signs this process in.
    ///
    /// # Errors
    /// The database's own.
    pub fn sign_in(&self, threads: usize, lease: Duration) -> Result<Worker, StoreError> {
        let host = host();
        let worker = Worker { id: unique(), host: host.clone(), lease };
        on!(self, |pool| {
            sqlx::query(
                "INSERT INTO worker (id, host, pid, cpu, threads, version, started_ms) \
                 VALUES ($1, $2, $3, $4, $5, $6, $7)",
            )
            .bind(worker.id)
            .bind(&host)
            .bind(i64::from(std::process::id()))
            .bind(cpu())
            .bind(threads as i64)
            .bind(VERSION)
            .bind(now_ms())
            .execute(pool)
            .await
            .map(|_| ())
        })?;
        Ok(worker)
    }

    /// Leases at most `most` games: what a worker that is gone has left, or new ones. `None`: all
    /// games are played or leased.
    ///
    /// # Errors
    /// The database's own.
    pub fn claim(&self, run: i64, worker: &Worker, most: u64) -> Result<Option<Claim>, StoreError> {
        let (begin, lock, skip) = self.words();
        let expired = format!(
            "SELECT first, last FROM lease WHERE run = $1 AND expires_ms < $2 \
             ORDER BY first LIMIT 1{skip}"
        );
        let cursor = format!("SELECT next, total FROM run WHERE id = $1{lock}");
        let now = now_ms();
        let expires = now + worker.lease.as_millis() as i64;
        let taken: Option<(i64, i64, i64)> = on!(self, |pool| {
            let mut transaction = pool.begin_with(begin).await?;
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
        // A run that was stopped early needs no games after its end.
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

    /// Where a run was stopped early, or a database was brought back from an older copy, games
    /// before its cursor may be missing though nobody plays them: the cursor goes back to the
    /// first of them. Claims skip what is stored.
    ///
    /// # Errors
    /// The database's own.
    pub fn close_gaps(&self, run: &Run) -> Result<(), StoreError> {
        let all = Run { total: u64::MAX >> 1, ..run.clone() };
        if self.leased(&all)? {
            return Ok(());
        }
        let stored = |before: u64| self.count(&Run { total: before, ..run.clone() });
        if stored(run.next)? == run.next {
            return Ok(());
        }
        // Numbers before `low` are all stored, before `high` they are not.
        let (mut low, mut high) = (0, run.next);
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if stored(middle)? == middle { low = middle } else { high = middle }
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

    /// All games of a lease are stored.
    ///
    /// # Errors
    /// The database's own.
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

    /// The worker is alive: its leases last longer.
    ///
    /// # Errors
    /// The database's own.
    pub fn heartbeat(&self, worker: &Worker) -> Result<(), StoreError> {
        self.expire(worker.id, now_ms() + worker.lease.as_millis() as i64)
    }

    /// The worker leaves: anybody may take its leases over at once.
    ///
    /// # Errors
    /// The database's own.
    pub fn sign_out(&self, worker: &Worker) -> Result<(), StoreError> {
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

    /// Frees the leases of processes of this host that are gone, without waiting for their time.
    ///
    /// # Errors
    /// The database's own.
    pub fn bury(&self, worker: &Worker) -> Result<(), StoreError> {
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

    /// Are games of this run leased to anybody?
    ///
    /// # Errors
    /// The database's own.
    pub fn leased(&self, run: &Run) -> Result<bool, StoreError> {
        let count: i64 = on!(self, |pool| {
            sqlx::query_scalar("SELECT COUNT(*) FROM lease WHERE run = $1 AND first < $2")
                .bind(run.id)
                .bind(run.total as i64)
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
        // Not allowed to ask means that there is one.
        rustix::process::test_kill_process(pid) != Err(rustix::io::Errno::SRCH)
    })
}

fn host() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

/// The model of the processor, where it can be read.
fn cpu() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = text.lines().find_map(|line| line.strip_prefix("model name"));
    let model = model.and_then(|rest| rest.split_once(':')).map(|(_, name)| name.trim());
    model.unwrap_or(std::env::consts::ARCH).to_string()
}
