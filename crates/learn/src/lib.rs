//! Learning: from results of games to players and models.
//!
//! - [`tune`]: finds the parameters of an agent by games (`ludex tune`), with the ask-and-tell optimisers of `optimise`;
//! - [`evolve`]: populations of players that play each other (`ludex evolve`);
//! - [`outlook`]: the value of Ludo positions, learned by self-play (`ludex train ludo`);
//! - [`models`]: regression and classification of games (`ludex train model`), [`validate`]: their cross-validation,
//!   [`table`]: tables of games as CSV, [`mod@file`]: errors of files;
//! - [`measure`]: our own training table (`ludex train table`); [`cells`]: its cells as a job for other machines; `pace` turns a time into a number of simulations;
//! - [`map`]: games as points: distances, representatives, groups, pictures;
//! - [`mod@play`]: fast games without a referee.

pub mod cells;
pub mod evolve;
pub mod file;
pub mod map;
pub mod measure;
pub mod models;
mod optimise;
pub mod outlook;
mod pace;
pub mod play;
pub mod table;
pub mod tune;
pub mod validate;
