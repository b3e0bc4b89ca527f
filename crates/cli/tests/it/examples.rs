//! Every example of a help text or a document runs: it ends well, or is at work when its time is over.

use std::io::Read;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// How long an example may run. A wrong name, option or file is noticed in far less.
const LEASH: Duration = Duration::from_millis(1500);

/// Words of examples that need something that a test has not, and what that is.
const NEEDS: [(&str, &str); 16] = [
    ("postgres://", "a server"),
    ("--on ray", "a cluster"),
    ("uci:stockfish", "an engine"),
    ("gnugo", "an engine"),
    ("=127.0.0.1:", "players on the network"),
    ("ludex verify", "records of other systems"),
    ("ludii", "the public descriptions"),
    ("HyperAgents", "public data"),
    ("hyper-models", "public data"),
    ("full", "an evolution of minutes"),
    (" ...", "other options"),
    ("FILE...", "records of other systems"),
    ("survey/", "a survey of hours"),
    ("big.toml", "an experiment of the reader"),
    ("path/to", "a file of the reader"),
    ("games.txt", "a list of the reader"),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The examples of the documents, without their remarks. The page of commands holds the helps.
fn examples() -> Vec<String> {
    let docs = std::fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let mut lines = Vec::new();
    for page in
        docs.chain([root().join("README.md")]).filter(|p| p.extension().is_some_and(|e| e == "md"))
    {
        let text = std::fs::read_to_string(&page).unwrap().replace("\\\n", " ");
        let helps = page.ends_with("commands.md");
        let mut at_examples = false;
        for line in text.lines() {
            at_examples = line.starts_with("Example") || at_examples && line.starts_with("  ");
            let line = match (helps, line.strip_prefix("  ")) {
                (true, Some(line)) if at_examples => line,
                (true, _) => continue,
                (false, _) => line.strip_prefix("$ ").unwrap_or(line),
            };
            if line.starts_with("ludex ") {
                lines.push(command(line));
            }
        }
    }
    lines.sort();
    lines.dedup();
    lines
}

/// A line without its remark: behind a `#`, or behind a gap in help texts.
fn command(line: &str) -> String {
    let line = line.split(" # ").next().unwrap_or(line).trim_end();
    let line = line.split("   ").next().unwrap_or(line);
    match line.split_once("  ") {
        Some((command, _)) => command.to_owned(),
        None => line.trim_end().to_owned(),
    }
}

/// The example so that it disturbs no other one: any free port, no browser, a database and a folder of its own where two examples
/// give one name to different runs.
fn quiet(line: &str) -> String {
    let line =
        line.replace("experiments/tour.toml --db games.db", "experiments/tour.toml --db own.db");
    let line = match line.starts_with("ludex evolve experiments/") && !line.contains("--out") {
        true => format!("{line} --out {}", line.replace(|c: char| !c.is_ascii_alphanumeric(), "-")),
        false => line,
    };
    let line = line.replace("--port 9147", "--port 0").replace("--port 8080", "--port 0");
    let line = line.replace("tune first.toml", "tune tune.toml");
    match line.starts_with("ludex studio") && !line.contains("--no-open") {
        true => format!("{line} --no-open"),
        false => line,
    }
}

const EXPERIMENT: &str = "
games = ['lud:hex(board=3)']
agents = ['uct@sims=10', 'flat@sims=10', 'random']
rounds = 8
";

const EVOLUTION: &str = "
game = 'ludo'
genome = 'simple'
population = 4
generations = 1
recombination = 'none'
mutation = 'normal(sigma=0.1)'
";

/// A shell line in a folder that has what the examples name; the error of a line that ends badly.
struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new() -> Place {
        let place = Place { folder: tempfile::tempdir().unwrap() };
        let path = |name: &str| place.folder.path().join(name);
        for name in ["experiments", "games", "bots", "crates"] {
            let there = root().join(name).canonicalize().unwrap();
            std::os::unix::fs::symlink(there, path(name)).unwrap();
        }
        let write = |name: &str, text: &str| std::fs::write(path(name), text).unwrap();
        let block = |page: &str, language: &str| {
            let text = std::fs::read_to_string(root().join("docs").join(page)).unwrap();
            let mark = format!("```{language}\n");
            let part = text.split(&mark).nth(1).unwrap_or_else(|| panic!("{page}: no {language}"));
            part.split("```").next().unwrap_or_default().to_owned()
        };
        for name in ["first", "tour"] {
            write(&format!("{name}.toml"), &format!("name = '{name}'\n{EXPERIMENT}"));
        }
        write("evolve.toml", EVOLUTION);
        let tune = root().join("experiments/ropasci-weights.toml");
        std::fs::copy(tune, path("tune.toml")).unwrap();
        write("matches.kif", &block("first-rule-sheet.md", "lisp"));
        write("four.lud", &block("first-description.md", "lisp"));
        write("first.py", &block("first-agent.md", "python"));
        write("my-bot", "#!/bin/sh\nexec ludex bot play random\n");
        for (from, to) in [
            ("crates/library/games/monty-hall.kif", "my-game.kif"),
            ("crates/library/games/hex.lud", "my-game.lud"),
            ("crates/agents/models/agents.model", "agents.model"),
            ("crates/reproduce/tables/hyper-features.csv", "concepts.csv"),
            ("crates/reproduce/tables/hyper-features.csv", "ludemes.csv"),
        ] {
            std::fs::copy(root().join(from), path(to)).unwrap();
        }
        std::fs::create_dir_all(path(".local/share/bash-completion/completions")).unwrap();
        for line in [
            "chmod +x my-bot",
            "ludex arena run first.toml --db games.db --quiet",
            "ludex arena run tour.toml --db games.db --quiet",
            // Not copied: the last games may still be in the log beside the database.
            "ludex arena run first.toml --db ludex.db --quiet",
            "ludex arena run tour.toml --db ludex.db --quiet",
            "ludex train ludo --games 50 --out ludo.bin",
            "ludex evolve evolve.toml --out ludo-simple-evolved",
        ] {
            place.run(line, Duration::from_secs(60)).unwrap();
        }
        place
    }

    fn run(&self, line: &str, leash: Duration) -> Result<(), String> {
        let program = Path::new(env!("CARGO_BIN_EXE_ludex")).parent().unwrap();
        let path = std::env::var_os("PATH").unwrap_or_default();
        let mut places = vec![program.to_owned()];
        places.extend(std::env::split_paths(&path));
        let mut child = Command::new("sh")
            .args(["-c", line])
            .current_dir(self.folder.path())
            .env("PATH", std::env::join_paths(places).unwrap())
            .env("HOME", self.folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()
            .unwrap();
        let mut stderr = child.stderr.take().unwrap();
        let reader = std::thread::spawn(move || {
            let mut text = String::new();
            let _ = stderr.read_to_string(&mut text);
            text
        });
        let begun = Instant::now();
        let ended = loop {
            match child.try_wait().unwrap() {
                Some(status) => break Some(status),
                None if begun.elapsed() > leash => break None,
                None => std::thread::sleep(Duration::from_millis(5)),
            }
        };
        if ended.is_none() {
            let group = rustix::process::Pid::from_child(&child);
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
            let _ = child.wait();
        }
        let said = reader.join().unwrap_or_default();
        match ended {
            Some(status) if !status.success() => Err(format!("{line}: {status}: {said}")),
            _ => Ok(()),
        }
    }
}

#[test]
#[cfg_attr(not(python3), ignore = "needs python3")]
fn every_example_of_the_helps_and_documents_runs() {
    let place = Place::new();
    let all = examples();
    let (left_out, run): (Vec<_>, Vec<_>) =
        all.iter().partition(|line| NEEDS.iter().any(|(words, _)| line.contains(words)));
    assert!(run.len() > 130 && left_out.len() < 60, "{} {}", run.len(), left_out.len());
    for (words, what) in NEEDS {
        assert!(all.iter().any(|line| line.contains(words)), "no example needs {what}: {words}");
    }
    let (next, faults) = (Mutex::new(run.into_iter()), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let Some(line) = next.lock().unwrap().next() else { break };
                    if let Err(fault) = place.run(&quiet(line), LEASH) {
                        faults.lock().unwrap().push(fault);
                    }
                }
            });
        }
    });
    let faults = faults.into_inner().unwrap();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
