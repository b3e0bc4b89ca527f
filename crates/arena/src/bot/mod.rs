//! Minds outside of this process: programs that speak JSON lines on their standard input and
//! output. The protocol is `docs/bots.md`.
//!
//! Each game starts a process of its own, in a group of its own, with limits on time and memory;
//! whatever it does, the game ends with a move or a forfeit, and the process and all its children
//! end with the game.

pub mod check;
pub mod message;
mod mind;
mod process;

pub use mind::Exec;
pub use process::{Limits, Process, Trouble};
