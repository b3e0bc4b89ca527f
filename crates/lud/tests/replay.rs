//! Recorded games of an independent system, replayed ply by ply.

mod common;

use std::path::Path;

use common::{files, shared};
use ludex_lud::replay::{Trial, replay};

/// Longer games are cut: the rest is left to the whole run.
const LONGEST: usize = 50;

/// Replays the records of a folder whose descriptions, by a record's path, load: how many there are,
/// and what is different in the others than it was recorded.
fn replayed(shared: &Path, folder: &str, name: impl Fn(&str) -> String) -> (usize, Vec<String>) {
    let library = common::library();
    let (mut loaded, mut differ) = (0, Vec::new());
    for path in files(&shared.join(folder), ".txt.gz") {
        let record = path.strip_prefix(shared.join(folder)).expect("inside").display().to_string();
        let name = name(record.trim_end_matches(".txt.gz"));
        let source = shared.join("lud").join(format!("{name}.lud"));
        let Ok(game) = common::open(&source, &library) else { continue };
        loaded += 1;
        let mut trial = Trial::read(&common::unpack(&path)).expect("a recorded game");
        if trial.moves.len() > trial.setup + LONGEST {
            trial.moves.truncate(trial.setup + LONGEST);
            trial.ranking.clear();
            trial.over = false;
        }
        differ.extend(replay(game.lud(), &trial).err().map(|what| format!("{name}: {what}")));
    }
    println!("{loaded} loaded, {} differ:\n{}", differ.len(), differ.join("\n"));
    (loaded, differ)
}

#[test]
#[cfg_attr(not(shared_data), ignore = "needs ../shared")]
fn recorded_games_replay_move_by_move() {
    let shared = shared();
    let (loaded, differ) = replayed(&shared, "trials", str::to_owned);
    assert!(loaded >= 794, "{loaded}");
    assert!(differ.len() * 100 <= loaded, "of {loaded}:\n{}", differ.join("\n"));
}

#[test]
#[cfg_attr(not(shared_data), ignore = "needs ../shared")]
fn recorded_lists_of_legal_moves_are_the_same_at_every_ply() {
    let shared = shared();
    let (loaded, differ) = replayed(&shared, "legal", |record| record.replace('~', "/"));
    assert!(loaded >= 811, "{loaded}");
    assert!(differ.is_empty(), "of {loaded}:\n{}", differ.join("\n"));
}

/// The other records hardly ever take the swap of `(meta (swap))`; in these it is the second move.
#[test]
#[cfg_attr(not(shared_data), ignore = "needs ../shared")]
fn recorded_games_with_swapped_sides_replay_move_by_move() {
    let shared = shared();
    let (loaded, differ) = replayed(&shared, "swap", str::to_owned);
    assert!(loaded >= 18, "{loaded}");
    assert!(differ.is_empty(), "of {loaded}:\n{}", differ.join("\n"));
}
