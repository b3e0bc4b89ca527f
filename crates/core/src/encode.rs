//! Positions and moves as numbers, for programs that learn.
//!
//! A learner needs two things of fixed size: an observation of `width` numbers, and an action number below `size`. A game
//! describes both once ([`Encoding`], [`ActionSpace`]). [`Game::encode`] then writes an observation from a
//! [`View`](crate::View), so an observation never holds more than its seat may know, and [`Game::actions`] numbers the legal
//! moves of a position.
//!
//! ```
//! use ludex_core::{Game, Match, Player, testkit::Coins};
//! let game = Coins::default();
//! let play = Match::new(&game);
//! let (mut pad, mut features) = (Vec::new(), Vec::new());
//! game.encode(&play.view(Player(0), &mut pad), &mut features);
//! assert!(features.iter().all(|&(at, _)| (at as usize) < game.encoding().width()));
//! ```

use crate::game::{Game, Turn};
use crate::perft::choices;
use crate::random::Seed;

/// Features with a value other than 0, each named at most once.
pub type Features = Vec<(u32, f32)>;

/// The layout of a game's observations.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Encoding {
    /// `[width]`, or `[planes, rows, columns]` where the board is a grid.
    pub shape: Vec<usize>,
    /// The names of the planes, or of groups of features, for people.
    pub names: Vec<String>,
}

impl Encoding {
    /// A list of features without an order in space.
    pub fn flat(width: usize, names: &[&str]) -> Self {
        Encoding { shape: vec![width], names: owned(names) }
    }

    /// Planes of a board of squares: feature `(plane * rows + row) * columns + column`.
    pub fn planes(rows: usize, columns: usize, names: &[&str]) -> Self {
        Encoding { shape: vec![names.len(), rows, columns], names: owned(names) }
    }

    /// The number of features. 0: the game has no encoding.
    pub fn width(&self) -> usize {
        if self.shape.is_empty() { 0 } else { self.shape.iter().product() }
    }
}

fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_string()).collect()
}

/// The action numbers of a game: first `fixed` numbers that mean the same action in every position, then `slots` that
/// number the other legal moves of one position in the order of its list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ActionSpace {
    /// Numbers with one meaning.
    pub fixed: u32,
    /// Numbers whose meaning depends on the position.
    pub slots: u32,
}

impl ActionSpace {
    /// Every number has one meaning.
    pub const fn dense(size: u32) -> Self {
        ActionSpace { fixed: size, slots: 0 }
    }

    /// Every number is an index into the list of legal moves.
    pub const fn slots(size: u32) -> Self {
        ActionSpace { fixed: 0, slots: size }
    }

    /// How many numbers there are.
    pub fn size(self) -> u32 {
        self.fixed + self.slots
    }

    /// `dense`, `slots`, or `mixed` where it has numbers of both kinds.
    pub fn kind(self) -> &'static str {
        match self {
            ActionSpace { slots: 0, .. } => "dense",
            ActionSpace { fixed: 0, .. } => "slots",
            _ => "mixed",
        }
    }
}

/// The length of the longest list of legal moves in `games` random games of at most `plies` plies, for games whose rules
/// do not bound it.
pub fn widest<G: Game>(game: &G, games: u64, plies: u32, seed: Seed) -> u32 {
    let mut most = 1;
    for number in 0..games {
        let mut rng = seed.child(number).rng();
        let mut state = game.start();
        for _ in 0..plies {
            let turn = game.turn(&state);
            if turn == Turn::Over {
                break;
            }
            let lists = choices(game, &state, turn);
            if turn != Turn::Chance {
                let longest = lists.iter().map(Vec::len).max().unwrap_or(0);
                most = most.max(u32::try_from(longest).unwrap_or(u32::MAX));
            }
            let joint: Vec<_> =
                lists.iter().filter_map(|list| list.get(rng.index(list.len())).copied()).collect();
            game.apply(&mut state, &joint);
        }
    }
    most
}
