//! Agents through the public API: laws, strength, proofs, signatures.
//!
//! One binary for all of these files: linking a test binary costs more than most tests.

mod common;
mod conform;
mod double_oracle;
mod hidden;
mod hyper;
mod ludo;
mod mbm;
mod minimax;
mod proofs;
mod signatures;
mod strength;
