//! `ludex match GAME A B ...`

use super::{BudgetArgs, seed, threads};
use crate::error::usage;
use crate::world::Here;
use crate::{output, stop};
use clap::Args;
use ludex_arena::experiment::GameEntry;
use ludex_arena::runner::{Counter, JobQueue, Progress, Runner};
use ludex_arena::store::{LEASE, StoreQueue};
use ludex_arena::{Experiment, Plan, Store};
use ludex_core::Seed;
use ludex_stats::{Standing, Tally};
use serde_json::json;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Let minds play against each other with rotated seats and paired dice
#[derive(Args)]
#[command(after_help = "Examples:
  ludex match connect4 uct alphabeta --games 100 --sims 1000
  ludex match tictactoe uct@sims=200 uct@sims=2000 random --games 300
  ludex match tictactoe 'exec:python3 bots/random_bot.py' random --games 20
  ludex match pig 'flat@sims=200' random --games 200 --db games.db --json")]
pub(crate) struct Match {
    /// The game
    game: String,
    /// The minds; more than the game has seats meet in every combination
    #[arg(required = true)]
    agents: Vec<String>,
    /// How many games
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    #[command(flatten)]
    budget: BudgetArgs,
    /// Begin each game here instead of at the start
    #[arg(long)]
    position: Option<String>,
    /// Where all luck comes from
    #[arg(long)]
    seed: Option<u64>,
    /// Games at a time (all cores)
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Keep the games in this database
    #[arg(long)]
    db: Option<String>,
    /// One JSON object at the end
    #[arg(long)]
    json: bool,
}

impl Match {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let seed = seed(self.seed);
        let budget = self.budget.budget();
        let experiment = Experiment {
            name: format!("match-{}", unique()),
            seed: seed.0,
            games: vec![GameEntry { game: self.game.clone(), position: self.position.clone() }],
            agents: self.agents.clone(),
            budget: (!budget.is_empty()).then(|| budget.to_string()),
            rounds: None,
            limit: Some(self.games),
            ..Experiment::new("", &[], &[], 1)
        };
        let plan = plan(&experiment)?;
        let progress = conduct(&experiment, &plan, threads(self.threads), self.db.as_deref())?;
        let tally = progress.tally();
        if stop::asked() {
            eprintln!("stopped after {} of {} games", tally.games, plan.total());
        }
        let standings = tally.standings();
        let game = plan.games().swap_remove(0);
        let names = plan.names();
        if self.json {
            output::json(&summary(&game, &names, seed, &tally, &standings))?;
            return stop::outcome();
        }
        output::line(format!(
            "{game}: {} games, {} draws, {} forfeits, seed {seed}",
            tally.games, tally.draws, tally.forfeits
        ))?;
        let mut table =
            output::table(&["agent", "score", "95 % interval", "wins", "losses", "forfeits"], 1);
        for (agent, standing) in names.iter().zip(&standings) {
            table.add_row([
                agent.clone(),
                format!("{:.3}", standing.score),
                format!("{:.3} .. {:.3}", standing.interval.low, standing.interval.high),
                standing.wins.to_string(),
                standing.losses.to_string(),
                standing.forfeits.to_string(),
            ]);
        }
        output::print(&table)?;
        stop::outcome()
    }
}

/// The games of an experiment that was not read from a file.
pub(crate) fn plan(experiment: &Experiment) -> anyhow::Result<Plan> {
    experiment.plan(&Here).map_err(|problem| usage!("{}", problem.message()))
}

/// Plays an experiment with a progress bar, storing its games where a database is given.
pub(crate) fn conduct(
    experiment: &Experiment,
    plan: &Plan,
    threads: usize,
    db: Option<&str>,
) -> anyhow::Result<Progress> {
    let progress = Progress::new(plan);
    let runner = Runner::new(plan, threads, &progress, stop::control());
    match db {
        None => {
            let Ok(()) = play_with_bar(&runner, &Counter::new(plan.total()));
        }
        Some(place) => {
            let store = Store::open(place)?;
            let run = store.start_or_resume(experiment, plan)?;
            let worker = store.register(threads, LEASE)?;
            let queue = StoreQueue::open(store, &run, worker);
            let played = play_with_bar(&runner, &queue);
            queue.close()?;
            played?;
        }
    }
    Ok(progress)
}

/// Plays the games of a queue while a bar shows the progress.
fn play_with_bar<Q: JobQueue>(runner: &Runner<'_>, queue: &Q) -> Result<(), Q::Error> {
    let bar = output::progress(runner.plan.total(), "games");
    let over = AtomicBool::new(false);
    let played = std::thread::scope(|scope| {
        let watcher = scope.spawn(|| {
            while !over.load(Ordering::Relaxed) {
                bar.set_position(runner.progress.games());
                std::thread::park_timeout(Duration::from_millis(100));
            }
        });
        let played = runner.play(queue);
        over.store(true, Ordering::Relaxed);
        watcher.thread().unpark();
        played
    });
    bar.finish_and_clear();
    played
}

/// A name for a run: the time in nanoseconds, which sorts by age.
pub(crate) fn unique() -> String {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    format!("{:x}", now.map_or(0, |d| d.as_nanos()))
}

/// The fields that other scripts rely on.
fn summary(
    game: &str,
    agents: &[String],
    seed: Seed,
    tally: &Tally,
    standings: &[Standing],
) -> serde_json::Value {
    let by_agent =
        |f: fn(&Standing) -> serde_json::Value| -> Vec<_> { standings.iter().map(f).collect() };
    json!({
        "game": game,
        "agents": agents,
        "games": tally.games,
        "wins": by_agent(|s| json!(s.wins)),
        "draws": tally.draws,
        "losses": by_agent(|s| json!(s.losses)),
        "score": by_agent(|s| json!(s.score)),
        "interval": by_agent(|s| json!([s.interval.low, s.interval.high])),
        "forfeits": tally.forfeits,
        "seed": seed.0,
    })
}
