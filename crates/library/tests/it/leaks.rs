//! No game with hidden information tells a seat more than its percepts do, in any rule language.
//!
//! `cargo test -p ludex-library --test leaks -- --nocapture` prints the games and the number of pairs of worlds.

use ludex_core::testkit::check_leaks;
use ludex_core::{AnyGame, Game, Seed};
use ludex_library as library;
use std::path::Path;

/// Plays `each` random games of every game that hides something, each with its twins: the number of these games and
/// of the pairs of worlds that were compared.
fn check(each: u32, games: impl IntoIterator<Item = (String, AnyGame)>) -> (usize, u64) {
    let (mut hidden, mut all) = (0, 0);
    let mut broken = Vec::new();
    for (name, game) in games {
        if !game.info().hidden {
            continue;
        }
        hidden += 1;
        match check_leaks(&game, each, Seed(41)) {
            Ok(pairs) => {
                println!("{name}: {pairs} pairs of worlds, no difference");
                all += pairs;
            }
            Err(law) => broken.push(format!("{name}: {law}")),
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
    println!("{hidden} games, {all} pairs of worlds, 0 differences");
    (hidden, all)
}

#[test]
fn no_game_of_our_own_leaks() {
    let names = library::names();
    let open = |name: String| library::open(&name).ok().map(|game| (name, game));
    let (games, pairs) = check(12, names.into_iter().filter_map(open));
    assert!(games >= 15 && pairs > 1_000, "{games} games, {pairs} pairs");
}

#[test]
#[cfg_attr(not(shared_data), ignore = "needs ../shared")]
fn no_public_rule_sheet_leaks() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/gdl/imperfect");
    let files = library::kif_files(&data).expect("a folder");
    let open = |file: &std::path::PathBuf| {
        let name = format!("kif:\"{}\"", file.display());
        let game = library::open(&name).unwrap_or_else(|e| panic!("{name}: {e}"));
        (file.file_name().unwrap_or_default().to_string_lossy().into_owned(), game)
    };
    let (games, pairs) = check(12, files.iter().map(open));
    assert!(games >= 10 && pairs > 500, "{games} games, {pairs} pairs");
}

#[test]
#[cfg_attr(not(shared_data), ignore = "needs ../shared")]
fn no_public_description_leaks() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/ludii/lud");
    let files = library::lud_files(&data);
    let hides = |file: &std::path::PathBuf| {
        std::fs::read_to_string(file).is_ok_and(|text| text.contains("Hidden"))
    };
    let open = |file: std::path::PathBuf| {
        let name = format!("lud:\"{}\"", file.display());
        let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        library::open(&name).ok().map(|game| (stem, game))
    };
    let (games, pairs) = check(4, files.into_iter().filter(hides).filter_map(open));
    assert!(games >= 6 && pairs > 100, "{games} games, {pairs} pairs");
}
