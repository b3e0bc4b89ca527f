//! The slowest descriptions of a library: `slow FOLDER [NAME]`. Prints every description that takes more than a second of
//! processor time to load, or more than half a second for a random game (the longest of three), the slowest first.

#[path = "common/cpu.rs"]
mod cpu;

use std::path::PathBuf;

use cpu::cpu_seconds;
use ludex_core::{Game, Seed};
use ludex_lud::expand::Library;
use ludex_lud::load::load;
use ludex_lud::source;

/// Random games of each description.
const GAMES: u64 = 3;

fn main() {
    let root = PathBuf::from(std::env::args().nth(1).unwrap_or_default());
    let only = std::env::args().nth(2).unwrap_or_default();
    let library = Library::read(&root.join("def")).0;
    let (mut loads, mut games) = (Vec::new(), Vec::new());
    for path in source::files(&root.join("lud"), ".lud").0 {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if !name.contains(&only) {
            continue;
        }
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let begun = cpu_seconds();
        let Some(game) = load(&name, &name, &text, &library, &[]).game else { continue };
        loads.push((cpu_seconds() - begun, name.clone()));
        let (start, mut moves) = (game.start(), Vec::new());
        let longest = (0..GAMES).map(|seed| {
            let (mut state, mut rng) = (start.clone(), Seed(seed).rng());
            let begun = cpu_seconds();
            game.playout(&mut state, &mut rng, &mut moves, 20_000);
            cpu_seconds() - begun
        });
        games.push((longest.fold(0.0, f64::max), name));
    }
    for (what, mut all, least) in [("load", loads, 1.0), ("random game", games, 0.5)] {
        all.sort_by(|a, b| b.0.total_cmp(&a.0));
        for (seconds, name) in all.iter().filter(|(seconds, _)| *seconds > least) {
            println!("{what} {seconds:7.2} s  {name}");
        }
    }
}
