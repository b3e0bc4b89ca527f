//! The store keeps games exactly.

use ludex_agents::Budget;
use ludex_arena::{Contest, GameRecord, Referee, Store};
use ludex_core::Seed;
use std::sync::Mutex;

fn contest(game: &str, agents: &[&str], games: u64) -> Contest {
    Contest {
        game: ludex_games::open(game).unwrap(),
        origin: None,
        agents: agents.iter().map(|text| text.parse().unwrap()).collect(),
        budget: Budget::sims(20),
        games,
        seed: Seed(9),
        referee: Referee::default(),
    }
}

/// Plays and returns the games by number.
fn play(contest: &Contest, threads: usize) -> Vec<(u64, GameRecord)> {
    let games = Mutex::new(Vec::new());
    contest
        .run(threads, |p, record| games.lock().unwrap().push((p.number, record.clone())))
        .unwrap();
    let mut games = games.into_inner().unwrap();
    games.sort_by_key(|(number, _)| *number);
    games
}

#[test]
fn games_come_back_as_they_were_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.db");
    let games = play(&contest("pig(target=20)", &["flat", "random"], 30), 2);
    let store = Store::open(&path).unwrap();
    store.begin("a run", "{}").unwrap();
    let writer = store.writer("a run");
    for (number, game) in &games {
        assert!(writer.send(*number, game.clone()));
    }
    writer.close().unwrap();
    let again = Store::open(&path).unwrap();
    assert_eq!(again.runs().unwrap(), ["a run"]);
    assert_eq!(again.games("a run").unwrap(), games);
}

#[test]
fn a_game_is_never_stored_twice() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("games.db")).unwrap();
    store.begin("r", "{}").unwrap();
    let games = play(&contest("tictactoe", &["random", "random"], 3), 1);
    store.add("r", &games).unwrap();
    assert!(store.add("r", &games[..1]).is_err());
    assert_eq!(store.games("r").unwrap().len(), 3);
}

#[test]
fn a_file_that_is_no_database_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("poem.db");
    std::fs::write(&path, "not a database, but long enough to look at".repeat(100)).unwrap();
    let error = Store::open(&path).err().expect("an error").to_string();
    assert!(error.contains("poem.db"), "{error}");
    assert!(std::fs::read_to_string(&path).unwrap().starts_with("not a database"));
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let strip = |mut games: Vec<(u64, GameRecord)>| {
        games.iter_mut().for_each(|(_, game)| game.think_ms.clear());
        games
    };
    let contest = contest("connect4", &["uct", "flat", "random"], 24);
    assert_eq!(strip(play(&contest, 1)), strip(play(&contest, 3)));
}
