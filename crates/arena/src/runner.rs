//! Plays a plan on all cores. Each thread takes a few numbers at a time from a [`Desk`], plays them,
//! and hands the finished games back; the desk of a store writes them in batches on a thread of
//! its own, so that nobody waits for the disk.

use crate::plan::{Fixture, Plan};
use crate::record::{Ending, GameRecord};
use crate::store::{Claim, Row, Run, Store, StoreError, Worker};
use crate::tally::Tally;
use ludex_core::deadline::{self, Deadline, Stop};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Says that games shall stop.
#[derive(Debug, Default)]
pub struct Control {
    stop: Stop,
}

impl Control {
    /// No new game begins, agents that think are told to stop, and running games are abandoned: they count as not played.
    pub fn stop(&self) {
        self.stop.set();
    }

    /// Was it stopped, or shall the whole process stop?
    pub fn stopped(&self) -> bool {
        self.stop.is_set() || deadline::process_stopped()
    }
}

/// What a thread shall do next.
#[derive(Debug)]
pub enum Work {
    /// Play these.
    Play(Claim),
    /// Others play the last games; they may yet need help.
    Wait,
    /// Everything is played.
    Done,
}

/// Gives out numbers and takes finished games.
pub trait Desk: Sync {
    /// The next numbers, at most so many.
    ///
    /// # Errors
    /// What the desk's store says.
    fn claim(&self, most: u64) -> Result<Work, StoreError>;

    /// Takes finished games; `done`: all of the claim that began with this number are handed in.
    /// `false` where the desk has failed; it will say why when it is closed.
    fn keep(&self, rows: Vec<Row>, done: Option<u64>) -> bool;
}

/// A desk that keeps nothing: for games of which only the sums are wanted.
#[derive(Debug)]
pub struct Counter {
    next: AtomicU64,
    total: u64,
}

impl Counter {
    /// Numbers from 0 to `total`.
    pub fn new(total: u64) -> Self {
        Counter { next: AtomicU64::new(0), total }
    }
}

impl Desk for Counter {
    fn claim(&self, most: u64) -> Result<Work, StoreError> {
        let first = self.next.fetch_add(most.max(1), Ordering::Relaxed).min(self.total);
        let last = (first + most.max(1)).min(self.total);
        Ok(if first < last {
            Work::Play(Claim { first, left: std::iter::once(first..last).collect() })
        } else {
            Work::Done
        })
    }

    fn keep(&self, _: Vec<Row>, _: Option<u64>) -> bool {
        true
    }
}

/// The sums of what this process has played, by game of the plan.
#[derive(Debug)]
pub struct Progress {
    tallies: Mutex<Vec<Tally>>,
    games: AtomicU64,
}

impl Progress {
    /// Nothing yet.
    pub fn new(plan: &Plan) -> Self {
        let tallies = vec![Tally::new(plan.setup.agents.len()); plan.tables.len()];
        Progress { tallies: Mutex::new(tallies), games: AtomicU64::new(0) }
    }

    /// Games so far.
    pub fn games(&self) -> u64 {
        self.games.load(Ordering::Relaxed)
    }

