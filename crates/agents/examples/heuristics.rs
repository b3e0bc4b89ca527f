//! Two agents, such as `alphabeta` under two heuristics, at equal processor time:
//! `heuristics MILLISECONDS GAMES AGENT RIVAL NAME...`.
//!
//! Each game is played GAMES times with both seats and two random plies as the opening; the table has the agent's mean score by game
//! and the processor time of its games. Games that are not for two players in turn are left out.

use ludex_agents::heuristic::Heuristic;
use ludex_agents::{AgentSpec, Budget};
use ludex_core::deadline::cpu_time;
use ludex_core::{AnyGame, Game, Match, Player, Seed, Turn};
use std::time::Duration;

/// Steps after which a game is drawn.
const LONGEST: u32 = 300;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, usual: u64| args.get(at).and_then(|a| a.parse().ok()).unwrap_or(usual);
    let budget = Budget { cpu: Some(Duration::from_millis(number(0, 20))), ..Budget::default() };
    let [_, _, agent, rival, ..] = &args[..] else {
        eprintln!("heuristics MILLISECONDS GAMES AGENT RIVAL NAME...");
        std::process::exit(2);
    };
    let specs = [agent, rival].map(|name| name.parse::<AgentSpec>().expect("a name of ours"));
    let (mut scores, games) = (Vec::new(), number(1, 10));
    for name in args.iter().skip(4) {
        let Ok(game) = ludex_library::open(name) else { continue };
        let able = |spec: &AgentSpec| spec.build(&game, Player(0), Seed(1)).is_ok();
        if game.info().seats() != 2 || !specs.iter().all(able) {
            println!("{name:<28} left out: not for two players in turn");
            continue;
        }
        let begun = cpu_time();
        let score: f32 =
            (0..games).map(|n| score(&game, n, &budget, &specs)).sum::<f32>() / games as f32;
        let seconds = (cpu_time() - begun).as_secs_f32();
        let chosen = Heuristic::Auto.explicit(&game);
        println!("{name:<28} {score:.3}  {seconds:.1} s  auto: {chosen}");
        scores.push(score);
    }
    let n = scores.len().max(1) as f32;
    let mean = scores.iter().sum::<f32>() / n;
    let spread =
        (scores.iter().map(|s| (s - mean).powi(2)).sum::<f32>() / (n - 1.0).max(1.0)).sqrt();
    println!("mean over {n} games {mean:.3} +- {:.3} (95 %)", 1.96 * spread / n.sqrt());
}

/// The score of the agent in one game; it changes seats from game to game.
fn score(game: &AnyGame, number: u64, budget: &Budget, specs: &[AgentSpec; 2]) -> f32 {
    let seat = (number % 2) as u8;
    let seed = Seed(11).child(number / 2);
    let mut agents: Vec<_> = (0..game.info().seats() as u8)
        .map(|at| {
            let spec = &specs[usize::from(at != seat)];
            spec.build(game, Player(at), seed.child(at.into())).expect("it can play this game")
        })
        .collect();
    let mut play = Match::new(game);
    let mut rng = seed.named("opening").rng();
    // A short random opening, the same for both seats, so that games differ.
    for _ in 0..2 {
        play.apply_random(&mut rng);
    }
    for _ in 0..LONGEST {
        let joint = match play.turn() {
            Turn::Over => break,
            Turn::Chance => vec![play.sample_chance(&mut rng)],
            turn => {
                let movers = turn.movers();
                let choose = |player: Player| {
                    let mut pad = Vec::new();
                    let view = play.view(player, &mut pad);
                    agents[player.index()].choose(game, &view, budget).expect("a move").mv
                };
                movers.iter().map(choose).collect()
            }
        };
        play.apply(&joint);
    }
    play.payoffs().map_or(0.5, |payoffs| payoffs[usize::from(seat)])
}
