//! How late agents answer: `overshoot MILLISECONDS FILE.lud FILE.kif .. [--agents "a b c"] [--plies "0 20 60"]` asks agents for a move at
//! the start and after random moves, with so much processor time, and prints by how much each went beyond it at worst: in
//! processor time, so that whatever else runs does not count (of agents with several threads only the first is measured).

use ludex_agents::clock::cpu_time;
use ludex_agents::{AgentSpec, Budget, catalog};
use ludex_core::{AnyGame, Game, Match, Seed, Spec, Turn};
use std::path::Path;
use std::time::Duration;

/// A random match of at least so many steps, in which a player is to move.
fn begun(game: &AnyGame, plies: usize) -> Option<Match<'_, AnyGame>> {
    let (mut play, mut rng) = (Match::new(game), Seed(9).rng());
    while play.turn() == Turn::Chance || play.len() < plies && !play.is_over() {
        play.apply_random(&mut rng);
    }
    (!play.is_over()).then_some(play)
}

/// Takes an option with its value out of the arguments.
fn option(args: &mut Vec<String>, name: &str) -> Option<String> {
    let at = args.iter().position(|arg| arg == name)?;
    args.remove(at);
    (at < args.len()).then(|| args.remove(at))
}

fn main() {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let agents = option(&mut args, "--agents");
    let plies = option(&mut args, "--plies").unwrap_or_else(|| "0 20 60".into());
    let plies: Vec<usize> = plies.split_whitespace().filter_map(|n| n.parse().ok()).collect();
    let time = Duration::from_millis(args.first().and_then(|n| n.parse().ok()).unwrap_or(200));
    let agents: Vec<String> = match agents {
        Some(agents) => agents.split_whitespace().map(str::to_string).collect(),
        None => catalog().iter().map(|e| e.name.to_string()).filter(|n| n != "human").collect(),
    };
    let mut worst: Vec<(f64, String)> = vec![(f64::NEG_INFINITY, String::new()); agents.len()];
    for path in args.iter().skip(1) {
        let kind = Path::new(path).extension().and_then(|e| e.to_str()).unwrap_or("lud");
        let game = match ludex_library::open_spec(&Spec::new(format!("{kind}:{path}"))) {
            Ok(game) => game,
            Err(error) => {
                eprintln!("{path}: {error}");
                continue;
            }
        };
        let name = Path::new(path).file_stem().map_or(path.clone(), |s| s.to_string_lossy().into());
        for &plies in &plies {
            let Some(play) = begun(&game, plies) else { continue };
            let Some(seat) = play.turn().movers().iter().next() else { continue };
            let moves = play.legal(seat).len();
            if moves < 2 {
                continue;
            }
            let mut pad = Vec::new();
            for (agent, worst) in agents.iter().zip(&mut worst) {
                let Ok(spec) = agent.parse::<AgentSpec>() else { continue };
                if spec.supports(game.info()).is_err() {
                    continue;
                }
                let Ok(mut mind) = spec.build(&game, seat, Seed(1)) else { continue };
                let view = match mind.cheats() {
                    true => play.cheating_view(seat, &mut pad),
                    false => play.view(seat, &mut pad),
                };
                let budget = Budget { cpu: Some(time), ..Budget::default() };
                let begun = cpu_time();
                let choice = mind.choose(&game, &view, &budget);
                let late = (cpu_time() - begun).as_secs_f64() * 1e3 - time.as_secs_f64() * 1e3;
                if choice.is_err() || late > 50.0 {
                    let error = choice.err().map(|e| e.to_string()).unwrap_or_default();
                    println!("{agent} in {name} after {plies}: {late:+.1} ms {error}");
                }
                if late > worst.0 {
                    *worst = (late, format!("{name} after {plies} plies, {moves} moves"));
                }
            }
        }
        eprintln!("{name}");
    }
    for (agent, (late, place)) in agents.iter().zip(&worst).filter(|(_, w)| w.0.is_finite()) {
        println!("{late:+9.1} ms  {agent}: {place}");
    }
}
