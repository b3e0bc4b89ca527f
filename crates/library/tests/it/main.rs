//! Games of all rule languages, opened by their names.
//!
//! One binary for all of these files: linking a test binary costs more than most tests.

mod forms;
mod leaks;
mod oracles;
mod rules;
mod terms;
