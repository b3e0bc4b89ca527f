//! Any text is a game or an error; a game's name opens the same game.
#![no_main]
use libfuzzer_sys::fuzz_target;
use ludex_core::Game;

fuzz_target!(|text: &str| {
    if let Ok(game) = ludex_games::open(text) {
        let again = ludex_games::open(&game.info().name).expect("a game's name opens it");
        assert_eq!(again.info(), game.info());
    }
});
