//! Games between agents: the referee, experiments that survive a kill, the store of games, and reports.
//!
//! One idea a file:
//! - [`referee`]: owns the true state and plays one game between agents;
//! - [`GameRecord`]: the record of a game, enough to replay it; [`GameResult`]: what statistics need of it;
//! - [`contender`]: who can take part, and where names are looked up;
//! - [`bot`]: agents outside of this process;
//! - [`experiment`]: what is to be played, as a file; [`Plan`]: which game is number N;
//! - [`runner`]: plays a plan on all cores; [`job`]: numbered units of work that any thread, process or machine can do;
//! - [`Contest`]: one game many times, in code.
//!
//! With the feature `store`:
//! - [`store`]: finished games in a database, and which worker plays which games;
//! - [`monitor`]: watches a run and stops it when its stop rules say so;
//! - [`notation`]: games as PGN and SGF;
//! - [`report`]: tables, ratings and tests of a run; [`plot`]: its figures; [`export`]: its games for other tools.

pub mod bot;
pub mod contender;
mod contest;
pub mod date;
pub mod experiment;
#[cfg(feature = "store")]
pub mod export;
pub mod job;
#[cfg(feature = "store")]
pub mod monitor;
pub mod notation;
mod plan;
#[cfg(feature = "store")]
pub mod plot;
mod record;
pub mod referee;
#[cfg(feature = "store")]
pub mod report;
mod result;
pub mod runner;
#[cfg(feature = "store")]
pub mod store;
mod unique;

pub use contender::{Contender, World};
pub use contest::Contest;
pub use experiment::{Experiment, Problem};
pub use plan::{Digests, Fixture, Plan};
pub use record::{Ending, Fault, Forfeit, GameRecord};
pub use referee::{Referee, Seat};
#[cfg(feature = "store")]
pub use report::Report;
pub use result::GameResult;
#[cfg(feature = "store")]
pub use store::{Run, Store, StoreError};
