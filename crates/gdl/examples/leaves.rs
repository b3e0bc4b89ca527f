//! Playouts from many different states, as a tree search asks for them, against as many from one
//! state: `leaves [SECONDS] FILE.kif ...`. Also few playouts by lanes against the same by `single`.

use std::time::Duration;

use ludex_core::playout::{Outcomes, one_by_one};
use ludex_core::{Game, Move, Seed, Turn};
use ludex_gdl::game::{Engine, GdlGame, GdlState, Options};

/// CPU time of this thread's process.
fn cpu() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let nanos = stat.split_whitespace().next().and_then(|n| n.parse().ok()).unwrap_or(0);
    Duration::from_nanos(nanos)
}

/// States from the middle of random games.
fn middles(game: &GdlGame, count: usize) -> Vec<GdlState> {
    let mut rng = Seed(5).rng();
    let mut pad = Vec::new();
    let mut states = Vec::new();
    while states.len() < count {
        let (mut state, mut line) = (game.start(), Vec::new());
        while game.turn(&state) != Turn::Over && line.len() < 2000 {
            line.push(state.clone());
            let turn = game.turn(&state);
            let joint: Vec<Move> = match turn {
                Turn::Chance => vec![game.sample_chance(&state, &mut rng)],
                _ => {
                    let movers = turn.movers();
                    movers.iter().map(|p| game.sample(&state, p, &mut rng, &mut pad)).collect()
                }
            };
            game.apply(&mut state, &joint);
        }
        let (from, to) = (line.len() / 4, (line.len() * 3 / 4).max(1));
        states.extend(line.drain(from.min(to - 1)..to).step_by(3));
    }
    states.truncate(count);
    states
}

/// Playouts per CPU second of a way to play.
fn rate(seconds: f64, mut play: impl FnMut(u64, &mut Outcomes), seats: usize) -> f64 {
    let mut out = Outcomes::new(seats);
    let (mut games, mut round) = (0, 0);
    let begun = cpu();
    loop {
        out.clear();
        play(round, &mut out);
        round += 1;
        games += out.len();
        let used = (cpu() - begun).as_secs_f64();
        if used > seconds {
            return games as f64 / used;
        }
    }
}

fn main() {
    let mut seconds = 0.3;
    println!(
        "{:20} {:>5} {:>12} {:>12} {:>6}   lanes/single for 1 2 4 8 16 32 64 playouts",
        "game", "n", "many starts", "one start", "ratio"
    );
    for path in std::env::args().skip(1) {
        if let Ok(s) = path.parse() {
            seconds = s;
            continue;
        }
        let Ok(source) = std::fs::read_to_string(&path) else { continue };
        let options = Options { engine: Some(Engine::Lanes), ..Options::default() };
        let Ok(game) = GdlGame::load(&path, &source, &options) else { continue };
        let name = path.rsplit('/').next().unwrap_or_default().trim_end_matches(".kif").to_owned();
        let states = middles(&game, 1024);
        let seats = game.info().seats();
        let few: Vec<String> = [1, 2, 4, 8, 16, 32, 64]
            .iter()
            .map(|&k| {
                let some = |round: u64| {
                    let at = round as usize * 7 % (states.len() - k);
                    &states[at..at + k]
                };
                let lanes = rate(
                    seconds / 4.0,
                    |round, out| game.playouts_in_lanes(some(round), 1, Seed(round), out),
                    seats,
                );
                let single = rate(
                    seconds / 4.0,
                    |round, out| one_by_one(&game, some(round), 1, Seed(round), out),
                    seats,
                );
                format!("{:.2}", lanes / single)
            })
            .collect();
        for n in [256, 1024] {
            let many =
                rate(seconds, |round, out| game.playouts(&states[..n], 1, Seed(round), out), seats);
            let one = rate(
                seconds,
                |round, out| {
                    let at = round as usize * 37 % states.len();
                    game.playouts(&states[at..=at], n, Seed(round), out);
                },
                seats,
            );
            println!(
                "{name:20} {n:>5} {many:>12.0} {one:>12.0} {:>6.2}   {}",
                many / one,
                few.join(" ")
            );
        }
    }
}
