//! Backward induction over simultaneous moves against games with known equilibria.

use crate::common;

use common::ask;
use ludex_agents::joint::matrix::Matrix;
use ludex_core::{AnyGame, AnyState, Game, Move, Player, Seed, Turn};

/// The first player's value by solving the full matrix of every joint turn: slow and obvious.
fn backward(game: &AnyGame, state: &AnyState) -> f64 {
    let list = |player| {
        let mut moves: Vec<Move> = Vec::new();
        game.moves(state, player, &mut moves);
        moves
    };
    let after = |joint: &[Move]| {
        let mut next = state.clone();
        game.apply(&mut next, joint);
        backward(game, &next)
    };
    match game.turn(state) {
        Turn::Over => {
            let mut payoffs = [0.0; 2];
            game.payoffs(state, &mut payoffs);
            f64::from(payoffs[0])
        }
        Turn::Chance => {
            let mut outcomes = Vec::new();
            game.chances(state, &mut outcomes);
            outcomes.into_iter().map(|(mv, p)| p * after(&[mv])).sum()
        }
        Turn::One(player) => {
            let values = list(player).into_iter().map(|mv| after(&[mv]));
            match player {
                Player(0) => values.fold(0.0, f64::max),
                _ => values.fold(1.0, f64::min),
            }
        }
        Turn::Joint(_) => {
            let (rows, columns) = (list(Player(0)), list(Player(1)));
            let cells = rows.iter().flat_map(|&r| columns.iter().map(move |&c| [r, c]));
            Matrix::new(columns.len(), cells.map(|joint| after(&joint)).collect()).solve().value
        }
    }
}

#[test]
fn it_finds_the_value_of_goofspiel_that_full_matrices_give() {
    for name in ["goofspiel(3)", "goofspiel(4)", "goofspiel(4,order=ascending)"] {
        let game = ludex_games::open(name).unwrap();
        let mut rng = Seed(5).named(name).rng();
        for i in 0..12 {
            // From the start and from random positions, where somebody is ahead.
            let mut state = game.start();
            let mut steps = i % 6;
            loop {
                let turn = game.turn(&state);
                let joint: Vec<Move> = match turn {
                    Turn::Over => break,
                    Turn::Joint(_) if steps == 0 => break,
                    Turn::Chance => vec![game.sample_chance(&state, &mut rng)],
                    _ => turn
                        .movers()
                        .iter()
                        .map(|p| game.sample(&state, p, &mut rng, &mut Vec::new()))
                        .collect(),
                };
                game.apply(&mut state, &joint);
                steps = steps.max(1) - 1;
            }
            if game.is_over(&state) {
                continue;
            }
            let choice = ask("double-oracle@depth=100", &game, &state, Seed(1));
            if choice.thought.candidates.is_empty() {
                continue; // only one move
            }
            let found = f64::from(choice.thought.value.unwrap());
            let expected = backward(&game, &state);
            let text = game.position(&state);
            assert!(choice.thought.proven, "{name} {text}");
            assert!((found - expected).abs() < 1e-5, "{name} {text}: {found} not {expected}");
        }
    }
}

#[test]
fn rock_paper_scissors_is_played_a_third_each() {
    let game = ludex_games::open("rps").unwrap();
    let mut count = [0u32; 3];
    for seed in 0..300 {
        let choice = ask("double-oracle@depth=3", &game, &game.start(), Seed(seed));
        let at = choice.thought.candidates.iter().map(|c| c.mv).min().unwrap();
        count[(choice.mv.0 - at.0) as usize] += 1;
    }
    // Three cells of 100 each: chi-squared with 2 degrees of freedom, p = 0.001.
    let chi2: f64 = count.iter().map(|&c| (f64::from(c) - 100.0).powi(2) / 100.0).sum();
    assert!(chi2 < 13.8, "{count:?}");
}
