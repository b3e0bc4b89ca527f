//! The slowest descriptions of a library: `slow FOLDER [NAME [GAMES]]`. Prints every description that takes more than a second of
//! processor time to load, or more than half a second for a random game (the longest of three), the slowest first. Random
//! games are drawn as playouts draw them, and once more with all moves listed at every ply, as a referee asks for them.

#[path = "common/cpu.rs"]
mod cpu;

use std::path::PathBuf;

use cpu::cpu_seconds;
use ludex_core::cpu::Built;
use ludex_core::{Game, Seed, playout};
use ludex_lud::expand::Library;
use ludex_lud::load::load;
use ludex_lud::source;

/// The longest random game.
const LONGEST: u32 = 20_000;

fn main() {
    let root = PathBuf::from(std::env::args().nth(1).unwrap_or_default());
    let only = std::env::args().nth(2).unwrap_or_default();
    let library = Library::read(&root.join("def")).0;
    let count = std::env::args().nth(3).and_then(|count| count.parse().ok()).unwrap_or(3u64);
    let (mut loads, mut drawn, mut listed) = (Vec::new(), Vec::new(), Vec::new());
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
        let mut longest = |lists: bool| {
            let games = (0..count).map(|seed| {
                let (mut state, mut rng) = (start.clone(), Seed(seed).rng());
                let begun = cpu_seconds();
                if lists {
                    playout::playout_on(Built, &game, &mut state, &mut rng, &mut moves, LONGEST);
                } else {
                    game.playout(&mut state, &mut rng, &mut moves, LONGEST);
                }
                cpu_seconds() - begun
            });
            games.fold(0.0, f64::max)
        };
        drawn.push((longest(false), name.clone()));
        listed.push((longest(true), name));
    }
    for (what, mut all, least) in
        [("load", loads, 1.0), ("random game", drawn, 0.5), ("listed game", listed, 0.5)]
    {
        all.sort_by(|a, b| b.0.total_cmp(&a.0));
        for (seconds, name) in all.iter().filter(|(seconds, _)| *seconds > least) {
            println!("{what} {seconds:7.2} s  {name}");
        }
    }
}
