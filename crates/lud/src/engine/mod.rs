//! What a compiled description does: equipment, states, rules, and the loop of play.

pub mod action;
mod bools;
mod choose;
pub mod context;
pub mod directions;
mod effects;
mod end;
pub mod equipment;
mod for_each;
pub mod functions;
pub mod groups;
mod ints;
pub mod lower;
pub mod moves;
mod opening;
mod parts;
pub mod perform;
mod places;
pub mod play;
mod regions;
pub mod rules;
pub mod sites;
mod sow;
mod start;
pub mod state;
pub mod track;
mod travel;

pub use self::action::{Action, Head, Kind, Moves};
pub use self::context::{Context, Pad, Registers};
pub use self::directions::{Direction, Directions};
pub use self::equipment::Equipment;
pub use self::play::Lud;
pub use self::rules::Rules;
pub use self::sites::Sites;
pub use self::state::State;
