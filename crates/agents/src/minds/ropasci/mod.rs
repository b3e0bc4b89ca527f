//! The agents of the RoPaSci 360 report (Fern and Lyons Keenan 2021; seed 001), for that game
//! alone. They judge a move by the position after it *alone*, the other player standing still,
//! which is no step of the game: so they are written for it and not for any [`Game`].
//!
//! One idea a file: [`greedy`], [`negamax`], [`lookahead`], [`rollouts`] and [`mcts`], and a far stronger
//! player, [`strong`], with an [`evaluation`] of its own; [`weights`] are what the report's agents
//! have in common. [`nash`] and [`chaser`] play as other agents of the course do.
//!
//! [`Game`]: ludex_core::Game

mod caution;
pub mod chaser;
pub mod evaluation;
mod family;
pub mod greedy;
mod habits;
pub mod lookahead;
pub mod mcts;
mod model;
pub mod nash;
pub mod negamax;
mod plan;
pub mod rollouts;
pub mod strong;
pub mod weights;

use crate::agent::{Agent, Candidate, Choice, Failure, Thought};
use crate::budget::Budget;
use crate::catalog::Needs;
use crate::clock::Clock;
use ludex_core::{AnyGame, Error, Move, Result, View};
use ludex_games::Ropasci360;
use ludex_games::ropasci::State;

/// These agents play this game only.
const NEEDS: Needs = Needs::game("ropasci360");

/// An agent for the concrete game: gives every legal move a value, best first.
pub(crate) trait Judge: Send {
    /// The moves with their values; the first is played.
    fn judge(&mut self, game: &Ropasci360, state: &State, seat: Seat<'_>) -> Vec<(Move, f64)>;

    /// A value as a payoff; of the report's heuristic only the order counts.
    fn payoff(&self, value: f64) -> f32 {
        (0.5 + 0.5 * (value / 8.0).tanh()) as f32
    }
}

/// The situation of a seat that must move.
#[derive(Clone, Copy)]
pub(crate) struct Seat<'a> {
    pub(crate) player: ludex_core::Player,
    pub(crate) legal: &'a [Move],
    /// Both players' moves of the turn before, where they are known.
    pub(crate) last: Option<[Move; 2]>,
    /// The budget of the move.
    pub(crate) budget: &'a Budget,
}

/// A judge as an agent of any game, which must be this one.
struct Seated<J> {
    name: &'static str,
    judge: J,
}

fn seat<J: Judge + 'static>(name: &'static str, judge: J) -> Box<dyn Agent<AnyGame>> {
    Box::new(Seated { name, judge })
}

impl<J: Judge> Agent<AnyGame> for Seated<J> {
    fn name(&self) -> String {
        self.name.into()
    }

    fn choose(
        &mut self,
        game: &AnyGame,
        view: &View<'_, AnyGame>,
        budget: &Budget,
    ) -> Result<Choice, Failure> {
        let name = self.name;
        let (Some(game), Some(state)) =
            (game.get::<Ropasci360>(), view.state().and_then(|state| state.get::<State>()))
        else {
            return Err(Error::Unsupported(format!("{name} plays ropasci360 only")).into());
        };
        let last = view.records().last().and_then(|record| match record.percept.0[..] {
            [upper, lower] => Some([Move(upper), Move(lower)]),
            _ => None,
        });
        let _scope = Clock::start(budget, true).enter();
        let seat = Seat { player: view.seat(), legal: view.legal(), last, budget };
        let judged = self.judge.judge(game, state, seat);
        let Some(&(mv, _)) = judged.first() else {
            return Err(crate::spec::not_to_move(name).into());
        };
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

/// Both players' moves in the order of the seats.
pub(crate) fn joint(me: ludex_core::Player, mine: Move, theirs: Move) -> [Move; 2] {
    if me == ludex_core::Player(0) { [mine, theirs] } else { [theirs, mine] }
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
