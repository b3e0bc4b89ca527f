//! Tuning of an agent's parameters by games: `ludex tune`.
//!
//! A [`Description`] names an agent with places for numbers, its opponents, and the search method. Every batch of
//! candidates is an experiment of the arena, named after the search and the batch, whose games an [`Archive`] keeps. Nothing
//! else is kept. A search that was killed asks for the same candidates again, because an optimiser is a function of its
//! seed and the answers. It finds the games that it has and plays the rest.
//!
//! `description` reads the file, `race` says which candidates play on, `search` plays.

mod description;
mod race;
mod search;

pub use description::Description;
pub use search::{Archive, ArchiveError, Outcome, Search, Step, TuneError};
