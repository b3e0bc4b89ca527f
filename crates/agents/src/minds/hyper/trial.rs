//! Short games between two agents, before a match.
//!
//! A model of games knows a new game only by its likeness to others. Twelve games at 2 ms a move say more: in the 85 games that both
//! surveys have (`experiments/hyper-table`, 2 ms, and `experiments/long-table`, 20 ms) the choice between `uct` and `alphabeta` at
//! 20 ms by the model alone has a regret of 8.4 percent points, by twelve games at 2 ms alone 5.8, and by both together 4.3.

use super::member::Member;
use crate::best;
use crate::budget::Budget;
use crate::spec::AgentSpec;
use ludex_core::deadline::{self, Deadline, cpu_time};
use ludex_core::{AnyGame, Error, Game, Match, Move, Player, Seed, Turn};
use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::Duration;

/// Games of a trial, at most.
const GAMES: u32 = 12;
/// Processor time for a move, and for all games. Games that time ends do not count.
const MOVE: Duration = Duration::from_millis(2);
const TIME: Duration = Duration::from_millis(1500);
/// The length at which a game is drawn.
const LONGEST: usize = 200;
/// A prediction counts as much as so many games.
const PREDICTION: f64 = 8.0;

/// The result of a trial.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Trial {
    /// Games that were played to their end.
    pub(super) games: u32,
    /// The score of the first agent in all of them.
    pub(super) won: f64,
}

impl Trial {
    /// The score to expect of the first agent, 0 to 1, after a prediction of it.
    pub(super) fn with(self, predicted: f64) -> f64 {
        (self.won + PREDICTION * predicted) / (f64::from(self.games) + PREDICTION)
    }
}

/// Plays the trial. A game and a pair have one trial a process.
pub(super) fn play(game: &AnyGame, pair: &[AgentSpec; 2]) -> Trial {
    static KNOWN: LazyLock<Mutex<HashMap<String, Trial>>> = LazyLock::new(Mutex::default);
    let info = game.info();
    let key = format!("{} {} {} {}", pair[0], pair[1], info.name, info.source);
    let lock = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(trial) = lock().get(&key) {
        return *trial;
    }
    let trial = games(game, pair);
    lock().insert(key, trial);
    trial
}

fn games(game: &AnyGame, pair: &[AgentSpec; 2]) -> Trial {
    let budget = Budget { cpu: Some(MOVE), ..Budget::default() };
    let mut trial = Trial::default();
    let _hidden = best::hide();
    let mut end = None;
    for number in 0..GAMES {
        // An agent that is built for the first time may work out weights: that time is its own.
        if number == 0 && pair.iter().any(|spec| spec.build(game, Player(0), Seed(0)).is_err()) {
            break;
        }
        let end = *end.get_or_insert_with(|| cpu_time() + TIME);
        let _scope = Deadline { cpu: Some(end), ..Deadline::default() }.enter();
        let seed = Seed(0x7a1).child(u64::from(number));
        match duel(game, &game.start(), pair, (number as usize % 2, LONGEST), &budget, seed) {
            Ok(Some(gain)) => trial = Trial { games: trial.games + 1, won: trial.won + gain },
            Ok(None) | Err(_) => break,
        }
    }
    trial
}

/// Plays one game of two members; returns the first one's gain, 0 to 1 (`None` where the clock rang), or who failed.
pub(super) fn duel(
    game: &AnyGame,
    origin: &<AnyGame as Game>::State,
    pair: &[AgentSpec; 2],
    (shift, longest): (usize, usize),
    budget: &Budget,
    seed: Seed,
) -> Result<Option<f64>, (usize, Error)> {
    let seats = game.info().seats();
    let of = |seat: usize| (seat + shift) % 2;
    let mut minds = Vec::with_capacity(seats);
    for seat in 0..seats {
        let spec = &pair[of(seat)];
        let mind = spec
            .build(game, Player(seat as u8), seed.child(seat as u64))
            .map_err(|error| (of(seat), error))?;
        minds.push(Member::new(spec.clone(), mind, 1.0));
    }
    let mut play = Match::at(game, origin.clone());
    let mut rng = seed.named("luck").rng();
    let mut pad: Vec<Move> = Vec::new();
    while !play.is_over() && play.len() < longest {
        if deadline::look() {
            return Ok(None);
        }
        if play.turn() == Turn::Chance {
            play.apply_random(&mut rng);
            continue;
        }
        let mut joint = Vec::new();
        for player in play.turn().movers().iter() {
            let seat = player.index();
            let choice = minds[seat].choose(game, &play.view(player, &mut pad), budget);
            joint.push(choice.map_err(|failure| (of(seat), failure.into()))?.mv);
        }
        play.apply(&joint);
    }
    let Some(payoffs) = play.payoffs() else { return Ok(Some(0.5)) };
    let mean = |who: usize| {
        let own: Vec<f32> = (0..seats).filter(|s| of(*s) == who).map(|s| payoffs[s]).collect();
        f64::from(own.iter().sum::<f32>()) / own.len().max(1) as f64
    };
    Ok(Some((0.5 + 0.5 * (mean(0) - mean(1))).clamp(0.0, 1.0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twelve_lost_games_outweigh_a_prediction() {
        assert_eq!(Trial::default().with(0.9), 0.9);
        assert!(Trial { games: 12, won: 0.0 }.with(0.9) < 0.5);
        assert!(Trial { games: 12, won: 12.0 }.with(0.1) > 0.5);
        assert!(Trial { games: 2, won: 0.0 }.with(0.9) > 0.5, "two games are few");
    }

    #[test]
    fn the_stronger_agent_wins_a_trial() {
        let game = ludex_games::open("connect4").unwrap();
        let pair = ["alphabeta", "random"].map(|name| name.parse().unwrap());
        let trial = play(&game, &pair);
        assert!(trial.games > 0 && trial.won >= 0.75 * f64::from(trial.games), "{trial:?}");
        assert_eq!(play(&game, &pair), trial, "it is played once");
    }
}
