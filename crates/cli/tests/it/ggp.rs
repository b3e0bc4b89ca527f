//! Two real players and our referee over loopback, and clients that behave badly.

use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A `ludex ggp-player` process, ended with the test whatever happens.
struct Player {
    process: Child,
    address: String,
}

impl Player {
    fn start(more: &[&str]) -> Player {
        Player::heard(more, Stdio::null())
    }

    /// A player whose log goes there.
    fn heard(more: &[&str], log: Stdio) -> Player {
        let mut process = Command::new(env!("CARGO_BIN_EXE_ludex"))
            .args(["ggp-player", "--port", "0", "--margin", "400ms"])
            .args(more)
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .expect("a player");
        let mut line = String::new();
        let stdout = process.stdout.take().expect("its output");
        BufReader::new(stdout).read_line(&mut line).expect("a line");
        let address = line.trim().trim_start_matches("listening on ").to_string();
        Player { process, address }
    }

    /// Sends bytes and reads what comes until the end, or nothing.
    fn raw(&self, bytes: &[u8]) -> String {
        let mut stream = TcpStream::connect(&self.address).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a timeout");
        // A player may refuse before it has read everything.
        let _ = stream.write_all(bytes);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// The answer's body to a message.
    fn says(&self, message: &str) -> String {
        let length = message.len();
        let request = format!("POST / HTTP/1.1\r\nContent-Length: {length}\r\n\r\n{message}");
        let answer = self.raw(request.as_bytes());
        answer.split_once("\r\n\r\n").map_or(String::new(), |(_, body)| body.to_string())
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Runs a match and returns its report.
fn hosted(args: &[&str]) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_ludex"))
        .args(["ggp-match", "--startclock", "20", "--playclock", "1", "--grace", "10s", "--json"])
        .args(args)
        .output()
        .expect("a match");
    let (out, err) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{err}");
    serde_json::from_str(&out).expect("JSON")
}

/// No errors, a legal record, and goals as the rules give them.
fn assert_clean(report: &Value) {
    assert_eq!(report["errors"], Value::Array(vec![]), "{report}");
    let record: ludex_arena::GameRecord =
        serde_json::from_value(report["record"].clone()).expect("a record");
    let game = ludex_library::open(&record.game).expect("the game");
    let states = record.replay(&game).expect("a legal record");
    assert!(ludex_core::Game::is_over(&game, states.last().expect("a state")));
}

fn goals(report: &Value) -> Vec<u64> {
    let players = report["players"].as_array().expect("players");
    players.iter().map(|p| p["goal"].as_u64().expect("a goal")).collect()
}

#[test]
fn two_players_play_open_hidden_and_scrambled_games_over_loopback() {
    let (one, two) = (Player::start(&[]), Player::start(&["--agent", "uct@sims=300"]));
    let (x, o) = (format!("x={}", one.address), format!("o={}", two.address));

    let report = hosted(&["kif:tictactoe", "--player", &x, "--player", &o]);
    assert_clean(&report);
    assert!((5..=9).contains(&report["steps"].as_u64().expect("steps")), "{report}");
    assert_eq!(goals(&report).iter().sum::<u64>(), 100);

    let honest = ["--agent", "hyperplay-ismcts@sims=100"];
    let (three, four) = (Player::start(&honest), Player::start(&honest));
    let (x, o) = (format!("x={}", three.address), format!("o={}", four.address));
    for dialect in ["1", "2"] {
        let args = ["kif:krieg-tictactoe", "--player", &x, "--player", &o, "--dialect", dialect];
        assert_clean(&hosted(&args));
        let candidate = format!("candidate={}", two.address);
        let args = ["kif:monty-hall", "--player", &candidate, "--dialect", dialect, "--scramble"];
        let report = hosted(&args);
        assert_clean(&report);
        assert_eq!(report["steps"], 3);
    }

    // Scrambled words, against an agent of ours that plays at random: search must win.
    let (first, second) = (format!("1={}", two.address), "2=agent:random".to_string());
    let report = hosted(&["kif:connect4", "--player", &first, "--player", &second, "--scramble"]);
    assert_clean(&report);
    assert_eq!(goals(&report), [100, 0]);
    for player in [&one, &two] {
        assert!(player.says("(INFO)").contains("available"));
    }
}

#[test]
fn players_that_are_busy_or_absent_are_replaced_or_forfeit() {
    let player = Player::start(&[]);
    let rules = "(role a) (init s) (legal a go) (<= terminal (not (true s))) (goal a 100)";
    assert_eq!(player.says(&format!("(START other a ({rules}) 10 5)")), "ready");
    // One is busy with another match; at the other's address nobody listens.
    let nobody = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        listener.local_addr().expect("its address").to_string()
    };
    let (x, o) = (format!("x={}", player.address), format!("o={nobody}"));
    let report = hosted(&["kif:tictactoe", "--player", &x, "--player", &o]);
    let errors = report["errors"].as_array().expect("errors");
    assert_eq!(errors.len(), 2, "{report}");
    assert!(errors[0]["reason"].as_str().is_some_and(|r| r.contains("busy")), "{report}");
    assert_eq!(errors[1]["fault"], "crash", "{report}");
    assert!(report["steps"].as_u64().is_some_and(|n| n >= 5), "{report}");
    let report = hosted(&["kif:tictactoe", "--player", &o, "--forfeit"]);
    assert_eq!(goals(&report), [100, 0], "{report}");
    assert_eq!(report["record"]["forfeit"]["seat"], 1, "{report}");
    assert_eq!(report["steps"], 0);
    // The match that was on is still on.
    assert_eq!(player.says("(PLAY other NIL)"), "go");
}

#[test]
fn bad_clients_leave_the_player_alive_and_in_its_match() {
    let player = Player::start(&[]);
    let rules = "(role a) (init s) (legal a go) (legal a (stay put)) (<= (next s) (true s))
        (<= terminal (not (true s))) (goal a 100)";
    assert_eq!(player.says(&format!("(START m1 a ({rules}) 10 1)")), "ready");

    // Half a request, kept open while others are served.
    let mut half = TcpStream::connect(&player.address).expect("a connection");
    half.write_all(b"POST / HTTP/1.1\r\nContent-Length: 500\r\n\r\n(PLAY").expect("sent");
    let silent = TcpStream::connect(&player.address).expect("a connection");

    assert!(player.raw(b"\x16\x03\x01\x02\x00garbage\r\n\r\n").starts_with("HTTP/1.1 400"));
    let huge = b"POST / HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n(START m2";
    assert!(player.raw(huge).starts_with("HTTP/1.1 413"));
    // The server may close the connection while the flood still comes: then there is no answer to read.
    let flood = player.raw(&[b'A'; 200_000]);
    assert!(flood.is_empty() || flood.starts_with("HTTP/1.1 4"), "{flood}");
    let options = player.raw(b"OPTIONS / HTTP/1.1\r\nOrigin: http://example.org\r\n\r\n");
    assert!(options.starts_with("HTTP/1.1 200") && options.contains("Access-Control-Allow-Origin"));
    assert!(player.raw(b"DELETE / HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 405"));
    let get = player.raw(b"GET /%28INFO%29 HTTP/1.1\r\n\r\n");
    assert!(get.contains("text/acl") && get.contains("(status busy)"), "{get}");
    for nonsense in ["", ")", "((((", "(PLAY)", "(DANCE m1)", "(START m1 a soon 1 1)"] {
        let request =
            format!("POST / HTTP/1.1\r\nContent-Length: {}\r\n\r\n{nonsense}", nonsense.len());
        let answer = player.raw(request.as_bytes());
        assert!(answer.starts_with("HTTP/1.1 400"), "{nonsense}: {answer}");
    }
    assert_eq!(player.says("(PLAY m2 NIL)"), "busy");
    assert_eq!(player.says("(START m2 a ((role a)) 1 1)"), "busy");
    assert_eq!(player.says("(STOP m2 NIL)"), "busy");

    // A client that asks for a move and goes away.
    let mut gone = TcpStream::connect(&player.address).expect("a connection");
    gone.write_all(b"POST / HTTP/1.1\r\nContent-Length: 13\r\n\r\n(PLAY m1 NIL)").expect("sent");
    drop(gone);

    assert!(["go", "(stay put)"].contains(&player.says("(PLAY m1 (go))").as_str()));
    assert_eq!(player.says("(ABORT m1)"), "aborted");
    assert!(player.says("(INFO)").contains("available"));
    drop((half, silent));
}

#[test]
fn a_player_for_one_match_ends_with_it() {
    let mut player = Player::start(&["--once"]);
    let candidate = format!("candidate={}", player.address);
    assert_clean(&hosted(&["kif:monty-hall", "--player", &candidate]));
    let until = Instant::now() + Duration::from_secs(20);
    while Instant::now() < until {
        if let Some(status) = player.process.try_wait().expect("a status") {
            assert!(status.success());
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("the player still runs");
}

#[test]
fn a_match_that_makes_no_sense_is_refused() {
    let refused = |args: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_ludex"))
            .arg("ggp-match")
            .args(args)
            .output()
            .expect("a run");
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    assert!(refused(&["tictactoe"]).contains("kif:tictactoe"));
    assert!(refused(&["kif:tictactoe", "--player", "z=1.2.3.4:5"]).contains("roles: x, o"));
    assert!(refused(&["kif:tictactoe", "--player", "x=nowhere"]).contains("HOST:PORT"));
    assert!(refused(&["kif:monty-hall", "--player", "1=agent:uct"]).contains("hides"));
}

#[test]
fn a_percept_that_no_world_explains_is_told_and_the_match_goes_on() {
    let mut player = Player::heard(&[], Stdio::piped());
    let path = format!("{}/../../games/exploding-bomb.kif", env!("CARGO_MANIFEST_DIR"));
    let rules = std::fs::read_to_string(path).expect("the rules");
    assert_eq!(player.says(&format!("(START m1 agent ({rules}) 10 2)")), "ready");
    assert_eq!(player.says("(PLAY m1 0 nil ())"), "noop");
    assert_eq!(player.says("(PLAY m1 1 noop ())"), "ask");
    // There are wires of two colours.
    let answer = player.says("(PLAY m1 2 ask ((wire green)))");
    assert!(["(cut red)", "(cut blue)"].contains(&answer.as_str()), "{answer}");
    assert!(player.says("(INFO)").contains("busy"), "the match goes on");
    player.process.kill().expect("the end");
    let mut log = String::new();
    let stderr = player.process.stderr.take().expect("its log");
    BufReader::new(stderr).read_to_string(&mut log).expect("text");
    assert!(log.contains("step 2: rules and record contradict each other"), "{log}");
    assert!(log.contains("no world explains the percepts ((wire green)) after `ask`"), "{log}");
}
