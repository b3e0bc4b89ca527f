//! Minds for games that hide something, and their parts.
//!
//! - [`Life`]: what a seat lived; all histories that agree with it are its information set;
//! - [`enumerate`] lists the set, [`Sampler`] draws from it forward from the start, [`Bag`] is HyperPlay's
//!   sample, kept from step to step;
//! - [`Hidden`] thinks with a bag: HyperPlay and HyperPlay-II, perfect-information Monte Carlo,
//!   information-set search and POMCP, by [`Params`]; [`Mccfr`] minimises regret over the whole
//!   game; [`CheatUct`] looks at the truth, as a measuring stick;
//! - [`Tree`]: best responses and exploitability in small games.
//!
//! Which worlds count how much: a bag's models come up about equally often, so the minds that follow
//! HyperPlay weigh them by choice factor (`cf=on`); `pimc`, `so-ismcts` and `mo-ismcts` by default
//! take them as equal, as their authors do.

mod bag;
mod cheat;
mod enumerate;
mod exact;
mod hyperplay;
mod ismcts;
mod life;
mod mccfr;
mod mind;
mod model;
mod nested;
mod options;
mod params;
mod sampler;
mod scene;
mod vote;
mod wave;
mod words;

pub use bag::{Bag, Config, Remedy, Round, STUCK, World};
pub use cheat::CheatUct;
pub use enumerate::{History, MOST as MOST_HISTORIES, enumerate};
pub use exact::{Policy, Set, Tree};
pub use life::{Life, Moment, live};
pub use mccfr::{Mccfr, set_key};
pub use mind::Hidden;
pub use params::{Kind, NAMES, Params};
pub use sampler::{Cost, Sampler};
pub(crate) use words::MINDS;
