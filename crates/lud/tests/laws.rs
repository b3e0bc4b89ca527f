//! Laws of the contract that ludeme games broke once: hashes that forgot the last move, and turns of chance that
//! told what is hidden.

mod common;

use ludex_core::testkit::{check, check_leaks};
use ludex_core::{Game, Player, Seed, Turn};
use ludex_lud::game::LudGame;

fn game(text: &str) -> LudGame {
    common::game(text).unwrap_or_else(|error| panic!("{error}"))
}

/// A game on nine cells in which the second kind of move needs a condition.
fn conditional(condition: &str) -> LudGame {
    game(&format!(
        "(game \"Last\" (players 2) (equipment {{(board (square 3)) (piece \"Disc\" Each)}})
            (rules (play (if {condition} (move Add (to (sites Empty)))
                (move Add (to (intersection (sites Empty) (sites Corners))))))
            (end (if (is Full) (result Mover Win)))))"
    ))
}

/// The hash of a position after a move from a site to another.
fn after(game: &LudGame, from: i32, to: i32) -> u64 {
    let text = format!("0:1 4:2 mover:1 next:2 prev:2 moves:2 from:{from} to:{to}");
    game.hash(&game.parse_position(&text).expect("a position"))
}

#[test]
fn a_direction_that_follows_the_last_move_makes_it_a_part_of_the_hash() {
    let game = game(
        "(game \"Same\" (players 2) (equipment {(board (square 3))
                (piece \"Disc\" Each (move Step SameDirection (to if:(is Empty (to)))))})
            (rules (start {(place \"Disc1\" (sites Bottom)) (place \"Disc2\" (sites Top))})
                (play (forEach Piece)) (end (if (no Moves Next) (result Mover Win)))))",
    );
    assert_ne!(after(&game, 0, 1), after(&game, 0, 3));
}

#[test]
fn every_ludeme_that_reads_the_last_move_makes_it_a_part_of_the_hash() {
    for condition in [
        "(= 1 (size Stack))",
        "(= 1 (count Liberties))",
        "(= 2 (count Sites in:(sites Pattern {F F})))",
        "(was Pass)",
        "(= 4 (last To))",
        "(= 4 (last From))",
        "(is Line 3)",
    ] {
        let game = conditional(condition);
        assert_ne!(after(&game, 0, 0), after(&game, 4, 4), "{condition}");
        if let Err(law) = check(&game, 10, Seed(5)) {
            panic!("{condition}: {law}");
        }
    }
}

#[test]
fn positions_reached_in_two_orders_are_equal_where_no_rule_asks_for_the_last_move() {
    let game = conditional("(is Empty 4)");
    assert_eq!(after(&game, 0, 0), after(&game, 4, 4));
}

#[test]
fn earlier_positions_are_a_part_of_the_hash_where_they_may_not_come_again() {
    let game = game(
        "(game \"Ko\" (players 2) (equipment {(board (square 3)) (piece \"Disc\" Each (step (to if:(is Empty (to)))))})
            (rules (meta (no Repeat)) (start {(place \"Disc1\" (sites Bottom)) (place \"Disc2\" (sites Top))})
                (play (forEach Piece)) (end (if (no Moves Next) (result Mover Win)))))",
    );
    if let Err(law) = check(&game, 20, Seed(6)) {
        panic!("{law}");
    }
}

/// Something lies behind one of three doors. After the guest has chosen a door, the host opens another one with
/// nothing behind it; sometimes the host can choose between two.
const DOORS: &str = "
    (game \"Doors\" (players 1)
        (equipment {(board (rectangle 1 3)) (piece \"Prize\" Shared) (piece \"Blank\" Shared)})
        (rules
            (start {(place Random {\"Prize\"}) (place Random {\"Blank\"} count:2) (set Hidden What (sites Board) to:P1)})
            phases:{
                (phase \"Choose\"
                    (play (move Select (from (sites Board)) (then (set Hidden What
                        (sites Random (forEach (sites Board)
                            if:(and (!= (site) (last To)) (= (id \"Blank\" Shared) (what at:(site))))) num:1)
                        False to:P1))))
                    (nextPhase \"Decide\"))
                (phase \"Decide\"
                    (play (move Select (from (sites Board)) (then (set Hidden What (sites Board) False to:P1))))
                    (end {
                        (if (= (id \"Prize\" Shared) (what at:(last To))) (result P1 Win))
                        (if (= (id \"Blank\" Shared) (what at:(last To))) (result P1 Loss))}))}))";

#[test]
fn the_number_of_turns_does_not_tell_what_the_host_could_do() {
    let game = game(DOORS);
    assert!(game.info().hidden && game.info().chance);
    let pairs = check_leaks(&game, 50, Seed(1)).unwrap_or_else(|law| panic!("{law}"));
    assert!(pairs > 100, "{pairs} pairs of worlds");
    check(&game, 20, Seed(2)).unwrap_or_else(|law| panic!("{law}"));
    // Chance has a turn after every move, with as many outcomes as there are doors to open.
    let mut sizes = Vec::new();
    for seed in 0..40 {
        let mut rng = Seed(seed).rng();
        let mut position = game.start();
        while game.turn(&position) == Turn::Chance {
            let outcome = game.sample_chance(&position, &mut rng);
            game.apply(&mut position, &[outcome]);
        }
        let door = game.parse_move(&position, Player(0), "!A1").expect("a door");
        game.apply(&mut position, &[door]);
        assert_eq!(game.turn(&position), Turn::Chance);
        let mut outcomes = Vec::new();
        game.chances(&position, &mut outcomes);
        sizes.push(outcomes.len());
    }
    assert!(sizes.contains(&1) && sizes.contains(&2) && sizes.iter().all(|&n| n < 3), "{sizes:?}");
}
