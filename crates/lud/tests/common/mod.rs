//! What several tests share: folders, and games by file or by text. Tests that use the public
//! descriptions are ignored where these are missing.

#![allow(dead_code, reason = "not every test asks for everything")]

use std::io::Read;
use std::path::{Path, PathBuf};

use ludex_lud::expand::Library;
use ludex_lud::game::LudGame;
use ludex_lud::load;

/// The folder of the public descriptions.
pub(crate) fn shared() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/ludii")
}

/// The defines of the public descriptions.
pub(crate) fn library() -> Library {
    let (library, problems) = Library::read(&shared().join("def"));
    assert!(problems.is_empty(), "{problems:?}");
    library
}

/// The descriptions of `games/`, or of the folder that `LUDEX_GAMES` names, for a longer search.
pub(crate) fn own() -> Vec<PathBuf> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    files(&std::env::var_os("LUDEX_GAMES").map_or(own, PathBuf::from), ".lud")
}

/// All files under a folder with an ending, sorted.
pub(crate) fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let (found, problems) = ludex_lud::source::files(folder, ending);
    assert!(problems.is_empty(), "{problems:?}");
    found
}

/// A file's name without its ending.
pub(crate) fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// The game of a file, or what is wrong with it.
pub(crate) fn open(path: &Path, library: &Library) -> Result<LudGame, String> {
    let source = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    load::load(&stem(path), &path.display().to_string(), &source, library, &[]).into_game()
}

/// The game of a text, or what is wrong with it.
pub(crate) fn game(text: &str) -> Result<LudGame, String> {
    load::load("lud:test", "test.lud", text, &Library::default(), &[]).into_game()
}

/// The text of a compressed file.
pub(crate) fn unpack(path: &Path) -> String {
    let mut text = String::new();
    let file = std::fs::File::open(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    flate2::read::GzDecoder::new(file).read_to_string(&mut text).expect("a gzip file of text");
    text
}
