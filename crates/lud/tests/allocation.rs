//! Random games and lists of moves take no memory once there have been a few.

mod common;

use std::path::Path;

use ludex_core::{Game, Player, Seed};
use ludex_lud::expand::Library;
use ludex_lud::game::LudGame;

use common::{files, shared};

/// A game of our own.
fn open(name: &str) -> LudGame {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let game = common::open(&folder.join(format!("{name}.lud")), &Library::default());
    game.unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn warm_playouts_do_not_allocate() {
    let mut bad = Vec::new();
    for name in [
        "tic-tac-toe",
        "breakthrough",
        "hex",
        "reversi",
        "amazons",
        "chess",
        "english-draughts",
        "go",
        "gomoku",
        "lines-of-action",
        "nine-mens-morris",
        "yavalath",
        "oware",
    ] {
        let game = open(name);
        let start = game.start();
        let mut state = start.clone();
        let mut play = |seed: u64| {
            state.clone_from(&start);
            game.playout(&mut state, &mut Seed(seed).rng(), &mut Vec::new(), 20_000);
        };
        // The same games again: lists have grown to what they need.
        (0..10).for_each(&mut play);
        let count = allocation_counter::measure(|| (0..10).for_each(&mut play)).count_total;
        if count > 0 {
            bad.push(format!("{name}: {count} in ten games"));
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

/// Where no position may come again every move is tried before it is listed.
#[test]
fn warm_lists_do_not_allocate() {
    let game = open("go");
    let start = game.start();
    let (mut firsts, mut list) = (Vec::new(), Vec::new());
    game.moves(&start, Player(0), &mut firsts);
    let mut state = start.clone();
    let mut replies = |first| {
        state.clone_from(&start);
        game.apply(&mut state, &[first]);
        list.clear();
        game.moves(&state, Player(1), &mut list);
        assert!(list.len() > 300);
    };
    firsts.iter().copied().for_each(&mut replies);
    let count = allocation_counter::measure(|| firsts.iter().copied().for_each(&mut replies));
    assert_eq!(count.count_total, 0);
}

/// Of the public descriptions few still take memory: those about graphs, and some whose directions are put together.
#[test]
#[cfg_attr(not(shared_data), ignore = "needs ../shared")]
fn few_public_games_allocate() {
    let (shared, library) = (shared(), common::library());
    let (mut all, mut bad) = (0, Vec::new());
    // One in three, since loading takes the most time.
    for path in files(&shared.join("lud"), ".lud").into_iter().step_by(3) {
        let Ok(game) = common::open(&path, &library) else { continue };
        let start = game.start();
        let mut state = start.clone();
        let mut play = |seed: u64| {
            state.clone_from(&start);
            game.playout(&mut state, &mut Seed(seed).rng(), &mut Vec::new(), 100);
        };
        (0..2).for_each(&mut play);
        let count = allocation_counter::measure(|| (0..2).for_each(&mut play)).count_total;
        all += 1;
        // The last lists may still grow.
        if count > 20 {
            bad.push(format!("{}: {count} in two games", path.display()));
        }
    }
    assert!(bad.len() * 20 < all, "{} of {all}:\n{}", bad.len(), bad.join("\n"));
}
