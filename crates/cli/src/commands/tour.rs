//! `ludex` without a command: a short tournament that shows what Ludex does.

use super::contest::{conduct, plan, unique};
use super::{seed, threads};
use crate::{output, stop};
use clap::Args;
use ludex_arena::Experiment;
use ludex_stats::{Standing, Tally};
use serde_json::json;
use std::time::Instant;

/// A short tournament of several minds on several games (what plain `ludex` does)
#[derive(Args)]
#[command(
    after_help = "Examples:\n  ludex\n  ludex tour --games 40 --db tour.db\n  ludex tour --seed 7 --json"
)]
pub(crate) struct Tour {
    /// Games for each pair of minds on each game
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Keep the games in this database
    #[arg(long, default_value = "ludex.db")]
    db: String,
    /// Where all luck comes from
    #[arg(long)]
    seed: Option<u64>,
    /// Games at a time (all cores)
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// One JSON object a game and agent
    #[arg(long)]
    json: bool,
}

impl Default for Tour {
    fn default() -> Self {
        Tour { games: 8, db: "ludex.db".into(), seed: None, threads: None, json: false }
    }
}

/// Different kinds of games: solved, tactical, with pieces, with dice.
const GAMES: [&str; 5] =
    ["tictactoe", "connect4", "breakthrough(columns=6,rows=6)", "minichess", "pig(target=50)"];

/// Minds at budgets that take about the same time. Budgets in simulations and nodes, not in
/// time, so that the table is the same on every machine.
const AGENTS: [&str; 5] =
    ["uct@sims=400", "alphabeta@nodes=4000", "flat@sims=400", "greedy", "random"];

impl Tour {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let begun = Instant::now();
        let run = format!("tour-{}", unique());
        let seed = seed(self.seed);
        // Two games a round: each pair in both orders.
        let rounds = self.games.div_ceil(2);
        let experiment =
            Experiment { seed: seed.0, ..Experiment::new(&run, &GAMES, &AGENTS, rounds) };
        let plan = plan(&experiment)?;
        if !self.json {
            output::line(format!(
                "{} minds, {} games, every pair {} times on each:\n",
                AGENTS.len(),
                GAMES.len(),
                2 * rounds
            ))?;
        }
        let progress = conduct(&experiment, &plan, threads(self.threads), Some(&self.db))?;
        let tallies = progress.tallies();
        if self.json {
            return self.print_json(&tallies);
        }
        print_table(&tallies)?;
        let forfeits: u64 = tallies.iter().map(|tally| tally.forfeits).sum();
        output::line(format!(
            "\nMean payoff with its 95 % interval (Wilson); seats rotated, dice paired; {} games, {forfeits} forfeits,",
            progress.games()
        ))?;
        output::line(format!(
            "{:.1} s; seed {seed}. Every game is kept in {} (run {run}).\n",
            begun.elapsed().as_secs_f64(),
            self.db
        ))?;
        if stop::asked() {
            eprintln!("stopped after {} of {} games", progress.games(), plan.total());
            return stop::outcome();
        }
        output::line(NEXT)
    }

    fn print_json(&self, tallies: &[Tally]) -> anyhow::Result<()> {
        for (game, tally) in GAMES.iter().zip(tallies) {
            for (agent, standing) in AGENTS.iter().zip(tally.standings()) {
                output::json(&json!({
                    "game": game, "agent": agent, "seats": standing.seats, "wins": standing.wins,
                    "losses": standing.losses, "score": standing.score,
                    "interval": [standing.interval.low, standing.interval.high],
                }))?;
            }
        }
        Ok(())
    }
}

/// What to try next.
const NEXT: &str = "Try next:
  ludex play connect4                                      play against uct
  ludex advise minichess --time 2s                         the best first move, with its line
  ludex match connect4 uct@sims=2000 alphabeta@depth=6     who is better?
  ludex bench tictactoe connect4 breakthrough              how fast is it here?
  ludex --help                                             everything else";

/// Agents by games, with the mean over games.
fn print_table(tallies: &[Tally]) -> anyhow::Result<()> {
    let mut header = vec!["agent"];
    header.extend(GAMES.iter().map(|name| name.split('(').next().unwrap_or(name)));
    header.push("all");
    let mut table = output::table(&header, 1);
    let mut rows: Vec<(f64, Vec<String>)> = AGENTS
        .iter()
        .enumerate()
        .map(|(i, agent)| {
            let standings: Vec<Standing> =
                tallies.iter().map(|tally| tally.standings().swap_remove(i)).collect();
            let mean = standings.iter().map(|s| s.score).sum::<f64>() / standings.len() as f64;
            let mut row = vec![(*agent).to_string()];
            row.extend(standings.iter().map(|s| {
                format!("{:.2} ±{:.2}", s.score, (s.interval.high - s.interval.low) / 2.0)
            }));
            row.push(format!("{mean:.3}"));
            (mean, row)
        })
        .collect();
    rows.sort_by(|a, b| b.0.total_cmp(&a.0));
    for (_, row) in rows {
        table.add_row(row);
    }
    output::print(&table)
}
