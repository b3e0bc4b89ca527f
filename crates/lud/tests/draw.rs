//! Random moves are drawn without listing them all: each must be as likely as it is often in the list.

mod common;

use std::collections::HashMap;

use ludex_core::Seed;
use ludex_lud::engine::{Action, Head, Lud, Moves, Pad};
use ludex_lud::expand::Library;

/// What tells moves apart.
type Key = (i32, i32, i16, u16, Vec<Action>);

fn key(moves: &Moves, head: Head) -> Key {
    (head.from, head.to, head.level, head.extra, moves.actions(head).to_vec())
}

/// Looks at positions of a random game; the first fault found.
fn uneven(game: &Lud, seed: u64) -> Option<String> {
    let mut rng = Seed(seed).rng();
    let mut state = game.start();
    let (mut pad, mut list, mut one) = (Pad::default(), Moves::default(), Moves::default());
    for ply in 0..60 {
        if state.s.over {
            break;
        }
        while state.s.opening > 0 {
            let mut sites = Vec::new();
            game.scatter_sites(&mut state, &mut pad, &mut sites);
            let &site = sites.get(rng.index(sites.len().max(1)))?;
            game.scatter(&mut state, &mut pad, site);
        }
        if game.legal(&mut state, &mut pad, &mut list) {
            let faces: Vec<u16> =
                game.equipment.dice.iter().map(|die| rng.index(die.faces.len()) as u16).collect();
            game.roll(&mut state, &faces);
            game.legal(&mut state, &mut pad, &mut list);
        }
        if ply % 6 == 0 && list.len() > 1 && list.len() <= 150 {
            let mut expected: HashMap<Key, (u32, u32)> = HashMap::new();
            list.heads.iter().for_each(|&h| expected.entry(key(&list, h)).or_default().0 += 1);
            let draws = 20 * list.len() as u32;
            for _ in 0..draws {
                let drawn = game.random(&mut state, &mut pad, &mut one, |n| rng.index(n));
                let drawn = key(&one, drawn?);
                match expected.get_mut(&drawn) {
                    Some(found) => found.1 += 1,
                    None => return Some(format!("ply {ply}: {drawn:?} is not legal")),
                }
            }
            let each = f64::from(draws) / list.len() as f64;
            let square = |&(times, seen): &(u32, u32)| {
                let expected = each * f64::from(times);
                (f64::from(seen) - expected).powi(2) / expected
            };
            // The cube root of chi-squared by its degrees of freedom is nearly normal (Wilson and
            // Hilferty 1931).
            let free = expected.len() as f64 - 1.0;
            let spread = 2.0 / (9.0 * free);
            let root = (expected.values().map(square).sum::<f64>() / free).cbrt();
            let distance = (root - (1.0 - spread)) / spread.sqrt();
            if free > 0.0 && distance > 5.0 {
                return Some(format!("ply {ply}: {distance:.1} deviations off"));
            }
        }
        let at = rng.index(list.len());
        game.apply(&mut state, &mut pad, &list, list.heads[at]);
    }
    None
}

#[test]
fn drawn_moves_are_legal_and_equally_likely() {
    let (mut looked, mut bad) = (0, Vec::new());
    for path in common::own() {
        let Ok(game) = common::open(&path, &Library::default()) else { continue };
        looked += 1;
        let fault = uneven(game.lud(), 5);
        bad.extend(fault.map(|fault| format!("{}: {fault}", common::stem(&path))));
    }
    assert!(looked >= 30, "only {looked} games looked at");
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}
