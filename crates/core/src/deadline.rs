//! When a thread must stop computing.
//!
//! An agent has limited time for its move, and a command can be told to end. Both must reach loops that know nothing of
//! agents: one random game of a slow rule sheet can take longer than the whole time of a move. So the deadline belongs to
//! the thread. An agent [enters](Deadline::enter) the deadline while it thinks. Long loops ask whether the deadline has
//! passed, and return early with an unfinished result. The agent drops that result and answers with its best move so far.
//!
//! Outside of a deadline nothing ever expires, and asking costs one load.
//!
//! ```
//! use ludex_core::deadline::{self, Deadline};
//! use std::time::{Duration, Instant};
//! assert!(!deadline::look());
//! let soon = Deadline { wall: Some(Instant::now() + Duration::from_millis(1)), ..Deadline::default() };
//! let scope = soon.enter();
//! while !deadline::look() {}
//! drop(scope);
//! assert!(!deadline::look());
//! ```

use rustix::time::{ClockId, clock_gettime};
use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// The stride of a thread that has no deadline.
const NEVER: u32 = u32::MAX;

/// The time between two looks at the clock, about. A look costs a few hundredths of a microsecond, and a step may take a
/// thousand times as long as the steps before it.
pub const PACE: Duration = Duration::from_micros(20);

/// The most steps between two looks, even where steps are fast: the next steps may be slow.
const LONGEST_STRIDE: u32 = 1 << 9;

thread_local! {
    /// Steps between two looks.
    static STRIDE: Cell<u32> = const { Cell::new(NEVER) };
    /// The result of the last look.
    static EXPIRED: Cell<bool> = const { Cell::new(false) };
    static CURRENT: RefCell<Current> = const {
        RefCell::new(Current { deadline: Deadline { wall: None, cpu: None, stops: Vec::new() }, last: None })
    };
}

/// Is the process told to end?
static PROCESS: AtomicBool = AtomicBool::new(false);

/// Makes every deadline of this process pass, now and later, because the process shall end.
pub fn stop_process() {
    PROCESS.store(true, Relaxed);
}

/// Was [`stop_process`] called?
pub fn process_stopped() -> bool {
    PROCESS.load(Relaxed)
}

/// A flag that ends the work of other threads. Clones share the flag.
#[derive(Debug, Clone, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Raises the flag.
    pub fn set(&self) {
        self.0.store(true, Relaxed);
    }

    /// Lowers it again.
    pub fn clear(&self) {
        self.0.store(false, Relaxed);
    }

    /// Is it raised?
    pub fn is_set(&self) -> bool {
        self.0.load(Relaxed)
    }
}

/// When to stop: as soon as one of these conditions holds, or the process is told to end.
#[derive(Debug, Clone, Default)]
pub struct Deadline {
    /// This moment of the wall clock has come.
    pub wall: Option<Instant>,
    /// The thread has used so much processor time since its start, see [`cpu_time`].
    pub cpu: Option<Duration>,
    /// One of these flags is raised.
    pub stops: Vec<Stop>,
}

/// The deadline of this thread, and the time of the last look from inside a playout.
struct Current {
    deadline: Deadline,
    last: Option<Instant>,
}

impl Deadline {
    /// A deadline `time` from now.
    pub fn after(time: Duration) -> Self {
        Deadline { wall: Instant::now().checked_add(time), ..Deadline::default() }
    }

    /// Makes this the deadline of the thread until the guard is dropped. A deadline that the thread has already still holds:
    /// a part of a task never lasts longer than the whole task.
    pub fn enter(&self) -> Scope {
        CURRENT.with_borrow_mut(|current| {
            let outer = &current.deadline;
            let earlier =
                |a: Option<Instant>, b: Option<Instant>| [a, b].into_iter().flatten().min();
            let sooner =
                |a: Option<Duration>, b: Option<Duration>| [a, b].into_iter().flatten().min();
            let inner = Deadline {
                wall: earlier(outer.wall, self.wall),
                cpu: sooner(outer.cpu, self.cpu),
                stops: outer.stops.iter().chain(&self.stops).cloned().collect(),
            };
            let before = std::mem::replace(current, Current { deadline: inner, last: None });
            // An expired deadline stays expired. The stride starts from 1 again.
            Scope { before: Some(before), stride: STRIDE.replace(1), expired: EXPIRED.get() }
        })
    }

