//! The job queue of a store. One thread talks to the database and writes games in batches, so that the playing threads
//! never wait for the disk.

use super::{Row, Run, Store, StoreError, Worker};
use crate::plan::Fixture;
use crate::record::GameRecord;
use crate::runner::{JobQueue, Runner, Work};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, sync_channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The most rows that one transaction writes.
const BATCH: usize = 1 << 14;

/// Plays the games of a run that are not stored yet, and stores them.
///
/// # Errors
/// The database failed.
pub fn play_stored(
    store: Store,
    run: &Run,
    worker: &Worker,
    runner: &Runner<'_>,
) -> Result<Store, StoreError> {
    again(|| store.free_dead_leases(worker))?;
    let queue = StoreQueue::open(store, run, worker.clone());
    let played = runner.play(&queue);
    let store = queue.close()?;
    played?;
    Ok(store)
}

enum Request {
    Claim { most: u64, reply: SyncSender<Result<Work, StoreError>> },
    Keep { rows: Vec<Row>, done: Option<u64> },
}

/// The job queue of a run in a store.
struct StoreQueue {
    sender: SyncSender<Request>,
    thread: JoinHandle<Result<Store, StoreError>>,
}

impl StoreQueue {
    /// Opens the queue of a run. [`StoreQueue::close`] returns the store.
    fn open(store: Store, run: &Run, worker: Worker) -> Self {
        let (sender, receiver) = sync_channel(64);
        let run = run.clone();
        let thread = std::thread::spawn(move || {
            let writer = Writer { store, run, worker };
            writer.serve(&receiver).map(|()| writer.store)
        });
        StoreQueue { sender, thread }
    }

    /// Waits until all games are written, releases the leases, and returns the store.
    ///
    /// # Errors
    /// The reason why writing failed.
    fn close(self) -> Result<Store, StoreError> {
        drop(self.sender);
        match self.thread.join() {
            Ok(result) => result,
            Err(_) => Err(StoreError::Query(sqlx::Error::WorkerCrashed)),
        }
    }
}

impl JobQueue for StoreQueue {
    type Error = StoreError;

    fn claim(&self, most: u64) -> Result<Work, StoreError> {
        let (reply, answer) = sync_channel(1);
        // A writer that has failed reports its error on close.
        if self.sender.send(Request::Claim { most, reply }).is_err() {
            return Ok(Work::Done);
        }
        answer.recv().unwrap_or(Ok(Work::Done))
    }

    fn keep(&self, games: Vec<(Fixture, GameRecord)>, done: Option<u64>) -> bool {
        let rows = games.iter().map(|(fixture, record)| Row::new(fixture, record)).collect();
        self.sender.send(Request::Keep { rows, done }).is_ok()
    }
}

/// The thread behind a [`StoreQueue`].
struct Writer {
    store: Store,
    run: Run,
    worker: Worker,
}

/// Requests that have come in and are answered together.
#[derive(Default)]
struct Batch {
    rows: Vec<Row>,
    done: Vec<u64>,
    claims: Vec<(u64, SyncSender<Result<Work, StoreError>>)>,
}

impl Batch {
    fn add(&mut self, request: Request) {
        match request {
            Request::Claim { most, reply } => self.claims.push((most, reply)),
            Request::Keep { rows, done } => {
                self.rows.extend(rows);
                self.done.extend(done);
            }
        }
    }
}

impl Writer {
    fn serve(&self, receiver: &Receiver<Request>) -> Result<(), StoreError> {
        let heartbeat = self.worker.lease() / 3;
        let mut last = Instant::now();
        loop {
            let (batch, open) = collect(receiver, heartbeat.saturating_sub(last.elapsed()));
            if last.elapsed() >= heartbeat {
                again(|| self.store.heartbeat(&self.worker))?;
                last = Instant::now();
            }
            self.write(&batch)?;
            for (most, reply) in batch.claims {
                // A thread that has given up no longer listens.
                let _ =
                    reply.send(Ok(again(|| self.store.next_work(&self.run, &self.worker, most))?));
            }
            if !open {
                return again(|| self.store.release(&self.worker));
            }
        }
    }

    /// Writes finished games, then gives up the leases that are finished by them.
    fn write(&self, batch: &Batch) -> Result<(), StoreError> {
        again(|| self.store.add(self.run.id, self.worker.id, &batch.rows))?;
        for &first in &batch.done {
            again(|| self.store.finish(self.run.id, &self.worker, first))?;
        }
        Ok(())
    }
}

/// Waits for a request, then takes all that have come in meanwhile. The flag says whether more can come.
fn collect(receiver: &Receiver<Request>, wait: Duration) -> (Batch, bool) {
    let mut batch = Batch::default();
    match receiver.recv_timeout(wait) {
        Ok(request) => batch.add(request),
        Err(RecvTimeoutError::Timeout) => return (batch, true),
        Err(RecvTimeoutError::Disconnected) => return (batch, false),
    }
    while batch.rows.len() < BATCH {
        match receiver.try_recv() {
            Ok(request) => batch.add(request),
            Err(TryRecvError::Empty) => break,
            Err(TryRecvError::Disconnected) => return (batch, false),
        }
    }
    (batch, true)
}

/// Repeats a query for some seconds while the database is busy or out of reach.
///
/// # Errors
/// The database failed for good.
pub fn again<T>(mut query: impl FnMut() -> Result<T, StoreError>) -> Result<T, StoreError> {
    let mut pause = Duration::from_millis(50);
    loop {
        match query() {
            Err(StoreError::Query(error))
                if is_passing(&error) && pause < Duration::from_secs(20) =>
            {
                std::thread::sleep(pause);
                pause *= 2;
            }
            result => return result,
        }
    }
}

/// Can the same query succeed a little later?
fn is_passing(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(_) | sqlx::Error::PoolTimedOut => true,
        // SQLite: busy, locked, busy snapshot. PostgreSQL: shutting down, starting up, serialisation, deadlock.
        sqlx::Error::Database(e) => e.code().is_some_and(|code| {
            matches!(&*code, "5" | "6" | "517" | "57P01" | "57P02" | "57P03" | "40001" | "40P01")
        }),
        _ => false,
    }
}
