//! Random playouts per CPU second, one thread, in lanes and one by one: `bench [SECONDS] FILE.kif ...`.

use std::time::{Duration, Instant};

use ludex_core::{Game, Seed, playout::Outcomes};
use ludex_gdl::game::{Engine, GdlGame, Options};

/// CPU time of this thread's process.
fn cpu() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let nanos = stat.split_whitespace().next().and_then(|n| n.parse().ok()).unwrap_or(0);
    Duration::from_nanos(nanos)
}

fn load(source: &str, engine: Engine) -> Result<GdlGame, String> {
    let options = Options { engine: Some(engine), ..Options::default() };
    GdlGame::load("bench", source, &options).map_err(|error| error.to_string())
}

fn main() {
    let mut seconds = 1.0;
    println!(
        "{:28} {:>9} {:>9} {:>2} {:>5} {:>8} {:>12} {:>12} {:>7} {:>9}  goals",
        "game",
        "load ms",
        "code",
        "P",
        "lanes",
        "slots",
        "playouts/s",
        "states/s",
        "length",
        "single"
    );
    for path in std::env::args().skip(1) {
        match path.parse() {
            Ok(given) => seconds = given,
            Err(_) => {
                let name = path.rsplit('/').next().unwrap_or_default().trim_end_matches(".kif");
                match one(&path, seconds) {
                    Ok(line) => println!("{name:28} {line}"),
                    Err(error) => println!("{name:28} {error}"),
                }
            }
        }
    }
}

fn one(path: &str, seconds: f64) -> Result<String, String> {
    let source = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let start = Instant::now();
    let game = load(&source, Engine::Lanes)?;
    let lanes = game.lanes().ok_or("no lanes")?;
    let took = start.elapsed();
    let first = game.start();
    let seats = game.info().seats();
    let mut out = Outcomes::new(seats);
    let (mut n, mut games, mut plies) = (lanes.lanes(), 0usize, 0u64);
    let (mut sums, mut unfinished, mut batch) = (vec![0.0; seats], 0, 0);
    let began = cpu();
    let used = loop {
        out.clear();
        batch += 1;
        game.playouts_in_lanes(std::slice::from_ref(&first), n, Seed(batch), &mut out);
        games += n;
        plies += out.plies();
        unfinished += out.unfinished();
        for (sum, mean) in sums.iter_mut().zip(out.means()) {
            *sum += mean * n as f64;
        }
        let used = (cpu() - began).as_secs_f64();
        if used > seconds {
            break used;
        }
        n = (n * 2).min(lanes.lanes() * 256);
    };
    let goals: Vec<String> = sums.iter().map(|s| format!("{:.3}", s / games as f64)).collect();
    Ok(format!(
        "{:>9.1} {:>9} {:>2} {:>5} {:>8} {:>12.0} {:>12.0} {:>7.2} {:>9.0}  {} {}",
        took.as_secs_f64() * 1e3,
        lanes.literals(),
        lanes.period(),
        lanes.lanes(),
        lanes.slots(),
        games as f64 / used,
        plies as f64 / used,
        plies as f64 / games as f64,
        singly(&source, seconds / 3.0)?,
        goals.join(" "),
        if unfinished > 0 { format!("unfinished {unfinished}") } else { String::new() }
    ))
}

/// Random games a second of the engine that steps one state.
fn singly(source: &str, seconds: f64) -> Result<f64, String> {
    let game = load(source, Engine::Single)?;
    let first = game.start();
    let (mut rng, mut pad, mut games) = (Seed(1).rng(), Vec::new(), 0u32);
    let began = cpu();
    while (cpu() - began).as_secs_f64() < seconds {
        for _ in 0..4 {
            game.playout(&mut first.clone(), &mut rng, &mut pad, 20_000);
            games += 1;
        }
    }
    Ok(f64::from(games) / (cpu() - began).as_secs_f64())
}
