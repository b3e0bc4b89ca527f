//! The parts that searching agents share.
//!
//! - [`tree`], [`select`], [`playout`]: Monte Carlo tree search;
//! - [`minimax`]: alpha-beta and its relatives;
//! - [`joint`]: equilibria where players move at the same time.

pub mod joint;
pub mod minimax;
pub mod playout;
pub mod select;
pub mod tree;
