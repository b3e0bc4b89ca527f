//! Rule sheets through the public API: checks, engines, traces of another prover.
//!
//! One binary for all of these files: linking a test binary costs more than most tests.

mod checks;
mod engines;
mod hidden_turns;
mod public_files;
mod simulation;
mod steps;
mod traces;
