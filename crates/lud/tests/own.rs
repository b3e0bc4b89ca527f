//! The descriptions of `games/`, written for this project.

use std::path::{Path, PathBuf};

use ludex_lud::board::Board;
use ludex_lud::compile::compile;
use ludex_lud::expand::{Library, expand};
use ludex_lud::tree;

#[test]
fn own_descriptions_compile_without_a_library() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let mut all: Vec<PathBuf> = std::fs::read_dir(&folder)
        .expect("the folder of own games")
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "lud"))
        .collect();
    all.sort();
    assert!(all.len() >= 30, "only {} descriptions", all.len());
    for path in all {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let source = std::fs::read_to_string(&path).expect("readable description");
        assert!(source.starts_with("// "), "{name} tells its rules first");
        let expanded = expand(&name, &source, &Library::default(), &[])
            .unwrap_or_else(|error| panic!("{error}"));
        let result = tree::game(&expanded.game).and_then(|game| {
            let mut boards = Vec::new();
            game.walk(&mut |node| {
                if let Some("board" | "mancalaBoard" | "surakartaBoard" | "boardless") =
                    node.keyword()
                {
                    boards.push(node);
                }
            });
            assert_eq!(boards.len(), 1, "{name} has one board");
            Board::new(boards[0])?;
            compile(&game)
        });
        if let Err(fault) = result {
            panic!("{}", fault.render(&expanded.sources));
        }
    }
}

/// The descriptions as games, with their names.
fn games() -> Vec<(String, ludex_lud::game::LudGame)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
        .expect("the folder of own games")
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "lud"))
        .collect();
    files.sort();
    let load = |path: PathBuf| {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let source = std::fs::read_to_string(&path).expect("readable description");
        let expanded = expand(&name, &source, &Library::default(), &[])
            .unwrap_or_else(|error| panic!("{error}"));
        let game = tree::game(&expanded.game)
            .and_then(|tree| ludex_lud::game::LudGame::new(&name, &tree))
            .unwrap_or_else(|fault| panic!("{}", fault.render(&expanded.sources)));
        (name, game)
    };
    files.into_iter().map(load).collect()
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
