//! Normal or indifferent? (Seed 004, section 4.)
//!
//! 'Indifferent games are symmetric in payoffs, and are designed so that player one and player
//! two can alter the same pieces.' The seed's author says which game is which; here it is
//! decided by looking: a game of two players without chance or ties is indifferent where a
//! position does not care who is to move. Random games give many positions; those in which the
//! movers differ and the lists of moves are the same, word for word, are compared in pairs: every
//! move must lead both movers to the same list of answers, and to the same result for who made
//! it. One difference, or no such pair (in Tic-Tac-Toe the number of empty squares tells who
//! moves), and the game is normal.

use super::arms::Ending;
use super::simulation::ending;
use ludex_core::deadline;
use ludex_core::{Game, Move, Player, Rng, Seed, Turn};
use std::collections::HashMap;

/// The kinds of games that are judged differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Each player has pieces of its own.
    Normal,
    /// Both players move the same pieces.
    Indifferent,
}

ludex_core::words!(Kind { Normal = "normal", Indifferent = "indifferent" });

/// Random games looked at.
const GAMES: u64 = 64;
/// Where so many games hold no pair, no more are looked at: large games cost time, and in a game
/// in which both move the same pieces every game's end is like another's.
const FIRST_GAMES: u64 = 8;
/// A game is looked at for so many plies.
const PLIES: usize = 256;
/// Pairs of positions that must agree.
const PAIRS: usize = 4;
/// Positions compared at most: enough to find a difference where there is one.
const MOST_PAIRS: usize = 256;

/// A position as its mover sees it: its moves as words, and behind each of them either the result for the mover or the
/// words of the moves that answer it.
type Face = Vec<(String, Behind)>;

#[derive(Debug, Clone, PartialEq, Eq)]
enum Behind {
    Over(u8),
    Answers(Vec<String>),
}

/// Decides by random games from `start`.
pub fn kind_of<G: Game>(game: &G, start: &G::State, seed: Seed) -> Kind {
    let info = game.info();
    if info.seats() != 2 || info.chance || info.simultaneous || info.hidden {
        return Kind::Normal;
    }
    let mut faces: HashMap<Vec<String>, [Option<G::State>; 2]> = HashMap::new();
    let mut rng = seed.rng();
    let mut pairs = 0;
    for played in 0..GAMES {
        if played == FIRST_GAMES && pairs == 0 {
            return Kind::Normal;
        }
        let mut state = start.clone();
        for _ in 0..PLIES {
            if deadline::look() {
                return Kind::Normal;
            }
            let Turn::One(mover) = game.turn(&state) else { break };
            let moves = moves_of(game, &state, mover);
            let words = words(game, &moves);
            let other = Player(1 - mover.0.min(1));
            let seen = faces.entry(words).or_default();
            if seen[mover.index()].is_none() {
                if let Some(twin) = &seen[other.index()] {
                    if face(game, &state, mover) != face(game, twin, other) {
                        return Kind::Normal;
                    }
                    pairs += 1;
                }
                seen[mover.index()] = Some(state.clone());
            }
            if pairs >= MOST_PAIRS {
                return Kind::Indifferent;
            }
            let mv = pick(&moves, &mut rng);
            game.apply(&mut state, &[mv]);
        }
        if !game.is_over(&state) || result(game, &state, Player(0)) == Ending::Neutral as u8 {
            return Kind::Normal;
        }
    }
    if pairs >= PAIRS { Kind::Indifferent } else { Kind::Normal }
}

fn moves_of<G: Game>(game: &G, state: &G::State, mover: Player) -> Vec<Move> {
    let mut moves = Vec::new();
    game.moves(state, mover, &mut moves);
    moves
}

fn words<G: Game>(game: &G, moves: &[Move]) -> Vec<String> {
    let mut words: Vec<String> = moves.iter().map(|&mv| game.move_text(mv)).collect();
    words.sort();
    words
}

fn pick(moves: &[Move], rng: &mut Rng) -> Move {
    debug_assert!(!moves.is_empty(), "a player to move has a legal move");
    moves.get(rng.index(moves.len())).copied().unwrap_or_default()
}

fn result<G: Game>(game: &G, state: &G::State, player: Player) -> u8 {
    let mut payoffs = vec![0.0; game.info().seats()];
    game.payoffs(state, &mut payoffs);
    ending(&payoffs, player) as u8
}

fn face<G: Game>(game: &G, state: &G::State, mover: Player) -> Face {
    let mut face: Face = moves_of(game, state, mover)
        .into_iter()
        .map(|mv| {
            let mut next = state.clone();
            game.apply(&mut next, &[mv]);
            let behind = match game.turn(&next) {
                Turn::One(player) => {
                    // Whether the same player goes on is a part of the answer.
                    let mut answers = words(game, &moves_of(game, &next, player));
                    answers.push(if player == mover { "again" } else { "other" }.into());
                    Behind::Answers(answers)
                }
                _ => Behind::Over(result(game, &next, mover)),
            };
            (game.move_text(mv), behind)
        })
        .collect();
    face.sort_by(|a, b| a.0.cmp(&b.0));
    face
}
