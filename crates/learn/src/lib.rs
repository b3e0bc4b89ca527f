//! Learning: what reads results and writes players.
//!
//! - [`optimise`]: optimisers that ask for candidates and are told how good they were;
//! - [`tune`]: the parameters of an agent, measured by games (`ludex tune`);
//! - [`evolve`]: populations of players that play each other (`ludex evolve`);
//! - [`outlook`]: Ludo's value, learned by self-play (`ludex train`);
//! - [`mod@play`]: many games, fast.

pub mod evolve;
pub mod optimise;
pub mod outlook;
pub mod play;
pub mod tune;
