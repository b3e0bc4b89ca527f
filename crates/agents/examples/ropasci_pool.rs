//! An agent for RoPaSci 360 against each opponent of a list: `ropasci_pool AGENT GAMES SEED FILE`. The file has one name a line;
//! a `#` begins a remark. The table has wins, draws and losses, the score, and the agent's processor time a move.

use cpu_time::ThreadTime;
use ludex_agents::{AgentSpec, Budget};
use ludex_core::{AnyGame, Game, Match, Player, Seed, Turn};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [agent, games, seed, file, ..] = &args[..] else {
        eprintln!("ropasci_pool AGENT GAMES SEED FILE [THREADS]");
        std::process::exit(2);
    };
    let games: u64 = games.parse().unwrap_or(20);
    let seed = Seed(seed.parse().unwrap_or(1));
    let threads: usize = args.get(4).and_then(|t| t.parse().ok()).unwrap_or(2);
    let text = std::fs::read_to_string(file).expect("a file of names");
    let strip = |line: &'static str| line.split('#').next().unwrap_or("").trim();
    let rivals: Vec<&str> =
        String::leak(text).lines().map(strip).filter(|l| !l.is_empty()).collect();
    let jobs = AtomicUsize::new(0);
    let table = Mutex::new(vec![[0u64; 3]; rivals.len()]);
    let spent = Mutex::new((0.0, 0u64));
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let game = ludex_library::open("ropasci360").expect("a game of ours");
                loop {
                    let job = jobs.fetch_add(1, Ordering::Relaxed);
                    if job >= rivals.len() * games as usize {
                        break;
                    }
                    let (n, at) = (job / rivals.len(), job % rivals.len());
                    let (payoff, time, moves) = play(&game, agent, rivals[at], seed, n as u64);
                    let place = match payoff {
                        p if p > 0.75 => 0,
                        p if p > 0.25 => 1,
                        _ => 2,
                    };
                    table.lock().unwrap()[at][place] += 1;
                    let mut spent = spent.lock().unwrap();
                    *spent = (spent.0 + time, spent.1 + moves);
                }
            });
        }
    });
    let table = table.into_inner().unwrap();
    let score = |[w, d, l]: [u64; 3]| (w as f64 + 0.5 * d as f64) / (w + d + l).max(1) as f64;
    for (rival, row) in rivals.iter().zip(&table) {
        println!("{:.3} {:>3}/{}/{}  {rival}", score(*row), row[0], row[1], row[2]);
    }
    let mean = table.iter().map(|row| score(*row)).sum::<f64>() / table.len() as f64;
    let least = table.iter().map(|row| score(*row)).fold(1.0, f64::min);
    let (time, moves) = spent.into_inner().unwrap();
    println!(
        "mean {mean:.3}, least {least:.3}, {:.2} ms a move of {agent}",
        1000.0 * time / moves as f64
    );
}

/// Game number `n`: the agent's payoff, its processor time and its moves.
fn play(game: &AnyGame, agent: &str, rival: &str, seed: Seed, n: u64) -> (f32, f64, u64) {
    let seat = (n % 2) as usize;
    let seed = seed.named(rival).child(n / 2);
    let mut minds: Vec<_> = (0..2)
        .map(|p| {
            let name = if p == seat { agent } else { rival };
            let spec: AgentSpec = name.parse().unwrap_or_else(|e| panic!("{name}: {e}"));
            spec.build(game, Player(p as u8), seed.child(p as u64)).expect("it plays this game")
        })
        .collect();
    let mut play = Match::new(game);
    let (mut time, mut moves) = (0.0, 0);
    while play.turn() != Turn::Over {
        let joint: Vec<_> = (0..2)
            .map(|p| {
                let mut pad = Vec::new();
                let view = play.view(Player(p as u8), &mut pad);
                let begun = ThreadTime::now();
                let choice = minds[p].choose(game, &view, &Budget::default()).expect("a move");
                if p == seat {
                    time += begun.elapsed().as_secs_f64();
                    moves += 1;
                }
                choice.mv
            })
            .collect();
        play.apply(&joint);
    }
    if std::env::var_os("SHOW").is_some() {
        println!("{rival}: {:?} {}", play.payoffs(), game.position(play.state()));
    }
    (play.payoffs().map_or(0.5, |payoffs| payoffs[seat]), time, moves)
}
