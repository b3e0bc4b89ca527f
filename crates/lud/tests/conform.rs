//! Games of the public library keep the laws of every game.

use std::path::{Path, PathBuf};

use ludex_core::{Seed, testkit};
use ludex_lud::expand::{Library, expand};
use ludex_lud::game::LudGame;
use ludex_lud::tree;

fn shared() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/ludii")
}

/// Of several families: placing, moving, custodial capture, sowing, dice.
const GAMES: [&str; 5] = [
    "board/space/line/Tic-Tac-Toe",
    "board/race/reach/Breakthrough",
    "board/war/custodial/Brandub",
    "board/sow/two_rows/Awari",
    "board/race/escape/Senet",
];

#[test]
fn games_of_the_library_keep_the_laws() {
    let root = shared();
    if !root.is_dir() {
        println!("skipped: no ../shared/data/ludii");
        return;
    }
    let library = Library::read(&root.join("def")).0;
    for name in GAMES {
        let path = root.join("lud").join(format!("{name}.lud"));
        let Ok(source) = std::fs::read_to_string(&path) else {
            println!("skipped: no {name}");
            continue;
        };
        let expanded = expand(name, &source, &library, &[]).expect("expands");
        let tree = tree::game(&expanded.game).expect("is a tree");
        let game = LudGame::new(name, &tree).unwrap_or_else(|fault| panic!("{name}: {fault:?}"));
        if let Err(law) = testkit::check(&game, 1, Seed(7)) {
            panic!("{name}: {law}");
        }
    }
}
