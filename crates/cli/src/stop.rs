//! Ctrl-C and SIGTERM: finished work is kept, work in progress is abandoned, and the program ends soon.

use crate::error::Failed;
use ludex_arena::runner::Control;
use ludex_core::deadline;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

/// How long a command may take to end by itself after a signal. Then the process exits, because a step of a game, or code
/// that does not look at the clock, may take too long.
const PATIENCE: Duration = Duration::from_millis(1500);

/// The last output of a command that does not end in time.
type Words = Box<dyn FnOnce() + Send>;
static LAST_WORDS: Mutex<Option<Words>> = Mutex::new(None);

/// Installs the signal handler once. The first signal stops all games and agents, the second one ends the program.
pub(crate) fn control() -> &'static Control {
    static CONTROL: OnceLock<Control> = OnceLock::new();
    static SET: OnceLock<()> = OnceLock::new();
    let control = CONTROL.get_or_init(Control::default);
    SET.get_or_init(|| {
        // Without a handler a signal still ends the program, but the program keeps less.
        let _ = ctrlc::set_handler(|| {
            let control = CONTROL.get_or_init(Control::default);
            if control.stopped() {
                std::process::exit(130);
            }
            deadline::stop_process();
            control.stop();
            eprintln!("\nstopping; finished work is kept");
            std::thread::spawn(|| {
                std::thread::sleep(PATIENCE);
                if let Some(words) = take() {
                    words();
                }
                std::process::exit(1);
            });
        });
    });
    control
}

/// Was the program asked to end?
pub(crate) fn asked() -> bool {
    deadline::process_stopped()
}

/// A failure without a further message, where the program was asked to end before its work was done.
pub(crate) fn outcome() -> anyhow::Result<()> {
    if asked() { Err(Failed.into()) } else { Ok(()) }
}

/// Runs `words` where the program is asked to end and the command does not end in time.
pub(crate) fn last_words(words: impl FnOnce() + Send + 'static) {
    control();
    *LAST_WORDS.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(words));
}

/// Takes the last words back, because the command prints them itself. `None`: they are being printed already.
pub(crate) fn take() -> Option<impl FnOnce() + Send> {
    LAST_WORDS.lock().unwrap_or_else(PoisonError::into_inner).take()
}
