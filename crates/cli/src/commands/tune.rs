//! `ludex tune FILE`

use super::ThreadsArgs;
use super::arena::session;
use crate::error::{Failed, usage};
use crate::place::{Place, PlaceArgs};
use crate::world::Here;
use crate::{output, stop};
use anyhow::Context;
use clap::Args;
use ludex_arena::runner::{Progress, Runner};
use ludex_arena::store::{LEASE, play_stored};
use ludex_arena::{Experiment, GameResult, Plan, Store};
use ludex_learn::tune::{Archive, ArchiveError, Description, Outcome, Search, Step, TuneError};
use ludex_stats::plot::Drawing;
use std::path::{Path, PathBuf};

/// Tune the parameters of an agent by games, or resume a search
#[derive(Args)]
#[command(after_help = "Examples:
  ludex tune experiments/ropasci-weights.toml --db tune.db
  ludex tune first.toml --db tune.db --plot figures --json
  ludex tune first.toml --db postgres://me@server/games --on ray

Every finished game is kept: after Ctrl-C or a kill the same command resumes the search. docs/tune.md explains the \
description.")]
pub(crate) struct Tune {
    /// The description of the search, in TOML
    file: PathBuf,
    /// The games database: a file, or postgres://...
    #[arg(long, default_value = "ludex.db")]
    db: String,
    #[command(flatten)]
    threads: ThreadsArgs,
    #[command(flatten)]
    place: PlaceArgs,
    /// Draw the progress as SVG and PNG into this folder
    #[arg(long)]
    plot: Option<PathBuf>,
    /// Print one JSON object with steps, values and test
    #[arg(long)]
    json: bool,
}

impl Tune {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let file = self.file.display().to_string();
        let text = output::read_file(&self.file, "the description")?;
        let description = Description::read(&file, &text)?;
        let archive =
            StoreArchive { db: &self.db, threads: self.threads.get(), place: &self.place };
        let search = Search { description: &description, world: &Here, archive: &archive };
        let outcome = match search.run(&mut |step| tell(&description, step)) {
            Ok(outcome) => outcome,
            Err(TuneError::Description(problem)) => return Err(usage!("{file}: {problem}")),
            Err(TuneError::Stopped) => {
                eprintln!(
                    "stopped; every finished game is kept, and the same command resumes the search"
                );
                return Err(Failed.into());
            }
            Err(TuneError::Archive(error)) => return Err(anyhow::Error::from_boxed(error)),
        };
        if let Some(folder) = &self.plot {
            draw(&outcome, folder)?;
        }
        if self.json {
            return output::json(&serde_json::to_value(&outcome)?);
        }
        print(&outcome)
    }
}

/// Keeps the games of a search in a games database.
struct StoreArchive<'a> {
    db: &'a str,
    threads: usize,
    place: &'a PlaceArgs,
}

impl Archive for StoreArchive<'_> {
    fn play(&self, experiment: &Experiment, plan: &Plan) -> Result<Vec<GameResult>, ArchiveError> {
        let mut store = Store::open(self.db)?;
        let run = store.start_or_resume(experiment, plan)?;
        if store.count(&run)? < run.total {
            match self.place.on {
                Place::Threads => {}
                Place::Workers => {
                    session::wait_for_workers(&store, &run, stop::control())?;
                    return Ok(store.results(&run, 0, run.total)?);
                }
                Place::Ray => {
                    drop(store);
                    self.place.play_on_ray(experiment, self.db)?;
                    return Ok(Store::open(self.db)?.results(&run, 0, run.total)?);
                }
            }
            let worker = store.register(self.threads, LEASE)?;
            let progress = Progress::new(plan);
            let runner = Runner::new(plan, self.threads, &progress, stop::control());
            store = play_stored(store, &run, &worker, &runner)?;
        }
        Ok(store.results(&run, 0, run.total)?)
    }
}

/// Prints one line for a step.
fn tell(description: &Description, step: &Step) {
    let values: Vec<String> =
        step.values.iter().map(|(name, value)| format!("{name}={value}")).collect();
    eprintln!(
        "step {:>3} of {}  {:>7} games  best {:.3}  mean {:.3}  {}",
        step.step,
        description.steps,
        step.games,
        step.best,
        step.mean,
        values.join(" ")
    );
}

fn draw(outcome: &Outcome, folder: &Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder)
        .with_context(|| format!("can't make the folder {}", folder.display()))?;
    let chart = outcome.chart();
    let svg = chart.svg()?.into_bytes();
    let png = chart.png()?;
    for (ending, bytes) in [("svg", svg), ("png", png)] {
        let file = folder.join(format!("{}.{ending}", outcome.name));
        std::fs::write(&file, bytes).with_context(|| format!("can't write {}", file.display()))?;
        eprintln!("{}", file.display());
    }
    Ok(())
}

fn print(outcome: &Outcome) -> anyhow::Result<()> {
    output::line(format!("{}: {} games", outcome.name, outcome.games))?;
    for (name, value) in &outcome.values {
        output::line(format!("  {name} = {value}"))?;
    }
    output::line("")?;
    let mut table = output::table(
        &["test", "agent", "games", "score", "95 % interval", "wins", "draws", "losses"],
        2,
    );
    for tested in &outcome.test {
        table.add_row([
            tested.role.to_string(),
            tested.agent.clone(),
            tested.games.to_string(),
            format!("{:.3}", tested.score),
            format!("{:.3} .. {:.3}", tested.interval.low, tested.interval.high),
            tested.wins.to_string(),
            tested.draws.to_string(),
            tested.losses.to_string(),
        ]);
    }
    output::print(&table)
}
