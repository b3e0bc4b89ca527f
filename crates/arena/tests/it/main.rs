//! Referee, experiments, stores and bots through the public API.
//!
//! One binary for all of these files: linking a test binary costs more than most tests.

mod bots;
mod common;
mod experiment;
mod export;
mod referee;
mod store;
