//! The engine of a compiled description: equipment, states, rules, and the loop of play.

pub(crate) mod action;
pub(crate) mod args;
pub(crate) mod ballot;
pub(crate) mod chance;
pub(crate) mod condition;
pub(crate) mod context;
pub(crate) mod directions;
pub(crate) mod end;
pub(crate) mod equipment;
pub(crate) mod functions;
pub(crate) mod groups;
pub(crate) mod last;
pub(crate) mod leap;
pub(crate) mod listing;
pub(crate) mod lots;
pub(crate) mod lower;
pub(crate) mod moves;
pub(crate) mod node;
pub(crate) mod opening;
pub(crate) mod parts;
pub(crate) mod past;
pub(crate) mod perform;
pub(crate) mod places;
pub(crate) mod play;
pub(crate) mod pyramid;
pub(crate) mod repeat;
pub(crate) mod rules;
pub(crate) mod sites;
pub(crate) mod state;
pub(crate) mod track;

pub use self::action::{Action, Head, Kind, Moves};
pub use self::context::Pad;
pub(crate) use self::context::{Context, Registers};
pub(crate) use self::equipment::Equipment;
pub use self::play::Lud;
pub use self::state::{Layout, State};
