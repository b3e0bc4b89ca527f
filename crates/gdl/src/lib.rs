//! Rules in the Game Description Language: from KIF text to playouts.
//!
//! The way of a rule sheet: [`kif`] reads text into s-expressions, [`rules`] understands them as
//! rules with their places, [`lower`] flattens the rules into clauses over constants.

pub mod check;
pub mod diagnostic;
pub mod kif;
pub mod lower;
pub mod rules;
pub mod symbol;
