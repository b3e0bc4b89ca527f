//! The multi-agent bandit through its public door.

use crate::common;

use common::ask;
use ludex_agents::Choice;
use ludex_agents::mbm::kind::{Kind, kind_of};
use ludex_core::{AnyGame, AnyState, Game, Seed, Turn};
use std::collections::HashMap;

fn choose(game: &AnyGame, state: &AnyState, name: &str, seed: u64) -> Choice {
    ask(name, game, state, Seed(seed))
}

fn kind(name: &str) -> Kind {
    let game = ludex_games::open(name).unwrap();
    kind_of(&game, &game.start(), Seed(1))
}

#[test]
fn only_games_in_which_both_move_the_same_pieces_are_indifferent() {
    for name in ["nim(2,3,2)", "nim(1,2,3,2)", "nim(1,5,5)", "nim(7,7,7,7)"] {
        assert_eq!(kind(name), Kind::Indifferent, "{name}");
    }
    for name in ["tictactoe", "connect4", "minichess", "breakthrough", "pig", "goofspiel"] {
        assert_eq!(kind(name), Kind::Normal, "{name}");
    }
}

#[test]
fn it_plays_the_moves_that_the_seed_prints_for_nim() {
    for seed in 0..10 {
        let first = |name: &str| {
            let game = ludex_games::open(name).unwrap();
            let choice = choose(&game, &game.start(), "mbm(agents=50,simulations=50)", seed);
            game.move_text(choice.mv)
        };
        assert_eq!(first("nim(2,3,2)"), "b3", "to 2, 0, 2");
        assert_eq!(first("nim(1,2,3,2)"), "c2", "to 1, 2, 1, 2");
    }
}

#[test]
fn threads_change_nothing() {
    let game = ludex_games::open("connect4").unwrap();
    let think = |threads: u32| {
        let name = format!("mbm(agents=30,simulations=10,populations=2,threads={threads})");
        choose(&game, &game.start(), &name, 3)
    };
    let one = think(1);
    assert_eq!(one.thought.sims, 600);
    assert_eq!(one, think(2));
    assert_eq!(one, think(5));
}

#[test]
fn the_table_accounts_for_every_simulation() {
    let game = ludex_games::open("tictactoe").unwrap();
    for name in
        ["mbm@sims=333", "mbm(mock=random)@sims=333", "mbm(populations=3,merge=sim)@sims=999"]
    {
        let choice = choose(&game, &game.start(), name, 1);
        for candidate in &choice.thought.candidates {
            let sum: u64 = candidate.depths.iter().map(|t| t.wins + t.neutrals + t.losses).sum();
            assert_eq!(sum, candidate.visits, "{name}");
        }
        let all: u64 = choice.thought.candidates.iter().map(|c| c.visits).sum();
        assert_eq!(all, choice.thought.sims, "{name}");
    }
}

#[test]
fn looking_ahead_drops_moves_that_lose_at_once_and_takes_wins() {
    let game = ludex_games::open("tictactoe").unwrap();
    // o threatens the column a: all but a3 loses within two plies.
    let threatened = game.parse_position("1x1/o1x/o2").unwrap();
    let choice = choose(&game, &threatened, "mbm(look=2)@sims=100", 1);
    let named: Vec<String> =
        choice.thought.candidates.iter().map(|c| game.move_text(c.mv)).collect();
    assert_eq!(named, ["a3"]);
    let winning = game.parse_position("xx1/oo1/3").unwrap();
    for seed in 0..5 {
        let choice = choose(&game, &winning, "mbm(look=1)@sims=50", seed);
        assert_eq!(game.move_text(choice.mv), "c3");
    }
}

#[test]
fn data_of_all_moves_prove_small_games() {
    // The moves to 0, 5, 5 and to 1, 4, 5 win, by the xor rule; the other eight lose.
    let game = ludex_games::open("nim(1,5,5)").unwrap();
    for seed in 0..5 {
        let choice = choose(&game, &game.start(), "mbm(data=all)@sims=2500", seed);
        let text = game.move_text(choice.mv);
        assert!(["a1", "b1", "c1"].contains(&text.as_str()), "seed {seed}: {text}");
    }
    // A move that keeps the tie.
    let game = ludex_games::open("tictactoe").unwrap();
    let position = game.parse_position("2o/1x1/3").unwrap();
    let mut known = HashMap::new();
    let here = common::solve_for_mover(&game, &position, &mut known);
    for seed in 0..5 {
        let choice = choose(&game, &position, "mbm(data=all)@sims=2500", seed);
        let kept = common::value_of_move(&game, &position, choice.mv, &mut known);
        assert_eq!(kept, here, "seed {seed}");
    }
}

#[test]
fn data_of_all_moves_account_for_every_simulation_in_games_with_dice() {
    let game = ludex_games::open("pig(target=20,players=3)").unwrap();
    let mut rng = Seed(1).rng();
    let mut state = game.start();
    // Until there is a choice.
    while !matches!(game.turn(&state), Turn::One(p) if common::legal(&game, &state, p).len() > 1) {
        let mv = match game.turn(&state) {
            Turn::One(player) => common::legal(&game, &state, player)[0],
            _ => game.sample_chance(&state, &mut rng),
        };
        game.apply(&mut state, &[mv]);
    }
    let choice = choose(&game, &state, "mbm(data=all)@sims=300", 1);
    assert_eq!(choice.thought.candidates.iter().map(|c| c.visits).sum::<u64>(), 300);
}

#[test]
fn a_nested_run_answers_each_core_move_first() {
    // o threatens the column a: after the best reply to any other move than a3, x has lost.
    let game = ludex_games::open("tictactoe").unwrap();
    let position = game.parse_position("1x1/o1x/o2").unwrap();
    for seed in 0..5 {
        let choice = choose(&game, &position, "mbm(agents=10,simulations=10,nested=10)", seed);
        let nested = choice.thought.sims - 100;
        assert!(nested >= 100, "the nested runs count: {nested}");
        assert_eq!(game.move_text(choice.mv), "a3", "seed {seed}");
    }
}

#[test]
fn populations_vote() {
    let game = ludex_games::open("tictactoe").unwrap();
    let winning = game.parse_position("xx1/oo1/3").unwrap();
    for merge in ["end", "sim", "vote"] {
        let name = format!("mbm(agents=20,simulations=20,populations=5,merge={merge})");
        let choice = choose(&game, &winning, &name, 1);
        assert_eq!(game.move_text(choice.mv), "c3", "{merge}");
        assert_eq!(choice.thought.sims, 2000);
    }
}
