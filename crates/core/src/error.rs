//! The errors of games, names, positions and matches, as values.

/// An error that a person can act on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A move that is not legal here.
    #[error("illegal move `{text}` for {player}: {hint}")]
    IllegalMove {
        /// The move as it was given.
        text: String,
        /// The player who tried it.
        player: String,
        /// The legal moves.
        hint: String,
    },
    /// A position text that the game can't read.
    #[error("bad position `{text}`: {reason}")]
    BadPosition {
        /// The position as it was given.
        text: String,
        /// The fault of the name or its arguments.
        reason: String,
    },
    /// A step of a saved match that can't be made.
    #[error("step {step} (`{text}`): {error}")]
    BadStep {
        /// The number of the step, counted from 1.
        step: usize,
        /// The step as it was given.
        text: String,
        /// The fault of the step.
        #[source]
        error: Box<Error>,
    },
    /// A saved match that can't be read, or that belongs to other rules.
    #[error("bad match: {0}")]
    BadMatch(String),
    /// A name such as `nim(2,3)` that can't be read.
    #[error("bad name `{text}`, column {column}: {reason}")]
    BadSpec {
        /// The whole text.
        text: String,
        /// Where in it, counted from 1.
        column: usize,
        /// The fault at that place.
        reason: String,
    },
    /// Parameters that make no game or agent.
    #[error("{name}: {reason}")]
    BadParameter {
        /// The game or agent.
        name: String,
        /// The fault.
        reason: String,
    },
    /// An unknown name.
    #[error("unknown {what} `{name}`{hint}")]
    Unknown {
        /// `game`, `agent`, ...
        what: &'static str,
        /// The name.
        name: String,
        /// A suggestion, with its own leading punctuation, or empty.
        hint: String,
    },
    /// Something that a game or an agent can't do.
    #[error("{0}")]
    Unsupported(String),
    /// The work was told to stop ([`stopped`](crate::deadline::stopped)).
    #[error("stopped before the end")]
    Stopped,
    /// A percept that no world explains: rules and record contradict each other.
    #[error("no world explains what was seen: {0}")]
    Contradiction(String),
}

/// A result with the contract's error.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A suggestion for a misspelled name: the closest of `known` to `name`, where one is close enough.
///
/// ```
/// # use ludex_core::error::did_you_mean;
/// assert_eq!(did_you_mean("tictactoo", ["tictactoe", "nim"]), ": did you mean `tictactoe`?");
/// assert_eq!(did_you_mean("utc", ["uct", "mast"]), ": did you mean `uct`?");
/// assert_eq!(did_you_mean("zzz", ["tictactoe", "nim"]), "");
/// assert_eq!(did_you_mean("a", ["y"]), "");
/// ```
pub fn did_you_mean<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let lower = name.to_lowercase();
    known
        .into_iter()
        .map(|k| (distance(&lower, &k.to_lowercase()), k))
        .min()
        // A name of one letter is near to every other one.
        .filter(|(d, k)| {
            let shorter = k.chars().count().min(lower.chars().count());
            *d <= 1 + shorter / 4 && *d < shorter
        })
        .map(|(_, k)| format!(": did you mean `{k}`?"))
        .unwrap_or_default()
}

/// Edit distance: insert, delete, replace, or exchange two neighbours.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for i in 0..a.len() {
        let above = &rows[i];
        let mut row = vec![i + 1];
        for j in 0..b.len() {
            let replaced = above[j] + usize::from(a[i] != b[j]);
            let mut least = replaced.min(row[j] + 1).min(above[j + 1] + 1);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                least = least.min(rows[i - 1][j - 1] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}
