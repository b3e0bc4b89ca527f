//! Recorded games of an independent system, replayed ply by ply.

mod common;

use std::io::Read;

use common::{files, shared};
use ludex_lud::engine::Lud;
use ludex_lud::expand::{Library, expand};
use ludex_lud::replay::{Trial, replay};
use ludex_lud::tree;

/// Longer games are cut: the rest is left to the whole run.
const LONGEST: usize = 50;

#[test]
fn recorded_games_replay_move_by_move() {
    let Some(shared) = shared() else { return };
    let (library, _) = Library::read(&shared.join("def"));
    let (mut loaded, mut good, mut differ) = (0, 0, Vec::new());
    for path in files(&shared.join("trials"), ".txt.gz") {
        let name = path.strip_prefix(shared.join("trials")).expect("inside").display().to_string();
        let source = shared.join("lud").join(name.replace(".txt.gz", ".lud"));
        let Ok(source) = std::fs::read_to_string(source) else { continue };
        let expanded = expand(&name, &source, &library, &[]).expect("expands");
        let Ok(game) = tree::game(&expanded.game).and_then(|tree| Lud::new(&tree)) else {
            continue;
        };
        loaded += 1;
        let mut trial = Trial::read(&text(&path)).expect("a recorded game");
        if trial.moves.len() > trial.setup + LONGEST {
            trial.moves.truncate(trial.setup + LONGEST);
            trial.ranking.clear();
        }
        match replay(&game, &trial) {
            Ok(()) => good += 1,
            Err(difference) => differ.push(format!("{name}: {difference}")),
        }
    }
    println!("{loaded} loaded, {good} replayed; the others:\n{}", differ.join("\n"));
    assert!(loaded >= 720, "{loaded}");
    assert!(good * 100 >= loaded * 97, "{good} of {loaded}:\n{}", differ.join("\n"));
}

#[test]
fn recorded_lists_of_legal_moves_are_the_same_at_every_ply() {
    let Some(shared) = shared() else { return };
    let (library, _) = Library::read(&shared.join("def"));
    let (mut loaded, mut good, mut differ) = (0, 0, Vec::new());
    for path in files(&shared.join("legal"), ".txt.gz") {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let name = name.replace('~', "/").replace(".txt.gz", ".lud");
        let Ok(source) = std::fs::read_to_string(shared.join("lud").join(&name)) else { continue };
        let expanded = expand(&name, &source, &library, &[]).expect("expands");
        let Ok(game) = tree::game(&expanded.game).and_then(|tree| Lud::new(&tree)) else {
            continue;
        };
        loaded += 1;
        let mut trial = Trial::read(&text(&path)).expect("a recorded game");
        if trial.moves.len() > trial.setup + LONGEST {
            trial.moves.truncate(trial.setup + LONGEST);
            trial.ranking.clear();
        }
        match replay(&game, &trial) {
            Ok(()) => good += 1,
            Err(difference) => differ.push(format!("{name}: {difference}")),
        }
    }
    println!("{loaded} loaded, {good} replayed; the others:\n{}", differ.join("\n"));
    assert!(loaded >= 735, "{loaded}");
    assert!(good * 100 >= loaded * 98, "{good} of {loaded}:\n{}", differ.join("\n"));
}

fn text(path: &std::path::Path) -> String {
    let mut text = String::new();
    flate2::read::GzDecoder::new(std::fs::File::open(path).expect("readable record"))
        .read_to_string(&mut text)
        .expect("a gzip file of text");
    text
}
