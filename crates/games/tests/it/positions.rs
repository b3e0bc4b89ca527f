//! Positions are accepted exactly where play can lead to them: all texts of small games against
//! all positions that a walk from the start finds.

use ludex_core::perft::{choices, each_joint};
use ludex_core::{AnyGame, Game, Turn};
use std::collections::HashSet;

/// All positions that play can reach.
fn reached(game: &AnyGame) -> HashSet<String> {
    let mut found = HashSet::from([game.position(&game.start())]);
    let mut stack = vec![game.start()];
    while let Some(state) = stack.pop() {
        let turn = game.turn(&state);
        if turn == Turn::Over {
            continue;
        }
        each_joint(&choices(game, &state, turn), |joint| {
            let mut next = state.clone();
            game.apply(&mut next, joint);
            if found.insert(game.position(&next)) {
                stack.push(next);
            }
        });
    }
    found
}

/// Of `texts`, the game accepts those that play can reach, and no others.
fn exact(name: &str, texts: impl Iterator<Item = String>) {
    let game = ludex_games::open(name).unwrap();
    let reached = reached(&game);
    let mut accepted = HashSet::new();
    for text in texts {
        if let Ok(state) = game.parse_position(&text) {
            let position = game.position(&state);
            assert!(reached.contains(&position), "{name}: `{text}` can't be, but is accepted");
            accepted.insert(position);
        }
    }
    assert_eq!(accepted.len(), reached.len(), "{name}: some positions were not tried or refused");
}

/// All boards of so many squares with x, o and empty ones.
fn boards(columns: u32, rows: u32) -> impl Iterator<Item = String> {
    (0..3u32.pow(columns * rows)).map(move |mut code| {
        let mut text = String::new();
        for i in 0..columns * rows {
            if i > 0 && i % columns == 0 {
                text.push('/');
            }
            text.push([b'.', b'x', b'o'][(code % 3) as usize].into());
            code /= 3;
        }
        text
    })
}

#[test]
fn tictactoe_positions_are_exact() {
    exact("tictactoe", boards(3, 3));
}

#[test]
fn connect4_positions_are_exact() {
    exact("connect4(3,3,3)", boards(3, 3));
    exact("connect4(4,3,3)", boards(4, 3));
    exact("connect4(2,5,3)", boards(2, 5));
}

#[test]
fn goofspiel_positions_are_exact() {
    let sets = |n: u32| {
        (0..1u32 << n).map(move |set| {
            let cards = (1..=n).filter(|card| set >> (card - 1) & 1 == 1);
            let cards: Vec<String> = cards.map(|card| card.to_string()).collect();
            if cards.is_empty() { "-".to_string() } else { cards.join(",") }
        })
    };
    for order in ["random", "descending", "ascending"] {
        let all: Vec<String> = sets(3).collect();
        let texts = all.iter().flat_map(|a| {
            let all = &all;
            all.iter().flat_map(move |b| {
                all.iter().flat_map(move |prizes| {
                    ["-", "1", "2", "3"].into_iter().flat_map(move |prize| {
                        (0..49)
                            .map(move |p| format!("{a} {b} {prizes} {prize} {}-{}", p / 7, p % 7))
                    })
                })
            })
        });
        exact(&format!("goofspiel(3,{order})"), texts);
    }
}

#[test]
fn pig_positions_are_exact() {
    for target in [2u32, 5, 8] {
        let most = target + 7;
        let texts = (0..most * most * most * 4).map(|code| {
            let (a, b, total) = (code / 4 % most, code / 4 / most % most, code / 4 / most / most);
            let (mover, rolling) = (code % 2 + 1, if code / 2 % 2 == 1 { " rolling" } else { "" });
            format!("{a},{b} {mover} {total}{rolling}")
        });
        exact(&format!("pig({target})"), texts);
    }
}

#[test]
fn nim_positions_are_exact() {
    for name in ["nim(2,3)", "nim(1,1)", "nim(4)"] {
        let one = name == "nim(4)";
        let texts = (0..6 * 6 * 2).map(|code| {
            let (a, b) = (code / 12, code / 2 % 6);
            let piles = if one { a.to_string() } else { format!("{a},{b}") };
            format!("{piles} {}", if code % 2 == 0 { "first" } else { "second" })
        });
        exact(name, texts);
    }
}
