//! `ludex bench GAME...`

use super::{SeedArgs, threads};
use crate::output;
use clap::Args;
use ludex_agents::{AgentSpec, Budget};
use ludex_arena::report::counted;
use ludex_core::{AnyGame, Game, Move, Outcomes, Player, Seed, Turn, View, perft::choices};
use rustix::time::{ClockId, clock_gettime};
use serde_json::json;
use std::time::{Duration, Instant};

/// Measure the speed of playouts and of search
#[derive(Args)]
#[command(after_help = "Examples:
  ludex bench tictactoe connect4 breakthrough
  ludex bench connect4 --seconds 5 --threads 2 --json")]
pub(crate) struct Bench {
    /// The games
    #[arg(required = true)]
    games: Vec<String>,
    /// CPU seconds per measurement; each game has two measurements
    #[arg(long, default_value_t = 1.0)]
    seconds: f64,
    /// Threads that play independently at the same time
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Thinking time of each search
    #[arg(long, default_value = "10ms", value_parser = super::duration)]
    move_time: Duration,
    /// The agent whose search is measured
    #[arg(long, default_value = "uct")]
    agent: String,
    #[command(flatten)]
    seed: SeedArgs,
    /// Print one JSON object per game
    #[arg(long)]
    json: bool,
}

/// The counts and times of one measurement.
#[derive(Default, Clone, Copy)]
struct Measured {
    count: u64,
    plies: u64,
    cpu: f64,
    wall: f64,
}

impl Bench {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        if !(self.seconds > 0.0 && self.seconds <= 3600.0) {
            return Err(crate::error::usage!("--seconds must be more than 0 and at most 3600"));
        }
        let agent = super::agent(&self.agent)?;
        let games = self
            .games
            .iter()
            .map(|name| ludex_library::open(name))
            .collect::<Result<Vec<_>, _>>()?;
        let mut table = output::table(
            &[
                "game",
                "engine",
                "playouts/s",
                "plies/s",
                "plies",
                "branching",
                "UCT sims/s",
                "sims/playouts",
            ],
            2,
        );
        for game in &games {
            let seed = self.seed.get();
            let threads = threads(Some(self.threads));
            let play = on_threads(threads, |i| {
                playouts(game, self.seconds, seed.named("playouts").child(i))
            });
            let search = on_threads(threads, |i| {
                searches(game, &agent, self.seconds, self.move_time, seed.child(i))
            });
            let branching = branching(game, seed.named("branching"));
            let rate = |n: u64, m: &Measured| n as f64 / m.cpu.max(1e-9);
            let mean_plies = play.plies as f64 / play.count.max(1) as f64;
            let sims = (search.count > 0).then(|| rate(search.count, &search));
            if self.json {
                output::json(&json!({
                    "game": game.info().name,
                    "engine": game.info().engine,
                    "threads": threads,
                    "playouts": play.count,
                    "plies": play.plies,
                    "cpu_seconds": play.cpu,
                    "wall_seconds": play.wall,
                    "playouts_per_cpu_second": rate(play.count, &play),
                    "playouts_per_wall_second": play.count as f64 / play.wall.max(1e-9),
                    "plies_per_cpu_second": rate(play.plies, &play),
                    "mean_plies": mean_plies,
                    "mean_branching": branching,
                    "agent": agent.to_string(),
                    "uct_sims": search.count,
                    "uct_sims_per_cpu_second": sims,
                    "uct_sims_per_wall_second": sims.map(|_| search.count as f64 / search.wall.max(1e-9)),
                }))?;
            } else {
                table.add_row([
                    game.info().name.clone(),
                    game.info().engine.to_string(),
                    output::thousands(rate(play.count, &play)),
                    output::thousands(rate(play.plies, &play)),
                    format!("{mean_plies:.1}"),
                    format!("{branching:.1}"),
                    sims.map_or("-".into(), output::thousands),
                    sims.map_or("-".into(), |sims| {
                        format!("{:.2}", sims / rate(play.count, &play))
                    }),
                ]);
            }
        }
        if self.json {
            return Ok(());
        }
        output::print(&table)?;
        output::line(format!(
            "(per CPU second; {}; sims/s: {agent} from the start, {:?} per search)",
            counted(self.threads.into(), "thread"),
            self.move_time
        ))
    }
}

