//! `ludex` without a command: a short tournament that shows what Ludex does.

use super::adhoc::{self, json_of};
use super::{SeedArgs, ThreadsArgs};
use crate::{output, stop};
use clap::Args;
use ludex_arena::Experiment;
use ludex_arena::report::{AgentReport, counted, table};
use ludex_stats::{Standing, Tally};
use serde_json::{Map, Value, json};
use std::time::Instant;

/// Play a short tournament of several agents on several games (what plain `ludex` does)
#[derive(Args)]
#[command(
    after_help = "Examples:\n  ludex\n  ludex tour --games 40 --db tour.db\n  ludex tour --seed 7 --json"
)]
pub(crate) struct Tour {
    /// Games of each pair of agents on each game
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Store the games in this database
    #[arg(long, default_value = "ludex.db")]
    db: String,
    #[command(flatten)]
    seed: SeedArgs,
    #[command(flatten)]
    threads: ThreadsArgs,
    /// Print one JSON object for each game and agent
    #[arg(long)]
    json: bool,
}

impl Default for Tour {
    fn default() -> Self {
        Tour {
            games: 8,
            db: "ludex.db".into(),
            seed: SeedArgs::default(),
            threads: ThreadsArgs::default(),
            json: false,
        }
    }
}

/// Different kinds of games: solved, tactical, with pieces, with dice.
const GAMES: [&str; 5] =
    ["tictactoe", "connect4", "breakthrough(columns=6,rows=6)", "minichess", "pig(target=50)"];

/// Agents whose budgets take about the same time. Budgets are counted in simulations and nodes, not in seconds, so that
/// the table is the same on every machine.
const AGENTS: [&str; 5] =
    ["uct@sims=400", "alphabeta@nodes=4000", "flat@sims=400", "greedy", "random"];

impl Tour {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let begun = Instant::now();
        let run = adhoc::run_name("tour");
        let seed = self.seed.get();
        // Two games a round: each pair in both orders.
        let rounds = self.games.div_ceil(2);
        let experiment =
            Experiment { seed: seed.0, ..Experiment::new(&run, &GAMES, &AGENTS, rounds) };
        let plan = adhoc::plan(&experiment)?;
        if !self.json {
            output::line(format!(
                "{} agents, {} games, every pair {} times on each:\n",
                AGENTS.len(),
                GAMES.len(),
                2 * rounds
            ))?;
        }
        let progress = adhoc::play(&experiment, &plan, self.threads.get(), Some(&self.db))?;
        let tallies = progress.tallies();
        if self.json {
            return print_json(&tallies);
        }
        print_table(&tallies)?;
        let forfeits: u64 = tallies.iter().map(|tally| tally.forfeits).sum();
        output::line(format!(
            "\nMean payoff with half its 95 % interval (Wilson); seats rotated, dice paired; {}, {},",
            counted(progress.games(), "game"),
            counted(forfeits, "forfeit")
        ))?;
        output::line(format!(
            "{:.1} s; seed {seed}. Every game is stored in {} (run {run}).\n",
            begun.elapsed().as_secs_f64(),
            self.db
        ))?;
        if stop::asked() {
            eprintln!("stopped after {} of {}", progress.games(), counted(plan.total(), "game"));
            return stop::outcome();
        }
        output::line(NEXT)
    }
}

fn print_json(tallies: &[Tally]) -> anyhow::Result<()> {
    for (game, tally) in GAMES.iter().zip(tallies) {
        for (agent, standing) in AGENTS.iter().zip(tally.standings()) {
            let mut object = Map::from_iter([("game".to_string(), json!(game))]);
            object.extend(json_of(&AgentReport::new(*agent, standing)));
            output::json(&Value::Object(object))?;
        }
    }
    Ok(())
}

/// Commands to try next.
const NEXT: &str = "Try next:
  ludex studio                                             see, play and analyse games in the browser
  ludex play connect4                                      play against uct
  ludex advise minichess --time 2s                         the best first move, with its line
  ludex match connect4 uct@sims=2000 alphabeta@depth=6     who is better?
  ludex bench tictactoe connect4 breakthrough              how fast is it here?
  ludex --help                                             everything else";

/// Agents by games, the best mean over games first.
fn print_table(tallies: &[Tally]) -> anyhow::Result<()> {
    let standings: Vec<Vec<Standing>> = tallies.iter().map(Tally::standings).collect();
    let mean = |i: usize| standings.iter().map(|game| game[i].score).sum::<f64>();
    let mut order: Vec<usize> = (0..AGENTS.len()).collect();
    order.sort_by(|&a, &b| mean(b).total_cmp(&mean(a)));
    let agents: Vec<&str> = order.iter().map(|&i| AGENTS[i]).collect();
    let games: Vec<(String, Vec<&Standing>)> = GAMES
        .iter()
        .zip(&standings)
        .map(|(name, game)| {
            let short = name.split('(').next().unwrap_or(name).to_string();
            (short, order.iter().map(|&i| &game[i]).collect())
        })
        .collect();
    output::print_table(&table::payoff_by_game(&agents, &games, 2))
}
