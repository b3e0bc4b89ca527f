//! The real binary, as people and scripts call it.

use assert_cmd::Command;
use serde_json::Value;

fn ludex(args: &[&str]) -> Command {
    let mut command = Command::cargo_bin("ludex").expect("the binary");
    command.args(args);
    command
}

/// Standard output of a run that must succeed.
fn output(args: &[&str]) -> String {
    let done = ludex(args).assert().success();
    String::from_utf8(done.get_output().stdout.clone()).expect("text")
}

/// The JSON objects of a run that must succeed.
fn objects(args: &[&str]) -> Vec<Value> {
    output(args).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn every_listed_game_can_be_shown_and_counted() {
    let games = objects(&["games", "--json"]);
    assert!(games.len() >= 60, "native games and rule files of both languages");
    // The rule files are opened by the tests of the library.
    for game in games.iter().filter(|game| game["language"] == "native") {
        let name = game["game"].as_str().expect("a name");
        let shown = &objects(&["show", name, "--json"])[0];
        assert_eq!(shown["over"], false, "{name}");
        assert!(shown["agents"].as_array().is_some_and(|a| a.contains(&"random".into())), "{name}");
        assert_eq!(objects(&["perft", name, "--depth", "2", "--json"]).len(), 2, "{name}");
        for example in game["examples"].as_array().expect("examples") {
            output(&["show", example.as_str().expect("a name")]);
        }
    }
}

#[test]
fn perft_gives_the_published_counts() {
    let counts = |args: &[&str]| -> Vec<u64> {
        objects(args).iter().map(|o| o["positions"].as_u64().expect("a count")).collect()
    };
    assert_eq!(
        counts(&["perft", "tictactoe", "--depth", "9", "--json"]),
        [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]
    );
    assert_eq!(
        counts(&["perft", "connect4", "--depth", "7", "--json"]),
        [7, 49, 343, 2401, 16807, 117649, 823536]
    );
    assert_eq!(
        counts(&["perft", "breakthrough", "--depth", "4", "--json"]),
        [22, 484, 11132, 256036]
    );
}

#[test]
fn a_match_has_the_fields_that_scripts_rely_on_and_repeats_with_its_seed() {
    let args =
        ["match", "connect4", "uct@sims=30", "random", "--games", "12", "--seed", "7", "--json"];
    let first = objects(&args).pop().expect("an object");
    for field in [
        "game", "agents", "games", "wins", "draws", "losses", "score", "interval", "forfeits",
        "seed",
    ] {
        assert!(first.get(field).is_some(), "no {field}: {first}");
    }
    assert_eq!(first["games"], 12);
    let one_thread = [&args[..], &["--threads", "1"]].concat();
    assert_eq!(objects(&one_thread).pop(), Some(first), "the number of threads must not matter");
}

#[test]
fn advice_in_a_hidden_game_shows_worlds_and_how_they_vote() {
    let line = ["--moves", "(choose 1); (hide 3); (open 2)", "--agent", "hyperplay(models=400)"];
    let args = [&["advise", "monty-hall"][..], &line, &["--sims", "1600"]].concat();
    let advice = &objects(&[&args[..], &["--json"]].concat())[0];
    assert_eq!(advice["move"], "switch");
    let belief = &advice["belief"];
    let worlds = belief["worlds"].as_array().expect("worlds");
    assert_eq!(worlds.len(), 2, "{belief}");
    let weight = worlds[0]["weight"].as_f64().expect("a weight");
    assert!((weight - 2.0 / 3.0).abs() < 0.06, "{belief}");
    assert_eq!(belief["votes"][0]["move"], "switch");
    let shown = output(&args);
    assert!(shown.contains("2 worlds in 400 of 400 models"), "{shown}");
    assert!(shown.contains("the worlds would vote: switch"), "{shown}");
    // What the seat can't have seen makes no difference.
    let other: Vec<&str> = args
        .iter()
        .map(|a| if a.contains("hide") { "(choose 1); (hide 1); (open 2)" } else { a })
        .collect();
    assert_eq!(output(&other), shown);
}

#[test]
fn a_bench_has_the_fields_that_scripts_rely_on() {
    let measured = &objects(&["bench", "tictactoe", "--seconds", "0.05", "--json"])[0];
    for field in [
        "game",
        "engine",
        "playouts",
        "plies",
        "cpu_seconds",
        "wall_seconds",
        "playouts_per_cpu_second",
        "plies_per_cpu_second",
        "mean_plies",
        "mean_branching",
        "uct_sims_per_cpu_second",
    ] {
        assert!(measured.get(field).is_some_and(|v| !v.is_null()), "no {field}: {measured}");
    }
}

#[test]
fn advice_wins_at_once_where_it_can() {
    // x has two in a row and moves.
    let advice = &objects(&["advise", "tictactoe", "--position", "xx1/oo1/3", "--json"])[0];
    assert_eq!(advice["move"], "c3");
    let advice = &objects(&[
        "advise",
        "tictactoe",
        "--position",
        "xx1/oo1/3",
        "--agent",
        "alphabeta",
        "--json",
    ])[0];
    assert_eq!((&advice["move"], &advice["proven"]), (&"c3".into(), &true.into()));
}

#[test]
fn a_person_plays_through_the_terminal() {
    let done = ludex(&["play", "tictactoe", "--seat", "o=random", "--seed", "3"])
        .write_stdin("?\nzz\n5\nundo\nB2\nboard\nquit\n")
        .assert()
        .success();
    let text = String::from_utf8_lossy(&done.get_output().stdout).into_owned();
    assert!(text.contains("1 a1") && text.contains("illegal move `zz`"), "{text}");
    // The fifth move is b2. It is taken back and made again by its text.
    assert_eq!(text.matches("o plays ").count(), 2, "{text}");
    assert!(text.contains("2  .  X  .") || text.contains(" X "), "{text}");
    assert!(text.ends_with("You left the game.\n"), "{text}");
}

#[test]
fn agents_play_each_other_and_every_step_is_json() {
    let steps =
        objects(&["play", "pig(target=20)", "--seat", "1=random", "--seat", "2=random", "--json"]);
    let record = &steps.last().expect("a record")["record"];
    assert_eq!(record["moves"].as_array().expect("moves").len(), steps.len() - 1);
    assert!(record["forfeit"].is_null());
}

#[test]
fn the_tour_prints_its_table_and_keeps_its_games() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("games.db");
    let file = file.to_str().expect("a path");
    let text = output(&["tour", "--games", "2", "--db", file]);
    assert!(text.contains("Try next:") && text.contains("uct"), "{text}");
    let store = ludex_arena::Store::open(file).expect("the database");
    let runs = store.runs().expect("runs");
    assert_eq!(runs.len(), 1);
    let games = store.games(&runs[0], 0, 1000).expect("games");
    assert_eq!(games.len(), 100);
    for stored in games {
        let game = ludex_games::open(&stored.record.game).expect("the game");
        stored.record.replay(&game).expect("every game can be replayed");
    }
}