    /// The deadline of this thread, for threads that work on its behalf. It has no limit on processor time, which each
    /// thread counts for itself.
    pub fn current() -> Deadline {
        CURRENT.with_borrow(|current| Deadline { cpu: None, ..current.deadline.clone() })
    }

    /// Has the deadline passed at the time `now`?
    pub fn passed(&self, now: Instant) -> bool {
        process_stopped()
            || self.stops.iter().any(Stop::is_set)
            || self.wall.is_some_and(|wall| now >= wall)
            || self.cpu.is_some_and(|cpu| cpu_time() >= cpu)
    }
}

/// The guard of [`Deadline::enter`]: the deadline holds until the guard is dropped.
#[must_use = "the deadline ends with the guard"]
#[derive(Debug)]
pub struct Scope {
    before: Option<Current>,
    stride: u32,
    expired: bool,
}

impl std::fmt::Debug for Current {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.deadline.fmt(f)
    }
}

impl Drop for Scope {
    fn drop(&mut self) {
        if let Some(before) = self.before.take() {
            CURRENT.with_borrow_mut(|current| *current = before);
        }
        STRIDE.set(self.stride);
        EXPIRED.set(self.expired);
    }
}

/// Looks at the clock: has the deadline of this thread passed? A look costs a few hundredths of a microsecond, so call it
/// around work that takes a microsecond or more.
#[inline]
pub fn look() -> bool {
    EXPIRED.get() || STRIDE.get() != NEVER && look_at(Instant::now())
}

/// As [`look`], for callers that know the time.
pub fn look_at(now: Instant) -> bool {
    if EXPIRED.get() || STRIDE.get() == NEVER {
        return EXPIRED.get();
    }
    let passed = CURRENT.with_borrow(|current| current.deadline.passed(now));
    EXPIRED.set(passed);
    passed
}

/// The result of the last look of this thread, without a new look.
#[inline]
pub fn expired() -> bool {
    EXPIRED.get()
}

/// Was this thread told to stop, by a flag or by the end of the process? Then its results are not needed.
pub fn stopped() -> bool {
    process_stopped()
        || CURRENT.with_borrow(|current| current.deadline.stops.iter().any(Stop::is_set))
}

/// How many plies a playout may make before it must call [`pace`]; `u32::MAX` where there is no deadline.
#[inline]
pub fn stride() -> u32 {
    STRIDE.get()
}

/// Looks at the clock after [`stride`] plies of a playout. Returns how many plies the playout may make before the next look,
/// or `None` where it must stop.
#[cold]
pub fn pace() -> Option<u32> {
    let now = Instant::now();
    if look_at(now) {
        return None;
    }
    let last = CURRENT.with_borrow_mut(|current| current.last.replace(now));
    let stride = STRIDE.get();
    let next = match last {
        _ if stride == NEVER => NEVER,
        None => stride,
        Some(last) if now - last < PACE => (stride * 2).min(LONGEST_STRIDE),
        Some(_) => (stride / 2).max(1),
    };
    STRIDE.set(next);
    Some(next)
}

/// Looks at the clock every [`stride`] plies, for playouts that count ply by ply.
#[derive(Debug)]
pub struct Pace {
    left: u32,
}

/// Looks at the clock every few steps of a loop, more often where the steps are slow. It learns how slow they are, so keep
/// one ticker for a loop that runs again and again.
#[derive(Debug, Clone, Default)]
pub struct Ticker {
    left: u32,
    every: u32,
    last: Option<Instant>,
}

