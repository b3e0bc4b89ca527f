//! Bots: agents outside of this process, programs that speak JSON lines on their standard input and output. The
//! protocol is `docs/bots.md`.
//!
//! Each game starts a process of its own, in a process group of its own, with limits on time and memory. Whatever the
//! process does, the game ends with a move or a forfeit, and the process and all its children end with the game.

mod check;
mod exec;
mod message;
mod process;

pub use check::{Finding, check};
pub use exec::Exec;
pub use message::Limit;
