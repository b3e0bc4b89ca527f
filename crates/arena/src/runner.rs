//! Plays a plan on all cores. Each thread claims a few game numbers at a time from a [`JobQueue`], plays the games, and
//! hands the records back.

use crate::Forfeit;
use crate::plan::{Fixture, Plan};
use crate::record::{Ending, GameRecord};
use ludex_core::deadline::{self, Deadline, Stop};
use ludex_stats::Tally;
use std::convert::Infallible;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A switch that stops a run.
#[derive(Debug, Default)]
pub struct Control {
    pub(crate) stop: Stop,
}

impl Control {
    /// Stops the run. No new game begins, agents that are thinking are interrupted, and running games are abandoned: they
    /// count as not played.
    pub fn stop(&self) {
        self.stop.set();
    }

    /// Was this run, or the whole process, told to stop?
    pub fn stopped(&self) -> bool {
        self.stop.is_set() || deadline::process_stopped()
    }
}

/// The game numbers that one thread plays next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// The first number of the claim. It names the claim when the claim is finished.
    pub first: u64,
    /// The numbers that are not played yet.
    pub left: Vec<Range<u64>>,
}

impl Claim {
    /// The numbers to be played, one by one.
    pub fn numbers(&self) -> impl Iterator<Item = u64> {
        self.left.iter().flat_map(Clone::clone)
    }
}

/// The next work of a thread.
#[derive(Debug)]
pub enum Work {
    /// Play these games.
    Play(Claim),
    /// Wait: others play the last games, and may not finish them.
    Wait,
    /// Stop: every game is played.
    Done,
}

/// Gives out game numbers and takes finished games.
pub trait JobQueue: Sync {
    /// An error of the queue.
    type Error: Send;

    /// Claims at most `most` game numbers.
    ///
    /// # Errors
    /// The queue failed.
    fn claim(&self, most: u64) -> Result<Work, Self::Error>;

    /// Takes finished games. `done` is the first number of a claim whose games are now all handed in. Returns `false`
    /// where the queue has failed; the queue reports the reason when it is closed.
    fn keep(&self, games: Vec<(Fixture, GameRecord)>, done: Option<u64>) -> bool;
}

/// A queue that counts up and keeps no records: for runs of which only the sums are wanted.
#[derive(Debug)]
pub struct Counter {
    next: AtomicU64,
    total: u64,
}

impl Counter {
    /// The numbers from 0 up to, but without, `total`.
    pub fn new(total: u64) -> Self {
        Counter { next: AtomicU64::new(0), total }
    }
}

impl JobQueue for Counter {
    type Error = Infallible;

    fn claim(&self, most: u64) -> Result<Work, Infallible> {
        let first = self.next.fetch_add(most.max(1), Ordering::Relaxed).min(self.total);
        let last = (first + most.max(1)).min(self.total);
        Ok(if first < last {
            Work::Play(Claim { first, left: std::iter::once(first..last).collect() })
        } else {
            Work::Done
        })
    }

    fn keep(&self, _: Vec<(Fixture, GameRecord)>, _: Option<u64>) -> bool {
        true
    }
}

/// The sums of the games that this process has played, by game of the plan.
#[derive(Debug)]
pub struct Progress {
    tallies: Mutex<Vec<Tally>>,
    games: AtomicU64,
    /// Different reasons of forfeits, the first few.
    faults: Mutex<Vec<String>>,
}

/// The number of different reasons of forfeits that are kept.
const MOST_FAULTS: usize = 5;

impl Progress {
    /// No games yet.
    pub fn new(plan: &Plan) -> Self {
        Progress {
            tallies: Mutex::new(empty_tallies(plan)),
            games: AtomicU64::new(0),
            faults: Mutex::default(),
        }
    }

    /// The number of games so far.
    pub fn games(&self) -> u64 {
        self.games.load(Ordering::Relaxed)
    }

