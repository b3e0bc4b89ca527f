//! Rules in the Game Description Language: from KIF text to playouts.
//!
//! The way of a rule sheet:
//! - [`kif`] reads text into s-expressions, [`rules`] understands them as rules with their
//!   places, [`lower`] flattens the rules into clauses over constants;
//! - [`ground`](mod@ground) finds every atom that can hold ([`join`], [`relation`]; [`split`] keeps the joins
//!   small), [`propnet`] turns the ground rules into a netlist ([`net`], [`factor`](mod@factor)), [`phases`]
//!   specialises it to whose turn it is;
//! - [`lanes`] plays hundreds of random games at once on the net ([`code`], [`block`],
//!   [`select`]), [`single`] steps one state by differences; both are behind the seam
//!   [`reasoner`], and [`game`] makes a [`ludex_core::Game`] of it;
//! - [`verify`] compares an engine with recorded play, [`check`] says what is wrong where.

pub mod block;
pub mod check;
pub mod code;
pub mod factor;
pub mod features;
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
pub mod names;
pub mod net;
pub mod patience;
pub mod phases;
pub mod propnet;
pub mod reasoner;
pub mod relation;
pub mod rules;
pub mod scc;
pub mod select;
mod separate;
pub mod single;
pub mod split;
pub mod symbol;
pub mod verify;
