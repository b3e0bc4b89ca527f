//! What is said between the arena and a bot: one JSON object a line.

use ludex_agents::Budget;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The version of the protocol.
pub const PROTOCOL: u32 = 1;

/// What a bot is told.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Say {
    /// A game begins; the bot answers `ready`.
    NewGame {
        /// The version of the protocol.
        protocol: u32,
        /// The name of the game.
        game: String,
        /// The game in a few words.
        title: String,
        /// The names of the seats.
        players: Vec<String>,
        /// The bot's own seat, counted from 0.
        seat: u8,
        /// Is anything hidden? Then there are percepts and no positions.
        hidden: bool,
        /// For the bot's own luck.
        seed: u64,
    },
    /// The bot must move; it answers `move`.
    Go {
        /// Steps made so far.
        step: usize,
        /// The steps since the last question, as this seat lived them.
        news: Vec<News>,
        /// The position, where nothing is hidden.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        position: Option<String>,
        /// The legal moves.
        legal: Vec<String>,
        /// What the move may cost.
        budget: Limit,
    },
    /// The game is over; the bot ends.
    End,
}

/// One step as one seat lived it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct News {
    /// The seat's own move, where it moved.
    pub own: Option<String>,
    /// What it learned; with nothing hidden, everybody's moves.
    pub seen: String,
}

/// The budget of a move.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Limit {
    /// Milliseconds on the clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_ms: Option<f64>,
    /// Simulations.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sims: Option<u64>,
    /// Positions searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Plies of look-ahead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
}

impl From<&Budget> for Limit {
    fn from(budget: &Budget) -> Self {
        Limit {
            time_ms: budget.time.or(budget.cpu).map(|time| time.as_secs_f64() * 1e3),
            sims: budget.sims,
            nodes: budget.nodes,
            depth: budget.depth,
        }
    }
}

impl From<&Limit> for Budget {
    /// A time that is none (negative, or beyond all bounds) is no limit.
    fn from(limit: &Limit) -> Self {
        let time = limit.time_ms.and_then(|ms| Duration::try_from_secs_f64(ms / 1e3).ok());
        Budget {
            time,
            sims: limit.sims,
            nodes: limit.nodes,
            depth: limit.depth,
            ..Budget::default()
        }
    }
}

/// What a bot answers. Keys that are not known are left alone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Answer {
    /// It is ready to play.
    Ready {
        /// How it calls itself.
        #[serde(default)]
        name: Option<String>,
    },
    /// Its move, one of the legal ones, letter by letter.
    Move {
        /// The move.
        #[serde(rename = "move")]
        mv: String,
    },
    /// Anything that it wants to tell while it thinks.
    Info,
}
