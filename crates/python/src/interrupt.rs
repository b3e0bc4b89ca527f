//! Long work that Ctrl-C can interrupt.
//!
//! Python runs signal handlers only in its main thread, and only when that thread asks for them. So the work runs in a thread
//! of its own, without the interpreter lock, and the calling thread asks every few milliseconds whether a signal has come.

use ludex_core::deadline::{Deadline, Stop};
use pyo3::prelude::*;
use std::panic::resume_unwind;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// How often signals are looked for.
const POLL: Duration = Duration::from_millis(20);

/// Runs `work` under a deadline that passes when a signal handler of Python raises. `stop` is called then, too.
///
/// # Errors
/// The exception of the signal handler, such as `KeyboardInterrupt`.
pub(crate) fn interruptible<T: Send>(
    py: Python<'_>,
    stop: impl Fn() + Sync,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    let flag = Stop::default();
    let mut interrupted = None;
    let result = std::thread::scope(|scope| {
        let (sender, receiver) = channel();
        let receiver = Mutex::new(receiver);
        let wait = || receiver.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(POLL);
        // A call from inside of another one ends with it.
        let mut deadline = Deadline::current();
        deadline.stops.push(flag.clone());
        let worker = scope.spawn(move || {
            let _scope = deadline.enter();
            let result = work();
            // The receiver waits until the thread has ended.
            let _ = sender.send(());
            result
        });
        while let Err(RecvTimeoutError::Timeout) = py.detach(wait) {
            if interrupted.is_none()
                && let Err(error) = py.check_signals()
            {
                interrupted = Some(error);
                flag.set();
                stop();
            }
        }
        py.detach(|| worker.join())
    });
    match (interrupted, result) {
        (Some(error), _) => Err(error),
        (None, Ok(value)) => Ok(value),
        (None, Err(panic)) => resume_unwind(panic),
    }
}
