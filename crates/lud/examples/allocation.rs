//! The descriptions of a library whose random games take memory once there have been a few: `allocation FOLDER [NAME]`. Prints how
//! often memory was taken in two games of at most 100 plies that were played before.

use std::path::PathBuf;

use ludex_core::{Game, Seed};
use ludex_lud::expand::Library;
use ludex_lud::load::load;
use ludex_lud::source;

/// The longest random game.
const LONGEST: u32 = 100;

fn main() {
    let root = PathBuf::from(std::env::args().nth(1).unwrap_or_default());
    let only = std::env::args().nth(2).unwrap_or_default();
    let library = Library::read(&root.join("def")).0;
    let (mut all, mut found) = (0, 0);
    for path in source::files(&root.join("lud"), ".lud").0 {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if !name.contains(&only) {
            continue;
        }
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let Some(game) = load(&name, &name, &text, &library, &[]).game else { continue };
        all += 1;
        let start = game.start();
        let (mut state, mut moves) = (start.clone(), Vec::new());
        let mut play = |seed: u64| {
            state.clone_from(&start);
            game.playout(&mut state, &mut Seed(seed).rng(), &mut moves, LONGEST);
        };
        // Lists grow to the size that these games need.
        (0..2).for_each(&mut play);
        let count = allocation_counter::measure(|| (0..2).for_each(&mut play)).count_total;
        if count > 0 {
            found += 1;
            println!("{count:8} {name}");
        }
    }
    println!("{found} of {all} descriptions take memory");
}
