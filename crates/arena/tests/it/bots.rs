//! A zoo of bots that behave badly: every one a clean forfeit, and the tournament goes on.

use crate::common;

use common::plan;
use ludex_arena::{Experiment, Fault, GameRecord};
use std::path::PathBuf;

/// Writes a shell bot and returns the agent that runs it.
struct Zoo(tempfile::TempDir);

impl Zoo {
    fn new() -> Self {
        Zoo(tempfile::tempdir().unwrap())
    }

    /// A bot that gets ready, waits for the first question and then does `act`.
    fn bot(&self, name: &str, act: &str) -> String {
        self.raw(name, &format!("read hello; echo '{{\"type\":\"ready\"}}'; read go; {act}"))
    }

    fn raw(&self, name: &str, script: &str) -> String {
        let file = self.0.path().join(name);
        std::fs::write(&file, script).unwrap();
        format!("exec:\"sh {}\"(start=2s)@time=200ms", file.display())
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
}

/// The first game of the bot against `random`, with a short grace.
fn played(bot: &str, game: &str) -> GameRecord {
    let experiment = Experiment {
        grace: "300ms".into(),
        ..Experiment::new("zoo", &[game], &[bot, "random"], 1)
    };
    let plan = plan(&experiment);
    plan.play(&plan.fixture(0))
}

#[test]
fn every_bad_bot_is_a_clean_forfeit_with_its_last_words() {
    let zoo = Zoo::new();
    let flood = "yes '{\"type\":\"info\"}' | head -c 100000000; sleep 60";
    let move_z9 = "echo '{\"type\":\"move\",\"move\":\"z9\"}'; sleep 60";
    let cases: [(&str, String, &[Fault], &str); 13] = [
        ("sleeps", zoo.bot("sleeps", "echo zzz >&2; sleep 60"), &[Fault::Late], "stderr: zzz"),
        (
            "exits",
            zoo.bot("exits", "echo oops >&2; exit 3"),
            &[Fault::Crash],
            "status 3; stderr: oops",
        ),
        ("dies", zoo.bot("dies", "kill -9 $$"), &[Fault::Crash], "signal 9"),
        (
            "one line of 100 MB",
            zoo.bot("line", "head -c 100000000 /dev/zero | tr '\\0' x; sleep 60"),
            &[Fault::Error],
            "a line longer than",
        ),
        ("100 MB of lines", zoo.bot("lines", flood), &[Fault::Error], "no answer among them"),
        (
            "100 MB of complaints",
            zoo.bot("complains", "head -c 100000000 /dev/zero | tr '\\0' x >&2; sleep 60"),
            &[Fault::Late],
            "no answer within",
        ),
        (
            "answers late",
            zoo.bot("late", "sleep 1; echo '{\"type\":\"move\",\"move\":\"a1\"}'; sleep 60"),
            &[Fault::Late],
            "no answer within 0.500 s",
        ),
        ("an illegal move", zoo.bot("illegal", move_z9), &[Fault::Illegal], "z9"),
        (
            "garbage",
            zoo.bot("garbage", "echo hello; sleep 60"),
            &[Fault::Error],
            "`hello` is no answer",
        ),
        // Whether the question is written before its input is closed is a matter of luck.
        (
            "closes its input",
            zoo.raw("closes", "read hello; exec 0<&-; echo '{\"type\":\"ready\"}'; sleep 60"),
            &[Fault::Crash, Fault::Late],
            "",
        ),
        (
            "closes its output",
            zoo.bot("mute", "exec 1>&-; sleep 60"),
            &[Fault::Crash],
            "closed its output",
        ),
        (
            "is never ready",
            zoo.raw("never", "sleep 60"),
            &[Fault::Late],
            "no answer within 2.000 s",
        ),
        ("is not there", "exec:./no-such-bot".into(), &[Fault::Crash], "can't start"),
    ];
    std::thread::scope(|scope| {
        for (name, bot, faults, says) in &cases {
            scope.spawn(move || {
                let record = played(bot, "tictactoe");
                let forfeit = record.forfeit.unwrap_or_else(|| panic!("{name}: no forfeit"));
                assert_eq!(forfeit.seat, 0, "{name}");
                assert!(faults.contains(&forfeit.fault), "{name}: {forfeit:?}");
                assert!(forfeit.reason.contains(says), "{name}: {}", forfeit.reason);
                assert_eq!(record.payoffs, [0.0, 1.0], "{name}");
            });
        }
    });
}

#[test]
fn children_end_with_their_bot_even_those_that_left_its_group() {
    let zoo = Zoo::new();
    // Durations that nobody else sleeps for.
    let act = "sleep 31415.25 & (setsid sleep 31415.75 &) ; sleep 0.1; exit 1";
    let record = played(&zoo.bot("forks", act), "tictactoe");
    assert_eq!(record.forfeit.map(|f| f.fault), Some(Fault::Crash));
    let running = || {
        let processes = std::fs::read_dir("/proc").unwrap().flatten();
        let lines = processes.filter_map(|p| std::fs::read(p.path().join("cmdline")).ok());
        lines.filter(|line| String::from_utf8_lossy(line).contains("31415.")).count()
    };
    for _ in 0..100 {
        if running() == 0 {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    panic!("{} children are left", running());
}

#[test]
fn a_bot_that_wants_too_much_memory_does_not_get_it() {
    let zoo = Zoo::new();
    let act = "x=$(head -c 400000000 /dev/zero | tr '\\0' x); echo '{\"type\":\"move\",\"move\":\"a1\"}'; sleep 60";
    let bot = zoo.bot("hog", act).replace("(start=2s)@time=200ms", "(memory=64M)@time=20s");
    let forfeit = played(&bot, "tictactoe").forfeit.expect("a forfeit");
    assert_eq!(forfeit.fault, Fault::Crash, "{forfeit:?}");
}

/// A shell bot that plays the first legal move.
const FIRST: &str = r#"while read line; do case "$line" in
*newgame*) echo '{"type":"ready"}';;
*'"go"'*) m=${line#*'"legal":["'}; m=${m%%'"'*}; echo "{\"type\":\"move\",\"move\":\"$m\"}";;
*) exit 0;; esac; done"#;

#[test]
fn the_tournament_goes_on_around_a_bad_bot() {
    let zoo = Zoo::new();
    let bad = zoo.bot("bad", "exit 1");
    let good = zoo.raw("good", FIRST).replace("200ms", "5s");
    let experiment = Experiment::new("zoo", &["tictactoe"], &[&bad, &good, "random"], 2);
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("games.db").to_string_lossy().into_owned();
    let (store, run) = common::run(&place, &experiment, 2);
    let games = common::games(&store, &run);
    assert_eq!(games.len(), 12);
    for game in &games {
        let with_bad = game.result.seats.iter().position(|&agent| agent == 0);
        let forfeited = game.record.forfeit.as_ref().map(|f| usize::from(f.seat));
        assert_eq!(forfeited, with_bad, "{:?}", game.record.forfeit);
    }
}

#[test]
fn a_bot_in_a_hidden_game_sees_percepts_and_no_position() {
    let zoo = Zoo::new();
    let log = zoo.file("log");
    let script = format!("tee {} | sh {}", log.display(), zoo.file("first").display());
    zoo.raw("first", FIRST);
    let bot = zoo.raw("spy", &script).replace("200ms", "5s");
    let record = played(&bot, "kuhn");
    assert!(record.forfeit.is_none(), "{:?}", record.forfeit);
    let seen = std::fs::read_to_string(&log).unwrap();
    assert!(seen.contains("\"hidden\":true") && seen.contains("\"go\""), "{seen}");
    assert!(!seen.contains("position"), "{seen}");
    // The deal itself, which names both cards, is not told.
    let deal = &record.moves[0][0];
    assert!(!seen.contains(deal.as_str()), "{deal} in {seen}");
    let open = played(&bot, "tictactoe");
    assert!(open.forfeit.is_none());
    assert!(std::fs::read_to_string(&log).unwrap().contains("\"position\""));
}

#[test]
#[cfg_attr(not(python3), ignore = "needs python3")]
fn the_sample_bot_keeps_to_the_protocol() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../bots/random_bot.py");
    let lines = std::fs::read_to_string(file).unwrap().lines().count();
    assert!(lines <= 30, "{lines} lines");
    let bot: ludex_arena::bot::Exec = format!("exec:python3 {file}").parse().unwrap();
    let kinds =
        ["tictactoe", "pig(target=20)", "kuhn", "rps"].map(|g| ludex_games::open(g).unwrap());
    let budget = ludex_agents::Budget::default();
    let findings = ludex_arena::bot::check(&bot, &kinds, 2, &budget, ludex_core::Seed(1));
    assert_eq!(findings.len(), 10);
    for finding in findings {
        assert_eq!(finding.fault, None, "{}", finding.law);
    }
}
