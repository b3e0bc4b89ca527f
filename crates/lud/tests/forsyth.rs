//! Positions that people type: Forsyth notation of every description in `games/`, both ways.

mod common;

use ludex_core::scene::View;
use ludex_core::{Game, Move, Rng, Seed, Turn};
use ludex_lud::expand::Library;
use ludex_lud::game::{LudGame, Position};

/// The board, the turn and the legal moves of a position: the notation must keep them.
fn told(game: &LudGame, state: &Position) -> (View, Turn, Vec<String>) {
    let turn = game.turn(state);
    let mut legal: Vec<Move> = Vec::new();
    for player in turn.movers().iter() {
        game.moves(state, player, &mut legal);
    }
    let mut moves: Vec<String> = legal.iter().map(|&mv| game.move_text(mv)).collect();
    moves.sort();
    let mut view = game.view(state, None);
    // Castling is told by rights: a rook that has not moved has lost its right where the king has moved.
    if game.info().title == "Chess" {
        view.pieces.iter_mut().for_each(|placed| placed.state = None);
    }
    (view, turn, moves)
}

/// A step of random play; false at the end.
fn step(game: &LudGame, state: &mut Position, rng: &mut Rng) -> bool {
    let mut pad = Vec::new();
    let joint: Vec<Move> = match game.turn(state) {
        Turn::Over => return false,
        Turn::Chance => vec![game.sample_chance(state, rng)],
        turn => turn.movers().iter().map(|p| game.sample(state, p, rng, &mut pad)).collect(),
    };
    game.apply(state, &joint);
    true
}

#[test]
fn every_position_of_every_description_reads_back() {
    let (mut boards, mut bad) = (0, Vec::new());
    for path in common::own() {
        let name = common::stem(&path);
        let game = common::open(&path, &Library::default()).unwrap_or_else(|e| panic!("{e}"));
        let mut state = game.start();
        let mut rng = Seed(7).rng();
        for ply in 0..60 {
            if let Some(text) = game.forsyth(&state) {
                boards += 1;
                match game.parse_position(&text) {
                    Ok(again) if told(&game, &again) == told(&game, &state) => {}
                    Ok(_) => bad.push(format!("{name}, ply {ply}: {text}")),
                    Err(error) => bad.push(format!("{name}, ply {ply}: {error}")),
                }
            }
            if !step(&game, &mut state, &mut rng) {
                break;
            }
        }
    }
    assert!(boards > 1000, "{boards}");
    assert!(bad.is_empty(), "{} of {boards}:\n{}", bad.len(), bad.join("\n"));
}
