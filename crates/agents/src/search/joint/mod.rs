//! The parts of the agents for simultaneous moves: [`matrix`] solves one joint turn whose results
//! are known, [`oracle`] a tree of them.

pub mod matrix;
pub mod oracle;
