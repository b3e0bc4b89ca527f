//! `ludex evolve FILE.toml`

use crate::error::usage;
use crate::job::{JobText, Work};
use crate::place::{Place, PlaceArgs};
use crate::{output, stop};
use anyhow::Context;
use clap::Args;
use indicatif::ProgressBar;
use ludex_core::AnyGame;
use ludex_learn::evolve::{Evolved, Failure, Outcome, Plan, Point, Watch, run};
use ludex_stats::plot::sparkline;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Evolve players of a game: a population whose members play each other
#[derive(Args)]
#[command(after_help = "Examples:
  ludex evolve experiments/ludo-simple.toml
  ludex evolve experiments/ludo-full.toml --out full-7 --seed 7
  ludex evolve experiments/breakthrough-terms.toml --json
  ludex evolve experiments/ludo-simple.toml --seeds 1,2,3,4 --on ray
  ludex match ludo 'ludo-simple(file=ludo-simple-evolved/champion.json)' random random random

The folder of a run holds the population (NumPy), the log, the figures progress and genes as SVG and PNG and, at the \
end, champion.json and champion.npy. The same command resumes a run that was stopped or killed; the result is the \
same. docs/evolve.md explains the plan.")]
pub(crate) struct Evolve {
    /// The plan, in TOML
    file: PathBuf,
    /// The folder of the run (default: the name of the plan and `-evolved`)
    #[arg(long)]
    out: Option<PathBuf>,
    /// Replace the seed of the plan
    #[arg(long, conflicts_with = "seeds")]
    seed: Option<u64>,
    /// One run for each of these seeds, in the folder `seed-N` of the folder of the run
    #[arg(long, value_delimiter = ',')]
    seeds: Vec<u64>,
    /// Replace the number of generations of the plan
    #[arg(long)]
    generations: Option<u64>,
    /// The number of threads (default: one per core)
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    #[command(flatten)]
    place: PlaceArgs,
    /// Print one JSON object per measurement, and one at the end
    #[arg(long)]
    json: bool,
}

