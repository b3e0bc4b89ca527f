//! Exit codes: 0 for success, 1 for a failure (files, databases), 2 for a request that makes no sense.

use std::path::PathBuf;
use std::process::Command;

/// A folder of files, some of them damaged, and no others.
struct Files(tempfile::TempDir);

impl Files {
    fn new() -> Self {
        let files = Files(tempfile::tempdir().expect("a folder"));
        files.write("empty.db", "");
        files.write("poem.db", &"not a database, but long enough to look at ".repeat(100));
        files.write("good.toml", "games = ['nim']\nagents = ['random']\nrounds = 1");
        files.write("bad.toml", "games = ['nim']\nagnts = ['random']");
        files.write("unknown.toml", "games = ['nimm']\nagents = ['random']\nrounds = 1");
        files.write("bad.csv", "game,x\na,one\n");
        files.write("bad.kif", "(role");
        files.write("bad.lud", "(game");
        files
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).expect("a file");
    }

    /// Runs a command in the folder; returns its exit code and its error message.
    fn run(&self, command: &str) -> (Option<i32>, String) {
        let output = Command::new(env!("CARGO_BIN_EXE_ludex"))
            .args(command.split(' '))
            .current_dir(self.0.path())
            .output()
            .expect("the binary");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    }

    fn check(&self, code: i32, commands: &[&str]) {
        for command in commands {
            let (found, error) = self.run(command);
            assert_eq!(found, Some(code), "ludex {command}: {error}");
            assert!(!error.contains("panicked"), "ludex {command}: {error}");
        }
    }
}

#[test]
fn a_missing_or_unreadable_file_is_a_failure() {
    let files = Files::new();
    files.check(
        1,
        &[
            "arena run missing.toml",
            "arena run .",
            "tune missing.toml",
            "evolve missing.toml",
            "check missing.kif",
            "check missing.lud",
            "check bad.kif",
            "check bad.lud",
            "check --coverage missing",
            "show kif:missing.kif",
            "show kif:./missing",
            "show lud:missing.lud",
            "show missing.lud",
            "map --features missing.csv",
            "train model --features missing.csv --targets missing.csv",
            "predict nim --model missing.model",
            "reproduce hyper-games --data missing",
            "match nim portfolio(model=missing.model) random",
        ],
    );
    let (_, error) = files.run("show kif:missing.kif");
    assert!(error.starts_with("ludex: can't read `missing.kif`: No such file"), "{error}");
}

#[test]
fn a_database_that_fails_is_a_failure() {
    let files = Files::new();
    files.check(
        1,
        &[
            "arena run good.toml --db missing/games.db",
            "arena run good.toml --db poem.db",
            "arena status --db missing.db",
            "arena status --db poem.db",
            "arena report --db missing.db",
            "arena report --db empty.db",
            "arena report no-run --db empty.db",
            "replay run/1 --db missing.db",
            "match nim random random --games 2 --db poem.db",
            "tour --db missing/games.db",
            "worker --connect missing/games.db",
        ],
    );
    assert!(!files.path("missing.db").exists(), "a database that is only read is not created");
}

#[test]
fn a_request_that_makes_no_sense_is_code_2() {
    let files = Files::new();
    files.check(
        2,
        &[
            "nonsense",
            "arena run",
            "arena run bad.toml",
            "arena run unknown.toml",
            "tune bad.toml",
            "evolve bad.toml",
            "show nimm",
            "show kif:no-such-sheet",
            "show kif:bad.kif",
            "show lud:bad.lud",
            "check no-such-sheet",
            "match nim uctt random",
            "match nim random random --games 0",
            "map --features bad.csv",
            "replay run",
            "reproduce no-such-experiment",
        ],
    );
}
