//! Learning through the public API.
//!
//! One binary for all of these files: linking a test binary costs more than most tests.

mod evolve;
mod ludo;
mod models;