/// The CPU time of this thread in seconds.
fn cpu_time() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// Runs a measurement on each of `n` threads and adds up the results. The wall time is the longest of them.
fn on_threads(n: usize, measure: impl Fn(u64) -> Measured + Sync) -> Measured {
    let parts: Vec<Measured> = std::thread::scope(|scope| {
        let handles: Vec<_> = (0..n as u64)
            .map(|i| {
                scope.spawn({
                    let measure = &measure;
                    move || measure(i)
                })
            })
            .collect();
        handles.into_iter().map(|handle| handle.join().unwrap_or_default()).collect()
    });
    parts.iter().fold(Measured::default(), |sum, part| Measured {
        count: sum.count + part.count,
        plies: sum.plies + part.plies,
        cpu: sum.cpu + part.cpu,
        wall: sum.wall.max(part.wall),
    })
}

/// Random playouts from the start by [`Game::playouts`], in growing batches.
fn playouts(game: &AnyGame, seconds: f64, seed: Seed) -> Measured {
    let starts = [game.start()];
    let mut out = Outcomes::new(game.info().seats());
    // Bit lanes play thousands of games at the price of one.
    let mut batch = if game.info().playouts == ludex_core::Playouts::Batched { 4096 } else { 1 };
    let mut measured = Measured::default();
    let (wall, cpu) = (Instant::now(), cpu_time());
    for round in 0.. {
        out.clear();
        let before = cpu_time();
        game.playouts(&starts, batch, seed.child(round), &mut out);
        let after = cpu_time();
        measured.count += out.len() as u64;
        measured.plies += out.plies();
        if after - cpu >= seconds {
            break;
        }
        // Long batches: lanes stand idle at the end of a batch.
        if after - before < seconds / 4.0 && batch < 1 << 20 {
            batch *= 2;
        }
    }
    measured.cpu = cpu_time() - cpu;
    measured.wall = wall.elapsed().as_secs_f64();
    measured
}

/// Searches from the first decision, each by a new agent; no searches where the agent can't play the game.
fn searches(
    game: &AnyGame,
    spec: &AgentSpec,
    seconds: f64,
    move_time: Duration,
    seed: Seed,
) -> Measured {
    if spec.supports(game.info()).is_err() {
        return Measured::default();
    }
    let Some((state, player)) = first_decision(game, seed) else { return Measured::default() };
    let mut legal = Vec::new();
    game.moves(&state, player, &mut legal);
    let budget = spec.budget().or(&Budget::time(move_time));
    let mut measured = Measured::default();
    let (wall, cpu) = (Instant::now(), cpu_time());
    for round in 0.. {
        let Ok(mut agent) = spec.build(game, player, seed.named("search").child(round)) else {
            break;
        };
        let view = View::new(game, &state, player, &[], &state, &legal);
        let Ok(choice) = agent.choose(game, &view, &budget) else { break };
        measured.count += choice.thought.sims;
        if cpu_time() - cpu >= seconds || choice.thought.sims == 0 {
            break;
        }
    }
    measured.cpu = cpu_time() - cpu;
    measured.wall = wall.elapsed().as_secs_f64();
    measured
}

/// The first state in which a player chooses, after any chance moves.
fn first_decision(game: &AnyGame, seed: Seed) -> Option<(ludex_core::AnyState, Player)> {
    let mut state = game.start();
    let mut rng = seed.rng();
    loop {
        match game.turn(&state) {
            Turn::Over => return None,
            Turn::Chance => {
                let mv = game.sample_chance(&state, &mut rng);
                game.apply(&mut state, &[mv]);
            }
            turn => return turn.movers().iter().next().map(|player| (state, player)),
        }
    }
}

/// The mean number of legal moves of a mover, over some random games.
fn branching(game: &AnyGame, seed: Seed) -> f64 {
    let mut rng = seed.rng();
    let (mut sum, mut count) = (0, 0u64);
    let begun = Instant::now();
    for _ in 0..200 {
        let mut state = game.start();
        for _ in 0..ludex_core::playout::LONGEST {
            let turn = game.turn(&state);
            if turn == Turn::Over {
                break;
            }
            let lists = choices(game, &state, turn);
            if turn != Turn::Chance {
                sum += lists.iter().map(|list| list.len() as u64).sum::<u64>();
                count += lists.len() as u64;
            }
            let joint: Vec<Move> = lists.iter().map(|list| list[rng.index(list.len())]).collect();
            game.apply(&mut state, &joint);
        }
        if begun.elapsed().as_secs_f64() > 1.0 {
            break;
        }
    }
    sum as f64 / count.max(1) as f64
}
