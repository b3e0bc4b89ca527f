//! Who plays better: the referee, experiments that survive a kill, the store of games, statistics.
//!
//! One idea a file:
//! - [`referee`]: owns the true state and plays one game between agents;
//! - [`record`]: what is kept of a game, enough to replay it;
//! - [`contender`]: who can take part, and where names are looked up;
//! - [`bot`]: agents outside of this process;
//! - [`experiment`]: what is to be played, as a file; [`plan`]: which game is number N;
//! - [`store`]: finished games in a database, and who plays which numbers;
//! - [`runner`]: plays a plan on all cores, with or without a store;
//! - [`contest`]: one game many times, in code;
//! - [`steward`]: begins or goes on with a run, and stops it when its rules say so;
//! - [`tally`]: the sums; [`stats`]: intervals, ratings and tests that can be trusted;
//! - [`report`]: what the games say; [`plot`] draws it, [`export`] hands the games on;
//! - [`chart`], [`bars`], [`scatter`]: figures of anything.

pub mod bars;
pub mod bot;
mod canvas;
pub mod chart;
pub mod contender;
pub mod contest;
pub mod experiment;
pub mod export;
pub mod plan;
pub mod plot;
pub mod record;
pub mod referee;
pub mod report;
pub mod runner;
pub mod scatter;
pub mod stats;
pub mod steward;
pub mod store;
pub mod tally;

pub use contender::{Contender, World};
pub use contest::Contest;
pub use experiment::{Experiment, Problem};
pub use plan::{Fixture, Plan};
pub use record::{Ending, Fault, Forfeit, GameRecord};
pub use referee::{Referee, Seat};
pub use report::Report;
pub use store::{Run, Store, StoreError};
pub use tally::{Standing, Tally};
