//! The store keeps games exactly, and runs are resumed where they stopped.

use crate::common;

use common::{Here, games, plan, run};
use ludex_arena::store::Row;
use ludex_arena::{Experiment, Store, StoreError};
use ludex_core::Game;
use std::time::Duration;

fn file(folder: &tempfile::TempDir) -> String {
    folder.path().join("games.db").to_string_lossy().into_owned()
}

#[test]
fn games_come_back_as_they_were_played_and_replay() {
    let folder = tempfile::tempdir().unwrap();
    let names = ["pig(target=20)", "tictactoe", "kuhn"];
    let experiment = Experiment::new("r", &names, &["random", "random@sims=7"], 4);
    let (store, run) = run(&file(&folder), &experiment, 2);
    let plan = plan(&experiment);
    let stored = games(&store, &run);
    assert_eq!(stored.len(), 24);
    for (number, game) in stored.iter().enumerate() {
        let fixture = plan.fixture(number as u64);
        let mut played = plan.play(&fixture);
        played.think_ms.clear();
        assert_eq!(game.record, played);
        assert_eq!((game.result.table, &game.result.seats), (fixture.table, &fixture.seats));
        let rules = ludex_games::open(&game.record.game).unwrap();
        let states = game.record.replay(&rules).unwrap();
        assert!(rules.is_over(states.last().unwrap()));
    }
}

#[test]
fn what_agents_said_of_themselves_is_kept_with_the_game() {
    let folder = tempfile::tempdir().unwrap();
    let agents = ["ensemble(random,hyperplay)@sims=2", "random"];
    let experiment = Experiment::new("r", &["tictactoe"], &agents, 2);
    let (store, run) = run(&file(&folder), &experiment, 1);
    for game in games(&store, &run) {
        let named = |note: &String| note.contains("hyperplay");
        assert!(game.record.notes.iter().any(named), "{:?}", game.record.notes);
    }
}

#[test]
fn a_game_is_never_stored_twice() {
    let folder = tempfile::tempdir().unwrap();
    let experiment = Experiment::new("r", &["tictactoe"], &["random"], 3);
    let (store, run) = run(&file(&folder), &experiment, 1);
    let before = store.games(&run, 0, 100).unwrap();
    let plan = plan(&Experiment { seed: 99, ..experiment });
    let fixture = plan.fixture(1);
    store.add(run.id, 7, &[Row::new(&fixture, &plan.play(&fixture))]).unwrap();
    assert_eq!(store.games(&run, 0, 100).unwrap(), before);
}

#[test]
fn a_file_that_is_no_database_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("poem.db");
    std::fs::write(&path, "not a database, but long enough to look at".repeat(100)).unwrap();
    let error = Store::open(&path.to_string_lossy()).err().expect("an error").to_string();
    assert!(error.contains("poem.db"), "{error}");
    assert!(std::fs::read_to_string(&path).unwrap().starts_with("not a database"));
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let agents = ["uct@sims=20", "flat@sims=20", "random"];
    let one = Experiment::new("one", &["connect4"], &agents, 4);
    let three = Experiment { name: "three".into(), ..one.clone() };
    let (store, first) = run(&file(&folder), &one, 1);
    let (_, second) = run(&file(&folder), &three, 3);
    assert_eq!(games(&store, &first), games(&store, &second));
}

#[test]
fn a_run_grows_and_never_replays_what_it_has() {
    let folder = tempfile::tempdir().unwrap();
    let small = Experiment::new("r", &["tictactoe"], &["random", "flat@sims=5"], 5);
    let (store, first) = run(&file(&folder), &small, 2);
    let before = store.games(&first, 0, 100).unwrap();
    let large = Experiment { rounds: Some(12), ..small };
    let (store, grown) = run(&file(&folder), &large, 2);
    let after = store.games(&grown, 0, 100).unwrap();
    // Times and workers included: not one was played again.
    assert_eq!((before.len(), after.len()), (10, 24));
    assert_eq!(after[..10], before[..]);
}

#[test]
fn another_experiment_of_the_same_name_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let experiment = Experiment::new("r", &["tictactoe"], &["random"], 2);
    let (store, _) = run(&file(&folder), &experiment, 1);
    let other = Experiment { seed: 5, ..experiment };
    let plan = other.plan(&Here).unwrap();
    match store.start_or_resume(&other, &plan) {
        Err(StoreError::OtherRun { what, .. }) => assert!(what.contains("seed"), "{what}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_a_lost_worker_held_is_played_by_the_next_one() {
    let folder = tempfile::tempdir().unwrap();
    let experiment = Experiment::new("r", &["tictactoe"], &["random", "random@sims=2"], 20);
    let plan = plan(&experiment);
    let store = Store::open(&file(&folder)).unwrap();
    let begun = store.start_or_resume(&experiment, &plan).unwrap();
    // A worker takes 10 games, plays the third and the fifth, and is never heard of again.
    let lost = store.register(1, Duration::ZERO).unwrap();
    let claim = store.claim(begun.id, &lost, 10).unwrap().unwrap();
    assert_eq!(claim.numbers().collect::<Vec<_>>(), (0..10).collect::<Vec<_>>());
    let rows: Vec<Row> = [2, 4]
        .map(|number| plan.fixture(number))
        .iter()
        .map(|fixture| Row::new(fixture, &plan.play(fixture)))
        .collect();
    store.add(begun.id, lost.id, &rows).unwrap();
    std::thread::sleep(Duration::from_millis(5));
    let next = store.register(1, Duration::from_secs(9)).unwrap();
    let claim = store.claim(begun.id, &next, 10).unwrap().unwrap();
    assert_eq!(claim.numbers().collect::<Vec<_>>(), [0, 1, 3, 5, 6, 7, 8, 9]);
    // It holds them now: the third worker gets new ones.
    let third = store.register(1, Duration::from_secs(9)).unwrap();
    let claim = store.claim(begun.id, &third, 5).unwrap().unwrap();
    assert_eq!(claim.numbers().collect::<Vec<_>>(), [10, 11, 12, 13, 14]);
    store.release(&next).unwrap();
    store.release(&third).unwrap();
    drop(store);
    let (store, done) = run(&file(&folder), &experiment, 2);
    assert_eq!(games(&store, &done).len(), 40);
}

#[test]
fn a_gap_without_a_lease_is_found_and_filled() {
    let folder = tempfile::tempdir().unwrap();
    let experiment = Experiment::new("r", &["tictactoe"], &["random", "random@sims=2"], 20);
    let plan = plan(&experiment);
    let store = Store::open(&file(&folder)).unwrap();
    let begun = store.start_or_resume(&experiment, &plan).unwrap();
    let worker = store.register(1, Duration::from_secs(9)).unwrap();
    // The lease is handed back as finished though nothing was stored.
    let claim = store.claim(begun.id, &worker, 30).unwrap().unwrap();
    store.finish(begun.id, &worker, claim.first).unwrap();
    drop(store);
    let (store, done) = run(&file(&folder), &experiment, 2);
    assert_eq!(store.count(&done).unwrap(), 40);
}
