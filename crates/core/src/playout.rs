//! Random games without allocation.

use crate::cpu::{Built, Cpu, Modern};
use crate::deadline;
use crate::game::{Game, Move, Turn};
use crate::player::{Player, Players};
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
    /// An empty batch for a game of so many players.
    pub fn new(players: usize) -> Self {
        Outcomes { players, ..Outcomes::default() }
    }

    /// Removes the results and keeps the memory.
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

    /// Adds a playout that did not end within the cap: every player gets 0.5.
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

/// A playout is cut off after so many steps, far more than games with a natural end need.
pub const LONGEST: u32 = 20_000;

/// Plays random moves from `state` until the game is over. Returns the number of steps, or
/// `None` where the game did not end within `longest` steps, or the thread's [`deadline`] has
/// passed. [`deadline::expired`] tells the two apart; after a deadline the state is not valid.
/// `pad` is scratch space.
#[inline]
pub fn playout<G: Game + ?Sized>(
    game: &G,
    state: &mut G::State,
    rng: &mut Rng,
    pad: &mut Vec<Move>,
    longest: u32,
) -> Option<u32> {
    match Modern::here() {
        Some(cpu) => cpu.run(
            #[inline(always)]
            || playout_on(cpu, game, state, rng, pad, longest),
        ),
        None => playout_on(Built, game, state, rng, pad, longest),
    }
}

/// As [`playout`], compiled for a kind of processor.
#[inline(always)]
pub fn playout_on<C: Cpu, G: Game + ?Sized>(
    cpu: C,
    game: &G,
    state: &mut G::State,
    rng: &mut Rng,
    pad: &mut Vec<Move>,
    longest: u32,
) -> Option<u32> {
    let first = longest.min(deadline::stride());
    match stretch(cpu, game, state, rng, pad, 0, first) {
        None if first < longest => stretches(cpu, game, state, rng, pad, first + 1, longest),
        end => end,
    }
}

/// Plays the plies from `ply` to `last`. Returns the ply at which the game is over.
#[inline(always)]
fn stretch<C: Cpu, G: Game + ?Sized>(
    cpu: C,
    game: &G,
    state: &mut G::State,
    rng: &mut Rng,
    pad: &mut Vec<Move>,
    ply: u32,
    last: u32,
) -> Option<u32> {
    for ply in ply..=last {
        match game.turn(state) {
            Turn::Over => return Some(ply),
            Turn::One(player) => {
                let mv = game.sample_on(cpu, state, player, rng, pad);
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
                    joint[n] = game.sample_on(cpu, state, player, rng, pad);
                    n += 1;
                }
                game.apply(state, &joint[..n]);
            }
        }
    }
    None
}

/// Plays the rest of a playout that is longer than a stride. The clock is looked at once a stride, so a ply costs no
/// more than without a deadline.
#[cold]
fn stretches<C: Cpu, G: Game + ?Sized>(
    cpu: C,
    game: &G,
    state: &mut G::State,
    rng: &mut Rng,
    pad: &mut Vec<Move>,
    mut ply: u32,
    longest: u32,
) -> Option<u32> {
    loop {
        let last = longest.min(ply.saturating_add(deadline::pace()?));
        let end = stretch(cpu, game, state, rng, pad, ply, last);
        if end.is_some() || last == longest {
            return end;
        }
        ply = last + 1;
    }
}

/// Chooses the moves of a playout and is told every action that was made. A guide knows actions
/// only by their [`action_key`](Game::action_key), so that a guided playout is one call also
/// through [`AnyGame`](crate::AnyGame).
pub trait Guide {
    /// True: a uniformly random move is made now, and the moves need not be listed.
    fn any(&mut self, rng: &mut Rng) -> bool;

    /// Chooses one of the mover's actions. Returns its index in `keys`.
    fn choose(&mut self, keys: &[u64], rng: &mut Rng) -> usize;

    /// The player chose this action. At a joint turn the call comes after all players have chosen.
    fn made(&mut self, player: Player, key: u64);
}

/// Scratch space of a guided playout.
#[derive(Debug, Clone, Default)]
pub struct Pads {
    /// For moves.
    pub moves: Vec<Move>,
    /// For the action keys of the moves.
    pub keys: Vec<u64>,
}

