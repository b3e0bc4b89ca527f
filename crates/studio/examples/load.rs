//! A load test: many clients play on a running studio, each with a stream of its own.
//!
//! `cargo run --profile fast -p ludex-studio --example load -- URL [CLIENTS] [SECONDS]`
//!
//! It prints the number of requests and errors, the times of moves, and where the server is on this machine (its process id as
//! the fourth argument) the growth of its memory.

use serde_json::{Value, json};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The games that the clients play, and who sits at the second seat.
const GAMES: [(&str, &str); 6] = [
    ("tictactoe", "human"),
    ("connect4", "random"),
    ("breakthrough", "human"),
    ("kif:tictactoe", "random"),
    ("lud:hex", "human"),
    ("kuhn", "random"),
];

#[derive(Default)]
struct Sum {
    requests: AtomicU64,
    errors: AtomicU64,
    games: AtomicU64,
    moves: Mutex<Vec<f64>>,
    first_error: Mutex<Option<String>>,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(url) = arguments.first().cloned() else {
        eprintln!("expected the address of a studio");
        std::process::exit(2);
    };
    let number = |at: usize, usual: u64| {
        arguments.get(at).and_then(|text| text.parse().ok()).unwrap_or(usual)
    };
    let (clients, seconds) = (number(1, 100), number(2, 60));
    let process = arguments.get(3).cloned();
    let sum = Sum::default();
    let end = Instant::now() + Duration::from_secs(seconds);
    let mut memory = vec![resident(process.as_deref())];
    std::thread::scope(|scope| {
        for client in 0..clients {
            let (url, sum) = (&url, &sum);
            scope.spawn(move || play(url, client, end, sum));
        }
        while Instant::now() < end {
            std::thread::sleep(Duration::from_secs((seconds / 6).max(1)));
            memory.push(resident(process.as_deref()));
        }
    });
    let mut moves = sum.moves.lock().map(|moves| moves.clone()).unwrap_or_default();
    moves.sort_by(f64::total_cmp);
    let at =
        |share: f64| moves.get((moves.len() as f64 * share) as usize).copied().unwrap_or_default();
    println!(
        "{clients} clients, {seconds} s: {} requests, {} games, {} errors",
        sum.requests.load(Ordering::Relaxed),
        sum.games.load(Ordering::Relaxed),
        sum.errors.load(Ordering::Relaxed)
    );
    println!("a move: median {:.1} ms, 95 % {:.1} ms, 99 % {:.1} ms", at(0.5), at(0.95), at(0.99));
    let sizes: Vec<String> =
        memory.iter().flatten().map(|kb| format!("{} MB", kb / 1024)).collect();
    if !sizes.is_empty() {
        println!("memory of the server: {}", sizes.join(", "));
    }
    if let Ok(Some(error)) = sum.first_error.lock().map(|error| error.clone()) {
        println!("first error: {error}");
    }
}

/// The memory of a process in kB.
fn resident(process: Option<&str>) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{}/status", process?)).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// One client: game after game, with a stream to each table.
fn play(url: &str, client: u64, end: Instant, sum: &Sum) {
    let config = ureq::Agent::config_builder().timeout_global(Some(Duration::from_secs(30)));
    let agent: ureq::Agent = config.build().into();
    let mut game = client as usize;
    while Instant::now() < end {
        let (name, rival) = GAMES[game % GAMES.len()];
        game += 1;
        if let Err(error) = one_game(url, &agent, (name, rival), end, sum) {
            sum.errors.fetch_add(1, Ordering::Relaxed);
            if let Ok(mut first) = sum.first_error.lock() {
                first.get_or_insert(format!("{name}: {error}"));
            }
        }
        sum.games.fetch_add(1, Ordering::Relaxed);
    }
}

type Failure = Box<dyn std::error::Error>;

fn one_game(
    url: &str,
    agent: &ureq::Agent,
    (name, rival): (&str, &str),
    end: Instant,
    sum: &Sum,
) -> Result<(), Failure> {
    let post = |path: &str, body: Value| -> Result<Value, Failure> {
        sum.requests.fetch_add(1, Ordering::Relaxed);
        Ok(agent.post(format!("{url}{path}")).send_json(body)?.body_mut().read_json()?)
    };
    let get = |path: &str| -> Result<Value, Failure> {
        sum.requests.fetch_add(1, Ordering::Relaxed);
        Ok(agent.get(format!("{url}{path}")).call()?.body_mut().read_json()?)
    };
    let table = post("api/tables", json!({ "game": name, "seats": ["human", rival] }))?;
    let id = table["table"].as_str().unwrap_or_default().to_string();
    let keys: Vec<&str> =
        table["keys"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let key = keys.join(",");
    let socket = format!("{}api/tables/{id}/live?key={key}", url.replace("http:", "ws:"));
    let (mut socket, _) = tungstenite::connect(socket)?;
    for step in 0..30u64 {
        if Instant::now() >= end {
            break;
        }
        let look = get(&format!("api/tables/{id}/snapshot?key={key}&known=100000"))?;
        if look["turn"] == "over" {
            break;
        }
        let moves = look["moves"].as_array().cloned().unwrap_or_default();
        if moves.is_empty() {
            std::thread::sleep(Duration::from_millis(50));
            continue;
        }
        let chosen = &moves[(step as usize * 7) % moves.len()];
        let body = json!({
            "node": look["live"], "seat": chosen["seat"], "index": chosen["index"], "known": 100_000,
        });
        let begun = Instant::now();
        post(&format!("api/tables/{id}/move?key={key}"), body)?;
        if let Ok(mut moves) = sum.moves.lock() {
            moves.push(begun.elapsed().as_secs_f64() * 1e3);
        }
        // A person thinks.
        std::thread::sleep(Duration::from_millis(400));
    }
    let _ = socket.close(None);
    Ok(())
}
