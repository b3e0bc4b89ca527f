//! Learning: what reads results and writes players.
//!
//! - [`optimise`]: optimisers that ask for candidates and are told how good they were;
//! - [`tune`]: the parameters of an agent, measured by games (`ludex tune`);
//! - [`evolve`]: populations of players that play each other (`ludex evolve`);
//! - [`outlook`]: Ludo's value, learned by self-play (`ludex train`);
//! - [`models`]: regression and classification of games (`ludex train`), [`validate`]: what they are
//!   worth on games that they have not seen; [`table`]: tables of games as CSV;
//! - [`measure`]: our own training table (`ludex train table`), [`mod@pace`]: work instead of time;
//! - [`map`]: games as points: distances, representatives, groups, pictures;
//! - [`mod@play`]: many games, fast.

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