/// As [`playout`], with the moves chosen by `guide`.
pub fn guided<G: Game + ?Sized>(
    game: &G,
    state: &mut G::State,
    rng: &mut Rng,
    pads: &mut Pads,
    longest: u32,
    guide: &mut dyn Guide,
) -> Option<u32> {
    let choose = |state: &G::State,
                  player: Player,
                  rng: &mut Rng,
                  pads: &mut Pads,
                  guide: &mut dyn Guide| {
        if guide.any(rng) {
            let mv = game.sample(state, player, rng, &mut pads.moves);
            return (mv, game.action_key(state, player, mv));
        }
        let Pads { moves, keys } = pads;
        moves.clear();
        game.moves(state, player, moves);
        keys.clear();
        keys.extend(moves.iter().map(|&mv| game.action_key(state, player, mv)));
        let at = guide.choose(keys, rng);
        match (moves.get(at), keys.get(at)) {
            (Some(&mv), Some(&key)) => (mv, key),
            _ => (Move::default(), 0),
        }
    };
    let mut ply = 0u32;
    let mut stride = deadline::stride();
    loop {
        let last = longest.min(ply.saturating_add(stride));
        while ply <= last {
            match game.turn(state) {
                Turn::Over => return Some(ply),
                Turn::One(player) => {
                    let (mv, key) = choose(state, player, rng, pads, guide);
                    guide.made(player, key);
                    game.apply(state, &[mv]);
                }
                Turn::Chance => {
                    let mv = game.sample_chance(state, rng);
                    game.apply(state, &[mv]);
                }
                Turn::Joint(players) => {
                    let mut joint = [Move(0); Players::MOST];
                    let mut keys = [0; Players::MOST];
                    let mut n = 0;
                    for player in players.iter() {
                        (joint[n], keys[n]) = choose(state, player, rng, pads, guide);
                        n += 1;
                    }
                    for (player, &key) in players.iter().zip(&keys) {
                        guide.made(player, key);
                    }
                    game.apply(state, &joint[..n]);
                }
            }
            ply += 1;
        }
        if ply > longest {
            return None;
        }
        stride = deadline::pace()?;
    }
}

/// A batch of playouts, one after the other. [`Game::playouts`] does this by default, and the test
/// kit compares every batch engine with it. When the thread's [`deadline`] passes, the batch ends
/// with the playouts that are done.
pub fn one_by_one<G: Game + ?Sized>(
    game: &G,
    starts: &[G::State],
    n: usize,
    seed: Seed,
    out: &mut Outcomes,
) {
    match Modern::here() {
        Some(cpu) => cpu.run(
            #[inline(always)]
            || one_by_one_on(cpu, game, starts, n, seed, out),
        ),
        None => one_by_one_on(Built, game, starts, n, seed, out),
    }
}

#[inline(always)]
fn one_by_one_on<C: Cpu, G: Game + ?Sized>(
    cpu: C,
    game: &G,
    starts: &[G::State],
    n: usize,
    seed: Seed,
    out: &mut Outcomes,
) {
    let mut rng = seed.rng();
    let mut pad = Vec::new();
    let Some(mut state) = starts.first().cloned() else { return };
    let watched = deadline::stride() != u32::MAX;
    let mut since = 0;
    for start in starts {
        for _ in 0..n {
            state.clone_from(start);
            match game.playout_on(cpu, &mut state, &mut rng, &mut pad, LONGEST) {
                Some(plies) => {
                    game.payoffs(&state, out.push(plies.into()));
                    since += u64::from(plies) + 1;
                }
                None if deadline::expired() => return,
                None => out.push_unfinished(LONGEST.into()),
            }
            // Playouts that are shorter than a stride don't look at the clock themselves.
            if watched && since >= deadline::stride().into() {
                since = 0;
                if deadline::pace().is_none() {
                    return;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit::Coins;
    use crate::{AnyGame, Seed};

    /// Takes any move, or always the first, and notes the actions that were made.
    struct Plain {
        any: bool,
        made: Vec<u64>,
    }

    impl Guide for Plain {
        fn any(&mut self, _: &mut Rng) -> bool {
            self.any
        }

        fn choose(&mut self, keys: &[u64], _: &mut Rng) -> usize {
            assert!(!keys.is_empty());
            0
        }

        fn made(&mut self, _: Player, key: u64) {
            self.made.push(key);
        }
    }

    #[test]
    fn a_guide_chooses_and_sees_every_action_also_through_the_erased_game() {
        let game = Coins::default();
        let erased = AnyGame::new(game.clone());
        for any in [false, true] {
            let mut seen = Vec::new();
            let mut guide = Plain { any, made: Vec::new() };
            let (mut pads, mut rng) = (Pads::default(), Seed(3).rng());
            let mut state = game.start();
            let plies = game.guided_playout(&mut state, &mut rng, &mut pads, LONGEST, &mut guide);
            assert!(game.is_over(&state));
            assert!(plies.is_some_and(|plies| plies as usize >= guide.made.len()));
            assert!(!guide.made.is_empty());
            seen.append(&mut guide.made);
            let (mut state, mut rng) = (erased.start(), Seed(3).rng());
            erased.guided_playout(&mut state, &mut rng, &mut pads, LONGEST, &mut guide);
            assert_eq!(guide.made, seen);
        }
    }
}
