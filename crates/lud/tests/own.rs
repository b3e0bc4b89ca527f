//! The descriptions of `games/`, written for this project.

mod common;

use ludex_lud::expand::{Library, expand};
use ludex_lud::game::LudGame;
use ludex_lud::tree;

#[test]
fn own_descriptions_tell_their_rules_and_have_one_board() {
    let all = common::own();
    assert!(all.len() >= 30, "only {} descriptions", all.len());
    for path in all {
        let name = common::stem(&path);
        let source = std::fs::read_to_string(&path).expect("readable description");
        assert!(source.starts_with("// "), "{name} tells its rules first");
        let (expanded, found) = expand(&name, &source, &Library::default(), &[]);
        assert_eq!(found, []);
        let (game, found) = tree::game(&expanded.game);
        assert_eq!(found, []);
        let mut boards = 0;
        game.expect("a game").walk(&mut |node| {
            if let Some("board" | "mancalaBoard" | "surakartaBoard" | "boardless") = node.keyword()
            {
                boards += 1;
            }
        });
        assert_eq!(boards, 1, "{name} has one board");
    }
}

/// The descriptions as games, with their names.
fn games() -> Vec<(String, LudGame)> {
    let load = |path: std::path::PathBuf| {
        let game = common::open(&path, &Library::default()).unwrap_or_else(|e| panic!("{e}"));
        (common::stem(&path), game)
    };
    common::own().into_iter().map(load).collect()
}

#[test]
fn own_descriptions_play_to_an_end() {
    use ludex_core::{Game, Seed};
    let mut bad = Vec::new();
    for (name, game) in games() {
        let mut rng = Seed(1).rng();
        let mut pad = Vec::new();
        let lengths: Vec<Option<u32>> =
            (0..5).map(|_| game.playout(&mut game.start(), &mut rng, &mut pad, 20_000)).collect();
        println!("{name}: {lengths:?}");
        if lengths.iter().any(|l| l.is_none_or(|l| l < 3)) {
            bad.push(format!("{name}: random games last {lengths:?} moves"));
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

#[test]
fn own_descriptions_keep_the_laws_of_games() {
    use ludex_core::{Seed, testkit};
    let mut broken = Vec::new();
    for (name, game) in games() {
        if let Err(law) = testkit::check(&game, 1, Seed(7)) {
            broken.push(format!("{name}: {law}"));
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}
