//! Loads rule sheets with the join engine; prints load time, what the recorded traces say, and
//! random playouts per CPU second.
//!
//! `cargo run --release -p ludex-gdl --example joins -- [--seconds S] [--no-verify] FILE.kif..`

use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use ludex_core::Seed;
use ludex_gdl::joins::{Joins, Limits};
use ludex_gdl::reasoner::{Playout, Reasoner};
use ludex_gdl::rules::Rules;
use ludex_gdl::verify::verify_trace;

/// CPU time of this thread's process.
fn cpu() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let nanos = stat.split_whitespace().next().and_then(|n| n.parse().ok()).unwrap_or(0);
    Duration::from_nanos(nanos)
}

fn trace_of(sheet: &Path) -> Option<String> {
    let name = sheet.file_stem()?.to_string_lossy().into_owned();
    let path = sheet.parent()?.join("../traces").join(format!("{name}.jsonl.gz"));
    let mut text = String::new();
    flate2::read::GzDecoder::new(std::fs::File::open(path).ok()?).read_to_string(&mut text).ok()?;
    Some(text)
}

fn main() {
    let (mut seconds, mut verify, mut files) = (1.0, true, Vec::new());
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--seconds" => seconds = args.next().and_then(|s| s.parse().ok()).unwrap_or(seconds),
            "--no-verify" => verify = false,
            file => files.push(PathBuf::from(file)),
        }
    }
    println!("{:32} {:>8} {:>22} {:>12} {:>8}", "sheet", "load ms", "trace", "playouts/s", "plies");
    for file in files {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let source = match std::fs::read_to_string(&file) {
            Ok(source) => source,
            Err(error) => {
                println!("{name:32} {error}");
                continue;
            }
        };
        let begin = Instant::now();
        let game = match Joins::load(&Rules::read(&source).0, &Limits::default()) {
            Ok(game) => game,
            Err(error) => {
                println!("{name:32} FAILED to load: {error}");
                continue;
            }
        };
        let load = begin.elapsed().as_millis();
        let trace = match trace_of(&file).filter(|_| verify) {
            None => "-".to_owned(),
            Some(trace) => {
                let begin = Instant::now();
                let report = verify_trace(&game, &trace);
                match report.differences.first() {
                    None => format!("{} ok {:.1}s", report.states, begin.elapsed().as_secs_f64()),
                    Some(first) => format!("DIFFERS {first:.300}"),
                }
            }
        };
        let (mut playouts, mut plies) = (0u32, 0u64);
        let mut rng = Seed(3).rng();
        let begin = cpu();
        while (cpu() - begin).as_secs_f64() < seconds {
            let mut state = game.start();
            plies += match game.playout(&mut state, &mut rng, 2000) {
                Playout::Over(steps) => u64::from(steps),
                _ => 2000,
            };
            playouts += 1;
        }
        let time = (cpu() - begin).as_secs_f64().max(1e-9);
        let (rate, length) =
            (f64::from(playouts) / time, plies as f64 / f64::from(playouts.max(1)));
        println!("{name:32} {load:>8} {trace:>22} {rate:>12.1} {length:>8.1}");
    }
}