    /// The sums so far, by game of the plan.
    pub fn tallies(&self) -> Vec<Tally> {
        self.tallies.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The sums over all games of the plan.
    pub fn tally(&self) -> Tally {
        let tallies = self.tallies();
        let mut all = tallies.first().cloned().unwrap_or_else(|| Tally::new(0));
        tallies.iter().skip(1).for_each(|tally| all.merge(tally));
        all
    }

    /// Why games were forfeited: the first few different reasons.
    pub fn faults(&self) -> Vec<String> {
        self.faults.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn note(&self, plan: &Plan, fixture: &Fixture, forfeit: &Forfeit) {
        let mut faults = self.faults.lock().unwrap_or_else(PoisonError::into_inner);
        let agent = fixture.seats.get(usize::from(forfeit.seat)).copied().unwrap_or(0);
        let name = plan.names().into_iter().nth(agent).unwrap_or_default();
        let text = format!("{name} forfeits ({}): {}", forfeit.fault, forfeit.reason);
        if faults.len() < MOST_FAULTS && !faults.contains(&text) {
            faults.push(text);
        }
    }

    /// Moves the sums of a thread into the common sums.
    fn take(&self, fresh: &mut [Tally]) {
        let mut tallies = self.tallies.lock().unwrap_or_else(PoisonError::into_inner);
        for (tally, more) in tallies.iter_mut().zip(fresh.iter_mut()) {
            self.games.fetch_add(more.games, Ordering::Relaxed);
            tally.merge(more);
            *more = Tally::new(more.standings().len());
        }
    }
}

fn empty_tallies(plan: &Plan) -> Vec<Tally> {
    vec![Tally::new(plan.setup.agents.len()); plan.tables.len()]
}

/// The most games of one claim, and the most games between two hand-ins.
const CLAIM: u64 = 4096;
const HAND_IN: usize = 256;
/// Finished games are handed in at least this often.
const HAND_IN_AFTER: Duration = Duration::from_millis(100);
/// How long a thread waits before it asks again for work.
const POLL: Duration = Duration::from_millis(50);

/// Plays the games of a plan.
pub struct Runner<'a> {
    /// The games.
    pub plan: &'a Plan,
    /// How many games are played at a time.
    pub threads: usize,
    /// Receives the sums.
    pub progress: &'a Progress,
    /// Stops the run.
    pub control: &'a Control,
    /// Is called with each game as it ends, in no particular order.
    pub finished: &'a (dyn Fn(&Fixture, &GameRecord) + Sync),
}

impl<'a> Runner<'a> {
    /// A runner without a callback for single games.
    pub fn new(
        plan: &'a Plan,
        threads: usize,
        progress: &'a Progress,
        control: &'a Control,
    ) -> Self {
        Runner { plan, threads: threads.max(1), progress, control, finished: &|_, _| {} }
    }

    /// Plays until the queue is empty or the control says stop. Games under way are then abandoned.
    ///
    /// # Errors
    /// The queue failed.
    pub fn play<Q: JobQueue>(&self, queue: &Q) -> Result<(), Q::Error> {
        std::thread::scope(|scope| {
            let threads: Vec<_> =
                (0..self.threads).map(|_| scope.spawn(|| self.play_thread(queue))).collect();
            let mut result = Ok(());
            for thread in threads {
                match thread.join() {
                    Ok(Ok(())) => {}
                    Ok(Err(error)) => result = Err(error),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            result
        })
    }

    /// The loop of one thread: claim, play, hand in.
    fn play_thread<Q: JobQueue>(&self, queue: &Q) -> Result<(), Q::Error> {
        let stops = vec![self.control.stop.clone()];
        let _scope = Deadline { stops, ..Deadline::default() }.enter();
        let mut fresh = empty_tallies(self.plan);
        let fair = (self.plan.total() / (8 * self.threads as u64)).clamp(1, CLAIM);
        let mut size = 1;
        while !self.control.stopped() {
            let claim = match queue.claim(size)? {
                Work::Play(claim) => claim,
                Work::Wait => {
                    std::thread::sleep(POLL);
                    continue;
                }
                Work::Done => break,
            };
            let begun = Instant::now();
            if !self.play_claim(queue, &claim, &mut fresh) {
                break;
            }
            // A claim should take about half a second: long enough that claiming costs nothing, short enough that all
            // threads end at about the same time.
            size = match begun.elapsed() {
                short if short < Duration::from_millis(250) => (size * 2).min(fair),
                long if long > Duration::from_secs(1) => (size / 2).max(1),
                _ => size,
            };
        }
        Ok(())
    }

    /// Plays the games of a claim; `false` where the queue has failed.
    fn play_claim<Q: JobQueue>(&self, queue: &Q, claim: &Claim, fresh: &mut [Tally]) -> bool {
        let mut handed_in = Instant::now();
        let mut games = Vec::new();
        let mut done = Some(claim.first);
        for number in claim.numbers() {
            let fixture = self.plan.fixture(number);
            let record = (!self.control.stopped()).then(|| self.plan.play(&fixture));
            let Some(record) = record.filter(|record| record.ending != Ending::Abandoned) else {
                done = None;
                break;
            };
            (self.finished)(&fixture, &record);
            let forfeit = record.forfeit.as_ref().map(|f| f.seat);
            if let Some(forfeit) = &record.forfeit {
                self.progress.note(self.plan, &fixture, forfeit);
            }
            fresh[fixture.table].add(&fixture.seats, &record.payoffs, forfeit);
            games.push((fixture, record));
            if games.len() >= HAND_IN || handed_in.elapsed() > HAND_IN_AFTER {
                handed_in = Instant::now();
                self.progress.take(fresh);
                if !queue.keep(std::mem::take(&mut games), None) {
                    return false;
                }
            }
        }
        self.progress.take(fresh);
        queue.keep(games, done)
    }
}
