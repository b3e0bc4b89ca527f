//! Who plays better: the referee, matches with rotated seats, the store of games, statistics.
//!
//! One idea a file:
//! - [`referee`]: owns the true state and plays one game between minds;
//! - [`record`]: what is kept of a game, enough to replay it;
//! - [`mod@schedule`]: who sits where in which game, with which dice;
//! - [`contest`]: plays a schedule on all cores and sums it up;
//! - [`stats`]: intervals that can be trusted;
//! - [`store`]: finished games in a database file.

pub mod contest;
pub mod record;
pub mod referee;
pub mod schedule;
pub mod stats;
pub mod store;

pub use contest::{Contest, Standing, Tally};
pub use record::{Fault, Forfeit, GameRecord};
pub use referee::{Referee, Seat};
pub use schedule::{Pairing, schedule};
pub use store::{Store, StoreError};
