//! Loads rule sheets as games and prints how long that takes: `load FILE.kif ...`.

use std::time::Instant;

use ludex_core::{Game, Seed, testkit};
use ludex_gdl::game::{GdlGame, Options};

fn main() {
    for path in std::env::args().skip(1) {
        let Ok(source) = std::fs::read_to_string(&path) else { continue };
        let start = Instant::now();
        match GdlGame::load(&path, &source, &Options::default()) {
            Err(error) => println!("{path}: {error}"),
            Ok(game) => {
                let loaded = start.elapsed();
                let law = testkit::check(&game, 3, Seed(7));
                let info = game.info();
                println!(
                    "{path}: {} seats, hidden {}, simultaneous {}, constant sum {}: load {:.0} ms, check {:.0} ms {}",
                    info.seats(),
                    info.hidden,
                    info.simultaneous,
                    info.constant_sum,
                    loaded.as_secs_f64() * 1e3,
                    (start.elapsed() - loaded).as_secs_f64() * 1e3,
                    law.map_or_else(|law| law, |report| format!("{} states", report.states))
                );
            }
        }
    }
}
