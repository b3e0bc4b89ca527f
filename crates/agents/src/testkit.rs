//! The laws of agents as one test that every agent in the project passes on every game.
//!
//! ```
//! use ludex_core::{AnyGame, testkit::Coins};
//! let game = AnyGame::new(Coins::default());
//! ludex_agents::testkit::check("uct@sims=40", &game, ludex_core::Seed(1)).unwrap();
//! ```

use crate::agent::{Agent, Choice};
use crate::budget::Budget;
use crate::spec::AgentSpec;
use ludex_core::{AnyGame, AnyState, Error, Game, Match, Move, Player, Seed, Turn};
use std::collections::HashMap;

/// Fails with the text of the broken law.
macro_rules! law {
    ($holds:expr, $($text:tt)+) => {{
        let holds: bool = $holds;
        if !holds {
            return Err(format!($($text)+));
        }
    }};
}

/// The result of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The agent played a whole game by the laws, with so many choices.
    Played(u32),
    /// The agent refused the game and named an agent that can play it.
    Refused,
}

/// The family of `uct`: it runs as many simulations as its budget allows.
const FAMILY: [&str; 8] =
    ["ucb1-tuned", "bounded", "ph", "ucb1-grave", "grave", "nst", "mast", "uct"];

/// The most choices of a checked game; the rest is not played.
const MOST_CHOICES: u32 = 60;

/// Checks the agent `name`, which must carry a budget of sims, on `game`: every seat is its own.
///
/// - its name reads back as the same spec;
/// - it refuses what it can't play with an error that names an agent which can;
/// - every choice is legal, its candidates are legal moves, the chosen one first, with values in
///   0..=1 and lines that begin with the move;
/// - it runs no more simulations than its budget, and just as many where it simulates, nothing
///   is proven and there was something to choose;
/// - the same seed gives the same game, thought for thought.
///
/// # Errors
/// The first broken law.
pub fn check(name: &str, game: &AnyGame, seed: Seed) -> Result<Verdict, String> {
    let spec: AgentSpec = name.parse().map_err(|e: Error| e.to_string())?;
    let again: AgentSpec = spec.to_string().parse().map_err(|e: Error| e.to_string())?;
    law!(again == spec, "{name} prints as {spec}, which is another agent");
    if let Err(error) = spec.supports(game.info()) {
        check_refusal(&spec, game, &error.to_string())?;
        return Ok(Verdict::Refused);
    }
    let first = game_of(&spec, game, seed)?;
    let second = game_of(&spec, game, seed)?;
    law!(first == second, "{spec}: the same seed gives another game of {}", game.info().name);
    Ok(Verdict::Played(first.len() as u32))
}

fn check_refusal(spec: &AgentSpec, game: &AnyGame, error: &str) -> Result<(), String> {
    law!(error.contains(&game.info().name), "the refusal does not name the game: {error}");
    let built = spec.build(game, Player(0), Seed(0));
    law!(built.is_err(), "{spec} is built for a game that it does not support");
    let able = crate::supporting(game.info());
    let named = able.iter().any(|name| error.contains(&format!("`{name}`")));
    law!(named, "the refusal names no agent that can play: {error}");
    Ok(())
}

/// One game of the agent against itself.
fn game_of(spec: &AgentSpec, game: &AnyGame, seed: Seed) -> Result<Vec<Choice>, String> {
    let seats: Vec<Player> = (0..game.info().seats()).map(|p| Player(p as u8)).collect();
    let mut minds: Vec<Box<dyn Agent<AnyGame>>> = Vec::new();
    for &seat in &seats {
        let mind = spec.build(game, seat, seed.child(seat.0.into()));
        let mind = mind.map_err(|e| format!("{spec} is not built: {e}"))?;
        law!(mind.name() == spec.to_string(), "{spec} calls itself {}", mind.name());
        minds.push(mind);
    }
    let mut play = Match::new(game);
    let mut rng = seed.named("chance").rng();
    let mut pad = Vec::new();
    let mut choices = Vec::new();
    while !play.is_over() && (choices.len() as u32) < MOST_CHOICES {
        if play.turn() == Turn::Chance {
            play.apply_random(&mut rng);
            continue;
        }
        let mut joint = Vec::new();
        for player in play.turn().movers().iter() {
            let mind = &mut minds[player.index()];
            let view = match mind.cheats() {
                true => play.cheating_view(player, &mut pad),
                false => play.view(player, &mut pad),
            };
            let choice = mind.choose(game, &view, &Budget::default());
            let choice = choice.map_err(|e| format!("{spec}: {e}"))?;
            check_choice(spec, game, play.state(), view.legal(), &choice)?;
            joint.push(choice.mv);
            choices.push(choice);
        }
        play.try_apply(&joint).map_err(|e| e.to_string())?;
    }
    Ok(choices)
}

