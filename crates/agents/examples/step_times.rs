//! How long single steps take: `step_times SECONDS FILE.lud FILE.kif ..` (or folders) plays random games step by step, for
//! so many seconds of processor time a game, and prints the slowest `moves`, `apply`, `sample` and `evaluate` in milliseconds
//! and how long a whole random game takes (or is expected to take, where it did not end in time). Slowest games first.
//! An agent can look at the clock between such steps, so the slowest one bounds how late it may answer.

use ludex_agents::clock::cpu_time;
use ludex_core::{AnyGame, Game, Seed, Spec, Turn};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The slowest steps of a game.
#[derive(Default)]
struct Steps {
    moves: Duration,
    apply: Duration,
    sample: Duration,
    evaluate: Duration,
    /// Of all whole games.
    game: Duration,
    plies: u32,
    most_moves: usize,
    ended: bool,
}

impl Steps {
    fn slowest(&self) -> Duration {
        self.moves.max(self.apply).max(self.sample).max(self.evaluate)
    }
}

/// Times one call.
fn timed<T>(slowest: &mut Duration, call: impl FnOnce() -> T) -> T {
    let begun = cpu_time();
    let out = call();
    *slowest = (*slowest).max(cpu_time() - begun);
    out
}

fn measure(game: &AnyGame, most: Duration) -> Steps {
    let mut steps = Steps::default();
    let begun = cpu_time();
    let mut pad = Vec::new();
    let mut terms = vec![0.0; game.terms().len()];
    for number in 0.. {
        let (mut state, mut rng) = (game.start(), Seed(number).rng());
        let start = cpu_time();
        for ply in 0..5000 {
            let turn = game.turn(&state);
            let joint = match turn {
                Turn::Over => {
                    steps.game = steps.game.max(cpu_time() - start);
                    steps.ended = true;
                    break;
                }
                Turn::Chance => vec![game.sample_chance(&state, &mut rng)],
                _ => turn
                    .movers()
                    .iter()
                    .map(|player| {
                        pad.clear();
                        timed(&mut steps.moves, || game.moves(&state, player, &mut pad));
                        steps.most_moves = steps.most_moves.max(pad.len());
                        timed(&mut steps.evaluate, || game.evaluate(&state, player, &mut terms));
                        // Where nothing of the position is remembered.
                        let state = state.clone();
                        let mut pad = Vec::new();
                        timed(&mut steps.sample, || game.sample(&state, player, &mut rng, &mut pad))
                    })
                    .collect(),
            };
            timed(&mut steps.apply, || game.apply(&mut state, &joint));
            steps.plies = steps.plies.max(ply);
            if cpu_time() - begun > most {
                return steps;
            }
        }
    }
    steps
}

fn files(path: &Path) -> Vec<PathBuf> {
    match path.extension().and_then(|e| e.to_str()) {
        Some("lud" | "kif") => vec![path.to_owned()],
        _ => ludex_library::lud_files(path),
    }
}

fn main() {
    let mut args = std::env::args().skip(1);
    let seconds = args.next().and_then(|s| s.parse().ok()).unwrap_or(1.0);
    let mut all = Vec::new();
    for path in args.flat_map(|arg| files(Path::new(&arg))) {
        let kind = path.extension().and_then(|e| e.to_str()).unwrap_or("lud").to_owned();
        let Ok(game) = ludex_library::open_spec(&Spec::new(format!("{kind}:{}", path.display())))
        else {
            continue;
        };
        let steps = measure(&game, Duration::from_secs_f64(seconds));
        let name = path.file_stem().map_or(String::new(), |s| s.to_string_lossy().into_owned());
        all.push((name, steps));
    }
    all.sort_by_key(|(_, steps)| std::cmp::Reverse(steps.slowest()));
    println!("moves apply sample evaluate [ms]  game [ms]  plies  moves at most");
    for (name, s) in all {
        let ms = |t: Duration| t.as_secs_f64() * 1e3;
        println!(
            "{:8.2} {:8.2} {:8.2} {:8.2}  {:9.1}{} {:5} {:6}  {name}",
            ms(s.moves),
            ms(s.apply),
            ms(s.sample),
            ms(s.evaluate),
            ms(s.game),
            if s.ended { " " } else { "?" },
            s.plies,
            s.most_moves
        );
    }
}
