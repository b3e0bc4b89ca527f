//! The result of a stored game: what statistics need of it.

use crate::record::{Ending, Forfeit};

/// The result of a game of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct GameResult {
    /// The number of the game in its run.
    pub number: u64,
    /// The index of the game in the run's list of games.
    pub table: usize,
    /// The agent at each seat, as an index into the run's list of agents.
    pub seats: Vec<usize>,
    /// The payoff of each seat.
    pub payoffs: Vec<f32>,
    /// The number of steps.
    pub steps: u32,
    /// How the game ended.
    pub ending: Ending,
    /// The seat that forfeited, and the reason.
    pub forfeit: Option<Forfeit>,
    /// The thinking time of each seat in microseconds.
    pub think_us: Vec<u64>,
    /// How many moves of each seat took longer than its budget.
    pub overruns: Vec<u32>,
    /// The worker that played the game.
    pub worker: i64,
}

impl GameResult {
    /// The seat that forfeited.
    pub fn forfeit_seat(&self) -> Option<u8> {
        self.forfeit.as_ref().map(|forfeit| forfeit.seat)
    }
}
