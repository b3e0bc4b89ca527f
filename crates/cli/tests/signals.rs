//! Programs stop when they are asked to, and keep what is finished; a reader that goes away ends them without a word.

use ludex_arena::Store;
use rustix::process::{Pid, Signal, kill_process};
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// How soon a program must end: two seconds, and what a busy machine adds.
const SOON: Duration = Duration::from_secs(6);

fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludex"));
    command.args(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn start(args: &[&str]) -> Child {
    command(args).spawn().expect("the binary")
}

/// Sends a signal; the program must end soon. Returns what it said.
fn stop(child: Child, signal: Signal) -> Output {
    let begun = Instant::now();
    kill_process(Pid::from_child(&child), signal).expect("a signal");
    let output = child.wait_with_output().expect("an end");
    let (said, took) = (String::from_utf8_lossy(&output.stderr), begun.elapsed());
    assert!(took < SOON, "it took {took:?}: {said}");
    // It ended by itself.
    assert!(output.status.code().is_some_and(|code| code <= 1), "{:?}: {said}", output.status);
    output
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A game of these takes minutes, and so does a single move.
const SLOW: [&str; 2] = ["uct@sims=100000000", "alphabeta@nodes=100000000000"];

#[test]
fn a_match_ends_in_the_middle_of_a_move_and_shows_the_finished_games() {
    for signal in [Signal::TERM, Signal::INT] {
        let child = start(&["match", "breakthrough", SLOW[0], SLOW[1], "--games", "4"]);
        std::thread::sleep(Duration::from_millis(1500));
        let output = stop(child, signal);
        assert_eq!(output.status.code(), Some(1));
        assert!(text(&output.stdout).contains("0 games"), "{}", text(&output.stdout));
        assert!(text(&output.stderr).contains("stopped after 0 of 4 games"));
    }
}

#[test]
fn advice_is_given_when_the_thinking_is_ended() {
    let child = start(&["advise", "connect4", "--time", "10m"]);
    std::thread::sleep(Duration::from_millis(1500));
    let output = stop(child, Signal::INT);
    assert!(text(&output.stdout).contains("should play"), "{}", text(&output.stderr));
}

/// The stored games of a run without what differs: times and who played.
fn games(place: &Path) -> Vec<(u64, Vec<Vec<String>>, Vec<f32>)> {
    let store = Store::open(&place.display().to_string()).expect("a database");
    let run = store.run("e").expect("the run");
    let games = store.games(&run, 0, u64::MAX >> 1).expect("games");
    games.into_iter().map(|g| (g.result.number, g.record.moves, g.record.payoffs)).collect()
}

fn count(place: &Path) -> u64 {
    let Ok(store) = Store::open(&place.display().to_string()) else { return 0 };
    store.run("e").ok().and_then(|run| store.count(&run).ok()).unwrap_or(0)
}

#[test]
fn an_arena_that_was_stopped_goes_on_to_the_same_table() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("e.toml");
    // Quick games first, then one whose moves take seconds.
    std::fs::write(
        &file,
        "games = ['tictactoe', 'connect4']\nagents = ['uct@sims=20000', 'flat@sims=20000']\nrounds = 4\n",
    )
    .expect("a file");
    let file = file.display().to_string();
    let whole = folder.path().join("whole.db");
    let place = whole.display().to_string();
    let run = |place: &str| {
        command(&["arena", "run", &file, "--db", place, "--quiet"]).output().expect("the binary")
    };
    assert!(run(&place).status.success());
    let stopped = folder.path().join("stopped.db");
    let place = stopped.display().to_string();
    for wanted in [1, 3] {
        let child = start(&["arena", "run", &file, "--db", &place, "--quiet", "--threads", "1"]);
        let until = Instant::now() + Duration::from_secs(120);
        while count(&stopped) < wanted && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(10));
        }
        let output = stop(child, Signal::TERM);
        let said = text(&output.stderr);
        assert!(said.contains("ludex arena resume e --db"), "{said}");
        let stored = count(&stopped);
        assert!(stored >= wanted && stored < 16, "{stored}");
    }
    assert!(run(&place).status.success());
    assert_eq!(games(&stopped), games(&whole));
    assert_eq!(games(&whole).len(), 16);
}

#[test]
fn a_search_for_numbers_ends_and_says_that_it_can_go_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("t.toml");
    std::fs::write(
        &file,
        format!(
            "game = 'breakthrough'\nagent = 'uct(c={{c}})@sims=100000000'\nopponents = ['{}']\n\
             method = 'spsa'\nsteps = 2\ngames = 4\n[parameters]\nc = {{from = 0.2, to = 1.4, start = 0.7}}\n",
            SLOW[1]
        ),
    )
    .expect("a file");
    let place = folder.path().join("t.db").display().to_string();
    let child = start(&["tune", &file.display().to_string(), "--db", &place]);
    std::thread::sleep(Duration::from_millis(1500));
    let output = stop(child, Signal::TERM);
    assert!(text(&output.stderr).contains("the same command resumes"), "{}", text(&output.stderr));
}

#[test]
fn a_survey_ends_with_its_finished_lines_and_goes_on_from_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("survey").display().to_string();
    let quick = ["--agents", "random", "uct@sims=100000000"];
    let args = ["train", "table", "--out", &out, "--games", "breakthrough", "--rounds", "2"];
    let opponent = ["--opponent", "random"];
    let child = start(&[&args[..], &quick, &opponent].concat());
    let results = Path::new(&out).join("results.csv");
    let lines = || std::fs::read_to_string(&results).map_or(0, |text| text.lines().count());
    let until = Instant::now() + Duration::from_secs(120);
    while lines() < 2 && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(20));
    }
    let output = stop(child, Signal::TERM);
    assert!(
        text(&output.stderr).contains("every finished line is kept"),
        "{}",
        text(&output.stderr)
    );
    assert_eq!(lines(), 2, "the header and the agent that was done");
}

#[test]
fn a_reproduction_ends_with_the_claims_that_are_measured() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().display().to_string();
    let child = start(&["reproduce", "mbm", "--out", &out]);
    // Long enough for the first claim, also on a busy machine; all of them take a minute.
    std::thread::sleep(Duration::from_secs(6));
    let output = stop(child, Signal::TERM);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).starts_with("mbm: "), "{}", text(&output.stdout));
}

#[test]
fn a_closed_pipe_ends_every_command_without_a_word() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().join("g.db").display().to_string();
    let made = command(&["tour", "--db", &place, "--games", "8"]).output().expect("the binary");
    assert!(made.status.success(), "{}", text(&made.stderr));
    let cases: [&[&str]; 8] = [
        &["games"],
        &["agents"],
        &["arena", "export", "--db", &place],
        &["arena", "export", "--db", &place, "--format", "jsonl"],
        &["completions", "bash"],
        &["show", "connect4"],
        &["reproduce"],
        &[
            "train",
            "table",
            "--json",
            "--out",
            &place.replace(".db", ".survey"),
            "--games",
            "tictactoe",
            "connect4",
            "--rounds",
            "2",
            "--sims",
            "20",
        ],
    ];
    for args in cases {
        let mut child = start(args);
        let stdout = child.stdout.take().expect("a pipe");
        // As `head -1` does.
        let mut reader = BufReader::with_capacity(1, stdout);
        reader.read_line(&mut String::new()).expect("a line");
        drop(reader);
        let mut said = String::new();
        child.stderr.take().expect("a pipe").read_to_string(&mut said).expect("text");
        let status = child.wait().expect("an end");
        assert!(status.success(), "{args:?}: {status}: {said}");
        assert_eq!(said, "", "{args:?}");
    }
}
