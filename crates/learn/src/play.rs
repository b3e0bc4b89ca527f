//! Fast games: players that only choose a move, without the clock, the records and the texts of a referee.

use ludex_agents::ludo::player::Player as LudoPlayer;
use ludex_core::{Game, Move, Player, Rng, Seed, Turn};
use ludex_games::Ludo;
use ludex_games::ludo::token_move;
use rayon::prelude::*;

/// Chooses moves in one game.
pub trait Policy<G: Game>: Send + Sync {
    /// Chooses one of the `legal` moves of `seat`.
    fn choose(
        &self,
        game: &G,
        state: &G::State,
        seat: Player,
        legal: &[Move],
        rng: &mut Rng,
    ) -> Move;
}

/// Chooses a random legal move.
#[derive(Debug, Clone, Copy)]
pub struct AtRandom;

impl<G: Game> Policy<G> for AtRandom {
    fn choose(&self, _: &G, _: &G::State, _: Player, legal: &[Move], rng: &mut Rng) -> Move {
        legal[rng.index(legal.len())]
    }
}

impl Policy<Ludo> for LudoPlayer {
    fn choose(
        &self,
        game: &Ludo,
        state: &<Ludo as Game>::State,
        _: Player,
        legal: &[Move],
        rng: &mut Rng,
    ) -> Move {
        self.token(game, state, rng).map_or(legal[0], token_move)
    }
}

/// Plays one game with one policy per seat, and writes the payoffs. A game that has not ended after `LONGEST` steps has
/// equal payoffs.
pub fn play<G: Game>(game: &G, seats: &[&dyn Policy<G>], rng: &mut Rng, payoffs: &mut [f32]) {
    let mut state = game.start();
    let mut legal: Vec<Move> = Vec::new();
    let mut joint: Vec<Move> = Vec::new();
    for _ in 0..LONGEST {
        joint.clear();
        match game.turn(&state) {
            Turn::Over => {
                game.payoffs(&state, payoffs);
                return;
            }
            Turn::Chance => joint.push(game.sample_chance(&state, rng)),
            turn => {
                for (seat, policy) in seats.iter().enumerate() {
                    let seat = Player(seat as u8);
                    if !turn.includes(seat) {
                        continue;
                    }
                    legal.clear();
                    game.moves(&state, seat, &mut legal);
                    joint.push(match legal[..] {
                        [only] => only,
                        _ => policy.choose(game, &state, seat, &legal, rng),
                    });
                }
            }
        }
        game.apply(&mut state, &joint);
    }
    payoffs.fill(1.0 / seats.len().max(1) as f32);
}

/// The most steps of a game.
const LONGEST: usize = 100_000;

/// Lets two teams of equal players play. `teams` says which seats are ours; the seats are shuffled for every game. Returns
/// the sum of our payoffs. Runs on all cores; the result does not depend on their number.
pub fn contest<G: Game>(
    game: &G,
    ours: &dyn Policy<G>,
    theirs: &dyn Policy<G>,
    teams: &[bool],
    games: u64,
    seed: Seed,
) -> f64 {
    const BATCH: u64 = 64;
    let batches: Vec<u64> = (0..games.div_ceil(BATCH)).collect();
    let sums: Vec<f64> = batches
        .par_iter()
        .map(|&batch| {
            let mut teams = teams.to_vec();
            let mut payoffs = vec![0.0; teams.len()];
            let mut sum = 0.0;
            for number in batch * BATCH..games.min((batch + 1) * BATCH) {
                let mut rng = seed.child(number).rng();
                rng.shuffle(&mut teams);
                let seats: Vec<&dyn Policy<G>> =
                    teams.iter().map(|&our| if our { ours } else { theirs }).collect();
                play(game, &seats, &mut rng, &mut payoffs);
                sum += teams
                    .iter()
                    .zip(&payoffs)
                    .filter(|(our, _)| **our)
                    .map(|(_, &payoff)| f64::from(payoff))
                    .sum::<f64>();
            }
            sum
        })
        .collect();
    sums.iter().sum()
}
