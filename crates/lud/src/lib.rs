//! Ludeme descriptions of games (`.lud`).
//!
//! - [`expand`]: comments, options, rulesets and defines, with the place of every character;
//! - [`tree`]: the expanded text as a tree.

pub mod error;
pub mod expand;
pub mod source;
pub mod tree;
