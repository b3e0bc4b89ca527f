//! Ludeme descriptions through the real binary.

use assert_cmd::Command;
use std::path::{Path, PathBuf};

fn ludex(args: &[&str]) -> (String, String, Option<i32>) {
    let output = Command::cargo_bin("ludex").unwrap().args(args).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code())
}

#[test]
fn a_description_is_shown_played_and_described() {
    let (out, error, code) = ludex(&["show", "lud:tic-tac-toe"]);
    assert_eq!(code, Some(0), "{error}");
    assert!(out.contains("ludemes") && out.contains("P1 to move"), "{out}");
    let agents =
        ["uct@sims=30", "mast@sims=30", "grave@sims=30", "ph@sims=30", "alphabeta@depth=2"];
    for agent in agents {
        let args = ["match", "lud:breakthrough", agent, "random", "--games", "2", "--seed", "1"];
        let (_, error, code) = ludex(&args);
        assert_eq!(code, Some(0), "{agent}: {error}");
    }
    let (out, error, code) = ludex(&["concepts", "lud:hex", "--json"]);
    assert_eq!(code, Some(0), "{error}");
    let found: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(found["features"]["Connected_game.functions.booleans.is.IsConnectType"], 1.0);
    let (out, _, code) = ludex(&["show", "--ludemes", "sow"]);
    assert_eq!(code, Some(0));
    assert!(out.contains("(sow [siteType]"), "{out}");
}

#[test]
fn a_fault_is_shown_with_its_place() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("bad.lud");
    let text = "(game \"Bad\" (players 2)\n  (equipment {(board (square 3)) (piece \"Disc\" Each)})\n  (rules (play (move Add (to (sites Emty)))) (end (if (is Line 3) (result Mover Win)))))";
    std::fs::write(&file, text).unwrap();
    let (out, _, code) = ludex(&["check", &file.display().to_string()]);
    assert_eq!(code, Some(1));
    assert!(out.contains("bad.lud:3:"), "{out}");
    let (out, _, code) = ludex(&["check", "--json", &file.display().to_string()]);
    assert_eq!(code, Some(1));
    let found: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&found["line"], &found["column"]), (&3.into(), &37.into()), "{out}");
    assert_eq!((&found["code"], &found["severity"]), (&"L040".into(), &"error".into()), "{out}");
    assert_eq!(found["hint"], "did you mean `Empty`?", "{out}");
    let (_, error, code) = ludex(&["show", &format!("lud:\"{}\"", file.display())]);
    assert_eq!(code, Some(2), "{error}");
    let (_, error, code) = ludex(&["verify", "lud", "no.txt"]);
    assert_eq!(code, Some(2));
    assert!(error.contains("--library"), "{error}");
}

#[test]
fn coverage_counts_what_loads() {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let (out, error, code) = ludex(&["check", "--coverage", &games.display().to_string()]);
    assert_eq!(code, Some(0), "{error}");
    let mut lines = out.lines();
    assert!(lines.any(|line| line.contains(" load (") && line.contains("ms (median)")), "{out}");
    assert!(lines.any(|line| line.contains("forms of the language: ")), "{out}");
}

#[test]
#[cfg_attr(not(shared_data), ignore = "needs ../shared")]
fn recorded_games_are_replayed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/ludii");
    let trials: Vec<PathBuf> = ["board/space/line/Tic-Tac-Toe", "board/sow/two_rows/Awari"]
        .iter()
        .map(|name| root.join("trials").join(format!("{name}.txt.gz")))
        .collect();
    let library = root.display().to_string();
    let mut args = vec!["verify".to_owned(), "lud".to_owned(), "--library".to_owned(), library];
    args.extend(trials.iter().map(|t| t.display().to_string()));
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let (out, error, code) = ludex(&args);
    assert_eq!(code, Some(0), "{out}{error}");
    assert!(out.contains(&format!("{} passed, 0 failed", trials.len())), "{out}");
}
