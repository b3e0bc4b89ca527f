//! Tournaments and their games; and what went wrong.

use super::{MoveInfo, messages};

messages! {
    /// A run of the database.
    pub struct RunInfo {
        /// The name.
        pub name: String,
        /// When it began, in milliseconds since 1970.
        pub created_ms: i64,
        /// The agents.
        pub agents: Vec<String>,
        /// The games.
        pub games: Vec<String>,
        /// Games that are stored.
        pub played: u64,
        /// Games that it will have.
        pub total: u64,
        /// Is it played by this server now?
        pub running: bool,
        /// Why it stopped early, or why it failed.
        pub verdict: Option<String>,
    }

    /// The report of a run.
    pub struct RunReport {
        /// The run.
        pub run: RunInfo,
        /// One line.
        pub summary: String,
        /// The state of the sequential test, where the run has one.
        pub sprt: Option<String>,
        /// The tables.
        pub tables: Vec<TableInfo>,
        /// The figures as SVG documents, with their names.
        pub figures: Vec<(String, String)>,
    }

    /// A table of a report.
    pub struct TableInfo {
        /// The heading.
        pub heading: String,
        /// What its cells mean.
        pub caption: Option<String>,
        /// The notes below it.
        pub notes: Option<String>,
        /// The titles of the columns; `true`: numbers.
        pub columns: Vec<(String, bool)>,
        /// The cells.
        pub rows: Vec<Vec<String>>,
        /// Is it for a long report only?
        pub detail: bool,
    }

    /// A stored game in a list.
    pub struct StoredInfo {
        /// The number of the game in its run.
        pub number: u64,
        /// The game.
        pub game: String,
        /// The agents by seat.
        pub agents: Vec<String>,
        /// The payoffs by seat.
        pub payoffs: Vec<f32>,
        /// The number of steps.
        pub steps: u32,
        /// How it ended.
        pub ending: String,
    }

    /// A tournament to be played: an experiment as TOML.
    pub struct NewRun {
        /// The experiment.
        pub toml: String,
    }

    /// An error.
    pub struct Failure {
        /// What went wrong, for people.
        pub error: String,
        /// The moves that a short text could mean.
        pub choices: Vec<MoveInfo>,
    }
}
