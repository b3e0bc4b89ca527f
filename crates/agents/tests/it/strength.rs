//! The agents against the truth: a plain exhaustive solver, the theory of Nim, published values.

use crate::common;

use common::*;
use ludex_core::{AnyGame, AnyState, Game, Player, Rng, Seed, Turn};
use std::collections::HashMap;

fn open(name: &str) -> AnyGame {
    ludex_games::open(name).unwrap_or_else(|e| panic!("{name}: {e}"))
}

#[test]
fn uct_draws_every_game_of_tictactoe_against_itself() {
    let game = open("tictactoe");
    for i in 0..100 {
        let payoffs = play(&game, &["uct@sims=10000", "uct@sims=10000"], Seed(i));
        assert_eq!(payoffs, [0.5, 0.5], "game {i}");
    }
}

#[test]
fn uct_never_loses_tictactoe_to_random_play() {
    let game = open("tictactoe");
    let mut wins = 0;
    for i in 0..1000 {
        let seat = (i % 2) as usize;
        let mut names = ["random"; 2];
        names[seat] = "uct@sims=10000";
        let payoff = play(&game, &names, Seed(i))[seat];
        assert!(payoff >= 0.5, "game {i} is lost from seat {seat}");
        wins += u32::from(payoff == 1.0);
    }
    println!("{wins} of 1000 won");
    // 873 with these seeds: it looks for wins, too, though a proven draw contents it.
    assert!(wins > 850, "only {wins} wins");
}

#[test]
fn alphabeta_solves_tictactoe_and_plays_a_best_move_everywhere() {
    let game = open("tictactoe");
    let mut known = HashMap::new();
    let choice = ask("alphabeta@depth=9", &game, &game.start(), Seed(1));
    assert!(choice.thought.proven);
    assert_eq!(choice.thought.value, Some(0.5));
    let mut rng = Seed(2).rng();
    for plies in 0..8 {
        for i in 0..20 {
            let state = random_position(&game, plies, &mut rng);
            check_solved("alphabeta@depth=9", &game, &state, Seed(i), &mut known);
        }
    }
}

/// An agent that proves the position must find its value; and it must play a move that keeps it.
/// Returns whether it proved it.
fn check_solved(
    name: &str,
    game: &AnyGame,
    state: &AnyState,
    seed: Seed,
    known: &mut HashMap<u64, f32>,
) -> bool {
    let here = game.position(state);
    let truth = solve_for_mover(game, state, known);
    let choice = ask(name, game, state, seed);
    let kept = value_of_move(game, state, choice.mv, known);
    let text = game.move_text(choice.mv);
    assert_eq!(kept, truth, "{name} plays {text} in {here}: {:?}", choice.thought);
    // A forced move is played without a thought.
    let forced = choice.thought.candidates.is_empty();
    if choice.thought.proven {
        assert_eq!(choice.thought.value, Some(truth), "{name} in {here}");
        for candidate in choice.thought.candidates.iter().filter(|c| c.proven) {
            let value = value_of_move(game, state, candidate.mv, known);
            let text = game.move_text(candidate.mv);
            assert_eq!(candidate.value, value, "{name} on {text} in {here}");
        }
    }
    choice.thought.proven || forced
}

/// Random piles: two to four of them, up to eight counters each.
fn random_piles(rng: &mut Rng, piles: usize, most: u32) -> Vec<u32> {
    (0..piles).map(|_| 1 + rng.below(most)).collect()
}

fn nim(piles: &[u32]) -> AnyGame {
    let piles: Vec<String> = piles.iter().map(u32::to_string).collect();
    open(&format!("nim({})", piles.join(",")))
}

#[test]
fn alphabeta_agrees_with_the_xor_rule_on_200_random_nim_positions() {
    let mut rng = Seed(3).rng();
    for i in 0..200 {
        let piles = random_piles(&mut rng, 2 + i % 3, 7);
        let game = nim(&piles);
        let sum = piles.iter().fold(0, |sum, pile| sum ^ pile);
        let choice = ask("alphabeta@nodes=20000000", &game, &game.start(), Seed(i as u64));
        let truth = if sum == 0 { 0.0 } else { 1.0 };
        if choice.thought.candidates.is_empty() {
            continue; // forced
        }
        assert!(choice.thought.proven, "{piles:?} is not solved");
        assert_eq!(choice.thought.value, Some(truth), "{piles:?}");
        if sum != 0 {
            let mut next = game.start();
            game.apply(&mut next, &[choice.mv]);
            let rest = game.position(&next);
            let rest = rest.split(' ').next().unwrap_or_default().split(',');
            let after = rest.fold(0, |sum, pile| sum ^ pile.parse::<u32>().unwrap());
            assert_eq!(after, 0, "{piles:?}: {}", game.move_text(choice.mv));
        }
    }
}

#[test]
fn uct_plays_nim_perfectly_where_the_win_is_within_its_budget() {
    let mut rng = Seed(4).rng();
    for i in 0..60 {
        let piles = random_piles(&mut rng, 2 + i % 2, 4);
        let game = nim(&piles);
        let mut known = HashMap::new();
        let proved =
            check_solved("uct@sims=20000", &game, &game.start(), Seed(i as u64), &mut known);
        assert!(proved, "{piles:?} is within reach of 20,000 simulations");
    }
    // As first player with a won position it wins every game against a perfect opponent.
    for (i, piles) in [[2, 3, 2].as_slice(), &[1, 2, 3, 1], &[1, 4, 4]].iter().enumerate() {
        let game = nim(piles);
        let names = ["uct@sims=20000", "alphabeta@nodes=2000000"];
        assert_eq!(play(&game, &names, Seed(i as u64)), [1.0, 0.0], "{piles:?}");
    }
}

