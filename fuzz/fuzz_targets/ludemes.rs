//! Any text is refused with findings that can be shown in their places, or it is a game: then random
//! games of it neither panic nor hang.
#![no_main]
use std::time::{Duration, Instant};

use libfuzzer_sys::fuzz_target;
use ludex_core::deadline::Deadline;
use ludex_core::{Game, Seed, Turn};
use ludex_lud::expand::Library;
use ludex_lud::load::load;

/// Plies that are played one by one, each from the list of all legal moves.
const LISTED: u32 = 8;

/// Plies of a random game that draws moves without a list.
const DRAWN: u32 = 40;

fuzz_target!(|text: &str| {
    let loaded = load("lud:fuzz", "fuzz.lud", text, &Library::default(), &[]);
    for finding in &loaded.found {
        assert!(finding.render(&loaded.texts).contains("error["));
    }
    let Some(game) = loaded.game else {
        assert!(!loaded.found.is_empty());
        return;
    };
    // Some games are large: a list that takes too long is cut short.
    let wall = Some(Instant::now() + Duration::from_secs(2));
    let _deadline = Deadline { wall, ..Deadline::default() }.enter();
    let mut rng = Seed(text.len() as u64).rng();
    let (mut state, mut moves) = (game.start(), Vec::new());
    for _ in 0..LISTED {
        let mut joint = Vec::new();
        match game.turn(&state) {
            Turn::Over => break,
            Turn::Chance => joint.push(game.sample_chance(&state, &mut rng)),
            turn => {
                for player in turn.movers().iter() {
                    moves.clear();
                    game.moves(&state, player, &mut moves);
                    joint.push(moves[rng.index(moves.len())]);
                }
            }
        }
        game.apply(&mut state, &joint);
    }
    game.playout(&mut state, &mut rng, &mut moves, DRAWN);
});
