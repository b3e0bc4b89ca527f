//! An agent's parameters, measured by games: `ludex tune`.
//!
//! A [`Description`] names an agent with places for numbers, whom it plays, and how to search.
//! Every batch of candidates is an experiment of the arena, named after the search and the batch, in
//! an ordinary games database: each finished game is kept. Nothing else is. A search that was killed
//! asks the same questions again (an [`Optimiser`] is a function of its seed and the answers), finds
//! the games that it has, and plays the rest.
//!
//! One idea a file: [`description`] reads the file, [`race`] says who plays on, [`search`] plays.

mod description;
mod race;
mod search;

pub use description::Description;
pub use search::{Archive, ArchiveError, Outcome, Search, Step, TuneError};

#[cfg(doc)]
use crate::optimise::Optimiser;
