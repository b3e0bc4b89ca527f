//! Watching the time without looking at it too often.

use crate::budget::Budget;
pub use ludex_core::deadline::cpu_time;
use ludex_core::deadline::{self, Deadline, Scope, Stop};
use std::time::{Duration, Instant};

/// Says when the time is up. Reading the clock costs as much as a good part of a fast playout,
/// so [`tick`](Clock::tick) reads it only now and then, more rarely the faster the ticks come.
///
/// An agent [enters](Clock::enter) its clock while it thinks, so that its playouts and all that it calls
/// end in time, too.
#[derive(Debug, Clone)]
pub struct Clock {
    deadline: Deadline,
    /// The processor time of the budget, for threads that work for the agent.
    cpu: Option<Duration>,
    /// Ticks until the next look.
    left: u32,
    /// Ticks between looks.
    every: u32,
    last: Instant,
    up: bool,
}

/// The most ticks between two looks.
const MOST_TICKS: u32 = 1 << 10;

impl Clock {
    fn new(deadline: Deadline, cpu: Option<Duration>) -> Self {
        Clock { deadline, cpu, left: 1, every: 1, last: Instant::now(), up: false }
    }

    /// Starts now. The agent that asks says whether any other limit of the budget binds it;
    /// where none does and no time is given, [`Budget::DEFAULT_TIME`] is. It rings no later than the
    /// [deadline] that the thread has already, on other threads too.
    pub fn start(budget: &Budget, bound: bool) -> Self {
        let now = Instant::now();
        let bound = bound || budget.cpu.is_some();
        let time = budget.time.or((!bound).then_some(Budget::DEFAULT_TIME));
        // A reserve for the way from here to the referee.
        let margin = |t: Duration| {
            (t / 50).clamp(Duration::from_micros(500), Duration::from_millis(20)).min(t / 2)
        };
        let own = time.and_then(|t| now.checked_add(t - margin(t)));
        let outer = Deadline::current();
        let wall = [own, outer.wall].into_iter().flatten().min();
        let cpu = budget.cpu.and_then(|t| cpu_time().checked_add(t));
        Clock::new(Deadline { wall, cpu, stops: outer.stops }, budget.cpu)
    }

    /// A clock that never rings.
    pub fn never() -> Self {
        Clock::new(Deadline::default(), None)
    }

    /// A clock that rings when a flag is raised.
    pub fn until(stop: &Stop) -> Self {
        Clock::new(Deadline { stops: vec![stop.clone()], ..Deadline::default() }, None)
    }

    /// Until the guard is dropped, everything that this thread computes ends when the clock rings.
    pub fn enter(&self) -> Scope {
        self.deadline.enter()
    }

    /// A clock with the same limits for another thread, whose processor time is counted from now on.
    #[must_use]
    pub fn on_thread(&self) -> Self {
        let mut clock = self.clone();
        clock.deadline.cpu = self.cpu.and_then(|t| cpu_time().checked_add(t));
        clock
    }

    /// The time that is left, where there is a limit.
    pub fn left(&self) -> Option<Duration> {
        let wall = self.deadline.wall.map(|end| end.saturating_duration_since(Instant::now()));
        let own = self.deadline.cpu.map(|end| end.saturating_sub(cpu_time()));
        [wall, own].into_iter().flatten().min()
    }

    /// Did the last [`tick`](Clock::tick) look at the clock? Work that is due only now and then is done at such
    /// moments.
    #[inline]
    pub fn just_looked(&self) -> bool {
        self.left == self.every
    }

    /// Counts one piece of work; is the time up?
    #[inline]
    pub fn tick(&mut self) -> bool {
        self.left -= 1;
        if self.left == 0 || deadline::expired() { self.look() } else { self.up }
    }

    /// Looks at the clock now.
    #[cold]
    pub fn look(&mut self) -> bool {
        let now = Instant::now();
        self.up = deadline::look_at(now) || self.deadline.passed(now);
        if now - self.last < deadline::PACE {
            self.every = (self.every * 2).min(MOST_TICKS);
        } else {
            self.every = (self.every / 2).max(1);
        }
        self.last = now;
        self.left = self.every;
        self.up
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processor_time_runs_only_while_the_thread_works() {
        let budget: Budget = "cpu=2ms".parse().unwrap();
        let mut clock = Clock::start(&budget, false);
        std::thread::sleep(Duration::from_millis(20));
        assert!(!clock.look(), "sleep is no work");
        let begun = cpu_time();
        while !clock.tick() {}
        assert!(cpu_time() - begun >= Duration::from_millis(1));
    }

    #[test]
    fn without_time_it_never_rings_and_with_time_it_does() {
        let mut free = Clock::start(&Budget::sims(5), true);
        assert!((0..300_000).all(|_| !free.tick()));
        let mut bound = Clock::start(&Budget::time(Duration::from_millis(3)), true);
        let begun = Instant::now();
        while !bound.tick() {}
        assert!(begun.elapsed() < Duration::from_secs(2));
        assert!(bound.tick(), "once up, always up");
    }
}
