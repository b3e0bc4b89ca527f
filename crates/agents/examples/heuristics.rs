//! An agent against rivals, such as `alphabeta` under two heuristics, at equal processor time:
//! `heuristics MILLISECONDS GAMES AGENT RIVAL[;RIVAL] NAME...`.
//!
//! Each game is played GAMES times with both seats and two random plies as the opening; the table has the agent's mean score by game
//! against each rival, the processor time of these games, and the remarks of the agent (a portfolio says which member plays). Games that are not
//! for two players in turn are left out.

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
    let [_, _, agent, rivals, ..] = &args[..] else {
        eprintln!("heuristics MILLISECONDS GAMES AGENT RIVAL[;RIVAL] NAME...");
        std::process::exit(2);
    };
    let agent: AgentSpec = agent.parse().expect("a name of ours");
    let rivals: Vec<AgentSpec> =
        rivals.split(';').map(|name| name.parse().expect("a name of ours")).collect();
    let mut scores = vec![Vec::new(); rivals.len()];
    for name in args.iter().skip(4) {
        let Ok(game) = ludex_library::open(name) else { continue };
        let build = |spec: &AgentSpec| spec.build(&game, Player(0), Seed(1));
        let (able, Ok(mut built)) = (rivals.iter().all(|spec| build(spec).is_ok()), build(&agent))
        else {
            println!("{name:<28} left out: the agent does not play it");
            continue;
        };
        if game.info().seats() != 2 || !able {
            println!("{name:<28} left out: not for two players in turn");
            continue;
        }
        let begun = cpu_time();
        let mut line = format!("{name:<28}");
        for (rival, scores) in rivals.iter().zip(&mut scores) {
            let pair = [agent.clone(), rival.clone()];
            let games = number(1, 10);
            let score = match same_term(&game, &pair) {
                true => 0.5,
                false => {
                    let sum: f32 = (0..games).map(|n| score(&game, n, &budget, &pair)).sum();
                    sum / games as f32
                }
            };
            line += &format!(" {score:.3}");
            scores.push(score);
        }
        let seconds = (cpu_time() - begun).as_secs_f32();
        let about = match agent.name() {
            "alphabeta" => Heuristic::Auto.explicit(&game).to_string(),
            _ => {
                // A portfolio decides at its first move.
                let (play, mut pad) = (Match::new(&game), Vec::new());
                let choice = built.choose(&game, &play.view(Player(0), &mut pad), &budget);
                choice.map(|choice| choice.thought.notes.join("; ")).unwrap_or_default()
            }
        };
        println!("{line}  {seconds:.1} s  {about}");
    }
    for (rival, scores) in rivals.iter().zip(scores) {
        let n = scores.len().max(1) as f32;
        let mean = scores.iter().sum::<f32>() / n;
        let squares = scores.iter().map(|s| (s - mean).powi(2)).sum::<f32>();
        let error = (squares / (n - 1.0).max(1.0) / n).sqrt();
        println!("against {rival}: mean over {n} games {mean:.3} +- {:.3} (95 %)", 1.96 * error);
    }
}

/// Do both agents play by the same single term? Such games are not played: they would be a half each but for luck.
fn same_term(game: &AnyGame, pair: &[AgentSpec; 2]) -> bool {
    let term = |spec: &AgentSpec| {
        let text = spec.to_string();
        let named = text.strip_prefix("alphabeta(heuristic=").and_then(|t| t.strip_suffix(')'));
        match named {
            Some(named) => single(&Heuristic::read(&named.parse().ok()?).ok()?),
            None if text == "alphabeta" => single(&Heuristic::Auto.explicit(game)),
            None => None,
        }
    };
    let [own, other] = pair.each_ref().map(term);
    own.is_some() && own == other
}

/// The name of the only term, if it counts for its owner.
fn single(heuristic: &Heuristic) -> Option<String> {
    match heuristic {
        Heuristic::Terms(terms) => match &terms[..] {
            [(name, weight)] if *weight > 0.0 => Some(name.clone()),
            _ => None,
        },
        _ => None,
    }
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
    let gain = |payoffs: &[f32]| payoffs[usize::from(seat)] - payoffs[usize::from(1 - seat)];
    play.payoffs().map_or(0.5, |payoffs| 0.5 + 0.5 * gain(&payoffs))
}
