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
