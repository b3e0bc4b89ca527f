//! Bots: agents outside of this process. `exec:` programs speak JSON lines on their standard input and output (the
//! protocol is `docs/bots.md`), `uci:` and `gtp:` engines the protocols of chess and Go programs.
//!
//! Each game starts a process of its own, in a process group of its own, with limits on time and memory. Whatever the
//! process does, the game ends with a move or a forfeit, and the process and all its children end with the game.

mod check;
mod engine;
mod exec;
mod message;
mod process;
mod squares;

pub use check::{Finding, check};
pub use engine::Engine;
pub use exec::Exec;
pub use message::Limit;
pub use squares::Squares;
