//! Beliefs: what the agents for games with hidden information are made of.
//!
//! - [`Observations`]: the observation history of a seat; all histories that agree with it are its information set;
//! - [`enumerate`] lists the set, [`Sampler`] draws from it forward from the start, [`Bag`] is HyperPlay's
//!   sample, kept from step to step;
//! - `belief`: a bag that follows a match; `judge` and `vote`: moves judged in the worlds of a bag;
//! - `ismcts`, `tree_search`: trees over what players know; `nested`: players inside players; [`Mccfr`]: regrets;
//! - [`Tree`]: best responses and exploitability in small games.
//!
//! Which worlds count how much: a bag's models come up about equally often, so the agents that follow
//! HyperPlay weigh them by choice factor (`cf=on`); `pimc`, `so-ismcts` and `mo-ismcts` by default
//! take them as equal, as their authors do.

mod bag;
pub(crate) mod belief;
mod enumerate;
mod exact;
pub(crate) mod ismcts;
pub(crate) mod judge;
mod mccfr;
mod model;
pub(crate) mod nested;
pub(crate) mod observations;
mod options;
mod sampler;
mod simulated;
mod target;
pub(crate) mod tree_search;
pub(crate) mod vote;
mod wave;

pub use bag::{Bag, Config, Remedy, Round, STUCK, World};
pub use enumerate::{History, MOST as MOST_HISTORIES, enumerate};
pub use exact::{Policy, Set, Tree};
pub use mccfr::{Mccfr, set_key};
pub use observations::{Observation, Observations, observe_line};
pub use sampler::{Cost, Sampler};
pub use target::Target;
