//! The multi-agent bandit through its public door.

use crate::common;

use common::ask;
use ludex_agents::Choice;
use ludex_agents::mbm::kind::{Kind, kind_of};
use ludex_core::{AnyGame, AnyState, Game, Seed};

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
