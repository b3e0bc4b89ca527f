//! Which public descriptions load and play with every single choice that is not the default, and
//! with every ruleset: `options FOLDER [NAME]`. Each is played at random for some hundred plies; what
//! is drawn is looked for among the listed moves. One that takes longer than 180 s plays badly.

use std::collections::BTreeMap;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

use ludex_core::{Game, Player, Rng, Seed, Turn};
use ludex_lud::engine::{Head, Moves, Pad, State};
use ludex_lud::expand::{Library, expand};
use ludex_lud::game::LudGame;
use ludex_lud::tree;

/// Listed plies, and drawn ones after them.
const PLIES: (usize, u32) = (100, 300);

enum Outcome {
    /// It loads and plays.
    Good,
    /// It does not load: what is said.
    Refused(String),
    /// It loads and something is wrong.
    Bad(String),
}

fn main() {
    let root = PathBuf::from(std::env::args().nth(1).unwrap_or_default());
    let only = std::env::args().nth(2);
    let mut files = Vec::new();
    let mut todo = vec![root.join("lud")];
    while let Some(path) = todo.pop() {
        for entry in std::fs::read_dir(&path).into_iter().flatten().flatten() {
            if entry.path().is_dir() { todo.push(entry.path()) } else { files.push(entry.path()) }
        }
    }
    files.retain(|f| only.as_ref().is_none_or(|only| f.display().to_string().contains(only)));
    files.sort();
    let library = Arc::new(Library::read(&root.join("def")).0);
    let mut cases = Vec::new();
    for path in &files {
        cases.extend(choices(path, &library).into_iter().map(|c| (path.clone(), c)));
    }
    let cases = Arc::new(cases);
    let next = Arc::new(AtomicUsize::new(0));
    let results: Arc<Mutex<BTreeMap<String, Outcome>>> = Arc::default();
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let threads: Vec<_> = (0..workers)
        .map(|_| {
            let (cases, next, results, library) =
                (cases.clone(), next.clone(), results.clone(), library.clone());
            std::thread::spawn(move || {
                while let Some((path, choice)) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let name = path.file_stem().unwrap_or_default().to_string_lossy();
                    let name = format!("{name} [{choice}]");
                    let (send, receive) = mpsc::channel();
                    let (path, choice) = (path.clone(), choice.clone());
                    let library = library.clone();
                    // A thread of its own: one that hangs or dies is only one.
                    let work = move || {
                        let outcome = catch_unwind(|| one(&path, &choice, &library));
                        let _ = send.send(outcome.unwrap_or(Outcome::Bad("panics".into())));
                    };
                    let builder = std::thread::Builder::new().stack_size(64 << 20);
                    let Ok(_) = builder.spawn(work) else { continue };
                    let outcome = receive
                        .recv_timeout(Duration::from_secs(180))
                        .unwrap_or_else(|e| Outcome::Bad(format!("{e}")));
                    if let Ok(mut results) = results.lock() {
                        results.insert(name, outcome);
                    }
                }
            })
        })
        .collect();
    threads.into_iter().for_each(|t| drop(t.join()));
    let results = results.lock().map(|mut r| std::mem::take(&mut *r)).unwrap_or_default();
    let (mut good, mut bad) = (0, Vec::new());
    let mut refused: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (name, outcome) in results {
        match outcome {
            Outcome::Good => good += 1,
            Outcome::Bad(what) => bad.push(format!("{name}: {what}")),
            Outcome::Refused(what) => refused.entry(what).or_default().push(name),
        }
    }
    let all: usize = refused.values().map(Vec::len).sum();
    println!("{good} load and play, {} play badly, {all} are refused", bad.len());
    bad.iter().for_each(|line| println!("  {line}"));
    let mut refused: Vec<_> = refused.into_iter().collect();
    refused.sort_by_key(|(_, games)| std::cmp::Reverse(games.len()));
    for (message, games) in refused {
        println!("{:4} {message} ({})", games.len(), games[..games.len().min(3)].join(", "));
    }
}

/// Every choice that a description offers beside the default.
fn choices(path: &Path, library: &Library) -> Vec<String> {
    let source = std::fs::read_to_string(path).unwrap_or_default();
    let Ok(expanded) = expand("", &source, library, &[]) else { return Vec::new() };
    let mut all = Vec::new();
    for (group, &chosen) in expanded.options.iter().zip(&expanded.chosen) {
        let others = group.items.iter().enumerate().filter(|&(i, _)| i != chosen);
        all.extend(others.map(|(_, item)| format!("{}/{}", group.heading, item.name)));
    }
    all.extend(expanded.rulesets.iter().map(|ruleset| format!("Ruleset/{}", ruleset.name)));
    all
}

fn one(path: &Path, choice: &str, library: &Library) -> Outcome {
    let source = std::fs::read_to_string(path).unwrap_or_default();
    let expanded = match expand("", &source, library, &[choice.to_owned()]) {
        Ok(expanded) => expanded,
        Err(located) => return Outcome::Refused(located.fault.message),
    };
    let made = tree::game(&expanded.game).and_then(|tree| LudGame::new("lud", &tree));
    let game = match made {
        Ok(game) => game,
        Err(fault) => return Outcome::Refused(fault.message),
    };
    let mut rng = Seed(1).rng();
    let mut position = game.start();
    let mut moves = Vec::new();
    for ply in 0..PLIES.0 {
        match game.turn(&position) {
            Turn::Over if ply == 0 => return Outcome::Bad("is over before it begins".into()),
            Turn::Over => return Outcome::Good,
            Turn::Chance => {
                let mv = game.sample_chance(&position, &mut rng);
                game.apply(&mut position, &[mv]);
                continue;
            }
            _ => {}
        }
        moves.clear();
        game.moves(&position, Player(0), &mut moves);
        let only_pass = moves.len() == 1 && game.move_text(moves[0]) == "pass";
        if moves.is_empty() || ply == 0 && only_pass {
            return Outcome::Bad("has no moves".into());
        }
        if let Some(fault) = stray(&game, &position.state, &mut rng) {
            return Outcome::Bad(fault);
        }
        let mv = moves[rng.index(moves.len())];
        game.apply(&mut position, &[mv]);
    }
    game.playout(&mut position, &mut rng, &mut moves, PLIES.1);
    Outcome::Good
}

/// A move that is drawn although it is not listed.
fn stray(game: &LudGame, state: &State, rng: &mut Rng) -> Option<String> {
    let lud = game.lud();
    let (mut state, mut pad) = (state.clone(), Pad::default());
    let (mut all, mut drawn) = (Moves::default(), Moves::default());
    lud.legal(&mut state, &mut pad, &mut all);
    let one = lud.random(&mut state, &mut pad, &mut drawn, |n| rng.index(n))?;
    let same = |head: &Head| {
        (head.kind, head.from, head.to, head.extra) == (one.kind, one.from, one.to, one.extra)
            && all.actions(*head) == drawn.actions(one)
    };
    (!all.heads.iter().any(same))
        .then(|| format!("{:?} from {} to {} is drawn and not listed", one.kind, one.from, one.to))
}