    /// The sums so far, by game of the plan.
    pub fn tallies(&self) -> Vec<Tally> {
        self.tallies.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The sums over all games.
    pub fn tally(&self) -> Tally {
        let tallies = self.tallies();
        let mut all = tallies.first().cloned().unwrap_or_else(|| Tally::new(0));
        tallies.iter().skip(1).for_each(|tally| all.merge(tally));
        all
    }

    fn add(&self, fresh: &mut [Tally]) {
        let mut tallies = self.tallies.lock().unwrap_or_else(PoisonError::into_inner);
        for (tally, more) in tallies.iter_mut().zip(fresh.iter_mut()) {
            self.games.fetch_add(more.games, Ordering::Relaxed);
            tally.merge(more);
            *more = Tally::new(more.standings().len());
        }
    }
}

/// At most so many games in one claim, and so many between two hand-ins.
const CLAIM: u64 = 4096;
const HAND_IN: usize = 256;
/// Finished games are handed in at least so often.
const PATIENCE: Duration = Duration::from_millis(100);

/// Plays what the desk gives out on `threads` threads until there is nothing left or `control`
/// says stop; then what is under way is not handed in.
///
/// # Errors
/// What the desk's store says.
pub fn play(
    plan: &Plan,
    desk: &dyn Desk,
    threads: usize,
    progress: &Progress,
    control: &Control,
) -> Result<(), StoreError> {
    play_telling(plan, desk, threads, progress, control, &|_, _| {})
}

/// Is told of each game as it ends.
pub type Finished<'a> = &'a (dyn Fn(&Fixture, &GameRecord) + Sync);

/// [`play`], telling `finished` of each game as it ends, in no particular order.
///
/// # Errors
/// What the desk's store says.
pub fn play_telling(
    plan: &Plan,
    desk: &dyn Desk,
    threads: usize,
    progress: &Progress,
    control: &Control,
    finished: Finished<'_>,
) -> Result<(), StoreError> {
    let threads = threads.max(1);
    std::thread::scope(|scope| {
        let hands: Vec<_> = (0..threads)
            .map(|_| scope.spawn(|| play_thread(plan, desk, threads, progress, control, finished)))
            .collect();
        let mut result = Ok(());
        for hand in hands {
            match hand.join() {
                Ok(Ok(())) => {}
                Ok(Err(error)) => result = Err(error),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        result
    })
}

fn play_thread(
    plan: &Plan,
    desk: &dyn Desk,
    threads: usize,
    progress: &Progress,
    control: &Control,
    finished: Finished<'_>,
) -> Result<(), StoreError> {
    let stops = vec![control.stop.clone()];
    let _scope = Deadline { stops, ..Deadline::default() }.enter();
    let mut size = 1;
    let mut fresh = vec![Tally::new(plan.setup.agents.len()); plan.tables.len()];
    let fair = (plan.total() / (8 * threads as u64)).clamp(1, CLAIM);
    while !control.stopped() {
        let claim = match desk.claim(size)? {
            Work::Play(claim) => claim,
            Work::Wait => {
                std::thread::sleep(Duration::from_millis(50));
                continue;
            }
            Work::Done => break,
        };
        let begun = Instant::now();
        let mut handed_in = begun;
        let mut rows = Vec::new();
        let mut done = Some(claim.first);
        for number in claim.numbers() {
            if control.stopped() {
                done = None;
                break;
            }
            let fixture = plan.fixture(number);
            let record = plan.play(&fixture);
            if record.ending == Ending::Abandoned {
                done = None;
                break;
            }
            finished(&fixture, &record);
            let forfeit = record.forfeit.as_ref().map(|f| f.seat);
            fresh[fixture.table].add(&fixture.seats, &record.payoffs, forfeit);
            rows.push(Row::new(&fixture, &record));
            if rows.len() >= HAND_IN || handed_in.elapsed() > PATIENCE {
                handed_in = Instant::now();
                progress.add(&mut fresh);
                if !desk.keep(std::mem::take(&mut rows), None) {
                    return Ok(());
                }
            }
        }
        progress.add(&mut fresh);
        if !desk.keep(rows, done) {
            return Ok(());
        }
        // A claim should take about half a second: rarely enough to cost nothing, often enough
        // that the last ones end together.
        size = match begun.elapsed() {
            short if short < Duration::from_millis(250) => (size * 2).min(fair),
            long if long > Duration::from_secs(1) => (size / 2).max(1),
            _ => size,
        };
    }
    Ok(())
}

enum Ask {
    Claim { most: u64, reply: SyncSender<Result<Work, StoreError>> },
    Keep { rows: Vec<Row>, done: Option<u64> },
}

/// The desk of a store: one thread talks to the database, in batches.
pub struct StoreDesk {
    sender: SyncSender<Ask>,
    thread: JoinHandle<Result<Store, StoreError>>,
}

impl StoreDesk {
    /// Opens the desk for one run. `store` comes back from [`StoreDesk::close`].
    pub fn open(store: Store, run: &Run, worker: Worker, lease: Duration) -> Self {
        let (sender, receiver) = sync_channel(64);
        let run = run.clone();
        let thread = std::thread::spawn(move || {
            let clerk = Clerk { store, run, worker, every: lease / 3 };
            clerk.work(&receiver).map(|()| clerk.store)
        });
        StoreDesk { sender, thread }
    }

    /// Waits until everything is written, frees what is left of the leases, and gives the store
    /// back.
    ///
    /// # Errors
    /// What stopped the writing.
    pub fn close(self) -> Result<Store, StoreError> {
        drop(self.sender);
        match self.thread.join() {
            Ok(result) => result,
            Err(_) => Err(StoreError::Query(sqlx::Error::WorkerCrashed)),
        }
    }
}

impl Desk for StoreDesk {
    fn claim(&self, most: u64) -> Result<Work, StoreError> {
        let (reply, answer) = sync_channel(1);
        if self.sender.send(Ask::Claim { most, reply }).is_err() {
            return Ok(Work::Done);
        }
        answer.recv().unwrap_or(Ok(Work::Done))
    }

    fn keep(&self, rows: Vec<Row>, done: Option<u64>) -> bool {
        self.sender.send(Ask::Keep { rows, done }).is_ok()
    }
}

/// The thread behind a [`StoreDesk`].
struct Clerk {
    store: Store,
    run: Run,
    worker: Worker,
    every: Duration,
}

impl Clerk {
    fn work(&self, receiver: &Receiver<Ask>) -> Result<(), StoreError> {
        let mut beat = Instant::now();
        let mut rows = Vec::new();
        loop {
            let mut next = receiver.recv_timeout(self.every.saturating_sub(beat.elapsed()));
            if beat.elapsed() >= self.every {
                again(|| self.store.heartbeat(&self.worker))?;
                beat = Instant::now();
            }
            // Everything that has come meanwhile is written at once.
            let mut done = Vec::new();
            let mut claims = Vec::new();
            loop {
                match next {
                    Ok(Ask::Keep { rows: more, done: whole }) => {
                        rows.extend(more);
                        done.extend(whole);
                    }
                    Ok(Ask::Claim { most, reply }) => claims.push((most, reply)),
                    Err(RecvTimeoutError::Timeout) => break,
                    Err(RecvTimeoutError::Disconnected) => {
                        again(|| self.store.add(self.run.id, self.worker.id, &rows))?;
                        for first in done {
                            again(|| self.store.finish(self.run.id, &self.worker, first))?;
                        }
                        return again(|| self.store.sign_out(&self.worker));
                    }
                }
                if rows.len() >= 64 * HAND_IN {
                    break;
                }
                next = receiver.try_recv().map_err(|error| match error {
                    std::sync::mpsc::TryRecvError::Empty => RecvTimeoutError::Timeout,
                    std::sync::mpsc::TryRecvError::Disconnected => RecvTimeoutError::Disconnected,
                });
            }
            again(|| self.store.add(self.run.id, self.worker.id, &rows))?;
            rows.clear();
            for first in done {
                again(|| self.store.finish(self.run.id, &self.worker, first))?;
            }
            for (most, reply) in claims {
                // A thread that waits for an answer is told what went wrong.
                let _ = reply.send(Ok(again(|| self.claim(most))?));
            }
        }
    }

    fn claim(&self, most: u64) -> Result<Work, StoreError> {
        if let Some(claim) = self.store.claim(self.run.id, &self.worker, most)? {
            return Ok(Work::Play(claim));
        }
        let run = self.store.run(&self.run.name)?;
        if !self.store.leased(&run)? {
            return Ok(Work::Done);
        }
        self.store.bury(&self.worker)?;
        Ok(Work::Wait)
    }
}

/// Tries again where a database is out of reach or busy for a moment.
pub fn again<T>(mut work: impl FnMut() -> Result<T, StoreError>) -> Result<T, StoreError> {
    let mut pause = Duration::from_millis(50);
    loop {
        match work() {
            Err(StoreError::Query(error)) if passing(&error) && pause < Duration::from_secs(20) => {
                std::thread::sleep(pause);
                pause *= 2;
            }
            result => return result,
        }
    }
}

fn passing(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(_) | sqlx::Error::PoolTimedOut => true,
        // Busy and locked in SQLite; shutting down, starting up, serialisation in PostgreSQL.
        sqlx::Error::Database(e) => e.code().is_some_and(|code| {
            matches!(&*code, "5" | "6" | "517" | "57P01" | "57P02" | "57P03" | "40001" | "40P01")
        }),
        _ => false,
    }
}
