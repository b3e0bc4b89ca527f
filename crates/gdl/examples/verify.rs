//! Compares the engines with recorded play: `verify GAMES_DIR TRACE.jsonl ...` (unpacked traces).

use std::time::{Duration, Instant};

use ludex_gdl::{ground, lower::lower, propnet::Propnet, rules::Rules, single::Single, verify};

fn main() {
    let mut args = std::env::args().skip(1);
    let Some(games) = args.next() else { return };
    let (mut passed, mut failed, mut big) = (0, 0, 0);
    for path in args {
        let Ok(trace) = std::fs::read_to_string(&path) else { continue };
        let name = path.rsplit('/').next().unwrap_or_default().trim_end_matches(".jsonl");
        let Ok(source) = std::fs::read_to_string(format!("{games}/{name}.kif")) else { continue };
        let start = Instant::now();
        let (rules, _) = Rules::read(&source);
        let (program, _) = lower(&rules);
        let budget = ground::Budget { time: Duration::from_secs(3), ..ground::Budget::default() };
        let propnet = ground::ground(&program, &budget).and_then(|g| Propnet::new(&g));
        let propnet = match propnet {
            Ok(propnet) => propnet,
            Err(error) => {
                println!("{name}: {error}");
                big += 1;
                continue;
            }
        };
        let built = start.elapsed();
        let (gates, literals) = (propnet.net.gates(), propnet.net.literals());
        let (loops, bases) = (propnet.net.loops.len(), propnet.bases.len());
        let moves = propnet.moves.len();
        let start = Instant::now();
        let report = verify::verify_trace(&Single::new(propnet), &trace);
        let ok = report.passed();
        passed += usize::from(ok);
        failed += usize::from(!ok);
        println!(
            "{} {name:30} {:7.1} ms, bases {bases:5} moves {moves:6} gates {gates:7} literals {literals:7} loops {loops:3}; {:5} states {:7.1} ms",
            if ok { "pass" } else { "FAIL" },
            built.as_secs_f64() * 1e3,
            report.states,
            start.elapsed().as_secs_f64() * 1e3
        );
        for difference in report.differences.iter().take(3) {
            println!("     {}", difference.chars().take(300).collect::<String>());
        }
    }
    println!("passed {passed}, failed {failed}, not grounded {big}");
}
