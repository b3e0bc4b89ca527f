//! The trait [`Agent`], its [`Choice`] and the [`Thought`] behind it.

use crate::budget::Budget;
use ludex_core::deadline::Stop;
use ludex_core::{Error, Game, Move, View};
use std::fmt;
use std::time::{Duration, Instant};

/// Why an agent gave no move.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// The game or the view does not hold what the agent needs, or its move was illegal.
    #[error(transparent)]
    Error(#[from] Error),
    /// A person left the game.
    #[error("{0} left the game")]
    Left(String),
    /// An agent in another process is gone: it ended, or closed its input or output.
    #[error("{0}")]
    Crashed(String),
    /// An agent in another process did not answer in time.
    #[error("{0}")]
    Late(String),
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Error(error) => error,
            other => Error::Unsupported(other.to_string()),
        }
    }
}

/// An agent at one seat of one game, for one match.
pub trait Agent<G: Game>: Send {
    /// The string that makes it again.
    fn name(&self) -> String;

    /// Chooses one of the view's legal moves.
    ///
    /// The agent stops at the first limit of `budget` that it reaches; where none of the limits
    /// means anything to it, it thinks for [`Budget::DEFAULT_TIME`].
    ///
    /// # Errors
    /// The view does not hold what this agent needs, a person leaves the game, or a process outside is gone or late.
    fn choose(&mut self, game: &G, view: &View<'_, G>, budget: &Budget) -> Result<Choice, Failure>;

    /// Asks it to report its thought while it thinks; `None` ends the reports. Agents that cannot report ignore it.
    fn watch(&mut self, watch: Option<Watch>) {
        let _ = watch;
    }

    /// Thinks ahead in the time of others, about the position of `view`, until `stop` is set
    /// from another thread; the next [`choose`](Agent::choose) builds on it. Agents that cannot
    /// think ahead return at once.
    fn ponder(&mut self, game: &G, view: &View<'_, G>, stop: &Stop) {
        let _ = (game, view, stop);
    }

    /// The worlds that its last choice rested on, where it keeps a belief.
    fn belief(&self, game: &G) -> Option<Belief> {
        let _ = game;
        None
    }

    /// Does it look at what its seat may not see? Then the referee gives
    /// [`View::cheating`], and the name says so.
    fn cheats(&self) -> bool {
        false
    }
}

/// A listener to an agent that thinks, and how often it listens.
pub struct Watch {
    every: Duration,
    next: Instant,
    told: Box<dyn FnMut(&Thought) + Send>,
}

impl Watch {
    /// `told` gets a thought about `every` so often, and the last one at the end.
    pub fn new(every: Duration, told: impl FnMut(&Thought) + Send + 'static) -> Self {
        Watch { every, next: Instant::now() + every, told: Box::new(told) }
    }

    /// Is it time for the next report?
    pub fn due(&self) -> bool {
        Instant::now() >= self.next
    }

    /// Reports a thought.
    pub fn tell(&mut self, thought: &Thought) {
        (self.told)(thought);
        self.next = Instant::now() + self.every;
    }
}

impl fmt::Debug for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watch").field("every", &self.every).finish_non_exhaustive()
    }
}

/// A move and the reasons for it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Choice {
    /// The move.
    pub mv: Move,
    /// The thought behind it.
    pub thought: Thought,
}

impl Choice {
    /// A move without reasons.
    pub fn plain(mv: Move) -> Self {
        Choice { mv, thought: Thought::default() }
    }
}

/// The report of an agent about a choice.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Thought {
    /// Simulations run for this move.
    pub sims: u64,
    /// Positions searched, or nodes held in the tree.
    pub nodes: u64,
    /// The depth searched in full, or the longest line in the tree.
    pub depth: u32,
    /// The payoff that the seat may expect, 0..=1.
    pub value: Option<f32>,
    /// Is `value` certain?
    pub proven: bool,
    /// The moves thought about, best first.
    pub candidates: Vec<Candidate>,
    /// Remarks, such as which member of an ensemble chose and which failed.
    pub notes: Vec<String>,
}

/// One move that was thought about.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Candidate {
    /// The move.
    pub mv: Move,
    /// How often it was tried.
    pub visits: u64,
    /// The payoff that it promises, 0..=1.
    pub value: f32,
    /// Is `value` certain?
    pub proven: bool,
    /// How play would go on, beginning with the move itself.
    pub line: Vec<Move>,
    /// How simulated games after it ended, by depth, where the agent keeps such a record.
    pub depths: Vec<Tally>,
}

/// How simulated games of one depth ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// The length of the counted games, in turns of the player.
    pub depth: u32,
    /// Games won.
    pub wins: u64,
    /// Games tied or cut off.
    pub neutrals: u64,
    /// Games lost.
    pub losses: u64,
}

impl From<(u32, [u64; 3])> for Tally {
    fn from((depth, [wins, neutrals, losses]): (u32, [u64; 3])) -> Self {
        Tally { depth, wins, neutrals, losses }
    }
}

/// The worlds that an agent held possible, and the vote of each.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Belief {
    /// Models in its bag.
    pub models: usize,
    /// Models that explain all observations.
    pub active: usize,
    /// States visited for the sample so far.
    pub states: u64,
    /// The different positions, the likeliest first.
    pub possible: Vec<Possible>,
}

/// A position that may be the true one.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Possible {
    /// The position as text.
    pub position: String,
    /// The probability of the world in the agent's belief.
    pub weight: f64,
    /// In how many models it came up.
    pub models: usize,
    /// The best move if it is the true one.
    pub best: Option<Move>,
    /// The value of each move that was tried there.
    pub values: Vec<(Move, f32)>,
}
