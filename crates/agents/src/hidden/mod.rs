//! Minds for games that hide something, and their parts.

mod bag;
mod enumerate;
mod life;
mod model;
mod options;
mod sampler;

pub use bag::{Bag, Config, Remedy, Round, World};
pub use enumerate::{History, MOST as MOST_HISTORIES, enumerate};
pub use life::{Life, Moment};
pub use sampler::{Cost, Sampler};