fn check_choice(
    spec: &AgentSpec,
    game: &AnyGame,
    state: &AnyState,
    legal: &[Move],
    choice: &Choice,
) -> Result<(), String> {
    let here = game.position(state);
    let thought = &choice.thought;
    law!(legal.contains(&choice.mv), "{spec} plays an illegal move: {here}");
    let in_range = |value: f32| (0.0..=1.0).contains(&value);
    law!(thought.value.is_none_or(in_range), "{spec} expects {:?}: {here}", thought.value);
    for candidate in &thought.candidates {
        law!(legal.contains(&candidate.mv), "{spec} thinks of an illegal move: {here}");
        law!(in_range(candidate.value), "{spec} values a move {}: {here}", candidate.value);
        law!(candidate.line.first() == Some(&candidate.mv), "{spec}: a line without its move");
    }
    if let Some(first) = thought.candidates.first() {
        law!(first.mv == choice.mv, "{spec}: the chosen move is not the first: {here}");
    }
    let Some(most) = spec.budget().sims else {
        return Err(format!("{spec} must carry a budget of sims to be checked"));
    };
    law!(thought.sims <= most, "{spec} runs {} simulations: {here}", thought.sims);
    let simulates = spec.name() == "flat" || FAMILY.contains(&spec.name());
    if simulates && !thought.proven && legal.len() > 1 {
        law!(thought.sims == most, "{spec} runs only {} simulations: {here}", thought.sims);
    }
    // Members of hyper-agents may simulate, and keep the nodes of earlier moves.
    let of_others = spec.name() == "portfolio" || spec.name().ends_with("ensemble");
    if !simulates && !of_others && thought.sims == 0 {
        law!(thought.nodes <= most.max(legal.len() as u64), "{spec} overdraws: {here}");
    }
    Ok(())
}

/// A slow, obvious solver: plain max^n over the whole tree, expectations at chance. The oracle of
/// all that proves.
///
/// ```
/// use ludex_agents::testkit::Oracle;
/// use ludex_core::{AnyGame, Game, testkit::Coins};
/// let game = AnyGame::new(Coins::default());
/// let mut oracle = Oracle::new(100_000);
/// let values = oracle.solve(&game, &game.parse_position("5 0").unwrap()).unwrap();
/// assert_eq!(values.len(), 2);
/// ```
#[derive(Debug, Clone)]
pub struct Oracle {
    known: HashMap<u64, Vec<f32>>,
    most: usize,
}

impl Oracle {
    /// Remembers up to so many positions.
    pub fn new(most: usize) -> Self {
        Oracle { known: HashMap::new(), most }
    }

    /// The longest line that it follows.
    const DEEPEST: u32 = 300;

    /// Each player's payoff under best play; `None` where that takes more positions than it
    /// remembers or longer lines than it follows (play may go in circles), or several move at
    /// once. Of equal moves the first counts.
    pub fn solve(&mut self, game: &AnyGame, state: &AnyState) -> Option<Vec<f32>> {
        self.solve_at(game, state, 0)
    }

    fn solve_at(&mut self, game: &AnyGame, state: &AnyState, depth: u32) -> Option<Vec<f32>> {
        let seats = game.info().seats();
        let turn = game.turn(state);
        if turn == Turn::Over {
            let mut payoffs = vec![0.0; seats];
            game.payoffs(state, &mut payoffs);
            return Some(payoffs);
        }
        let key = game.hash(state);
        if let Some(values) = self.known.get(&key) {
            return Some(values.clone());
        }
        if self.known.len() >= self.most || depth >= Self::DEEPEST {
            return None;
        }
        let after = |mv: Move| {
            let mut next = state.clone();
            game.apply(&mut next, &[mv]);
            next
        };
        let values = match turn {
            Turn::Over | Turn::Joint(_) => return None,
            Turn::One(player) => {
                let mut moves = Vec::new();
                game.moves(state, player, &mut moves);
                let mut best: Option<Vec<f32>> = None;
                for mv in moves {
                    let values = self.solve_at(game, &after(mv), depth + 1)?;
                    let seat = player.index();
                    if best.as_ref().is_none_or(|best| values[seat] > best[seat]) {
                        best = Some(values);
                    }
                }
                best?
            }
            Turn::Chance => {
                let mut outcomes = Vec::new();
                game.chances(state, &mut outcomes);
                let mut sums = vec![0.0; seats];
                for (mv, chance) in outcomes {
                    let values = self.solve_at(game, &after(mv), depth + 1)?;
                    sums.iter_mut().zip(values).for_each(|(sum, v)| *sum += chance as f32 * v);
                }
                sums
            }
        };
        self.known.insert(key, values.clone());
        Some(values)
    }

    /// How many positions it remembers.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// Does it know nothing yet?
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }
}
