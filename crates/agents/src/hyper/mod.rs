//! Agents made of agents (Thompson 2024): a portfolio picks one member for a game, an ensemble asks
//! all of them for every move.
//!
//! - [`params`]: names and options; [`predict`]: what a model says about the members;
//! - [`ensemble`]: time shares, votes, ties; [`portfolio`]: the pick, and its check by playing;
//! - [`member`]: a sub-agent that may fail without taking the others with it.
//!
//! The thesis' rules are the defaults where they are no faults: time in proportion to weight, a
//! proved win is played at once, members in the given order. What differs: members that can't play
//! a game are dropped and named (the thesis' portfolio did not look), *parallel* means threads (it
//! meant one after the other, each with the full time), and a tie goes to the move that its voters
//! value most (it went to whoever voted first; `ties=first` does so again).

pub mod ensemble;
pub mod member;
pub mod params;
pub mod portfolio;
pub mod predict;

pub use params::{ENTRIES, NAMES, Params};
