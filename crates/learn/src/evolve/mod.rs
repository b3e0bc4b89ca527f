//! Populations of players that play each other: selection, recombination, mutation (Eiben and Smith
//! 2015; the Ludo paper, section 2.2).
//!
//! - [`genome`]: how genes become a player of a game;
//! - [`operators`]: recombination and mutation;
//! - [`select`]: who plays whom;
//! - [`evolution`]: generations, measurements, the choice of the best;
//! - [`plan`], [`checkpoint`], [`mod@run`], [`figure`]: the same as a file, in a folder, with pictures.

pub mod checkpoint;
pub mod evolution;
pub mod figure;
pub mod genome;
pub mod operators;
pub mod plan;
pub mod run;
pub mod select;

pub use evolution::{Evolution, Point, Settings};
pub use genome::Genome;
pub use plan::Plan;
pub use run::{Outcome, Watch, run, run_with};
