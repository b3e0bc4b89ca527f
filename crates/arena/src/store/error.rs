//! The errors of a store.

/// An error of the games database.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database can't be opened or created.
    #[error("can't open the games database `{place}`: {reason}")]
    Open {
        /// The file or address, without a password.
        place: String,
        /// Why the database can't be opened.
        reason: String,
    },
    /// The database refused a query.
    #[error("the games database failed: {0}")]
    Query(#[from] sqlx::Error),
    /// A row that this version can't read.
    #[error("game {number} can't be read: {reason}")]
    Row {
        /// The number of the game in its run.
        number: u64,
        /// The fault of the row.
        reason: RowError,
    },
    /// A run that this version can't read.
    #[error("run `{name}` can't be read: {reason}")]
    BadRun {
        /// The name of the run.
        name: String,
        /// The fault of the run.
        reason: RowError,
    },
    /// There is no such run.
    #[error("no run `{name}` in this database{hint}")]
    NoRun {
        /// The name that was asked for.
        name: String,
        /// The runs that exist.
        hint: String,
    },
    /// There is no such game.
    #[error("run `{run}` has no game {number}; it has {games}")]
    NoGame {
        /// The name of the run.
        run: String,
        /// The number that was asked for.
        number: u64,
        /// How many games the run has.
        games: u64,
    },
    /// This program must not play games of the run.
    #[error("can't play run `{name}` here: {reason}")]
    Refused {
        /// The name of the run.
        name: String,
        /// How this program differs from the one that began the run.
        reason: String,
    },
    /// The run of this name belongs to another experiment.
    #[error("run `{name}` in this database is another experiment ({what}); choose another name")]
    OtherRun {
        /// The name of the run.
        name: String,
        /// How the experiments differ.
        what: String,
    },
}

impl StoreError {
    pub(super) fn open(place: &str, reason: impl std::fmt::Display) -> Self {
        StoreError::Open { place: super::hide_password(place), reason: reason.to_string() }
    }
}

/// A value in the database that this version can't read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct RowError(pub(super) String);

/// The message of a database error, without the words that the library adds.
pub(super) fn plain(error: &sqlx::Error) -> String {
    match error {
        sqlx::Error::Database(inner) => inner.message().to_string(),
        other => other.to_string(),
    }
}
