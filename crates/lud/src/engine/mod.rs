//! What a compiled description does: equipment, states, rules, and the loop of play.

mod bools;
pub mod context;
pub mod directions;
pub mod equipment;
pub mod functions;
pub mod groups;
mod ints;
pub mod lower;
pub mod moves;
mod regions;
pub mod rules;
pub mod state;

pub use self::context::{Context, Registers};
pub use self::directions::{Direction, Directions};
pub use self::equipment::Equipment;
pub use self::moves::{Action, Move};
pub use self::rules::{Game, Rules};
pub use self::state::State;
