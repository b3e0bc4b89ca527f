//! Random games take no memory once a few have been played.

use std::path::Path;

use ludex_core::{Game, Seed};
use ludex_lud::expand::{Library, expand};
use ludex_lud::game::LudGame;
use ludex_lud::tree;

#[test]
fn warm_playouts_do_not_allocate() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let mut bad = Vec::new();
    for name in [
        "tic-tac-toe",
        "breakthrough",
        "hex",
        "reversi",
        "amazons",
        "chess",
        "english-draughts",
        "go",
        "gomoku",
        "lines-of-action",
        "nine-mens-morris",
        "yavalath",
        "oware",
    ] {
        let path = folder.join(format!("{name}.lud"));
        let source = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{name}: {e}"));
        let expanded = expand(name, &source, &Library::default(), &[]).expect("expands");
        let game = tree::game(&expanded.game).and_then(|tree| LudGame::new(name, &tree));
        let game = game.unwrap_or_else(|fault| panic!("{name}: {}", fault.message));
        let start = game.start();
        let mut state = start.clone();
        let mut play = |seed: u64| {
            state.clone_from(&start);
            game.playout(&mut state, &mut Seed(seed).rng(), &mut Vec::new(), 20_000);
        };
        // The same games again: lists have grown to what they need.
        (0..10).for_each(&mut play);
        let count = allocation_counter::measure(|| (0..10).for_each(&mut play)).count_total;
        if count > 0 {
            bad.push(format!("{name}: {count} in ten games"));
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}
