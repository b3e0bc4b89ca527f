//! `ludex train table`

use super::super::{BudgetArgs, SeedArgs, agent, duration};
use crate::error::usage;
use crate::job::{JobText, Work};
use crate::place::{Place, PlaceArgs};
use crate::{output, stop};
use anyhow::Context;
use clap::Args;
use indicatif::ProgressBar;
use ludex_agents::{AgentSpec, Budget};
use ludex_core::{AnyGame, Error, Game, Seed};
use ludex_learn::cells::{Cell, Line};
use ludex_learn::measure::{Measured, Survey, Task, measure};
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
  ludex train table --out survey --on ray                 on a Ray cluster

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
    place: PlaceArgs,
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

/// The agents of a survey. `budget` holds for an agent whose name has no budget.
struct Setting {
    agents: Vec<AgentSpec>,
    opponent: AgentSpec,
    hidden: AgentSpec,
    budget: Budget,
}

impl Table {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let setting = self.setting()?;
        let names = self.names()?;
        let mut survey = Survey::open(&self.out)?;
        let finished = match self.place.on {
            Place::Threads => self.measure_here(&setting, &names, &mut survey)?,
            Place::Ray => self.measure_on_ray(&setting, &names, &mut survey)?,
            Place::Workers => {
                return Err(usage!(
                    "a survey has no database for workers; --on ray plays elsewhere"
                ));
            }
        };
        if !finished {
            eprintln!(
                "stopped; every finished line is kept, and the same command resumes the survey"
            );
            return stop::outcome();
        }
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

    fn setting(&self) -> anyhow::Result<Setting> {
        let mut budget = self.budget.budget();
        if budget.is_empty() {
            budget = "sims=300".parse()?;
        }
        Ok(Setting {
            agents: self.agents.iter().map(|text| agent(text)).collect::<anyhow::Result<_>>()?,
            opponent: agent(&self.opponent)?,
            hidden: agent("hyperplay-ismcts")?,
            budget,
        })
    }

    /// The names of the games.
    fn names(&self) -> anyhow::Result<Vec<String>> {
        let mut names = self.games.clone();
        if let Some(path) = &self.list {
            let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
            let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
            names.extend(lines.map(str::to_string));
        }
        if names.is_empty() {
            names = ludex_library::names();
        }
        Ok(names)
    }

