//! Positions that people type, in the program: FEN, and wrong texts.

use assert_cmd::Command;
use ludex_core::{AnyGame, AnyState, Game, Move, Turn};

/// The board, the turn and the legal moves of a position: what its notation must keep.
fn told(game: &AnyGame, state: &AnyState) -> (String, Turn, Vec<String>) {
    let turn = game.turn(state);
    let mut legal: Vec<Move> = Vec::new();
    for player in turn.movers().iter() {
        game.moves(state, player, &mut legal);
    }
    let mut moves: Vec<String> = legal.iter().map(|&mv| game.move_text(mv)).collect();
    moves.sort();
    (serde_json::to_string(&game.view(state, None)).expect("a view"), turn, moves)
}

#[test]
fn chess_is_written_and_read_as_fen() {
    let game = ludex_library::open("lud:chess").unwrap();
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert_eq!(game.forsyth(&game.start()).as_deref(), Some(start));
    assert_eq!(game.hash(&game.parse_position(start).unwrap()), game.hash(&game.start()));
    // Positions of the chess programming wiki, with the numbers of lines of one to three moves.
    for (fen, counts) in [
        ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", [48, 2039, 97862]),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", [14, 191, 2812]),
    ] {
        let state = game.parse_position(fen).unwrap();
        assert_eq!(game.forsyth(&state).as_deref(), Some(fen));
        for (depth, count) in (1..=3).zip(counts) {
            assert_eq!(ludex_core::perft(&game, &state, depth), count, "{fen} {depth}");
        }
    }
    // Taking in passing, and a right to castle that is gone.
    let passing = "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3";
    let mut state = game.parse_position(passing).unwrap();
    let legal = told(&game, &state).2;
    assert!(legal.iter().any(|mv| mv == "E5-F6"), "{legal:?}");
    assert!(!legal.iter().any(|mv| mv == "E5-D6"), "{legal:?}");
    let king = "4k3/8/8/8/8/8/8/R3K2R w Q - 0 1";
    state = game.parse_position(king).unwrap();
    let legal = told(&game, &state).2;
    assert!(
        legal.iter().any(|mv| mv == "E1-C1") && !legal.iter().any(|mv| mv == "E1-G1"),
        "{legal:?}"
    );
}

#[test]
fn a_wrong_position_is_told_in_words() {
    let game = ludex_library::open("lud:chess").unwrap();
    for (text, told) in [
        ("8/8/8 w", "3 are given, the board has 8"),
        ("9/8/8/8/8/8/8/8 w", "too many"),
        ("7/8/8/8/8/8/8/8 w", "7 sites instead of 8"),
        ("7z/8/8/8/8/8/8/8 w", "no piece is called `z`"),
        ("8/8/8/8/8/8/8/8 x", "`x` is no player"),
        ("8/8/8/8/8/8/8/8 w X", "does not belong here"),
        ("8/8/8/8/8/8/8/8 w - z9", "no square `z9`"),
        ("8/8/8/8/8/8/8/8 w - - x", "`x` is no number"),
        ("[k/8/8/8/8/8/8/8 w", "without `]`"),
        ("[K=x]7/8/8/8/8/8/8/8 w", "no number"),
        ("8/8/8/8/8/8/8/8 w - - 0 1 0:999", "no piece 999"),
        ("99999999999999999999/8/8/8/8/8/8/8", "too many"),
    ] {
        let error = game.parse_position(text).map(|_| ()).unwrap_err().to_string();
        assert!(error.contains(told), "{text}: {error}");
    }
}

#[test]
fn the_program_takes_and_prints_them() {
    let run = |args: &[&str]| {
        let out = Command::cargo_bin("ludex").unwrap().args(args).assert().success();
        String::from_utf8(out.get_output().stdout.clone()).unwrap()
    };
    let oware = run(&["show", "lud:oware", "--position", "0,0,0,0,0,1/0,0/0,0,0,0,0,1 1"]);
    assert!(oware.contains("0,0,0,0,0,1/0,0/0,0,0,0,0,1 1"), "{oware}");
    let mate = "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1";
    let advice =
        run(&["advise", "lud:chess", "--position", mate, "--agent", "alphabeta", "--depth", "2"]);
    assert!(advice.contains("A1-A8"), "{advice}");
    let hex = run(&["show", "lud:hex", "--json"]);
    let hex: serde_json::Value = serde_json::from_str(&hex).unwrap();
    assert!(hex["forsyth"].as_str().is_some_and(|text| text.ends_with(" 1")), "{hex}");
}
