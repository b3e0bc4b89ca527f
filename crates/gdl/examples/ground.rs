//! Grounds rule sheets and prints what it cost: `ground FILE.kif ...`.

use std::time::Instant;

use ludex_gdl::{ground, lower::lower, rules::Rules};

fn main() {
    for path in std::env::args().skip(1) {
        let Ok(source) = std::fs::read_to_string(&path) else { continue };
        let name = path.rsplit('/').next().unwrap_or_default().trim_end_matches(".kif").to_owned();
        let start = Instant::now();
        let (rules, _) = Rules::read(&source);
        let (program, _) = lower(&rules);
        let read = start.elapsed();
        let result = ground::ground(&program, &ground::Budget::default());
        let took = start.elapsed() - read;
        match result {
            Ok(ground) => {
                let [atoms, bodies, literals] = ground.size();
                println!(
                    "{name:32} read {:6.1} ms ground {:8.1} ms  atoms {atoms:8} bodies {bodies:8} literals {literals:8}",
                    read.as_secs_f64() * 1e3,
                    took.as_secs_f64() * 1e3,
                );
            }
            Err(error) => println!("{name:32} {:8.1} ms: {error}", took.as_secs_f64() * 1e3),
        }
    }
}
