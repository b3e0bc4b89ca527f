//! What a compiled description does: equipment, states, rules, and the loop of play.

pub mod action;
mod bools;
pub mod context;
pub mod directions;
mod effects;
mod end;
pub mod equipment;
pub mod functions;
pub mod groups;
mod ints;
pub mod lower;
pub mod moves;
mod parts;
pub mod play;
mod regions;
pub mod rules;
mod start;
pub mod state;
mod travel;

pub use self::action::{Action, Move};
pub use self::context::{Context, Registers};
pub use self::directions::{Direction, Directions};
pub use self::equipment::Equipment;
pub use self::play::Game;
pub use self::rules::Rules;
pub use self::state::State;
