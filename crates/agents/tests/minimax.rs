//! All minimax variants against plain minimax over the whole tree.

mod common;

use common::{ask, random_ending, random_position, solve_for_mover, value_of_move};
use ludex_core::{Game, Player, Seed, Turn};
use std::collections::HashMap;

/// Every way to search; with two players all of them must find the same value.
const VARIANTS: [&str; 6] = [
    "alphabeta",
    "alphabeta(others=maxn)",
    "alphabeta(heuristic=mobility,quiescence=3)",
    "alphabeta(heuristic=zero,table=1)",
    "alphabeta(threads=2)",
    "best-reply(heuristic=zero)",
];

#[test]
fn all_variants_solve_1000_random_positions_of_six_games() {
    // Positions so late that plain minimax sees the end.
    let games = [
        ("tictactoe", 2, 170),
        ("connect4(4,4)", 7, 170),
        ("nim(2,3,4)", 1, 170),
        ("nim(2,3,3,misere=true)", 1, 170),
        ("breakthrough(3,5)", 5, 160),
        ("minichess(quiet=2)", 0, 160),
    ];
    let mut checked = 0;
    for (name, plies, positions) in games {
        let game = ludex_games::open(name).unwrap_or_else(|e| panic!("{name}: {e}"));
        let mut rng = Seed(20).named(name).rng();
        let mut known = HashMap::new();
        for i in 0..positions {
            let state = match name.starts_with("minichess") {
                true => random_ending(&game, &mut rng),
                false => random_position(&game, plies + i % 4, &mut rng),
            };
            let true_value = solve_for_mover(&game, &state, &mut known);
            for variant in VARIANTS {
                let choice = ask(&format!("{variant}@depth=200"), &game, &state, Seed(i.into()));
                let text = game.position(&state);
                assert_eq!(
                    value_of_move(&game, &state, choice.mv, &mut known),
                    true_value,
                    "{variant} on {text} of {name}"
                );
                let only = choice.thought.candidates.is_empty();
                if !only {
                    assert!(choice.thought.proven, "{variant} on {text} of {name}");
                    assert_eq!(choice.thought.value, Some(true_value), "{variant} on {text}");
                }
            }
            checked += 1;
        }
    }
    assert_eq!(checked, 1000);
}

#[test]
fn best_reply_looks_deeper_than_paranoid_among_several_players() {
    let game = ludex_games::open("pig(target=30,players=4)").unwrap();
    let state = game.start();
    assert_eq!(game.turn(&state), Turn::One(Player(0)));
    let depth =
        |name: &str| ask(&format!("{name}@nodes=20000"), &game, &state, Seed(1)).thought.depth;
    assert!(depth("best-reply") >= depth("alphabeta"));
}
