//! The agents of the RoPaSci 360 report (Fern and Lyons Keenan 2021; seed 001), for that game
//! alone. They judge a move by the position after it *alone*, the other player standing still,
//! which is no step of the game: so they are written for it and not for any [`Game`].
//!
//! One idea a file: [`greedy`], [`negamax`], [`lookahead`] and [`rollouts`], and a far stronger
//! player, [`strong`], with an [`evaluation`] of its own; [`weights`] are what the report's agents
//! have in common.
//!
//! [`Game`]: ludex_core::Game

pub mod evaluation;
pub mod greedy;
mod habits;
pub mod lookahead;
mod model;
pub mod negamax;
pub mod rollouts;
pub mod strong;
pub mod weights;

use crate::agent::{Agent, Candidate, Choice, Thought};
use crate::budget::Budget;
use crate::clock::Clock;
use evaluation::{CHOSEN, Evaluation};
use ludex_core::{AnyGame, Error, Info, Move, Result, Seed, Spec, View};
use ludex_games::Ropasci360;
use ludex_games::ropasci::State;
use std::fmt;
use weights::Weights;

/// The minds by name.
pub const NAMES: [&str; 6] = [
    "ropasci",
    "ropasci-greedy",
    "ropasci-lookahead",
    "ropasci-rollouts",
    "ropasci-negamax",
    "ropasci-negamax-report",
];

/// A mind of the report with its parameters.
#[derive(Debug, Clone, PartialEq)]
pub enum Params {
    /// The best position after one's own move.
    Greedy(Weights),
    /// Looks at the reply that is best for itself.
    Lookahead(Weights, u32),
    /// A handful of random games.
    Rollouts(u32),
    /// The best position after both moves, the other's being the worst.
    Negamax(Weights, u32),
    /// The same as it played: at random at first.
    NegamaxReport(Weights, u32),
    /// Two turns of backward induction.
    Strong(Box<Evaluation>, strong::Settings),
}

/// Moves of each player that are looked at: the report's cap.
const BEST: u32 = 8;

impl Params {
    /// Reads a name such as `ropasci-negamax(k=10,kills=8)`.
    ///
    /// # Errors
    /// Unknown keys, values that can't be.
    pub fn read(spec: &Spec) -> Result<Self> {
        let weights = Evaluation::keys();
        let mut keys: Vec<&str> = Weights::KEYS.to_vec();
        match spec.name.as_str() {
            "ropasci-greedy" => {}
            "ropasci-rollouts" => keys = vec!["rollouts"],
            "ropasci" => {
                keys = strong::Settings::KEYS
                    .into_iter()
                    .chain(weights.iter().map(String::as_str))
                    .collect();
            }
            _ => keys.push("k"),
        }
        spec.expect(&keys, 0)?;
        let bad =
            |reason: &str| Error::BadParameter { name: spec.name.clone(), reason: reason.into() };
        let count = |key: &str, usual: u32| match spec.param(key, None, usual)? {
            n if (1..=1_000_000).contains(&n) => Ok(n),
            _ => Err(bad(&format!("`{key}` must be from 1 to 1000000"))),
        };
        Ok(match spec.name.as_str() {
            "ropasci" => {
                let settings = strong::Settings::read(spec)?;
                Params::Strong(Box::new(CHOSEN.read(spec)?), settings)
            }
            "ropasci-greedy" => Params::Greedy(Weights::read(spec)?),
            "ropasci-lookahead" => Params::Lookahead(Weights::read(spec)?, count("k", BEST)?),
            "ropasci-rollouts" => Params::Rollouts(count("rollouts", 5)?),
            "ropasci-negamax" => Params::Negamax(Weights::read(spec)?, count("k", BEST)?),
            _ => Params::NegamaxReport(Weights::read(spec)?, count("k", BEST)?),
        })
    }

    /// The name without parameters.
    pub fn name(&self) -> &'static str {
        match self {
            Params::Strong(..) => "ropasci",
            Params::Greedy(_) => "ropasci-greedy",
            Params::Lookahead(..) => "ropasci-lookahead",
            Params::Rollouts(_) => "ropasci-rollouts",
            Params::Negamax(..) => "ropasci-negamax",
            Params::NegamaxReport(..) => "ropasci-negamax-report",
        }
    }

    /// What keeps it from such a game.
    pub(crate) fn obstacle(&self, info: &Info) -> Option<&'static str> {
        (info.name != "ropasci360").then_some("plays ropasci360 only")
    }

    /// Sits down.
    pub(crate) fn build(&self, seed: Seed) -> Box<dyn Agent<AnyGame>> {
        match *self {
            Params::Strong(ref evaluation, settings) => {
                seat(self, strong::Strong::new(**evaluation, settings, seed))
            }
            Params::Greedy(weights) => seat(self, greedy::Greedy::new(weights, seed)),
            Params::Lookahead(weights, k) => {
                seat(self, lookahead::Lookahead::new(weights, k, seed))
            }
            Params::Rollouts(n) => seat(self, rollouts::Rollouts::new(n, seed)),
            Params::Negamax(weights, k) => {
                seat(self, negamax::Negamax::new(weights, k, false, seed))
            }
            Params::NegamaxReport(weights, k) => {
                seat(self, negamax::Negamax::new(weights, k, true, seed))
            }
        }
    }
}

