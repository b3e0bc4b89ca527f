//! Native games: laws, counts of positions, golden playthroughs, recorded games.
//!
//! One binary for all of these files: linking a test binary costs more than most tests.

mod catalog;
mod hidden;
mod ludo;
mod perft;
mod playthroughs;
mod positions;
mod ropasci;
