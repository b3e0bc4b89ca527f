//! Engines of other protocols at the table: Ludex speaks UCI and GTP, and plays against itself over both.

use assert_cmd::Command;
use serde_json::Value;

const LUDEX: &str = env!("CARGO_BIN_EXE_ludex");

fn ludex(args: &[&str], input: &str) -> (String, String) {
    let output = Command::new(LUDEX).args(args).write_stdin(input).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr))
}

#[test]
fn uci_answers_with_a_legal_move_and_a_promotion() {
    let (said, _) = ludex(
        &["uci", "--agent", "alphabeta"],
        "uci\nisready\nposition startpos moves e2e4 e7e5\ngo nodes 200\nquit\n",
    );
    assert!(said.contains("uciok") && said.contains("readyok"), "{said}");
    let best = said.lines().find_map(|line| line.strip_prefix("bestmove ")).unwrap();
    assert_eq!(best.len(), 4, "{said}");
    // The pawn takes its way to the last row; the engine must understand f7g8q and go on.
    let line = "e2e4 d7d5 e4d5 e7e6 d5e6 a7a6 e6f7 e8e7 f7g8q";
    let (said, _) = ludex(
        &["uci", "--agent", "random"],
        &format!("position startpos moves {line}\ngo nodes 1\nquit\n"),
    );
    assert!(!said.contains("illegal"), "{said}");
    assert!(said.contains("bestmove "), "{said}");
}

#[test]
fn bad_input_of_uci_is_an_info_line_and_no_end() {
    let (said, _) = ludex(
        &["uci", "--agent", "random"],
        "nonsense\nposition startpos moves e2e5\nposition\ngo nodes 1\nquit\n",
    );
    assert!(said.contains("info string illegal move e2e5"), "{said}");
    assert!(said.contains("bestmove "), "{said}");
}

#[test]
fn gtp_plays_go_with_the_letters_of_go() {
    let input = "1 boardsize 9\nclear_board\n2 play black J9\nplay black A1\ngenmove white\nshowboard\nfoo\nundo\nquit\n";
    let (said, _) = ludex(&["gtp", "lud:go(9)", "--agent", "random"], input);
    assert!(
        said.starts_with("=1 \n\n= \n\n=2 \n\n? it is the other player's turn\n\n= "),
        "{said}"
    );
    assert!(said.contains("? unknown command"), "{said}");
    assert!(said.lines().any(|line| line.starts_with("9  . . . . . . . . S")), "{said}");
}

/// A match in which the first agent is another process of ours. It has its own limits; the time is for busy machines.
fn over_a_protocol(game: &str, engine: &str) -> Value {
    let line = ["match", game, engine, "random", "--games", "2", "--time", "20s", "--json"];
    let (said, complaint) = ludex(&line, "");
    serde_json::from_str(said.lines().last().unwrap_or_else(|| panic!("{complaint}"))).unwrap()
}

#[test]
fn an_engine_over_uci_beats_random_at_chess() {
    let engine = format!("uci:\"{LUDEX} uci --agent alphabeta\"@depth=2");
    let result = over_a_protocol("lud:chess", &engine);
    assert_eq!(result["forfeits"], 0, "{result}");
    assert!(result["score"][0].as_f64().unwrap() >= 0.5, "{result}");
}

#[test]
fn an_engine_over_gtp_plays_go_to_the_end() {
    let engine = format!("gtp:\"{LUDEX} gtp lud:go(5) --agent uct@sims=30\"");
    let result = over_a_protocol("lud:go(5)", &engine);
    assert_eq!(result["forfeits"], 0, "{result}");
}

#[test]
fn an_engine_is_refused_where_its_protocol_has_no_words() {
    let (_, complaint) = ludex(&["match", "kuhn", "uci:stockfish", "random", "--games", "1"], "");
    assert!(complaint.contains("without chance and hidden information"), "{complaint}");
}
