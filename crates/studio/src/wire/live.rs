//! Messages over the WebSocket of a table.

use serde::{Deserialize, Serialize};

use super::{BranchInfo, Snapshot, ThoughtInfo};

/// A message from the page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Ask {
    /// Show the table from this step; `None`: follow the last step of the game.
    Look {
        /// The step.
        node: Option<u32>,
        /// The seat whose view is wanted, of those whose keys the page holds.
        seat: Option<u8>,
        /// Show the whole position?
        reveal: bool,
        /// The number of steps that the page knows.
        known: u32,
    },
    /// Let an agent think about a position, and stream its thoughts.
    Analyse {
        /// Which of the analyses of the page: 0 or 1.
        slot: u8,
        /// The step.
        node: u32,
        /// The agent.
        agent: String,
        /// The seat; `None`: the mover.
        seat: Option<u8>,
        /// Show the whole position?
        reveal: bool,
        /// Seconds.
        seconds: u32,
    },
    /// Stop an analysis.
    Stop {
        /// Which of the analyses.
        slot: u8,
    },
    /// Search the position after a line of moves, for the browser of the search tree.
    Branch {
        /// The step from which the line begins.
        node: u32,
        /// The moves.
        line: Vec<String>,
        /// The agent.
        agent: String,
        /// Milliseconds.
        ms: u32,
        /// Show the whole position?
        reveal: bool,
    },
    /// Evaluate all positions of the line that ends with a step.
    Graph {
        /// The step.
        node: u32,
        /// The agent.
        agent: String,
        /// Milliseconds a position.
        ms: u32,
        /// Show the whole position?
        reveal: bool,
    },
}

/// A message to the page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Tell {
    /// The table as the viewer may see it.
    Snapshot {
        /// The position.
        snapshot: Box<Snapshot>,
    },
    /// An agent's thought.
    Thought {
        /// The thought.
        thought: Box<ThoughtInfo>,
    },
    /// A position of the search tree.
    Branch {
        /// The position.
        branch: Box<BranchInfo>,
    },
    /// The value of a position.
    Value {
        /// The step.
        node: u32,
        /// The expected payoff of each seat.
        values: Vec<f32>,
        /// Steps of the line that have a value, and all of them.
        done: (u32, u32),
    },
    /// Something went wrong.
    Error {
        /// What, for people.
        error: String,
    },
}
