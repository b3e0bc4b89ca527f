//! `ludex train table`

use super::super::{BudgetArgs, SeedArgs, agent, duration};
use crate::{output, stop};
use anyhow::Context;
use clap::Args;
use ludex_agents::AgentSpec;
use ludex_core::{Error, Game};
use ludex_learn::measure::{Survey, Task, measure};
use serde_json::json;
use std::path::PathBuf;
use std::time::Duration;

/// Measure agents on many games: the table for training models
#[derive(Args)]
#[command(after_help = "Examples:
  ludex train table --out survey                          all known games
  ludex train table --out survey --games connect4 pig --agents uct alphabeta --sims 200
  LUDEX_PATH=rules ludex train table --out survey         also the rule files of a folder
  ludex train table --out survey --list games.txt --work 3ms   budgets that take 3 ms per move

Every agent plays against the opponent at all other seats; seats are rotated. The same command resumes a survey that was \
stopped. The folder holds results.csv (one line per game and agent, with intervals), features.csv and agents.csv.")]
pub(crate) struct Table {
    /// The folder of the survey
    #[arg(long)]
    out: PathBuf,
    /// The games (default: all known games)
    #[arg(long, num_args = 1..)]
    games: Vec<String>,
    /// A file with one game per line
    #[arg(long)]
    list: Option<PathBuf>,
    /// The agents to measure
    #[arg(long, num_args = 1.., default_values = DEFAULTS)]
    agents: Vec<String>,
    /// The agent at all other seats; in games with hidden information it is `hyperplay-ismcts`
    #[arg(long, default_value = "uct")]
    opponent: String,
    /// The number of games of each agent in each game
    #[arg(long, default_value_t = 40, value_parser = clap::value_parser!(u64).range(1..))]
    rounds: u64,
    /// The number of steps after which a game is a draw
    #[arg(long, default_value_t = 1000)]
    longest: u32,
    #[command(flatten)]
    budget: BudgetArgs,
    /// Instead of a budget: as many simulations or nodes as take each agent about this time
    #[arg(long, value_parser = duration)]
    work: Option<Duration>,
    #[command(flatten)]
    seed: SeedArgs,
    /// Print one JSON object per line of the table
    #[arg(long)]
    json: bool,
}

/// The five agents of the hyper-agents' thesis, alpha-beta by mobility and without a heuristic, and two more.
const DEFAULTS: [&str; 9] = [
    "uct",
    "grave",
    "alphabeta",
    "ph",
    "mast",
    "alphabeta(heuristic=mobility)",
    "alphabeta(heuristic=zero)",
    "flat",
    "hyperplay-ismcts",
];

impl Table {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let agents: Vec<AgentSpec> =
            self.agents.iter().map(|text| agent(text)).collect::<anyhow::Result<_>>()?;
        let opponent = agent(&self.opponent)?;
        let hidden = agent("hyperplay-ismcts")?;
        let mut budget = self.budget.budget();
        if budget.is_empty() {
            budget = "sims=300".parse()?;
        }
        let mut names = self.games.clone();
        if let Some(path) = &self.list {
            let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
            let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
            names.extend(lines.map(str::to_string));
        }
        if names.is_empty() {
            names = ludex_library::names();
        }
        let mut survey = Survey::open(&self.out)?;
        stop::control();
        let bar = output::progress(names.len() as u64 * agents.len() as u64, "measure");
        for name in &names {
            let game = match ludex_library::open(name) {
                Ok(game) => game,
                // Among all known games, one that can't be loaded is left out.
                Err(error) if self.games.is_empty() => {
                    bar.suspend(|| eprintln!("ludex: left out: {error}"));
                    bar.inc(agents.len() as u64);
                    continue;
                }
                Err(error) => return Err(error.into()),
            };
            let info = game.info();
            let opponent = if info.hidden { &hidden } else { &opponent };
            if let Err(error) = opponent.supports(info) {
                bar.suspend(|| eprintln!("ludex: left out: {error}"));
                bar.inc(agents.len() as u64);
                continue;
            }
            survey.describe(&game, self.seed.get())?;
            for agent in &agents {
                bar.inc(1);
                if survey.has(&info.name, &agent.to_string()) {
                    continue;
                }
                bar.set_message(format!("{name}: {agent}"));
                let task = Task {
                    game: &game,
                    agent,
                    opponent,
                    budget: &budget,
                    work: self.work,
                    games: self.rounds,
                    first: false,
                    longest: self.longest,
                    seed: self.seed.get().named(&info.name).named(&agent.to_string()),
                };
                let measured = match measure(&task, &|| bar.tick()) {
                    Err(Error::Stopped) => {
                        bar.finish_and_clear();
                        eprintln!(
                            "stopped; every finished line is kept, and the same command resumes the survey"
                        );
                        return stop::outcome();
                    }
                    measured => measured?,
                };
                survey.add(&task, &measured)?;
                if self.json {
                    let interval = measured.interval();
                    output::json(&json!({
                        "game": info.name,
                        "agent": agent.to_string(),
                        "supported": measured.supported,
                        "score": measured.score,
                        "interval": interval,
                        "games": measured.games,
                        "forfeits": measured.forfeits,
                    }))?;
                }
            }
        }
        bar.finish_and_clear();
        let table = survey.finish()?;
        match self.json {
            true => Ok(()),
            false => output::line(format!(
                "{} games, {} agents; the tables are in {}",
                table.names.len(),
                table.columns.len(),
                self.out.display()
            )),
        }
    }
}
