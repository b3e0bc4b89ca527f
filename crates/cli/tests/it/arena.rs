//! Experiments by the real binary: killed at random moments, shared by workers, looked at.

use ludex_arena::store::Stored;
use ludex_arena::{Run, Store};
use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// A folder with an experiment and its databases.
struct Bench(tempfile::TempDir);

impl Bench {
    fn new(experiment: &str) -> Self {
        let bench = Bench(tempfile::tempdir().expect("a folder"));
        std::fs::write(bench.file("e.toml"), experiment).expect("a file");
        bench
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The experiment played to its end by one thread without any trouble.
    fn undisturbed(&self) -> Vec<Stored> {
        let place = self.file("undisturbed.db").display().to_string();
        let file = self.path("e.toml");
        done(&ludex(&["arena", "run", &file, "--db", &place, "--threads", "1", "--quiet"]));
        games(&place)
    }

    fn path(&self, name: &str) -> String {
        self.file(name).display().to_string()
    }
}

fn ludex(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ludex")).args(args).output().expect("the binary")
}

fn spawn(args: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludex"));
    command.args(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the binary")
}

/// Standard output of a run that must succeed.
fn done(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn open(place: &str) -> (Store, Run) {
    let store = Store::open(place).expect("a database");
    let run = store.run("e").expect("the run");
    (store, run)
}

/// All games, without what differs from run to run: times and who played.
fn games(place: &str) -> Vec<Stored> {
    let (store, run) = open(place);
    let mut games = store.games(&run, 0, u64::MAX >> 1).expect("games");
    for game in &mut games {
        game.result.think_us.clear();
        game.result.worker = 0;
        game.record.think_ms.clear();
    }
    games
}

/// The report, without times.
fn table(place: &str) -> Value {
    let text = done(&ludex(&["arena", "report", "e", "--db", place, "--json"]));
    let mut report: Value = serde_json::from_str(&text).expect("JSON");
    report.as_object_mut().expect("an object").remove("times");
    report
}

/// Random naps: where a kill hits must differ, and need not repeat.
fn nap(most_ms: u64) {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let luck = ludex_core::Seed(now.map_or(0, |d| d.as_nanos() as u64)).child(1).0;
    std::thread::sleep(Duration::from_millis(5 + luck % most_ms));
}

/// 400 games at fixed simulations.
const FOUR_HUNDRED: &str = "games = ['connect4', 'pig(target=30)']
agents = ['uct@sims=1000', 'flat@sims=1000']
rounds = 100
[openings]
plies = 2";

#[test]
fn a_run_killed_twenty_times_ends_with_the_same_table() {
    let bench = Bench::new(FOUR_HUNDRED);
    let begun = Instant::now();
    let expected = bench.undisturbed();
    // Twenty sittings of up to a sixteenth of it come to somewhat more than its half.
    let most_ms = (begun.elapsed().as_millis() as u64 / 16).max(20);
    assert_eq!(expected.len(), 400);
    let place = bench.path("killed.db");
    let file = bench.path("e.toml");
    let (mut kills, mut last) = (0, 0);
    while kills < 20 {
        let args = ["arena", "run", &file, "--db", &place, "--threads", "1", "--quiet"];
        let mut process = spawn(&args);
        nap(most_ms);
        // Only a kill of a running process counts.
        if process.try_wait().expect("a process").is_none() {
            process.kill().expect("a kill");
            kills += 1;
        }
        let _ = process.wait();
        let stored = if Path::new(&place).exists() && kills > 0 {
            Store::open(&place).ok().and_then(|store| store.count(&store.run("e").ok()?).ok())
        } else {
            None
        };
        // What was stored stays stored.
        let stored = stored.unwrap_or(0);
        assert!(stored >= last, "{stored} after {last}");
        last = stored;
        assert!(stored < 400, "it was over after {kills} kills: the naps are too long");
    }
    println!("{last} games were stored after the last kill");
    done(&ludex(&["arena", "resume", "e", "--db", &place, "--quiet"]));
    assert_eq!(games(&place), expected);
    assert_eq!(table(&place), table(&bench.path("undisturbed.db")));
}

#[test]
fn ctrl_c_keeps_finished_games_and_says_how_to_go_on() {
    let bench = Bench::new(FOUR_HUNDRED);
    let place = bench.path("games.db");
    let process = Command::new(env!("CARGO_BIN_EXE_ludex"))
        .args(["arena", "run", &bench.path("e.toml"), "--db", &place, "--quiet"])
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary");
    wait_for(&place, 1);
    let pid = rustix::process::Pid::from_child(&process);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).expect("a signal");
    let output = process.wait_with_output().expect("an end");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("ludex arena resume e --db"), "{said}");
    let (store, run) = open(&place);
    assert!(!store.leased(&run).expect("leases") || store.count(&run).expect("a count") < 400);
    assert!(!store.played_now(&run).expect("leases"), "nobody plays any more");
    drop(store);
    done(&ludex(&["arena", "resume", "e", "--db", &place, "--quiet"]));
    assert_eq!(games(&place), bench.undisturbed());
}

/// Waits until this number of games is stored.
fn wait_for(place: &str, games: u64) {
    let until = Instant::now() + Duration::from_secs(120);
    while Instant::now() < until {
        let ready = place.starts_with("postgres") || Path::new(place).exists();
        let stored = ready.then(|| Store::open(place).ok()).flatten().and_then(|store| {
            let run = store.run("e").ok()?;
            store.count(&run).ok()
        });
        if stored.is_some_and(|n| n >= games) {
            return;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    panic!("{games} games were not stored in two minutes");
}

/// Two workers, one of them killed, then the coordinator; both are replaced. Meanwhile `outage` disturbs the database.
fn survives_the_loss_of_worker_and_coordinator(
    bench: &Bench,
    place: &str,
    outage: &mut dyn FnMut(),
) {
    let file = bench.path("e.toml");
    let mut coordinator =
        spawn(&["arena", "run", &file, "--db", place, "--threads", "0", "--quiet"]);
    let worker = |lease: &str| {
        spawn(&["worker", "--connect", place, "--threads", "1", "--lease", lease, "--idle", "2s"])
    };
    // The leases of the second worker end at once: the others play its games, too.
    let (mut first, mut second) = (worker("2s"), worker("1ms"));
    wait_for(place, 20);
    first.kill().expect("a kill");
    let _ = first.wait();
    outage();
    wait_for(place, 60);
    coordinator.kill().expect("a kill");
    let _ = coordinator.wait();
    let mut third = worker("2s");
    done(&ludex(&["arena", "resume", "e", "--db", place, "--threads", "0", "--quiet"]));
    assert_eq!(games(place), bench.undisturbed());
    assert_eq!(table(place), table(&bench.path("undisturbed.db")));
    for worker in [&mut second, &mut third] {
        assert!(worker.wait().expect("an end").success());
    }
}

#[test]
fn workers_share_an_sqlite_file() {
    let bench = Bench::new(FOUR_HUNDRED);
    survives_the_loss_of_worker_and_coordinator(&bench, &bench.path("shared.db"), &mut || {});
}

#[test]
fn workers_share_a_postgresql_server() {
    let Some(mut server) = postgres::Server::start() else {
        // Not `println`, which a test that passes swallows.
        let line =
            "skipped workers_share_a_postgresql_server: no PostgreSQL server (.ci/postgres)\n";
        std::io::stderr().write_all(line.as_bytes()).unwrap();
        return;
    };
    let bench = Bench::new(FOUR_HUNDRED);
    let url = server.url();
    survives_the_loss_of_worker_and_coordinator(&bench, &url, &mut || {
        server.restart(Duration::from_secs(5));
    });
    // The same commands on a server.
    let status = done(&ludex(&["arena", "status", "--db", &url]));
    assert!(status.contains("done"), "{status}");
    let replay = done(&ludex(&["replay", "e/7", "--db", &url]));
    assert!(replay.contains("Result"), "{replay}");
}

#[test]
fn a_stopped_experiment_is_the_same_on_any_number_of_threads() {
    let bench = Bench::new(
        "games = ['tictactoe']
agents = ['flat@sims=60', 'random']
rounds = 3000
[stop]
sprt = {elo0 = 0.0, elo1 = 60.0}",
    );
    let tables: Vec<Value> = ["1", "3"]
        .iter()
        .map(|threads| {
            let place = bench.path(&format!("{threads}.db"));
            let args =
                ["arena", "run", &bench.path("e.toml"), "--db", &place, "--threads", threads];
            done(&ludex(&args));
            table(&place)
        })
        .collect();
    assert_eq!(tables[0], tables[1]);
    let verdict = tables[0]["verdict"].as_str().expect("a verdict");
    assert!(verdict.starts_with("H1 accepted"), "{verdict}");
    let games = tables[0]["games"].as_u64().expect("a count");
    assert!(games < 1000 && tables[0]["total"] == games, "{games}");
}

#[test]
fn a_run_can_be_looked_at_exported_drawn_and_replayed() {
    let bench = Bench::new(
        "games = ['tictactoe', 'kuhn', 'kif:tictactoe']
agents = ['random', 'random@sims=3']
rounds = 5",
    );
    let place = bench.path("games.db");
    let text = done(&ludex(&["arena", "run", &bench.path("e.toml"), "--db", &place]));
    assert!(text.contains("e: 30 games"), "{text}");
    let db = ["--db", place.as_str()];
    let look = |args: &[&str]| done(&ludex(&[args, &db].concat()));
    assert!(look(&["arena", "status"]).contains("done"));
    assert!(look(&["arena", "report", "--full"]).contains("Two-tailed t-test"));
    let csv = look(&["arena", "export", "e"]);
    assert_eq!(csv.lines().count(), 1 + 60);
    let jsonl = look(&["arena", "export", "e", "--format", "jsonl"]);
    assert_eq!(jsonl.lines().count(), 30);
    for line in jsonl.lines() {
        let game: Value = serde_json::from_str(line).expect("JSON");
        let record: ludex_arena::GameRecord = serde_json::from_value(game).expect("a record");
        let rules = ludex_library::open(&record.game).expect("the game");
        record.replay(&rules).expect("a legal record");
    }
    let figures = bench.path("figures");
    assert_eq!(look(&["arena", "plot", "--out", &figures]).lines().count(), 8);
    let page = bench.path("e.html");
    look(&["arena", "report", "--html", &page]);
    let page = std::fs::read_to_string(&page).expect("a page");
    // Games to open, with their moves and their last positions.
    let opened: Vec<&str> = page.split("<details class=\"game\">").skip(1).collect();
    assert!(opened.len() > 2, "{}", opened.len());
    assert!(opened.iter().all(|game| game.contains("<svg") && game.contains("<p>1. ")));
    for number in 0..30 {
        assert!(look(&["replay", &format!("e/{number}")]).contains("Result (rules)"));
    }
    let missing = ludex(&["replay", "e/99", "--db", &place]);
    assert!(String::from_utf8_lossy(&missing.stderr).contains("has no game 99; it has 30"));
    // More rounds later.
    look(&["arena", "resume", "e", "--rounds", "7", "--quiet"]);
    assert_eq!(games(&place).len(), 42);
}

#[test]
fn a_player_on_the_network_takes_part() {
    use std::io::BufRead;
    let mut player = Command::new(env!("CARGO_BIN_EXE_ludex"))
        .args(["ggp-player", "--port", "0", "--agent", "random", "--margin", "400ms"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("a player");
    let mut line = String::new();
    std::io::BufReader::new(player.stdout.take().expect("its output"))
        .read_line(&mut line)
        .expect("a line");
    let address = line.trim().trim_start_matches("listening on ").to_string();
    let agent = format!("ggp:{address}@time=1s");
    let args =
        ["match", "kif:tictactoe", &agent, "random", "--games", "4", "--threads", "1", "--json"];
    let played = ludex(&args);
    let gone = "ggp:127.0.0.1:1@time=1s";
    let lost = ludex(&["match", "kif:tictactoe", gone, "random", "--games", "2", "--json"]);
    let _ = player.kill();
    let _ = player.wait();
    let result: Value = serde_json::from_str(&done(&played)).expect("JSON");
    assert_eq!((&result["games"], &result["forfeits"]), (&4.into(), &0.into()), "{result}");
    let result: Value = serde_json::from_str(&done(&lost)).expect("JSON");
    assert_eq!((&result["games"], &result["forfeits"]), (&2.into(), &2.into()), "{result}");
}

/// A PostgreSQL server of the test's own: in a temporary folder, on a free port.
mod postgres {
    use std::os::unix::process::CommandExt;
    use std::path::{Path, PathBuf};
    use std::process::{Child, Command, Stdio};
    use std::time::{Duration, Instant};

    pub(crate) struct Server {
        process: Child,
        command: Command,
        port: u16,
        _folder: tempfile::TempDir,
    }

    impl Server {
        pub(crate) fn start() -> Option<Server> {
            let programs = programs()?;
            let folder = tempfile::tempdir().expect("a folder");
            let data = folder.path().join("data");
            // The server refuses to run as root.
            let user = rustix::process::geteuid().is_root().then(user).flatten();
            if rustix::process::geteuid().is_root() && user.is_none() {
                return None;
            }
            if let Some((uid, gid)) = user {
                std::os::unix::fs::chown(folder.path(), Some(uid), Some(gid)).expect("a folder");
            }
            let command = |program: &str| {
                let mut command = Command::new(programs.join(program));
                command.current_dir(folder.path()).stdin(Stdio::null());
                command.stdout(Stdio::null()).stderr(Stdio::null());
                if let Some((uid, gid)) = user {
                    command.uid(uid).gid(gid);
                }
                command
            };
            let made = command("initdb")
                .args(["-U", "ludex", "-A", "trust", "--no-sync", "-D"])
                .arg(&data)
                .status()
                .expect("initdb");
            assert!(made.success(), "initdb failed");
            let free = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
            let port = free.local_addr().expect("an address").port();
            drop(free);
            let mut command = command("postgres");
            command
                .arg("-D")
                .arg(&data)
                .arg("-k")
                .arg(folder.path())
                .args(["-c", "listen_addresses=127.0.0.1", "-c", "fsync=off", "-p"])
                .arg(port.to_string());
            let process = command.spawn().expect("postgres");
            let server = Server { process, command, port, _folder: folder };
            server.wait();
            Some(server)
        }

        fn wait(&self) {
            let until = Instant::now() + Duration::from_secs(60);
            while ludex_arena::Store::open(&self.url()).is_err() {
                assert!(Instant::now() < until, "the server does not come up");
                std::thread::sleep(Duration::from_millis(50));
            }
        }

        /// Stops the server, and starts it again after a while.
        pub(crate) fn restart(&mut self, after: Duration) {
            self.stop();
            std::thread::sleep(after);
            self.process = self.command.spawn().expect("postgres");
            self.wait();
        }

        /// Fast shutdown: connections are ended.
        fn stop(&mut self) {
            let pid = rustix::process::Pid::from_child(&self.process);
            let _ = rustix::process::kill_process(pid, rustix::process::Signal::INT);
            let _ = self.process.wait();
        }

        pub(crate) fn url(&self) -> String {
            format!("postgres://ludex@127.0.0.1:{}/postgres", self.port)
        }
    }

    impl Drop for Server {
        fn drop(&mut self) {
            self.stop();
        }
    }

    /// The folder of `initdb` and `postgres`.
    fn programs() -> Option<PathBuf> {
        let packaged = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
        let mut folders: Vec<PathBuf> = packaged.map(|entry| entry.path().join("bin")).collect();
        folders.sort();
        let path = std::env::var_os("PATH").unwrap_or_default();
        folders.extend(std::env::split_paths(&path));
        let real = |folder: &Path| {
            let program = folder.join("postgres").canonicalize().ok()?;
            let folder = program.parent()?;
            folder.join("initdb").is_file().then(|| folder.to_path_buf())
        };
        folders.iter().rev().find_map(|folder| real(folder))
    }

    /// Somebody other than root.
    fn user() -> Option<(u32, u32)> {
        let users = std::fs::read_to_string("/etc/passwd").ok()?;
        let find = |name: &str| {
            let line = users.lines().find(|line| line.split(':').next() == Some(name))?;
            let mut fields = line.split(':').skip(2);
            Some((fields.next()?.parse().ok()?, fields.next()?.parse().ok()?))
        };
        find("postgres").or_else(|| find("nobody"))
    }
}

/// The text of rules in which a number can be changed.
type Rules = fn(u32) -> String;

/// Rules by file: how many in a row win, how many turns there are.
const ROWS: [(&str, Rules); 3] = [
    ("row.lud", |length| {
        format!(
            "(game \"Row\" (players 2) (equipment {{(board (square 3)) (piece \"Disc\" Each)}}) (rules
                (play (move Add (to (sites Empty)))) (end (if (is Line {length}) (result Mover Win)))))"
        )
    }),
    // The rule stands in a file of defines.
    ("defined.lud", |_| {
        "(game \"Row\" (players 2) (equipment {(board (square 3)) (piece \"Disc\" Each)}) (rules
            (play (move Add (to (sites Empty)))) (end (\"Row\"))))"
            .into()
    }),
    ("take.kif", |length| {
        format!(
            "(role a) (role b) (init (left {length})) (init (control a)) (succ 0 1) (succ 1 2) (succ 2 3)
            (<= (base (left ?n)) (succ ?n ?m)) (base (left {length})) (base (control a)) (base (control b))
            (<= (input ?r take) (role ?r)) (<= (input ?r pass) (role ?r)) (<= (input ?r noop) (role ?r))
            (<= (legal ?r take) (true (control ?r))) (<= (legal ?r pass) (true (control ?r)))
            (<= (legal a noop) (true (control b))) (<= (legal b noop) (true (control a)))
            (<= (next (left ?m)) (true (left ?n)) (succ ?m ?n))
            (<= (next (control a)) (true (control b))) (<= (next (control b)) (true (control a)))
            (<= terminal (true (left 0))) (<= (goal ?r 100) (true (control ?r)))
            (<= (goal ?r 0) (role ?r) (not (true (control ?r))))"
        )
    }),
];

#[test]
fn a_run_does_not_go_on_under_other_rules() {
    for (file, rules) in ROWS {
        let bench = Bench::new("");
        let language = file.rsplit('.').next().expect("an ending");
        // Names with signs that mean something in names of games stand in quotes.
        let game = format!("{language}:\\\"{}\\\"", bench.path(file));
        let text = format!(
            "name = \"e\"\ngames = [\"{game}\"]\nagents = [\"random\", \"greedy\"]\nrounds = 2\n"
        );
        std::fs::write(bench.file("e.toml"), text).expect("a file");
        std::fs::create_dir(bench.file("def")).expect("a folder");
        let write = |length| {
            std::fs::write(bench.file(file), rules(length)).expect("a file");
            let define = format!("(define \"Row\" (if (is Line {length}) (result Mover Win)))");
            std::fs::write(bench.file("def/Row.def"), define).expect("a file");
        };
        let (experiment, place) = (bench.path("e.toml"), bench.path("e.db"));
        let run = |rounds| {
            ludex(&["arena", "run", &experiment, "--db", &place, "--rounds", rounds, "--quiet"])
        };
        write(3);
        done(&run("2"));
        done(&run("3"));
        write(2);
        let refused = run("4");
        let error = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(!refused.status.success(), "{file}: {error}");
        assert!(error.contains("the rules of a game have changed"), "{file}: {error}");
        // The old rules are still those of the run.
        write(3);
        done(&run("4"));
        assert_eq!(games(&place).len(), 8, "{file}");
    }
}

#[test]
fn network_players_refuse_games_that_are_not_written_in_gdl() {
    for game in ["lud:tic-tac-toe", "tictactoe"] {
        let refused = ludex(&["match", game, "ggp:127.0.0.1:1", "random", "--games", "2"]);
        let error = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert_eq!(refused.status.code(), Some(2), "{game}: {error}");
        assert!(error.contains("has no rules in KIF"), "{game}: {error}");
    }
}
