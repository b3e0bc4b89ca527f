//! Populations of players that play each other: selection, recombination, mutation (Eiben and Smith
//! 2015; the Ludo paper, section 2.2).
//!
//! - `genome`: how genes make a player of a game;
//! - `operators`: recombination and mutation;
//! - `select`: how groups are formed;
//! - `evolution`: generations, measurements, the choice of the champion;
//! - `plan`, `checkpoint`, `run`, [`figure`]: an evolution as a file, in a folder, with figures;
//! - `job`: whole evolutions as units of work for other machines.

mod checkpoint;
mod evolution;
pub mod figure;
mod genome;
mod job;
mod operators;
mod plan;
mod run;
mod select;

pub use checkpoint::Folder;
pub use evolution::{Evaluation, Evolution, Point};
pub use genome::{Genome, Terms};
pub use job::{Evolutions, Evolved};
pub use operators::Individual;
pub use plan::Plan;
pub use run::{Failure, Outcome, Watch, finished, run, run_with};
