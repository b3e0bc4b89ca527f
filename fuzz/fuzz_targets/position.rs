//! Any text is a position or an error in every built-in game; a position prints and reads back
//! as itself, can be looked at from every side, and any text is a move or an error in it.
#![no_main]
use libfuzzer_sys::fuzz_target;
use ludex_core::{AnyGame, Game, Player, perft};
use std::sync::LazyLock;

static GAMES: LazyLock<Vec<AnyGame>> = LazyLock::new(|| {
    let entries = ludex_games::catalog().iter();
    entries.filter_map(|entry| ludex_games::open(entry.name).ok()).collect()
});

fuzz_target!(|input: (u8, &str, &str)| {
    let (pick, text, mv) = input;
    let game = &GAMES[usize::from(pick) % GAMES.len()];
    let Ok(state) = game.parse_position(text) else { return };
    let printed = game.position(&state);
    let back = game.parse_position(&printed).expect("a printed position reads back");
    assert_eq!(game.position(&back), printed);
    assert_eq!(game.hash(&back), game.hash(&state));
    for p in 0..game.info().seats() {
        let player = Player(p as u8);
        game.draw(&state, Some(player));
        let _ = game.parse_move(&state, player, mv);
    }
    // Joint moves multiply: two steps of them would take minutes.
    perft(game, &state, if game.info().simultaneous { 1 } else { 2 });
});