    /// Opens a game and chooses the opponent in it. `None` for a game that is left out.
    fn open<'a>(
        &self,
        name: &str,
        setting: &'a Setting,
        bar: &ProgressBar,
    ) -> anyhow::Result<Option<(AnyGame, &'a AgentSpec)>> {
        let left_out = |error: Error| {
            bar.suspend(|| eprintln!("ludex: left out: {error}"));
            bar.inc(setting.agents.len() as u64);
            Ok(None)
        };
        let game = match ludex_library::open(name) {
            Ok(game) => game,
            // Among all known games, one that can't be loaded is left out.
            Err(error) if self.games.is_empty() => return left_out(error),
            Err(error) => return Err(error.into()),
        };
        let hidden = game.info().hidden;
        let opponent = if hidden { &setting.hidden } else { &setting.opponent };
        match opponent.supports(game.info()) {
            Ok(()) => Ok(Some((game, opponent))),
            Err(error) => left_out(error),
        }
    }

    /// Measures on the cores of this machine. Returns `false` where the process was told to stop.
    fn measure_here(
        &self,
        setting: &Setting,
        names: &[String],
        survey: &mut Survey,
    ) -> anyhow::Result<bool> {
        stop::control();
        let bar = output::progress(names.len() as u64 * setting.agents.len() as u64, "measure");
        for name in names {
            let Some((game, opponent)) = self.open(name, setting, &bar)? else { continue };
            let info = game.info();
            survey.describe(&game, self.seed.get())?;
            for agent in &setting.agents {
                bar.inc(1);
                if survey.has(&info.name, &agent.to_string()) {
                    continue;
                }
                bar.set_message(format!("{name}: {agent}"));
                let task = Task {
                    game: &game,
                    agent,
                    opponent,
                    budget: &setting.budget,
                    work: self.work,
                    games: self.rounds,
                    first: false,
                    longest: self.longest,
                    seed: self.seed_of(&info.name, agent),
                };
                let measured = match measure(&task, &|| bar.tick()) {
                    Err(Error::Stopped) => {
                        bar.finish_and_clear();
                        return Ok(false);
                    }
                    measured => measured?,
                };
                self.keep(survey, &info.name, &agent.to_string(), &measured)?;
            }
        }
        bar.finish_and_clear();
        Ok(true)
    }

    fn seed_of(&self, game: &str, agent: &AgentSpec) -> Seed {
        self.seed.get().named(game).named(&agent.to_string())
    }

    /// Measures on a Ray cluster. The lines come in the order in which they are finished.
    fn measure_on_ray(
        &self,
        setting: &Setting,
        names: &[String],
        survey: &mut Survey,
    ) -> anyhow::Result<bool> {
        let cells = self.missing_cells(setting, names, survey)?;
        let bar = output::progress(cells.len() as u64, "measure");
        let job = JobText::new(Work::Survey(cells.clone()));
        self.place.compute_on_ray(&job, |number, row| {
            let cell = usize::try_from(number).ok().and_then(|n| cells.get(n));
            let cell = cell.with_context(|| format!("the survey has no cell {number}"))?;
            bar.inc(1);
            bar.set_message(cell.game.clone());
            match (serde_json::from_value(row)?, &cell.agent) {
                (Line::Score(measured), Some(agent)) => {
                    self.keep(survey, &cell.game, agent, &measured)
                }
                (Line::Features(features), _) => {
                    let features = features.iter().map(|(name, value)| (name.as_str(), *value));
                    Ok(survey.add_features(&cell.game, features)?)
                }
                (Line::Score(_), None) => {
                    anyhow::bail!("a score for the features of {}", cell.game)
                }
            }
        })?;
        bar.finish_and_clear();
        Ok(true)
    }

    /// The cells that the survey lacks.
    fn missing_cells(
        &self,
        setting: &Setting,
        names: &[String],
        survey: &Survey,
    ) -> anyhow::Result<Vec<Cell>> {
        let bar = output::progress(names.len() as u64 * setting.agents.len() as u64, "open");
        let mut cells = Vec::new();
        for name in names {
            let Some((game, opponent)) = self.open(name, setting, &bar)? else { continue };
            bar.inc(setting.agents.len() as u64);
            let info = game.info();
            let cell = |agent: Option<String>, seed: Seed| Cell {
                game: info.name.clone(),
                rules: info.source.to_string(),
                agent,
                opponent: opponent.to_string(),
                budget: setting.budget.to_string(),
                work: self.work,
                games: self.rounds,
                first: false,
                longest: self.longest,
                seed: seed.0,
            };
            if !survey.described(&info.name)? {
                cells.push(cell(None, self.seed.get()));
            }
            for agent in &setting.agents {
                if !survey.has(&info.name, &agent.to_string()) {
                    cells.push(cell(Some(agent.to_string()), self.seed_of(&info.name, agent)));
                }
            }
        }
        bar.finish_and_clear();
        Ok(cells)
    }

    /// Adds a line to the survey.
    fn keep(
        &self,
        survey: &mut Survey,
        game: &str,
        agent: &str,
        measured: &Measured,
    ) -> anyhow::Result<()> {
        survey.add(game, agent, measured)?;
        if self.json {
            let interval = measured.interval();
            output::json(&json!({
                "game": game,
                "agent": agent,
                "supported": measured.supported,
                "score": measured.score,
                "interval": interval,
                "games": measured.games,
                "forfeits": measured.forfeits,
            }))?;
        }
        Ok(())
    }
}
