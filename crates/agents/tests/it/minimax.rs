//! All minimax variants against plain minimax over the whole tree.

use crate::common;

use common::{ask, random_ending, random_position, solve_for_mover, value_of_move};
use ludex_core::{Game, Seed};
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
fn quiescence_sees_what_comes_behind_the_horizon() {
    let game = ludex_games::open("minichess").unwrap();
    // The queen on c1 may take the pawn on c3, which the pawn on b4 defends.
    let state = game.parse_position("3k/1p2/2p1/4/K1Q1 w 0").unwrap();
    let chosen = |name: &str| {
        let choice = ask(&format!("{name}@depth=1"), &game, &state, Seed(1));
        game.move_text(choice.mv)
    };
    assert_eq!(chosen("alphabeta(heuristic=material)"), "c1c3", "a pawn for nothing");
    assert_ne!(chosen("alphabeta(heuristic=material,quiescence=4)"), "c1c3", "a queen for a pawn");
}

#[test]
fn best_reply_looks_deeper_than_paranoid_among_several_players() {
    let game = ludex_games::open("ludo").unwrap();
    let text = "5,20,33,48/14,30,40,50/27,36,8,12/40,3,17,22 1 3";
    let state = game.parse_position(text).unwrap();
    let nodes = |name: &str| {
        let choice = ask(&format!("{name}@depth=5"), &game, &state, Seed(1));
        assert_eq!(choice.thought.depth, 5, "{name}");
        choice.thought.nodes
    };
    let (one, all) = (nodes("best-reply"), nodes("alphabeta"));
    assert!(one < all, "as deep with {one} positions, not {all}");
}
