//! Ludeme descriptions of games (`.lud`).
//!
//! - [`expand`]: comments, options, rulesets and defines, with the place of every character;
//! - [`tree`]: the expanded text as a tree;
//! - [`board`]: boards as graphs, with their neighbourhoods.

pub mod board;
mod classes;
mod code;
pub mod compile;
mod concepts;
mod encode;
pub mod engine;
pub mod expand;
mod features;
mod forsyth;
pub mod game;
mod graphics;
pub mod load;
mod ludemes;
mod notation;
pub mod replay;
mod scene;
pub mod source;
mod terms;
pub mod tree;
