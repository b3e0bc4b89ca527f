//! Descriptions that make little sense load or are refused, and play without a panic.

mod common;

use ludex_lud::engine::{Moves, Pad};

/// Plays a few moves of a game with these rules, the last legal one each time, and then the first.
fn play(rules: &str) -> bool {
    let text = format!(
        "(game \"X\" (players 2) (equipment {{ (board (square 3)) (piece \"Disc\" Each) (hand Each) }}) (rules {rules}))"
    );
    let Ok(game) = common::game(&text) else { return false };
    let game = game.lud();
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

/// Words and numbers that are put in the place of others.
const ODD: [&str; 24] = [
    "-7",
    "-1",
    "0",
    "1",
    "2",
    "9",
    "63",
    "1000",
    "2147483647",
    "P1",
    "P2",
    "P9",
    "Neutral",
    "Shared",
    "All",
    "Mover",
    "Next",
    "Off",
    "End",
    "Infinity",
    "Orthogonal",
    "N",
    "True",
    "False",
];

/// A description with some of its words replaced.
fn spoiled(source: &str, rng: &mut ludex_core::Rng) -> String {
    let mut words: Vec<String> =
        source.split_inclusive(|c: char| " (){}\n".contains(c)).map(str::to_owned).collect();
    let plain: Vec<usize> = (0..words.len())
        .filter(|&i| {
            let word = words[i].trim_end_matches([' ', '(', ')', '{', '}', '\n']);
            let first = word.chars().next();
            first.is_some_and(|c| c.is_ascii_digit() || c == '-' || c.is_ascii_uppercase())
        })
        .collect();
    for _ in 0..1 + rng.index(3) {
        if plain.is_empty() {
            break;
        }
        let at = plain[rng.index(plain.len())];
        let end: String =
            words[at].chars().rev().take(1).filter(|c| " (){}\n".contains(*c)).collect();
        words[at] = format!("{}{end}", ODD[rng.index(ODD.len())]);
    }
    words.concat()
}

/// Loads a description and plays a while, if it makes sense.
fn try_out(source: &str, rng: &mut ludex_core::Rng) -> bool {
    use ludex_core::Game;
    let Ok(game) = common::game(source) else { return false };
    let mut state = game.start();
    let mut moves = Vec::new();
    for _ in 0..40 {
        match game.turn(&state) {
            ludex_core::Turn::One(player) => {
                moves.clear();
                game.moves(&state, player, &mut moves);
                let mv = moves[rng.index(moves.len())];
                game.apply(&mut state, &[mv]);
            }
            ludex_core::Turn::Chance => {
                let mv = game.sample_chance(&state, rng);
                game.apply(&mut state, &[mv]);
            }
            _ => break,
        }
        let text = game.position(&state);
        assert_eq!(game.position(&game.parse_position(&text).expect("own notation")), text);
    }
    game.playout(&mut game.start(), rng, &mut Vec::new(), 300);
    true
}

/// `LUDEX_ROUNDS` and `LUDEX_GAMES` (a folder of expanded descriptions) make it a longer search.
#[test]
fn spoiled_descriptions_are_refused_or_played_but_never_break() {
    let rounds: u64 = std::env::var("LUDEX_ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(6);
    let mut played = 0;
    for file in common::own() {
        let source = std::fs::read_to_string(&file).expect("readable description");
        let rules: Vec<&str> = source.lines().filter(|line| !line.starts_with("//")).collect();
        let source = rules.join("\n");
        for round in 0..rounds {
            let mut rng = ludex_core::Seed(round).rng();
            let odd = spoiled(&source, &mut rng);
            let result =
                std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| try_out(&odd, &mut rng)));
            match result {
                Ok(good) => played += u32::from(good),
                Err(_) => panic!("{} round {round}:\n{odd}", file.display()),
            }
        }
    }
    assert!(played > 0);
}
