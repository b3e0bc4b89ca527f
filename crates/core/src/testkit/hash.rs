//! The law of hashes: equal hash, equal future.
//!
//! Two states with the same hash must have the same turn, the same moves and the same payoffs, and after the
//! same step they must again have the same hash. The law is checked on all pairs of states that random games
//! happen to meet, and on pairs that are made on purpose: a few steps in two orders often lead to states that
//! differ in nothing but their past.

use std::collections::HashMap;

use crate::game::{Game, Move, Turn};
use crate::perft::choices;
use crate::random::Rng;

/// The facts that two states with the same hash must share.
#[derive(Debug, Clone, PartialEq)]
struct Present {
    turn: Turn,
    choices: Vec<Vec<Move>>,
    payoffs: Vec<f32>,
}

impl Present {
    fn of<G: Game>(game: &G, state: &G::State) -> Present {
        let turn = game.turn(state);
        let mut payoffs = Vec::new();
        if turn == Turn::Over {
            payoffs.resize(game.info().seats(), 0.0);
            game.payoffs(state, &mut payoffs);
        }
        Present { turn, choices: choices(game, state, turn), payoffs }
    }
}

/// The most states that are remembered, and the most moves of a state that is remembered.
const MOST_STATES: usize = 20_000;
const MOST_MOVES: usize = 500;

/// The states that random games have met so far.
#[derive(Default)]
pub(super) struct Met(HashMap<u64, (Present, String)>);

impl Met {
    /// Compares a state with the one of the same hash that was met before.
    pub(super) fn meet<G: Game>(&mut self, game: &G, state: &G::State) -> Result<(), String> {
        let hash = game.hash(state);
        let known = self.0.get(&hash);
        if known.is_none() && self.0.len() >= MOST_STATES {
            return Ok(());
        }
        let present = Present::of(game, state);
        if present.choices.iter().map(Vec::len).sum::<usize>() > MOST_MOVES {
            return Ok(());
        }
        let position = game.position(state);
        match known {
            Some((other, _)) if *other == present => Ok(()),
            Some((other, there)) => Err(differ(other, &present, there, &position)),
            None => {
                self.0.insert(hash, (present, position));
                Ok(())
            }
        }
    }
}

fn differ(a: &Present, b: &Present, there: &str, here: &str) -> String {
    let what = if a.turn != b.turn {
        "turn"
    } else if a.choices != b.choices {
        "legal moves"
    } else {
        "payoffs"
    };
    format!("equal hash, but another {what}: {there} | {here}")
}

/// From a state, makes three steps `a b c` and then `c b a`; where both lead to the same hash, both must have
/// the same present, and keep it for some steps.
pub(super) fn two_orders<G: Game>(game: &G, state: &G::State, rng: &mut Rng) -> Result<(), String> {
    let (mut one, mut two) = (state.clone(), state.clone());
    let mut line = Vec::new();
    for _ in 0..3 {
        if !matches!(game.turn(&one), Turn::One(_)) {
            return Ok(());
        }
        let Some(joint) = random_step(game, &one, rng) else { return Ok(()) };
        game.apply(&mut one, &joint);
        line.push(joint);
    }
    for joint in line.iter().rev() {
        if game.try_apply(&mut two, joint).is_err() {
            return Ok(());
        }
    }
    for _ in 0..4 {
        if game.hash(&one) != game.hash(&two) {
            return Ok(());
        }
        let (a, b) = (Present::of(game, &one), Present::of(game, &two));
        if a != b {
            return Err(differ(&a, &b, &game.position(&one), &game.position(&two)));
        }
        let Some(joint) = random_step(game, &one, rng) else { return Ok(()) };
        game.apply(&mut one, &joint);
        game.apply(&mut two, &joint);
        if game.hash(&one) != game.hash(&two) {
            return Err(format!(
                "equal hash before a step, another one after it: {} | {}",
                game.position(&one),
                game.position(&two)
            ));
        }
    }
    Ok(())
}

fn random_step<G: Game>(game: &G, state: &G::State, rng: &mut Rng) -> Option<Vec<Move>> {
    let lists = choices(game, state, game.turn(state));
    if lists.is_empty() {
        return None;
    }
    lists.iter().map(|list| (!list.is_empty()).then(|| list[rng.index(list.len())])).collect()
}
