//! The messages between the arena and a bot: one JSON object a line.

use ludex_agents::Budget;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The version of the protocol.
pub(super) const PROTOCOL: u32 = 1;

/// A message to a bot.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub(super) enum Say {
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
        /// Has the game hidden information? Then the bot gets percepts and no positions.
        hidden: bool,
        /// For the bot's own luck.
        seed: u64,
    },
    /// The bot must move; it answers `move`.
    Go {
        /// Steps made so far.
        step: usize,
        /// The steps since the last question, as this seat saw them.
        news: Vec<News>,
        /// The position, where the game has no hidden information.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        position: Option<String>,
        /// The legal moves.
        legal: Vec<String>,
        /// The limits of the move.
        budget: Limit,
    },
    /// The game is over; the bot ends.
    End,
}

/// One step as one seat saw it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct News {
    /// The seat's own move, where it moved.
    pub(super) own: Option<String>,
    /// The seat's percept. In a game without hidden information: the moves of all players.
    pub(super) seen: String,
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
    /// A time that makes no sense (negative or too large) is ignored.
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

/// An answer of a bot. Unknown keys are ignored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub(super) enum Answer {
    /// The bot is ready to play.
    Ready {
        /// The name that the bot gives itself.
        #[serde(default)]
        name: Option<String>,
    },
    /// The bot's move: exactly the text of a legal move.
    Move {
        /// The move.
        #[serde(rename = "move")]
        mv: String,
    },
    /// Anything that the bot tells while it thinks.
    Info,
}
