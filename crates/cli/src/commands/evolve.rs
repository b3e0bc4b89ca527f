//! `ludex evolve FILE.toml`

use crate::{output, stop};
use clap::Args;
use indicatif::ProgressBar;
use ludex_learn::evolve::Failure;
use ludex_learn::evolve::{Plan, Point, Watch, run};
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
    #[arg(long)]
    seed: Option<u64>,
    /// Replace the number of generations of the plan
    #[arg(long)]
    generations: Option<u64>,
    /// The number of threads (default: one per core)
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
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
        // After a signal, a generation that takes too long is lost; the last checkpoint is kept.
        stop::control();
        let asked = Arc::new(AtomicBool::new(false));
        let bar = output::progress(plan.generations, "evolve");
        let stop = Arc::clone(&asked);
        let mut live = Live { bar, json: self.json, failed: None, stop };
        let pool =
            rayon::ThreadPoolBuilder::new().num_threads(super::threads(self.threads)).build()?;
        let outcome =
            pool.install(|| run(&plan, &game, &out, &asked, &mut live)).map_err(|failure| {
                match failure {
                    Failure::Problem(problem) => anyhow::Error::new(problem.at(&name, &text)),
                    Failure::Core(error) => anyhow::Error::new(error),
                    other => anyhow::Error::new(other),
                }
            })?;
        live.bar.finish_and_clear();
        if let Some(error) = live.failed {
            return Err(error);
        }
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
