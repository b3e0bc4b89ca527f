//! Numbered units of work that can be done anywhere.
//!
//! A unit is computed from the job and its number alone. So any thread, process or machine may compute it, also twice, with
//! the same result; a scheduler needs no more than the numbers. Back ends:
//! - [`compute`]: threads of this process;
//! - `ludex worker`: processes that share a database ([`store`](crate::store));
//! - a scheduler outside, such as Ray: each of its tasks calls [`compute`] with some of the numbers.

use crate::runner::Control;
use ludex_core::deadline::Deadline;
use ludex_core::{Error, Result};
use serde::Serialize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Units of work with the numbers from 0 up to, but without, [`Job::total`].
pub trait Job: Send + Sync {
    /// The result of a unit.
    type Row: Serialize + Send;

    /// The number of units.
    fn total(&self) -> u64;

    /// Why this process must not compute a unit: it would come to another result than the process that made the job.
    fn refuses(&self, _number: u64) -> Option<String> {
        None
    }

    /// Computes a unit. The result depends on the job and the number alone.
    ///
    /// # Errors
    /// The unit can't be computed, or the thread was told to stop ([`Error::Stopped`]).
    fn compute(&self, number: u64) -> Result<Self::Row>;
}

/// Computes units on this number of threads. Returns their rows in the order of `numbers`.
///
/// # Errors
/// A number is too large, a unit can't be computed, or the control says stop ([`Error::Stopped`]).
pub fn compute<J: Job + ?Sized>(
    job: &J,
    numbers: &[u64],
    threads: usize,
    control: &Control,
) -> Result<Vec<J::Row>> {
    if let Some(number) = numbers.iter().find(|&&number| number >= job.total()) {
        let reason = format!("there is no unit {number}; the job has {}", job.total());
        return Err(Error::BadParameter { name: "number".into(), reason });
    }
    let rows: Mutex<Vec<Option<J::Row>>> = Mutex::new(numbers.iter().map(|_| None).collect());
    let failed = Mutex::new(None);
    let next = AtomicUsize::new(0);
    let mut deadline = Deadline::current();
    deadline.stops.push(control.stop.clone());
    let work = || {
        let _scope = deadline.enter();
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let Some(&number) = numbers.get(place) else { return };
            let computed =
                if control.stopped() { Err(Error::Stopped) } else { job.compute(number) };
            match computed {
                Ok(row) => {
                    let mut rows = rows.lock().unwrap_or_else(PoisonError::into_inner);
                    rows[place] = Some(row);
                }
                Err(error) => {
                    let mut failed = failed.lock().unwrap_or_else(PoisonError::into_inner);
                    failed.get_or_insert(error);
                    // The other threads end after the unit at hand.
                    next.store(numbers.len(), Ordering::Relaxed);
                    return;
                }
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..threads.clamp(1, numbers.len().max(1)) {
            scope.spawn(work);
        }
    });
    match failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(error) => Err(error),
        None => {
            let rows = rows.into_inner().unwrap_or_else(PoisonError::into_inner);
            Ok(rows.into_iter().flatten().collect())
        }
    }
}

/// A job whose rows are JSON texts, for callers that don't know its type.
pub trait AnyJob: Send + Sync {
    /// The number of units.
    fn total(&self) -> u64;

    /// As [`Job::refuses`].
    fn refuses(&self, number: u64) -> Option<String>;

    /// Computes units like [`compute`]; each row is a JSON text.
    ///
    /// # Errors
    /// As [`compute`].
    fn compute_json(
        &self,
        numbers: &[u64],
        threads: usize,
        control: &Control,
    ) -> Result<Vec<String>>;
}

impl<J: Job> AnyJob for J {
    fn total(&self) -> u64 {
        Job::total(self)
    }

    fn refuses(&self, number: u64) -> Option<String> {
        Job::refuses(self, number)
    }

    fn compute_json(
        &self,
        numbers: &[u64],
        threads: usize,
        control: &Control,
    ) -> Result<Vec<String>> {
        let rows = compute(self, numbers, threads, control)?;
        let json = |row: &J::Row| {
            serde_json::to_string(row).map_err(|e| Error::BadMatch(format!("a row: {e}")))
        };
        rows.iter().map(json).collect()
    }
}

/// The games of a plan. A row is a row of the database.
#[cfg(feature = "store")]
impl Job for crate::Plan {
    type Row = crate::store::Row;

    fn total(&self) -> u64 {
        crate::Plan::total(self)
    }

    fn compute(&self, number: u64) -> Result<Self::Row> {
        let fixture = self.fixture(number);
        let record = self.play(&fixture);
        match record.ending {
            crate::Ending::Abandoned => Err(Error::Stopped),
            _ => Ok(crate::store::Row::new(&fixture, &record)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Squares {
        bad: u64,
    }

    impl Job for Squares {
        type Row = u64;

        fn total(&self) -> u64 {
            100
        }

        fn compute(&self, number: u64) -> Result<u64> {
            match number == self.bad {
                true => Err(Error::Unsupported("a bad number".into())),
                false => Ok(number * number),
            }
        }
    }

    #[test]
    fn rows_come_in_the_order_of_the_numbers_on_any_number_of_threads() {
        let (job, control) = (Squares { bad: 100 }, Control::default());
        let numbers: Vec<u64> = (0..100).rev().collect();
        let expected: Vec<u64> = numbers.iter().map(|n| n * n).collect();
        for threads in [0, 1, 7, 1000] {
            assert_eq!(compute(&job, &numbers, threads, &control).unwrap(), expected);
        }
        assert_eq!(job.compute_json(&[3, 3], 2, &control).unwrap(), ["9", "9"]);
        assert!(compute(&job, &[], 2, &control).unwrap().is_empty());
    }

    #[test]
    fn a_unit_that_fails_or_does_not_exist_fails_the_batch() {
        let (job, control) = (Squares { bad: 7 }, Control::default());
        let fails = |numbers: &[u64]| compute(&job, numbers, 3, &control).unwrap_err().to_string();
        assert!(fails(&[1, 7, 9]).contains("a bad number"));
        assert!(fails(&[1, 100]).contains("no unit 100"));
        control.stop();
        assert!(matches!(compute(&job, &[1], 1, &control), Err(Error::Stopped)));
    }
}
