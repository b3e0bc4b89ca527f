//! `ludex tune` by the real binary: killed at random moments, drawn, refused.

use serde_json::Value;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

const SEARCH: &str = "
game = 'ropasci360'
agent = 'ropasci-greedy(throws={throws},kills={kills})'
opponents = ['random', 'ropasci-greedy']
method = 'cmaes'
population = 6
games = 8
heats = 2
steps = 4
[parameters]
throws = { from = 0, to = 10, start = 1 }
kills = { from = 0, to = 10, start = 5 }
[test]
games = 20
sets = 3
";

struct Bench(tempfile::TempDir);

impl Bench {
    fn new(text: &str) -> Self {
        let bench = Bench(tempfile::tempdir().expect("a folder"));
        std::fs::write(bench.file("search.toml"), text).expect("a file");
        bench
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn tune(&self, db: &str, more: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ludex"));
        command.arg("tune").arg(self.file("search.toml"));
        command.arg("--db").arg(self.file(db)).arg("--json").args(more);
        command
    }
}

fn outcome(output: &Output) -> Value {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[test]
fn a_search_killed_again_and_again_ends_with_the_same_values_and_test() {
    let bench = Bench::new(SEARCH);
    let undisturbed = outcome(&bench.tune("one.db", &["--threads", "1"]).output().expect("ludex"));
    assert_eq!(undisturbed["steps"].as_array().map(Vec::len), Some(4));
    assert_eq!(undisturbed["test"][0]["games"], 20, "{undisturbed}");
    for _ in 0..8 {
        let mut killed = bench.tune("two.db", &["--threads", "2"]);
        killed.stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = killed.spawn().expect("ludex");
        // Where a kill hits must differ, and need not repeat.
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.subsec_nanos());
        std::thread::sleep(Duration::from_millis(u64::from(now / 1000 % 150)));
        let _ = child.kill();
        let _ = child.wait();
    }
    let killed = outcome(&bench.tune("two.db", &["--threads", "2"]).output().expect("ludex"));
    assert_eq!(killed, undisturbed);
    // All is there: nothing is played again, and all is told again.
    let again = outcome(&bench.tune("two.db", &[]).output().expect("ludex"));
    assert_eq!(again, undisturbed);
}

#[test]
fn every_method_searches_and_the_figure_shows_it() {
    for method in ["tournament", "spsa", "ntbea"] {
        let text = SEARCH.replace("cmaes", method).replace("steps = 4", "steps = 2");
        let bench = Bench::new(&text);
        let figures = bench.file("figures");
        let plot = figures.display().to_string();
        let told = outcome(&bench.tune("games.db", &["--plot", &plot]).output().expect("ludex"));
        assert!(told["values"]["kills"].is_number(), "{method}: {told}");
        let svg = std::fs::read_to_string(figures.join("search.svg")).expect("a figure");
        assert!(svg.contains("best of the step"), "{method}");
        assert!(figures.join("search.png").exists());
    }
}

#[test]
fn what_makes_no_sense_is_said_in_one_line() {
    for (old, new, says) in [
        ("ropasci360", "ropascy", "unknown game"),
        ("kills={kills}", "kilz={kills}", "kilz"),
        ("steps = 4", "steps = 0", "above 0"),
    ] {
        let bench = Bench::new(&SEARCH.replace(old, new));
        let output = bench.tune("games.db", &[]).output().expect("ludex");
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.contains(says) && error.contains("search.toml"), "{error}");
    }
}
