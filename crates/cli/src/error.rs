//! Errors as one line on stderr, and the exit code that goes with them.

use ludex_arena::Problem;
use ludex_learn::file::FileError;
use std::io::ErrorKind;

/// The exit code of a request that makes no sense: bad usage, an unknown name, a text that can't be understood.
const NONSENSE: u8 = 2;
/// The exit code of a failure: a file that can't be read, a database that fails, a check that does not pass.
const FAILURE: u8 = 1;

/// Prints an error and returns its exit code. A reader of stdout that went away (`ludex games | head`) is no error.
pub(crate) fn report(error: &anyhow::Error) -> u8 {
    if is_closed_pipe(error) {
        return 0;
    }
    // The signal handler has printed its message already.
    if error.is::<Failed>() || error.downcast_ref() == Some(&ludex_core::Error::Stopped) {
        return FAILURE;
    }
    if let Some(problem) = error.downcast_ref::<Problem>() {
        // The place, the line and the hint, as compilers show them.
        eprintln!("{problem}");
        return code(error);
    }
    match missing_file(error) {
        Some((file, reason)) => {
            eprintln!("ludex: can't read `{file}`: {reason}");
            FAILURE
        }
        None => {
            let mut text = whole(error);
            if text.contains("unable to open database file") {
                text.push_str("; can the folder be written? `--db FILE` names another place, also in `ludex tour`");
            }
            // A finding in a rule file has its source line below it. All else is one line.
            match text.contains("\n -->") {
                true => eprintln!("ludex: {}", text.trim_end()),
                false => eprintln!("ludex: {}", text.replace('\n', " ")),
            }
            code(error)
        }
    }
}

/// The text of an error and of its causes. Many errors repeat the text of their cause: nothing is said twice.
fn whole(error: &anyhow::Error) -> String {
    let mut text = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !text.contains(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}

fn code(error: &anyhow::Error) -> u8 {
    // The operating system refused. Errors of games and agents keep only the text of such an error.
    if error.chain().any(|cause| cause.to_string().contains("(os error ")) {
        return FAILURE;
    }
    let nonsense = error.chain().any(|cause| {
        cause.is::<ludex_core::Error>()
            || cause.is::<Usage>()
            || cause.is::<Problem>()
            || cause.downcast_ref::<FileError>().is_some_and(FileError::is_text)
    });
    if nonsense { NONSENSE } else { FAILURE }
}

/// The file of a game whose name is the path of a file that can't be opened, and the reason.
fn missing_file(error: &anyhow::Error) -> Option<(&str, std::io::Error)> {
    let Some(ludex_core::Error::Unknown { name, .. }) = error.downcast_ref() else { return None };
    let is_path = name.contains('/') || [".kif", ".lud"].iter().any(|end| name.ends_with(end));
    let opened = is_path.then(|| std::fs::File::open(name))?;
    Some((name, opened.err()?))
}

/// Is it a reader of stdout that went away? Some writers keep only the text of the error.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let closed = std::io::Error::from_raw_os_error(BROKEN_PIPE).to_string();
    error.chain().any(|cause| {
        cause.downcast_ref::<std::io::Error>().is_some_and(|e| e.kind() == ErrorKind::BrokenPipe)
            || cause.to_string().ends_with(&closed)
    })
}

/// `EPIPE`: the reader of a pipe is gone.
const BROKEN_PIPE: i32 = 32;

/// Prints the first paragraph of a message of the argument parser as one line.
pub(crate) fn usage_line(text: &str) -> u8 {
    let first = text.split("\n\n").next().unwrap_or(text);
    let words: Vec<&str> = first.split_whitespace().collect();
    let line = words.join(" ");
    let tip = text.lines().find_map(|line| line.trim().strip_prefix("tip: "));
    let tip = tip.map(|tip| format!("; {tip}")).unwrap_or_default();
    eprintln!("ludex: {}{tip} (see --help)", line.strip_prefix("error: ").unwrap_or(&line));
    NONSENSE
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

/// A usage error from a format string.
macro_rules! usage {
    ($($text:tt)+) => { anyhow::Error::new($crate::error::Usage(format!($($text)+))) };
}
pub(crate) use usage;

/// A failure whose message has been printed already.
#[derive(Debug)]
pub(crate) struct Failed;

impl std::fmt::Display for Failed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("failed")
    }
}

impl std::error::Error for Failed {}

#[cfg(test)]
mod tests {
    use anyhow::anyhow;

    #[test]
    fn causes_are_told_once() {
        let error = anyhow!("the disk is full")
            .context("it failed: the disk is full")
            .context("can't write `x`");
        assert_eq!(super::whole(&error), "can't write `x`: it failed: the disk is full");
    }
}