impl fmt::Display for Params {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut given = Vec::new();
        match self {
            Params::Greedy(weights) => weights.write(&mut given, Weights::default()),
            Params::Strong(evaluation, settings) => {
                settings.write(&mut given);
                evaluation.write(&mut given, &CHOSEN);
            }
            Params::Rollouts(n) if *n != 5 => given.push(format!("rollouts={n}")),
            Params::Rollouts(_) => {}
            Params::Lookahead(weights, k)
            | Params::Negamax(weights, k)
            | Params::NegamaxReport(weights, k) => {
                weights.write(&mut given, Weights::default());
                if *k != BEST {
                    given.push(format!("k={k}"));
                }
            }
        }
        match given.is_empty() {
            true => f.write_str(self.name()),
            false => write!(f, "{}({})", self.name(), given.join(",")),
        }
    }
}

/// A mind for the concrete game: gives every legal move a value, best first.
pub(crate) trait Judge: Send {
    /// The moves with their values; the first is played.
    fn judge(&mut self, game: &Ropasci360, state: &State, seat: Seat<'_>) -> Vec<(Move, f64)>;

    /// A value as a payoff; of the report's heuristic only the order counts.
    fn payoff(&self, value: f64) -> f32 {
        (0.5 + 0.5 * (value / 8.0).tanh()) as f32
    }
}

/// What a judge must know of its seat.
#[derive(Clone, Copy)]
pub(crate) struct Seat<'a> {
    pub(crate) player: ludex_core::Player,
    pub(crate) legal: &'a [Move],
    /// Both players' moves of the turn before, where they are known.
    pub(crate) last: Option<[Move; 2]>,
    /// What the move may cost.
    pub(crate) budget: &'a Budget,
}

/// A judge as a mind of any game, which must be this one.
struct Seated<J> {
    params: Params,
    judge: J,
}

fn seat<J: Judge + 'static>(params: &Params, judge: J) -> Box<dyn Agent<AnyGame>> {
    Box::new(Seated { params: params.clone(), judge })
}

impl<J: Judge> Agent<AnyGame> for Seated<J> {
    fn name(&self) -> String {
        self.params.to_string()
    }

    fn choose(
        &mut self,
        game: &AnyGame,
        view: &View<'_, AnyGame>,
        budget: &Budget,
    ) -> Result<Choice> {
        let name = self.params.name();
        let (Some(game), Some(state)) =
            (game.get::<Ropasci360>(), view.state().and_then(|state| state.get::<State>()))
        else {
            return Err(Error::Unsupported(format!("{name} plays ropasci360 only")));
        };
        let last = view.records().last().and_then(|record| match record.percept.0[..] {
            [upper, lower] => Some([Move(upper), Move(lower)]),
            _ => None,
        });
        let _scope = Clock::start(budget, true).enter();
        let seat = Seat { player: view.seat(), legal: view.legal(), last, budget };
        let judged = self.judge.judge(game, state, seat);
        let Some(&(mv, _)) = judged.first() else { return Err(crate::spec::not_to_move(name)) };
        let candidates: Vec<Candidate> = judged
            .iter()
            .map(|&(mv, value)| Candidate {
                mv,
                visits: 1,
                value: self.judge.payoff(value),
                line: vec![mv],
                ..Candidate::default()
            })
            .collect();
        let thought = Thought {
            nodes: judged.len() as u64,
            depth: 1,
            value: candidates.first().map(|c| c.value),
            candidates,
            ..Thought::default()
        };
        Ok(Choice { mv, thought })
    }
}

/// The moves with their values, best first; equals in random order, for all that the report's
/// agents left to chance was the order of a hash set.
pub(crate) fn ranked(mut judged: Vec<(Move, f64)>, rng: &mut ludex_core::Rng) -> Vec<(Move, f64)> {
    rng.shuffle(&mut judged);
    judged.sort_by(|a, b| b.1.total_cmp(&a.1));
    // Values that differ by rounding alone are equal.
    let ties = judged.iter().take_while(|(_, value)| judged[0].1 - value <= 1e-9).count();
    if ties > 1 {
        let first = rng.index(ties);
        judged[..=first].rotate_right(1);
    }
    judged
}
