//! The rules editor: drafts, findings, help, random playouts.

use super::{GameFacts, messages};

messages! {
    /// A draft of rules that is kept.
    pub struct DraftInfo {
        /// The name that opens it as a game.
        pub name: String,
        /// The title of the game.
        pub title: String,
        /// `kif` or `lud`.
        pub language: String,
        /// When it was kept, in milliseconds since 1970.
        pub saved_ms: i64,
    }

    /// A text of rules to be checked.
    pub struct RulesText {
        /// `kif` or `lud`.
        pub language: String,
        /// The text.
        pub text: String,
    }

    /// The findings about a text of rules.
    pub struct RulesReport {
        /// The findings in the order of the text.
        pub findings: Vec<Finding>,
        /// The name that opens the game, if there is no error.
        pub name: Option<String>,
        /// The title of the game.
        pub title: String,
        /// The properties of the game.
        pub facts: Option<GameFacts>,
        /// The first position as an SVG document.
        pub svg: Option<String>,
    }

    /// A finding about a text of rules.
    pub struct Finding {
        /// The first character, counted in UTF-16 units.
        pub start: u32,
        /// One past the last character.
        pub end: u32,
        /// The line, from 1.
        pub line: u32,
        /// The column, from 1.
        pub column: u32,
        /// `error` or `warning`.
        pub severity: String,
        /// The code.
        pub code: String,
        /// The message.
        pub message: String,
        /// The advice.
        pub hint: Option<String>,
    }

    /// A word of a rule language.
    pub struct WordHelp {
        /// The word.
        pub word: String,
        /// Its meaning or class.
        pub meaning: String,
    }

    /// Statistics of random games.
    pub struct Playouts {
        /// The games.
        pub games: u32,
        /// Games that did not end in time.
        pub unfinished: u32,
        /// Mean, least and greatest number of steps.
        pub length: [f32; 3],
        /// The mean number of legal moves of a decision.
        pub branching: f32,
        /// The mean payoff by seat.
        pub payoffs: Vec<f32>,
        /// Games without a single winner.
        pub draws: u32,
        /// Milliseconds that it took.
        pub ms: u32,
    }
}
