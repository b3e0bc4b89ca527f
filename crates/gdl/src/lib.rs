//! Rules in the Game Description Language: from KIF text to playouts.
//!
//! The way of a rule sheet:
//! - [`kif`] and [`hrf`] read text into s-expressions, [`rules`] understands them as rules with their
//!   places, [`check`] says what is wrong where, [`lower`] flattens the rules into clauses over
//!   constants;
//! - [`ground`](mod@ground) finds every atom that can hold, `net` turns the ground rules into a
//!   netlist and specialises it to whose turn it is;
//! - `engines` play it, each behind the trait [`reasoner::Reasoner`]: [`lanes`] hundreds of random
//!   games at once, `single` one state by differences, [`joins`] without grounding, [`naive`] as the
//!   oracle of tests;
//! - [`game`] makes a [`ludex_core::Game`] of it; [`verify`] compares an engine with recorded play.

pub mod check;
mod columns;
mod encode;
mod engines;
mod features;
pub mod game;
pub mod ground;
pub mod hrf;
pub mod kif;
pub mod lower;
mod net;
pub mod rules;
mod scc;
mod scene;
pub mod symbol;
mod terms;
pub mod verify;

pub use engines::{joins, lanes, naive, reasoner};
