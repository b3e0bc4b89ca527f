//! Rules in the Game Description Language: from KIF text to playouts.
//!
//! The way of a rule sheet: [`kif`] reads text into s-expressions, [`rules`] understands them as
//! rules with their places, [`lower`] flattens the rules into clauses over constants.

pub mod block;
pub mod check;
pub mod code;
pub mod diagnostic;
pub mod game;
pub mod ground;
pub mod hrf;
pub mod join;
pub mod joins;
pub mod kif;
pub mod lanes;
pub mod levels;
pub mod lower;
pub mod naive;
pub mod net;
pub mod phases;
pub mod propnet;
pub mod reasoner;
pub mod relation;
pub mod rules;
pub mod scc;
pub mod select;
pub mod single;
pub mod split;
pub mod symbol;
pub mod verify;
