//! The real binary: every command as a user runs it.
//!
//! One binary for all of these files: linking a test binary costs more than most tests.

mod arena;
mod bridge;
mod commands;
mod docs;
mod engines;
mod evolve;
mod examples;
mod exit_codes;
mod ggp;
mod hyper;
mod json;
mod lud;
mod positions;
mod reproduce;
mod tune;
