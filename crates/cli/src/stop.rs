//! Ctrl-C and SIGTERM: what is finished is kept, what is under way is given up, and the program ends soon.

use crate::error::Failed;
use ludex_arena::runner::Control;
use ludex_core::deadline;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

/// How long a command may take to end by itself. Then it is ended: a step of a game, or a part of the program that does not
/// look at the clock, may take longer than anybody waits.
const PATIENCE: Duration = Duration::from_millis(1500);

/// What is still to be said where the command can't end by itself.
type Words = Box<dyn FnOnce() + Send>;
static LAST_WORDS: Mutex<Option<Words>> = Mutex::new(None);

/// Installs the handler, once: the first signal stops all games and agents, the second one ends the program at once.
pub(crate) fn control() -> &'static Control {
    static CONTROL: OnceLock<Control> = OnceLock::new();
    static SET: OnceLock<()> = OnceLock::new();
    let control = CONTROL.get_or_init(Control::default);
    SET.get_or_init(|| {
        // Without a handler a signal still ends the program, only less politely.
        let _ = ctrlc::set_handler(|| {
            let control = CONTROL.get_or_init(Control::default);
            if control.stopped() {
                std::process::exit(130);
            }
            deadline::stop_process();
            control.stop();
            eprintln!("\nstopping; what is finished is kept");
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

/// A failure, all said, where the program was asked to end before the work was done.
pub(crate) fn outcome() -> anyhow::Result<()> {
    if asked() { Err(Failed.into()) } else { Ok(()) }
}

/// `words` are said where the program is asked to end and the command does not do so in time.
pub(crate) fn last_words(words: impl FnOnce() + Send + 'static) {
    control();
    *LAST_WORDS.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(words));
}

/// The command says by itself what is to be said. `None`: it is being said already.
pub(crate) fn take() -> Option<impl FnOnce() + Send> {
    LAST_WORDS.lock().unwrap_or_else(PoisonError::into_inner).take()
}