impl Ticker {
    /// Counts one step. True: the loop must stop.
    #[inline]
    pub fn step(&mut self) -> bool {
        match self.left.checked_sub(1) {
            Some(left) => self.left = left,
            None => self.renew(),
        }
        expired()
    }

    #[cold]
    fn renew(&mut self) {
        let now = Instant::now();
        look_at(now);
        let quick = self.last.is_some_and(|last| now - last < PACE);
        self.every = if quick { (2 * self.every + 1).min(LONGEST_STRIDE) } else { self.every / 2 };
        (self.left, self.last) = (self.every, Some(now));
    }
}

impl Pace {
    /// Begins to count, at the beginning of a loop.
    #[inline]
    pub fn start() -> Self {
        Pace { left: stride() }
    }

    /// Counts one step. True: the loop must stop.
    #[inline]
    pub fn step(&mut self) -> bool {
        self.left -= 1;
        self.left == 0 && self.renew()
    }

    fn renew(&mut self) -> bool {
        match pace() {
            Some(stride) => self.left = stride,
            None => self.left = 1,
        }
        expired()
    }
}

/// The processor time of this thread.
pub fn cpu_time() -> Duration {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec.unsigned_abs(), now.tv_nsec.unsigned_abs() as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_deadline_nothing_expires() {
        let mut pace = Pace::start();
        assert!((0..100_000).all(|_| !pace.step()));
        assert_eq!((stride(), look(), expired(), stopped()), (NEVER, false, false, false));
    }

    #[test]
    fn an_inner_deadline_never_outlasts_the_outer_one_and_ends_with_its_scope() {
        let hour = Deadline::after(Duration::from_secs(3600));
        let now = Deadline::after(Duration::ZERO);
        let outer = hour.enter();
        {
            let _inner = now.enter();
            assert!(look() && expired());
            let _innermost = hour.enter();
            assert!(look(), "an hour inside of no time is no time");
        }
        assert!(!look() && !expired(), "the outer one goes on");
        drop(outer);
        let _outer = now.enter();
        let _inner = hour.enter();
        assert!(look());
    }

    #[test]
    fn a_raised_flag_ends_the_work_of_another_thread() {
        let stop = Stop::default();
        let deadline = Deadline { stops: vec![stop.clone()], ..Deadline::default() };
        std::thread::scope(|scope| {
            let worker = scope.spawn(move || {
                let _scope = deadline.enter();
                let mut pace = Pace::start();
                while !pace.step() {}
                stopped()
            });
            stop.set();
            assert!(worker.join().unwrap());
        });
    }

    #[test]
    fn a_ticker_looks_rarely_at_fast_steps_and_after_each_slow_one() {
        let _scope = Deadline::after(Duration::from_secs(3)).enter();
        let mut ticker = Ticker::default();
        (0..3000).for_each(|_| assert!(!ticker.step()));
        assert!(ticker.every > 8, "{ticker:?}");
        let mut slow = 0;
        while !ticker.step() {
            std::thread::sleep(Duration::from_millis(1));
            slow += 1;
        }
        // The ticker skips a stride of slow steps, then half a stride, and so on, until it looks after each step.
        assert!(slow <= 3000 + LONGEST_STRIDE, "{slow}");
        assert_eq!(ticker.every, 0);
    }

    #[test]
    fn strides_grow_where_steps_are_fast_and_shrink_where_they_are_slow() {
        let _scope = Deadline::after(Duration::from_secs(3600)).enter();
        let mut pace = Pace::start();
        (0..10_000).for_each(|_| assert!(!pace.step()));
        assert!(stride() > 16, "{}", stride());
        for _ in 0..40 {
            std::thread::sleep(2 * PACE);
            super::pace();
        }
        assert_eq!(stride(), 1);
    }
}
