//! Descriptions that make little sense load or are refused, and play without a panic.

use ludex_lud::engine::{Lud, Moves, Pad};
use ludex_lud::source::Text;
use ludex_lud::tree;

/// Plays a few moves of a game with these rules, the last legal one each time, and then the first.
fn play(rules: &str) -> bool {
    let text = format!(
        "(game \"X\" (players 2) (equipment {{ (board (square 3)) (piece \"Disc\" Each) (hand Each) }}) (rules {rules}))"
    );
    let text = Text::of_file(0, &text);
    let tree = tree::game(&text).expect("a game");
    let Ok(game) = Lud::new(&tree) else { return false };
    for last in [true, false] {
        let mut state = game.start();
        let (mut pad, mut legal) = (Pad::default(), Moves::default());
        for _ in 0..12 {
            game.legal(&mut state, &mut pad, &mut legal);
            let head = if last { legal.heads.last() } else { legal.heads.first() };
            let Some(&head) = head else { break };
            game.apply(&mut state, &mut pad, &legal, head);
        }
    }
    true
}

#[test]
fn numbers_that_name_nothing_do_no_harm() {
    let add = "(play (move Add (to (sites Empty))";
    let end = "(end (if (is Line 3) (result Mover Win)))";
    for rules in [
        format!("(play (move Add (piece 99) (to (sites Empty)))) {end}"),
        format!("(play (move Add (piece -3) (to (sites Empty)))) {end}"),
        format!("(play (move Add (to (sites {{0 1000 -5}})))) {end}"),
        format!("(play (move Add (to (intersection {{}})))) {end}"),
        format!("(play (move Add (to (union {{}})))) {end}"),
        format!("{add} (then (set NextPlayer (player 99))))) {end}"),
        format!("{add} (then (set NextPlayer (player 0))))) {end}"),
        format!("{add} (then (set Score P9 5)))) {end}"),
        format!("{add} (then (set Var \"x\" (- (abs (* 100000 100000)) 2147483647))))) {end}"),
        format!("{add} (then (addScore Mover 2147483647)))) (end (if (is Full) (byScore)))"),
        format!("{add} (then (set Count at:4000 3)))) {end}"),
        format!("{add} (then (set State at:-7 3)))) {end}"),
        format!("{add} (then (promote (last To) (piece 77))))) {end}"),
        format!("{add} (then (swap Pieces 1 5000)))) {end}"),
        format!("{add} (then (remove (sites {{700 -1}}))))) {end}"),
        format!("{add} (then (fromTo (from 900) (to 901))))) {end}"),
        format!(
            "{add}) ) (end (if (= (count in:(sites {{5000}})) (what at:12345)) (result Next Win)))"
        ),
        format!("{add}) ) (end (if (= (value Piece at:99999) (/ 1 0)) (result P7 Loss)))"),
        format!("{add}) ) (end (forEach Player if:(= (score Player) 0) (result Player Loss)))"),
        format!(
            "(play (forEach Piece (move Hop (between before:-2 (range 0 -4) after:-9 if:True) (to if:True)))) {end}"
        ),
        format!(
            "(start (place \"Disc1\" (sites {{0 4 777}}))) (play (forEach Piece (move Slide (between (range 9 -9)) (to if:True)))) {end}"
        ),
        format!(
            "(start (place \"Disc1\" 4)) (play (forEach Piece (move Step (directions {{FR Backward Leftwards}}) (to if:True)))) {end}"
        ),
        format!(
            "(start (place \"Disc1\" 4 count:-20)) (play (forEach Piece (move Leap {{{{L L}} {{F F F F}}}} (to if:True)))) {end}"
        ),
    ] {
        assert!(play(&rules), "{rules} is refused");
    }
}