impl Evolve {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let name = self.file.display().to_string();
        let text = output::read_file(&self.file, "the plan")?;
        let mut plan = Plan::from_toml(&name, &text)?;
        plan.seed = self.seed.unwrap_or(plan.seed);
        plan.generations = self.generations.unwrap_or(plan.generations);
        let game = ludex_library::open(&plan.game)?;
        let out = self.out.clone().unwrap_or_else(|| beside(&self.file));
        let runs: Vec<(Plan, PathBuf)> = match self.seeds.is_empty() {
            true => vec![(plan, out)],
            false => {
                let of = |&seed| (Plan { seed, ..plan.clone() }, out.join(format!("seed-{seed}")));
                self.seeds.iter().map(of).collect()
            }
        };
        match self.place.on {
            Place::Threads => {}
            Place::Ray => self.evolve_on_ray(&runs)?,
            Place::Workers => {
                return Err(usage!(
                    "evolutions have no database for workers; --on ray runs them elsewhere"
                ));
            }
        }
        // After a signal, a generation that takes too long is lost; the last checkpoint is kept.
        stop::control();
        for (plan, out) in &runs {
            let outcome = self.one(plan, &game, out, (&name, &text))?;
            self.tell(&outcome, out)?;
            if stop::asked() {
                break;
            }
        }
        Ok(())
    }

    /// Runs the plans that have no finished run in their folder on a Ray cluster, each on one CPU.
    fn evolve_on_ray(&self, runs: &[(Plan, PathBuf)]) -> anyhow::Result<()> {
        let left: Vec<&(Plan, PathBuf)> =
            runs.iter().filter(|(plan, out)| !finished(plan, out)).collect();
        if left.is_empty() {
            return Ok(());
        }
        let job =
            JobText::new(Work::Evolutions(left.iter().map(|(plan, _)| plan.clone()).collect()));
        let bar = output::progress(left.len() as u64, "evolve");
        self.place.compute_on_ray(&job, |number, row| {
            let run = usize::try_from(number).ok().and_then(|n| left.get(n));
            let (_, out) = run.with_context(|| format!("there is no run {number}"))?;
            let evolved: Evolved = serde_json::from_value(row)?;
            bar.inc(1);
            evolved.keep(out).with_context(|| format!("can't write into {}", out.display()))
        })?;
        bar.finish_and_clear();
        Ok(())
    }

    /// Runs a plan in a folder, or reads the finished run there. `source` is the name and the text of the plan's file.
    fn one(
        &self,
        plan: &Plan,
        game: &AnyGame,
        out: &Path,
        source: (&str, &str),
    ) -> anyhow::Result<Outcome> {
        let asked = Arc::new(AtomicBool::new(false));
        let bar = output::progress(plan.generations, "evolve");
        let stop = Arc::clone(&asked);
        let mut live = Live { bar, json: self.json, failed: None, stop };
        let pool =
            rayon::ThreadPoolBuilder::new().num_threads(super::threads(self.threads)).build()?;
        let outcome = pool.install(|| run(plan, game, out, &asked, &mut live));
        live.bar.finish_and_clear();
        let outcome = outcome.map_err(|failure| match failure {
            Failure::Problem(problem) => anyhow::Error::new(problem.at(source.0, source.1)),
            Failure::Core(error) => anyhow::Error::new(error),
            other => anyhow::Error::new(other),
        })?;
        live.failed.map_or(Ok(outcome), Err)
    }

    /// Prints the result of a run.
    fn tell(&self, outcome: &Outcome, out: &Path) -> anyhow::Result<()> {
        let last = outcome.points.last();
        if self.json {
            return output::json(&json!({
                "done": !outcome.champion.is_empty(),
                "generation": outcome.generation,
                "games": outcome.games,
                "mean": last.map(|point| point.mean),
                "folder": out.display().to_string(),
            }));
        }
        output::line(format!(
            "{} generations, {} games between members; {}",
            outcome.generation,
            output::thousands(outcome.games as f64),
            out.display()
        ))?;
        if let Some(point) = last {
            let means: Vec<f64> = outcome.points.iter().map(|point| point.mean).collect();
            output::line(format!(
                "win rate against random players {:.3}, spread {:.3}  {}",
                point.mean,
                point.spread,
                sparkline(&means, 60)
            ))?;
        }
        match outcome.champion.len() {
            0 => output::line("stopped; the same command resumes the run"),
            1..=16 => {
                let genes: Vec<String> =
                    outcome.champion.iter().map(|gene| format!("{gene:.4}")).collect();
                output::line(format!("the best: {}", genes.join(",")))
            }
            n => output::line(format!("the best has {n} genes: champion.npy, champion.json")),
        }
    }
}

/// Does the folder hold the finished run of a plan?
fn finished(plan: &Plan, folder: &Path) -> bool {
    ludex_learn::evolve::finished(plan, folder).unwrap_or(false)
}

/// The default folder of a plan: its name without the extension, in the current folder.
fn beside(file: &Path) -> PathBuf {
    let stem = file.file_stem().map_or_else(|| "run".into(), |s| s.to_string_lossy().into_owned());
    PathBuf::from(format!("{stem}-evolved"))
}

/// Shows the progress of a run.
struct Live {
    bar: ProgressBar,
    json: bool,
    failed: Option<anyhow::Error>,
    /// Ends the run after this generation.
    stop: Arc<AtomicBool>,
}

impl Watch for Live {
    fn generation(&mut self, done: u64, _: u64) {
        self.bar.set_position(done);
        self.stop.store(stop::asked(), Ordering::Relaxed);
    }

    fn measured(&mut self, points: &[Point]) {
        let Some(point) = points.last() else { return };
        let means: Vec<f64> = points.iter().map(|point| point.mean).collect();
        self.bar.set_message(format!("{:.3} {}", point.mean, sparkline(&means, 30)));
        if self.json {
            let line = serde_json::to_value(point).map_err(anyhow::Error::from);
            if let Err(error) = line.and_then(|value| output::json(&value)) {
                self.failed.get_or_insert(error);
            }
        }
    }

    fn reducing(&mut self) {
        self.bar.set_message("choosing the best");
    }
}
