//! What the solver-backed searches prove, against a plain solver.

use crate::common;

use common::{PUZZLE, ask, gdl, legal};
use ludex_agents::testkit::Oracle;
use ludex_core::{AnyGame, AnyState, Game, Move, Player, Rng, Seed, Turn};

/// The mover's legal moves, or the outcomes of chance.
fn steps(game: &AnyGame, state: &AnyState) -> Vec<Move> {
    match game.turn(state) {
        Turn::One(player) => legal(game, state, player),
        Turn::Chance => {
            let mut outcomes = Vec::new();
            game.chances(state, &mut outcomes);
            outcomes.into_iter().map(|(mv, _)| mv).collect()
        }
        _ => Vec::new(),
    }
}

/// A position along a random game where a player chooses and the plain solver gets by with `most`
/// positions; with what it says.
fn small_position(game: &AnyGame, most: usize, rng: &mut Rng) -> (AnyState, Vec<f32>) {
    loop {
        let mut line = vec![game.start()];
        loop {
            let mut next = line[line.len() - 1].clone();
            let moves = steps(game, &next);
            if moves.is_empty() {
                break;
            }
            game.apply(&mut next, &[moves[rng.index(moves.len())]]);
            line.push(next);
        }
        // From the end back, as far as the solver goes: of those positions any.
        let mut found = Vec::new();
        for state in line.into_iter().rev() {
            let mut oracle = Oracle::new(most);
            let chooses =
                matches!(game.turn(&state), Turn::One(p) if legal(game, &state, p).len() > 1);
            match oracle.solve(game, &state) {
                Some(values) if chooses => found.push((state, values)),
                Some(_) => {}
                None => break,
            }
        }
        if !found.is_empty() {
            let any = rng.index(found.len());
            return found.swap_remove(any);
        }
    }
}

/// Checks an agent on so many positions of a game: what it proves is right, and it proves at least
/// `least` of them. Only values that are the same under every choice of equal moves are compared
/// where more than two play.
fn check(mind: &str, name: &str, game: &AnyGame, positions: u64, least: u64) -> u64 {
    let mut rng = Seed(8).named(name).rng();
    let mut proved = 0;
    for i in 0..positions {
        let (state, truth) = small_position(game, 400, &mut rng);
        let Turn::One(player) = game.turn(&state) else { panic!("nobody chooses") };
        let here = game.position(&state);
        let thought = ask(mind, game, &state, Seed(i)).thought;
        if !thought.proven {
            continue;
        }
        proved += 1;
        let value = thought.value.unwrap();
        let truth_here = truth[player.index()];
        assert!((value - truth_here).abs() < 1e-4, "{mind}, {name}, {here}: {value}, {truth_here}");
        for candidate in thought.candidates.iter().filter(|candidate| candidate.proven) {
            let mut next = state.clone();
            game.apply(&mut next, &[candidate.mv]);
            let mut oracle = Oracle::new(100_000);
            let truth = oracle.solve(game, &next).unwrap()[player.index()];
            let text = game.move_text(candidate.mv);
            let value = candidate.value;
            assert!(
                (value - truth).abs() < 1e-4,
                "{mind}, {name}, {here} {text}: {value}, {truth}"
            );
        }
        let first = &thought.candidates[0];
        assert!((first.value - truth_here).abs() < 1e-4, "{mind}, {name}, {here} plays worse");
    }
    println!("{mind}: {name}: {proved} of {positions} proven");
    assert!(proved >= least, "{mind} proves only {proved} of {positions} positions of {name}");
    proved
}

#[test]
fn uct_and_bounded_prove_what_the_plain_solver_finds_on_1000_positions() {
    // Native games and endings of rule sheets; pig never ends for certain and is left out.
    let games = [
        ("tictactoe", 130),
        ("connect4(4,4)", 130),
        ("connect4", 130),
        ("nim(3,4,2)", 130),
        ("breakthrough(4,4)", 170),
        ("minichess(quiet=4)", 110),
        ("kif:tictactoe", 130),
        ("kif:connect4", 100),
        ("kif:nim", 60),
    ];
    for mind in ["uct@sims=4000", "bounded@sims=4000"] {
        let proved: u64 = games
            .iter()
            .map(|&(name, positions)| {
                let game = ludex_library::open(name).unwrap_or_else(|e| panic!("{name}: {e}"));
                check(mind, name, &game, positions, positions * 3 / 4)
            })
            .sum();
        assert!(proved >= 1000, "{mind}: {proved}");
    }
}

#[test]
fn every_member_of_the_family_proves_the_same() {
    let game = ludex_library::open("connect4(4,4)").unwrap();
    for mind in ["ucb1-tuned", "ph", "ucb1-grave", "nst", "mast", "uct(lanes=64)"] {
        check(&format!("{mind}@sims=4000"), "connect4(4,4)", &game, 40, 34);
    }
    // Without exploration a move may starve for ever, so that it proves less.
    check("grave@sims=4000", "connect4(4,4)", &game, 40, 5);
    let puzzle = gdl(PUZZLE);
    for mind in ["uct@sims=4000", "bounded@sims=4000"] {
        check(mind, "a puzzle for one", &puzzle, 30, 30);
    }
}

#[test]
fn bounds_prove_with_fewer_simulations_where_draws_abound() {
    let game = ludex_library::open("tictactoe").unwrap();
    let sims = |mind: &str| {
        let mut rng = Seed(3).rng();
        let mut sum = 0;
        for i in 0..40 {
            let state = common::random_position(&game, 3, &mut rng);
            sum += ask(mind, &game, &state, Seed(i)).thought.sims;
        }
        sum
    };
    let (plain, bounded) = (sims("uct@sims=20000"), sims("bounded@sims=20000"));
    println!("40 positions: uct {plain}, bounded {bounded} simulations");
    assert!(bounded * 10 < plain * 9, "{bounded} against {plain}");
}

#[test]
fn the_oracle_knows_chance_and_several_players() {
    let game = ludex_library::open("pig(target=20,players=3)").unwrap();
    let state = game.parse_position("15,18,18 1 4").unwrap();
    // Its tree has no end: the oracle says so.
    assert_eq!(Oracle::new(500).solve(&game, &state), None);
    assert_eq!(game.turn(&state), Turn::One(Player(0)));
    let coins = AnyGame::new(ludex_core::testkit::Coins::default());
    let values = Oracle::new(100_000).solve(&coins, &coins.parse_position("6 0").unwrap());
    assert!(values.is_some_and(|values| values.iter().all(|v| (0.0..=1.0).contains(v))));
}
