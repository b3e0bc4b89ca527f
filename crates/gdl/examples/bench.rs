//! Random playouts per CPU second, one thread: `bench [SECONDS] FILE.kif ...`.

use std::time::{Duration, Instant};

use ludex_core::{Seed, playout::Outcomes};
use ludex_gdl::{
    ground, lanes::Lanes, lower::lower, phases::Phases, propnet::Propnet, reasoner::Reasoner,
    rules::Rules, single::Single,
};

/// CPU time of this thread's process.
fn cpu() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let nanos = stat.split_whitespace().next().and_then(|n| n.parse().ok()).unwrap_or(0);
    Duration::from_nanos(nanos)
}

fn main() {
    let mut seconds = 1.0;
    println!(
        "{:28} {:>9} {:>9} {:>9} {:>2} {:>5} {:>8} {:>12} {:>12} {:>7} {:>9}  goals",
        "game",
        "load ms",
        "literals",
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
        if let Ok(s) = path.parse() {
            seconds = s;
            continue;
        }
        let Ok(source) = std::fs::read_to_string(&path) else { continue };
        let name = path.rsplit('/').next().unwrap_or_default().trim_end_matches(".kif").to_owned();
        let start = Instant::now();
        let (rules, _) = Rules::read(&source);
        let (program, _) = lower(&rules);
        let propnet =
            ground::ground(&program, &ground::Budget::default()).and_then(|g| Propnet::new(&g));
        let propnet = match propnet {
            Ok(propnet) => propnet,
            Err(error) => {
                println!("{name:28} {error}");
                continue;
            }
        };
        let literals = propnet.net.literals();
        let phases = Phases::find(&propnet);
        let lanes = Lanes::new(&propnet, &phases);
        let load = start.elapsed();
        let first = Single::new(propnet.clone()).start();
        let mut out = Outcomes::new(propnet.roles.len());
        let (mut n, mut games, mut plies) = (lanes.lanes(), 0usize, 0u64);
        let mut sums = vec![0.0; propnet.roles.len()];
        let mut unfinished = 0;
        let began = cpu();
        let mut batch = 0;
        let seats: Vec<usize> = (0..propnet.roles.len()).collect();
        let used = loop {
            out.clear();
            batch += 1;
            lanes.playouts(&[&first], n, Seed(batch), &seats, &mut out);
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
        // The single-state engine for a third of the time.
        let single = Single::with_phases(&propnet, &phases);
        let mut rng = Seed(1).rng();
        let began = cpu();
        let mut singles = 0;
        while (cpu() - began).as_secs_f64() < seconds / 3.0 {
            for _ in 0..4 {
                let mut state = first.clone();
                single.playout(&mut state, &mut rng, 20_000);
                singles += 1;
            }
        }
        let single_rate = f64::from(singles) / (cpu() - began).as_secs_f64();
        let goals: Vec<String> = sums.iter().map(|s| format!("{:.3}", s / games as f64)).collect();
        println!(
            "{name:28} {:>9.1} {literals:>9} {:>9} {:>2} {:>5} {:>8} {:>12.0} {:>12.0} {:>7.2} {:>9.0}  {} {}",
            load.as_secs_f64() * 1e3,
            lanes.literals(),
            lanes.period(),
            lanes.lanes(),
            lanes.slots(),
            games as f64 / used,
            plies as f64 / used,
            plies as f64 / games as f64,
            single_rate,
            goals.join(" "),
            if unfinished > 0 { format!("unfinished {unfinished}") } else { String::new() }
        );
    }
}