#[test]
fn alphabeta_solves_small_connect_four_boards_to_the_known_values() {
    // 4x4 and 5x4 (columns x rows) are draws: Tromp's table of solved boards.
    for name in ["connect4(4,4)", "connect4(5,4)"] {
        let game = open(name);
        let choice = ask("alphabeta@nodes=200000000", &game, &game.start(), Seed(1));
        assert!(choice.thought.proven, "{name}: {:?}", choice.thought);
        assert_eq!(choice.thought.value, Some(0.5), "{name}");
    }
    let game = open("connect4(4,4)");
    let mut known = HashMap::new();
    assert_eq!(solve(&game, &game.start(), &mut known), 0.5);
    let mut rng = Seed(5).rng();
    for i in 0..100 {
        let state = random_position(&game, i % 14, &mut rng);
        let proved =
            check_solved("alphabeta@nodes=5000000", &game, &state, Seed(i.into()), &mut known);
        assert!(proved);
    }
}

/// Can `player` force a win within so many plies?
fn wins_within(game: &AnyGame, state: &AnyState, player: Player, plies: u32) -> bool {
    let mover = match game.turn(state) {
        Turn::One(mover) if plies > 0 => mover,
        Turn::Over => {
            let mut payoffs = [0.0; 2];
            game.payoffs(state, &mut payoffs);
            return payoffs[player.index()] == 1.0;
        }
        _ => return false,
    };
    let mut after = legal(game, state, mover).into_iter().map(|mv| {
        let mut next = state.clone();
        game.apply(&mut next, &[mv]);
        wins_within(game, &next, player, plies - 1)
    });
    if mover == player { after.any(|wins| wins) } else { after.all(|wins| wins) }
}

#[test]
fn alphabeta_solves_100_random_minichess_endings() {
    let game = open("minichess(quiet=4)");
    let mut rng = Seed(7).rng();
    let mut known = HashMap::new();
    for i in 0..100 {
        let state = random_ending(&game, &mut rng);
        let solved = check_solved("alphabeta@nodes=20000000", &game, &state, Seed(i), &mut known);
        assert!(solved, "{}", game.position(&state));
        // A proof of uct's is right, and without one it may not see as far.
        let choice = ask("uct@sims=5000", &game, &state, Seed(i));
        if choice.thought.proven {
            let truth = solve_for_mover(&game, &state, &mut known);
            assert_eq!(choice.thought.value, Some(truth), "{}", game.position(&state));
        }
    }
}

#[test]
fn alphabeta_and_uct_agree_with_the_solver_on_200_random_minichess_endings() {
    // Endings in which one side forces a win within four plies: those are within reach of 50,000
    // simulations, and both agents must prove them and play a best move.
    let game = open("minichess(quiet=4)");
    let mut rng = Seed(6).rng();
    let mut known = HashMap::new();
    let mut lost = 0;
    for i in 0..200 {
        let state = loop {
            let state = random_ending(&game, &mut rng);
            if [Player(0), Player(1)].iter().any(|&p| wins_within(&game, &state, p, 4)) {
                break state;
            }
        };
        lost += u32::from(solve_for_mover(&game, &state, &mut known) == 0.0);
        for name in ["alphabeta@nodes=20000000", "uct@sims=50000"] {
            let solved = check_solved(name, &game, &state, Seed(i), &mut known);
            assert!(solved, "{name} does not prove {}", game.position(&state));
        }
    }
    assert!((20..180).contains(&lost), "{lost} of 200 are lost for the mover: too uniform");
}

#[test]
fn expectimax_and_uct_weigh_chance_by_its_probabilities() {
    // With 19 of 20 points on the table, a roll wins at once unless it is a 1 (5/6), while to
    // hold leaves the other, who has 18, a turn that wins as often. After a 1 little is left:
    // the other must fail too (1/6), and then 20 points be made from none.
    let game = open("pig(target=20)");
    let state = game.parse_position("0,18 1 19").unwrap();
    for name in ["alphabeta(heuristic=zero)@depth=7", "uct@sims=50000"] {
        let choice = ask(name, &game, &state, Seed(1));
        assert_eq!(game.move_text(choice.mv), "roll", "{name}");
        let value = choice.thought.value.unwrap();
        assert!((5.0 / 6.0 - 0.005..0.87).contains(&value), "{name}: {value}");
    }
}

#[test]
fn paranoid_and_maxn_both_take_a_likely_win_among_three_players() {
    // Pig for three: a roll wins five times in six, whatever the others are thought to want.
    let game = open("pig(target=20,players=3)");
    let state = game.parse_position("15,18,18 1 4").unwrap();
    for others in ["paranoid", "maxn"] {
        let name = format!("alphabeta(heuristic=zero,others={others})@depth=4");
        let choice = ask(&name, &game, &state, Seed(1));
        assert_eq!(game.move_text(choice.mv), "roll", "{name}: {:?}", choice.thought);
    }
}
