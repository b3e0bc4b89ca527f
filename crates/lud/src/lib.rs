//! Ludeme descriptions of games (`.lud`).
//!
//! - [`expand`]: comments, options, rulesets and defines, with the place of every character;
//! - [`tree`]: the expanded text as a tree;
//! - [`board`]: boards as graphs, with their neighbourhoods.

pub mod board;
pub mod classes;
pub mod code;
pub mod compile;
pub mod concepts;
mod encode;
pub mod engine;
pub mod expand;
pub mod features;
pub mod game;
mod graphics;
pub mod load;
pub mod notation;
pub mod replay;
mod scene;
pub mod source;
mod terms;
pub mod tree;
