//! The state of a game.

/// Nothing, or a place off the board.
pub const OFF: i32 = -1;

/// What players, pieces and rules remember between moves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// By site: the component on it, 0 for none.
    pub what: Vec<u16>,
    /// By site: how many.
    pub count: Vec<u16>,
    /// By site: the piece's local state.
    pub local: Vec<i16>,
    /// By site: the piece's value.
    pub value: Vec<i16>,
    /// Whose turn it is, from 1.
    pub mover: usize,
    /// Who moves next.
    pub next: usize,
    /// Who moved before.
    pub prev: usize,
    /// By player: the phase.
    pub phase: Vec<usize>,
    /// By player: the score.
    pub score: Vec<i32>,
    /// By player: the value.
    pub player_value: Vec<i32>,
    /// Variables by number.
    pub vars: Vec<i32>,
    /// Sites or values that wait for something.
    pub pending: Vec<i32>,
    /// The counter of moves, as rules may set it.
    pub counter: i32,
    /// Moves made.
    pub moves: u32,
    /// Turns made.
    pub turns: u32,
    /// Moves of the same turn so far.
    pub same_turn: u32,
    /// Passes in a row.
    pub passes: u32,
    /// The last move: from and to.
    pub last: Option<(i32, i32)>,
    /// By player: still in the game?
    pub active: Vec<bool>,
    /// By player: the rank once it is decided, 1 being best; 0 before.
    pub rank: Vec<f64>,
    /// Is it over?
    pub over: bool,
    /// Sites that the piece of this turn has been on.
    pub visited: Vec<i32>,
    /// Sites whose pieces leave at the end of the turn.
    pub to_clear: Vec<i32>,
    /// By player: had no move when last looked at.
    pub stalemated: Vec<bool>,
    /// Hashes of earlier positions, where rules ask for them.
    pub history: Vec<u64>,
}

impl State {
    /// A hash of the position: what stands where, and whose turn it is if `mover` says so.
    pub fn hash(&self, mover: Option<usize>) -> u64 {
        use std::hash::{Hash, Hasher};
        let mut hasher = rustc_hash::FxHasher::default();
        (&self.what, &self.count, &self.local, &self.value, mover).hash(&mut hasher);
        hasher.finish()
    }
}
