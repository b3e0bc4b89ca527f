//! The learned value of Ludo positions: the winning probabilities of all four players, by temporal differences over games
//! of self-play.
//!
//! A round plays a batch of games with the current network on all cores. The target of every position is the λ-return of
//! the network's later predictions and of the result (Sutton and Barto 2018, section 12.1). The network then learns the
//! targets in small batches (Adam, Kingma and Ba 2015). The result does not depend on the number of threads.

use ludex_agents::ludo::outlook::features::{DENSE, TOKENS};
use ludex_agents::ludo::outlook::net::{HIDDEN, WEIGHTS};
use ludex_agents::ludo::outlook::{Features, Net};
use ludex_core::{Game, Move, Player, Seed};
use ludex_games::Ludo;
use ludex_games::ludo::token_move;
use rayon::prelude::*;

/// The parameters of a training.
#[derive(Debug, Clone, PartialEq)]
pub struct Course {
    /// The total number of games.
    pub games: u64,
    /// The number of games of a round.
    pub round: u64,
    /// The number of positions of an optimiser step.
    pub batch: usize,
    /// How far ahead the targets look, from 0 (the next position) to 1 (the end of the game).
    pub lambda: f32,
    /// The first and the last learning rate; the rate falls geometrically between them.
    pub rate: [f32; 2],
    /// The probability of a random move.
    pub explore: f64,
    /// The seed of all randomness.
    pub seed: Seed,
}

impl Default for Course {
    fn default() -> Self {
        Course {
            games: 1_000_000,
            round: 128,
            batch: 1024,
            lambda: 0.7,
            rate: [2e-3, 1e-4],
            explore: 0.0,
            seed: Seed(1),
        }
    }
}

/// A position and its target.
#[derive(Clone, Copy)]
struct Sample {
    features: Features,
    target: [f32; 4],
}

/// A training in progress.
pub struct Training {
    course: Course,
    game: Ludo,
    net: Net,
    first: Vec<f32>,
    second: Vec<f32>,
    steps: u64,
    played: u64,
    gradients: Vec<Vec<f32>>,
}

/// The number of parts of a batch. Their gradients are summed in a fixed order.
const PARTS: usize = 4;

impl Training {
    /// Starts with small random weights.
    pub fn new(game: Ludo, course: Course) -> Self {
        let mut rng = course.seed.named("weights").rng();
        let active = (16 + DENSE + 1) as f64;
        let spread = (6.0 / active).sqrt() * 0.5;
        let weights = (0..WEIGHTS)
            .map(|i| match i < (TOKENS + DENSE) * HIDDEN {
                true => ((2.0 * rng.unit() - 1.0) * spread) as f32,
                false if i < WEIGHTS - 4 => ((2.0 * rng.unit() - 1.0) * 0.1) as f32,
                false => 0.0,
            })
            .collect();
        Training {
            course,
            game,
            net: Net { weights },
            first: vec![0.0; WEIGHTS],
            second: vec![0.0; WEIGHTS],
            steps: 0,
            played: 0,
            gradients: vec![vec![0.0; WEIGHTS]; PARTS],
        }
    }

    /// The current network.
    pub fn net(&self) -> &Net {
        &self.net
    }

    /// The number of games so far.
    pub fn played(&self) -> u64 {
        self.played
    }

    /// Plays a round and learns from it. `false`: all games have been played.
    pub fn round(&mut self) -> bool {
        if self.played >= self.course.games {
            return false;
        }
        let games: Vec<u64> = (self.played..self.played + self.course.round).collect();
        let seed = self.course.seed.named("games");
        let played: Vec<Vec<Sample>> = games
            .par_iter()
            .map(|&number| self_play(&self.game, &self.net, &self.course, seed.child(number)))
            .collect();
        let mut samples: Vec<Sample> = played.into_iter().flatten().collect();
        self.course.seed.named("order").child(self.played).rng().shuffle(&mut samples);
        for batch in samples.chunks(self.course.batch.max(1)) {
            self.learn(batch);
        }
        self.played += self.course.round;
        true
    }

    /// One step of Adam.
    fn learn(&mut self, batch: &[Sample]) {
        let net = &self.net;
        let size = batch.len().div_ceil(PARTS).max(1);
        let parts: Vec<&[Sample]> = batch.chunks(size).collect();
        self.gradients.par_iter_mut().enumerate().for_each(|(i, gradient)| {
            gradient.fill(0.0);
            for sample in parts.get(i).copied().unwrap_or_default() {
                net.gradient(&sample.features, &sample.target, gradient);
            }
        });
        self.steps += 1;
        let done = self.played as f32 / self.course.games.max(1) as f32;
        let [start, end] = self.course.rate;
        let rate = start * (end / start).powf(done.min(1.0));
        let (b1, b2) = (0.9f32, 0.999f32);
        let fair = |b: f32| 1.0 - b.powi(self.steps.min(100_000) as i32);
        let rate = rate * fair(b2).sqrt() / fair(b1);
        let many = 1.0 / batch.len().max(1) as f32;
        let (head, tail) = self.gradients.split_at(1);
        for i in 0..WEIGHTS {
            let mut g = head[0][i];
            for part in tail {
                g += part[i];
            }
            g *= many;
            self.first[i] = b1 * self.first[i] + (1.0 - b1) * g;
            self.second[i] = b2 * self.second[i] + (1.0 - b2) * g * g;
            self.net.weights[i] -= rate * self.first[i] / (self.second[i].sqrt() + 1e-8);
        }
    }
}

/// Plays one game of self-play. Returns its positions with their λ-returns.
fn self_play(game: &Ludo, net: &Net, course: &Course, seed: Seed) -> Vec<Sample> {
    let mut rng = seed.rng();
    let mut state = game.start();
    // The positions, the network's prediction for each seat, and the seat that moved.
    let mut path: Vec<(Features, [f32; 4], usize)> = Vec::with_capacity(256);
    let winner = loop {
        let die = Move(u64::from(rng.below(6)) + 1);
        game.apply(&mut state, &[die]);
        if state.die() == 0 {
            continue;
        }
        let mover = state.mover();
        let seat = mover.index() & 3;
        let own = state.places(mover)[0];
        let any = course.explore > 0.0 && rng.unit() < course.explore;
        let mut best = None;
        let mut most = f32::NEG_INFINITY;
        for token in 0..4 {
            if !state.can_move(token) || own[..token].contains(&own[token]) {
                continue;
            }
            let mut after = state;
            game.apply(&mut after, &[token_move(token)]);
            if let Some(winner) = after.winner() {
                best = Some((after, None, winner));
                break;
            }
            let features = Features::of(&after.places(mover), game.stars());
            let says = net.judge(&features);
            let score = if any { rng.unit() as f32 } else { says[0] };
            if score > most {
                most = score;
                best = Some((after, Some((features, says)), Player(0)));
            }
        }
        let Some((after, seen, winner)) = best else { continue };
        state = after;
        let Some((features, mut says)) = seen else { break winner };
        says.rotate_right(seat);
        path.push((features, says, seat));
    };
    let mut target = [0.0f32; 4];
    target[winner.index() & 3] = 1.0;
    let mut samples = Vec::with_capacity(path.len());
    for (features, says, seat) in path.into_iter().rev() {
        let mut by_turn = target;
        by_turn.rotate_left(seat);
        samples.push(Sample { features, target: by_turn });
        for (target, says) in target.iter_mut().zip(says) {
            *target = course.lambda * *target + (1.0 - course.lambda) * says;
        }
    }
    samples
}
