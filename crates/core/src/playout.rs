//! Random games without allocation.

use crate::game::{Game, Move, Turn};
use crate::player::Players;
use crate::random::{Rng, Seed};

/// The results of a batch of playouts: one row of payoffs a playout.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Outcomes {
    players: usize,
    payoffs: Vec<f32>,
    lengths: Vec<u32>,
    plies: u64,
    unfinished: u64,
}

impl Outcomes {
    /// Nothing yet, for a game of so many players.
    pub fn new(players: usize) -> Self {
        Outcomes { players, ..Outcomes::default() }
    }

    /// Forgets the results, keeps the memory.
    pub fn clear(&mut self) {
        self.payoffs.clear();
        self.lengths.clear();
        (self.plies, self.unfinished) = (0, 0);
    }

    /// Adds a finished playout of `plies` steps; write its payoffs into the slice.
    #[inline]
    pub fn push(&mut self, plies: u64) -> &mut [f32] {
        self.plies += plies;
        self.lengths.push(u32::try_from(plies).unwrap_or(u32::MAX));
        let from = self.payoffs.len();
        self.payoffs.resize(from + self.players, 0.5);
        &mut self.payoffs[from..]
    }

    /// Adds a playout that did not end within the cap: half for everybody.
    pub fn push_unfinished(&mut self, plies: u64) {
        self.push(plies);
        self.unfinished += 1;
    }

    /// The number of playouts.
    pub fn len(&self) -> usize {
        self.payoffs.len().checked_div(self.players).unwrap_or(0)
    }

    /// No playouts?
    pub fn is_empty(&self) -> bool {
        self.payoffs.is_empty()
    }

    /// The payoffs of each playout.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[f32]> {
        self.payoffs.chunks_exact(self.players.max(1))
    }

    /// The steps of each playout.
    pub fn lengths(&self) -> &[u32] {
        &self.lengths
    }

    /// The steps of all playouts together.
    pub fn plies(&self) -> u64 {
        self.plies
    }

    /// How many playouts were cut off.
    pub fn unfinished(&self) -> u64 {
        self.unfinished
    }

    /// The mean payoff of each player.
    pub fn means(&self) -> Vec<f64> {
        let mut sums = vec![0.0; self.players];
        for row in self.rows() {
            for (sum, &payoff) in sums.iter_mut().zip(row) {
                *sum += f64::from(payoff);
            }
        }
        let n = self.len().max(1) as f64;
        sums.iter().map(|sum| sum / n).collect()
    }
}

/// A playout is cut off after so many steps; rules that end by themselves never come near.
pub const LONGEST: u32 = 20_000;

/// Plays random moves from `state` until the game is over. Returns the number of steps, or
/// `None` where the game did not end within `longest`. `pad` is scratch space.
#[inline]
pub fn playout<G: Game + ?Sized>(
    game: &G,
    state: &mut G::State,
    rng: &mut Rng,
    pad: &mut Vec<Move>,
    longest: u32,
) -> Option<u32> {
    for ply in 0..=longest {
        match game.turn(state) {
            Turn::Over => return Some(ply),
            Turn::One(player) => {
                let mv = game.sample(state, player, rng, pad);
                game.apply(state, &[mv]);
            }
            Turn::Chance => {
                let mv = game.sample_chance(state, rng);
                game.apply(state, &[mv]);
            }
            Turn::Joint(players) => {
                let mut joint = [Move(0); Players::MOST];
                let mut n = 0;
                for player in players.iter() {
                    joint[n] = game.sample(state, player, rng, pad);
                    n += 1;
                }
                game.apply(state, &joint[..n]);
            }
        }
    }
    None
}

/// The plain batch: one playout after the other. [`Game::playouts`] does this by default, and
/// the test kit compares every other way with it.
pub fn one_by_one<G: Game + ?Sized>(
    game: &G,
    starts: &[G::State],
    n: usize,
    seed: Seed,
    out: &mut Outcomes,
) {
    let mut rng = seed.rng();
    let mut pad = Vec::new();
    let Some(mut state) = starts.first().cloned() else { return };
    for start in starts {
        for _ in 0..n {
            state.clone_from(start);
            match game.playout(&mut state, &mut rng, &mut pad, LONGEST) {
                Some(plies) => game.payoffs(&state, out.push(plies.into())),
                None => out.push_unfinished(LONGEST.into()),
            }
        }
    }
}