/// Bad input: one line that says what is wrong, the right exit code, no backtrace.
#[test]
fn bad_input_is_one_clear_line() {
    for (args, code, says) in [
        (&["show", "tictactoo"][..], 2, "did you mean `tictactoe`"),
        (&["show", "nim(-1)"], 2, "nim"),
        (&["show", "nim(2,3"], 2, "column"),
        (&["match", "connect4", "uct(", "random"], 2, "column 5"),
        (&["match", "connect4", "uct(z=1)", "random"], 2, "no parameter `z`"),
        (&["match", "connect4", "uctt", "random"], 2, "did you mean `uct`"),
        (&["match", "connect4", "uct@sims=-5", "random"], 2, "sims"),
        (&["match", "connect4", "uct", "random", "--sims=-5"], 2, "--sims"),
        (&["match", "connect4", "uct", "random", "--time", "0s"], 2, "time"),
        (&["match", "connect4", "uct", "random", "--games", "0"], 2, "--games"),
        (&["match", "kuhn", "uct", "random"], 2, "`hyperplay-ismcts` can play it"),
        (&["match", "rps", "alphabeta", "random"], 2, "`uct` can play it"),
        (&["advise", "tictactoe", "--position", "zzz"], 2, "bad position"),
        (&["advise", "connect4", "--position", "7/7/7/7/7/xxxx3"], 2, "bad position"),
        (&["advise", "monty-hall", "--moves", "(choose 9)"], 2, "step 1"),
        (&["advise", "monty-hall", "--agent", "hyperplay(cf=maybe)"], 2, "on or off"),
        (
            &["advise", "tictactoe", "--agent", "hyperplay"],
            2,
            "this game has none; `uct` can play it",
        ),
        (&["play", "tictactoe", "--seat", "z=uct"], 2, "no seat `z`"),
        (&["play", "tictactoe", "--seat", "uct"], 2, "NAME=AGENT"),
        (&["bench"], 2, "required"),
        (&["bench", "tictactoe", "--seconds=-1"], 2, "seconds"),
        (&["nonsense"], 2, "nonsense"),
        (&["match", "tictactoe", "random", "random", "--db", "/nonexistent/x.db"], 1, "can't open"),
        (&["tour", "--db", "/nonexistent/x.db"], 1, "can't open"),
    ] {
        let done = ludex(args).assert().code(code);
        let error = String::from_utf8_lossy(&done.get_output().stderr).into_owned();
        assert!(error.contains(says), "{args:?}: {error}");
        assert_eq!(error.trim_end().lines().count(), 1, "{args:?}: {error}");
        assert!(!error.contains("panicked"), "{args:?}: {error}");
    }
}

#[test]
fn every_command_has_examples_in_its_help() {
    let help = output(&["--help"]);
    let commands: Vec<&str> = help
        .lines()
        .skip_while(|line| !line.starts_with("Commands:"))
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .collect();
    assert!(commands.len() >= 9, "{commands:?}");
    for command in commands {
        assert!(output(&[command, "--help"]).contains("Example"), "{command}");
    }
}

#[test]
fn completions_know_games_and_agents() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = output(&["completions", shell]);
        for name in ["breakthrough", "monty-hall", "fox-and-geese", "alphabeta", "hyperplay"] {
            assert!(script.contains(name), "{shell} does not know {name}");
        }
    }
    // Names are proposals: anything else is still read.
    output(&["perft", "connect4(5,4)", "--depth", "1"]);
}
