//! Our binary as somebody else's bot: under the arena itself, and under a RoPaSci referee in Python.

use serde_json::Value;
use std::path::Path;
use std::process::Command;

fn ludex() -> &'static str {
    env!("CARGO_BIN_EXE_ludex")
}

#[test]
fn a_mind_of_ours_is_a_bot_that_keeps_to_the_protocol() {
    let bot = format!("{} bot play random", ludex());
    let mut check = Command::new(ludex());
    check.args(["bot", "check", &bot, "--games", "2"]);
    for game in ["tictactoe", "pig(target=20)", "rps", "ropasci360"] {
        check.args(["--game", game]);
    }
    let output = check.output().expect("ludex");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_host_may_tell_moves_instead_of_positions() {
    use std::io::Write;
    let mut bot = Command::new(ludex())
        .args(["bot", "play", "ropasci", "--cpu", "5s"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("ludex");
    let mut said = bot.stdin.take().expect("a pipe");
    let lines = [
        r#"{"type":"newgame","game":"ropasci360","seat":1,"seed":3}"#,
        r#"{"type":"go"}"#,
        r#"{"type":"go","moves":[["T r 4 -2","T s -4 2"],["L 4 -2 3 -2","L -4 2 -3 2"]]}"#,
        r#"{"type":"end"}"#,
    ];
    for line in lines {
        writeln!(said, "{line}").expect("it listens");
    }
    drop(said);
    let output = bot.wait_with_output().expect("it ends");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let answers: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(answers.len(), 3, "{text}");
    assert_eq!(answers[0]["type"], "ready");
    assert!(answers[1]["move"].as_str().is_some_and(|m| m.starts_with("T ")), "{text}");
    assert!(answers[2]["move"].is_string() && output.status.success(), "{text}");
}

#[test]
fn what_a_host_must_not_say_ends_the_bot_with_a_reason() {
    for (line, says) in [
        (r#"{"type":"go"}"#, "before `newgame`"),
        ("hello", "no message"),
        (r#"{"type":"newgame","game":"ropascy","seat":0}"#, "unknown game"),
    ] {
        let mut bot = assert_cmd::Command::new(ludex());
        let output = bot.args(["bot", "play", "random"]).write_stdin(line).output().expect("ludex");
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && error.contains(says), "{error}");
    }
}

/// Twenty games under a referee in Python that checks every action: no error, no overrun.
#[test]
#[cfg_attr(not(python3), ignore = "needs python3")]
fn the_python_bridge_plays_twenty_games_within_its_limits() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let script = root.join("bridges/ropasci-referee/tests/play_matches.py");
    let mut games = Vec::new();
    for opponent in ["random", "taker"] {
        let output = Command::new("python3")
            .arg(&script)
            .args(["10", opponent])
            .env("LUDEX", ludex())
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .output()
            .expect("python3");
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{opponent}: {error}");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        games.extend(text.lines().map(|l| serde_json::from_str::<Value>(l).expect("JSON")));
    }
    assert_eq!(games.len(), 20);
    let most = |key: &str| games.iter().filter_map(|g| g[key].as_f64()).fold(0.0, f64::max);
    let won = games.iter().filter(|game| game["result"] == "won").count();
    println!(
        "bridge: {won} of 20 won; at most {} s of CPU, {} MB resident, {} MB of address space, \
         {} turns a game",
        most("cpu_s"),
        most("peak_mb"),
        most("virtual_mb"),
        most("turns")
    );
    assert_eq!(most("fallbacks"), 0.0, "the child never failed");
    assert!(most("cpu_s") < 60.0 && most("peak_mb") < 100.0 && most("peak_mb") > 0.0);
    assert!(won >= 18, "{games:?}");
}
