//! Errors as one line on stderr, and the exit code that goes with them.

use std::io::ErrorKind;
use std::process::ExitCode;

/// Prints an error. What the user asked for makes no sense: 2; it failed on the way: 1.
/// A reader that went away (`ludex games | head`) is no error.
pub(crate) fn report(error: &anyhow::Error) -> ExitCode {
    if is_closed_pipe(error) {
        return ExitCode::SUCCESS;
    }
    // What a signal has stopped has been said.
    if error.is::<Failed>() || error.downcast_ref() == Some(&ludex_core::Error::Stopped) {
        return ExitCode::from(1);
    }
    if let Some(problem) = error.downcast_ref::<ludex_arena::Problem>() {
        // The place, the line and the hint, as compilers show them.
        eprintln!("{problem}");
        return ExitCode::from(2);
    }
    let text = format!("{error:#}").replace('\n', " ");
    eprintln!("ludex: {text}");
    let usage = error.chain().any(|cause| cause.is::<ludex_core::Error>() || cause.is::<Usage>());
    ExitCode::from(if usage { 2 } else { 1 })
}

/// Is it a reader of stdout that went away? Some writers hand on the text of the error only.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let closed = std::io::Error::from_raw_os_error(BROKEN_PIPE).to_string();
    error.chain().any(|cause| {
        cause.downcast_ref::<std::io::Error>().is_some_and(|e| e.kind() == ErrorKind::BrokenPipe)
            || cause.to_string().ends_with(&closed)
    })
}

/// `EPIPE`.
const BROKEN_PIPE: i32 = 32;

/// Prints the first sentence of a long message about the command line itself, as one line.
pub(crate) fn usage_line(text: &str) -> ExitCode {
    let first = text.split("\n\n").next().unwrap_or(text);
    let words: Vec<&str> = first.split_whitespace().collect();
    let line = words.join(" ");
    eprintln!("ludex: {} (see --help)", line.strip_prefix("error: ").unwrap_or(&line));
    ExitCode::from(2)
}

/// A request that makes no sense.
#[derive(Debug)]
pub(crate) struct Usage(pub(crate) String);

impl std::fmt::Display for Usage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

/// A usage error from a text.
macro_rules! usage {
    ($($text:tt)+) => { anyhow::Error::new($crate::error::Usage(format!($($text)+))) };
}
pub(crate) use usage;

/// Something did not pass, and all there is to say has been said.
#[derive(Debug)]
pub(crate) struct Failed;

impl std::fmt::Display for Failed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("failed")
    }
}

impl std::error::Error for Failed {}
