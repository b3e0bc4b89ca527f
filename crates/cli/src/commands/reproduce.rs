//! `ludex reproduce ID`

use super::seed;
use crate::error::{Failed, usage};
use crate::job::{JobText, Work};
use crate::place::{Place, PlaceArgs};
use crate::{output, stop};
use anyhow::Context;
use clap::Args;
use indicatif::ProgressBar;
use ludex_core::error::did_you_mean;
use ludex_reproduce::job::{Measured, Wanted};
use ludex_reproduce::markdown::{self, Section};
use ludex_reproduce::{Claim, Experiment, Failure, Options, Progress, experiments};
use rustix::time::{ClockId, clock_gettime};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Measure a published table or figure again: published numbers beside ours
#[derive(Args)]
#[command(after_help = "Examples:
  ludex reproduce                  list the experiments, what they need and how long they take
  ludex reproduce mbm --quick
  ludex reproduce mbm --json
  ludex reproduce ludo-fig3 --out figures
  ludex reproduce hyperplay-fig3 --quick --out figures
  ludex reproduce hyperplay-fig5 --games 200
  ludex reproduce hyper-models --data ../HyperAgents
  LUDEX_PATH=../ludii/lud ludex reproduce hyper-play
  LUDEX_PATH=../ludii/lud ludex reproduce hyper-experiment --times 10 --rounds 4
  ludex reproduce --all --quick --markdown reproduced.md
  ludex reproduce --all --on ray

Columns:
  paper         printed in the document; the note says where
  record        in the public files of its authors
  plot          read off a figure of the document
  reference     the same number by another program of ours
  goal          a goal of ours

Verdicts (by the criterion that is printed with each):
  holds         our number meets the criterion
  beaten        our number is better than the published one, in the direction that the paper proposes
  falls short   our number does not meet the criterion
  artefact      our number agrees with the published one only with a fault, which the note names
  shown         there is no criterion and no verdict (null in JSON)")]
pub(crate) struct Reproduce {
    /// The experiment; without it, the experiments are listed
    #[arg(conflicts_with = "all")]
    id: Option<String>,
    /// Run every experiment; an experiment whose data are missing is left out with a message
    #[arg(long)]
    all: bool,
    /// Use smaller samples, for a first look
    #[arg(long)]
    quick: bool,
    /// The number of matches per game or cell (figures of HyperPlay only)
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    games: Option<u64>,
    /// The seed of all randomness (default: 1)
    #[arg(long)]
    seed: Option<u64>,
    /// The folder of figures, and of results that one experiment keeps for another
    #[arg(long, default_value = "reproduced")]
    out: PathBuf,
    /// The public data of the hyper-agents: a clone of github.com/thom11345/HyperAgents, or a folder with its files
    #[arg(long, default_value = "../shared/data/hyperagents")]
    data: PathBuf,
    /// The number of games of each agent in each game (hyper-experiment only)
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    rounds: Option<u64>,
    /// Thinking times in milliseconds (hyper-experiment only)
    #[arg(long, value_delimiter = ',', value_parser = clap::value_parser!(u64).range(1..))]
    times: Vec<u64>,
    /// Train on this folder of `ludex train table` instead of the built-in table (hyper-experiment only)
    #[arg(long)]
    table: Option<PathBuf>,
    #[command(flatten)]
    place: PlaceArgs,
    /// Print one JSON object per claim
    #[arg(long)]
    json: bool,
    /// Write a section for each experiment into this document; it replaces the older section
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
}

impl Reproduce {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        if self.place.on == Place::Workers {
            return Err(usage!(
                "experiments have no database for workers; --on ray runs them elsewhere"
            ));
        }
        if self.all {
            if self.games.is_some() {
                return Err(usage!("--all takes no --games; --quick uses smaller samples"));
            }
            if self.place.on == Place::Ray {
                return self.all_on_ray(&experiments().iter().collect::<Vec<_>>());
            }
            let results = experiments().iter().map(|experiment| self.one(experiment, true));
            let failed = results.collect::<anyhow::Result<Vec<bool>>>()?.contains(&false);
            return if failed { Err(Failed.into()) } else { Ok(()) };
        }
        let Some(id) = &self.id else { return list() };
        let Some(experiment) = experiments().iter().find(|e| e.id == *id) else {
            let hint = did_you_mean(id, experiments().iter().map(|e| e.id));
            return Err(usage!("no experiment `{id}`{hint}; `ludex reproduce` lists them"));
        };
        if self.games.is_some() && !experiment.sized() {
            return Err(usage!("`{id}` takes no --games; --quick uses smaller samples"));
        }
        match self.place.on {
            Place::Ray => self.all_on_ray(&[experiment]),
            _ => self.one(experiment, false).map(|_| ()),
        }
    }

    /// Runs experiments on a Ray cluster, each on one CPU, and prints their claims in the order in which they end.
    fn all_on_ray(&self, chosen: &[&'static Experiment]) -> anyhow::Result<()> {
        let mut runnable = Vec::new();
        for &experiment in chosen {
            match experiment.needs.missing(&self.options(&())) {
                Some(missing) => eprintln!("ludex: {}: not run: {missing}", experiment.id),
                None => runnable.push(experiment),
            }
        }
        let wanted = runnable.iter().map(|experiment| self.wanted(experiment)).collect();
        let job = JobText::new(Work::Experiments(wanted));
        let mut failed = false;
        let bar = output::progress(runnable.len() as u64, "reproduce");
        self.place.compute_on_ray(&job, |number, row| {
            let experiment = usize::try_from(number).ok().and_then(|n| runnable.get(n));
            let experiment = experiment.with_context(|| format!("no experiment {number}"))?;
            let measured: Measured = serde_json::from_value(row)?;
            bar.inc(1);
            failed |= measured.failed.is_some();
            bar.suspend(|| self.tell(experiment, &measured))
        })?;
        bar.finish_and_clear();
        if failed { Err(Failed.into()) } else { Ok(()) }
    }

    fn wanted(&self, experiment: &Experiment) -> Wanted {
        Wanted {
            id: experiment.id.into(),
            quick: self.quick,
            games: self.games,
            seed: seed(self.seed).0,
            data: self.data.clone(),
            rounds: self.rounds,
            times: self.times.clone(),
            table: self.table.clone(),
        }
    }

    /// Prints the claims of an experiment that ran elsewhere, and keeps its figures and its section.
    fn tell(&self, experiment: &'static Experiment, measured: &Measured) -> anyhow::Result<()> {
        let kept = measured.keep_figures(&self.out);
        for file in kept.with_context(|| format!("can't write into {}", self.out.display()))? {
            eprintln!("{}", file.display());
        }
        if self.json {
            for claim in &measured.claims {
                output::json(&serde_json::to_value(claim)?)?;
            }
        } else if !measured.claims.is_empty() {
            print(experiment, &measured.claims)?;
        }
        if let Some(error) = &measured.failed {
            eprintln!("ludex: {}: {error}", experiment.id);
        }
        if let Some(path) = &self.markdown {
            let section = self.section(
                experiment,
                &measured.claims,
                measured.seconds,
                measured.failed.clone(),
            );
            write(path, &markdown::merged(&read(path, experiment)?, &section))?;
        }
        Ok(())
    }

    fn options<'a>(&self, progress: &'a dyn Progress) -> Options<'a> {
        Options {
            quick: self.quick,
            games: self.games,
            seed: seed(self.seed),
            out: self.out.clone(),
            data: self.data.clone(),
            rounds: self.rounds,
            times: self.times.clone(),
            table: self.table.clone(),
            progress,
        }
    }

    /// The section of a document about an experiment.
    fn section<'a>(
        &self,
        experiment: &'a Experiment,
        claims: &'a [Claim],
        seconds: f64,
        stopped: Option<String>,
    ) -> Section<'a> {
        Section {
            experiment,
            command: self.command(experiment),
            version: env!("CARGO_PKG_VERSION"),
            date: today(),
            seed: seed(self.seed).0,
            seconds,
            claims,
            stopped,
        }
    }

    /// Runs an experiment and prints its claims. Among other experiments, a failure is printed and returned as `false`, so
    /// that the others still run.
    fn one(&self, experiment: &'static Experiment, among: bool) -> anyhow::Result<bool> {
        let bars = Bars::default();
        let options = self.options(&bars);
        let missing = experiment.needs.missing(&options);
        if let (Some(missing), false) = (&missing, among) {
            anyhow::bail!("{}: {missing}", experiment.id);
        }
        let document = self.markdown.as_deref().map(|path| read(path, experiment)).transpose()?;
        let claims = Arc::new(Mutex::new(Vec::new()));
        let mut failed = None;
        if !self.json {
            let claims = Arc::clone(&claims);
            // The program ends after this, so an error has no reader.
            stop::last_words(move || drop(print(experiment, &taken(&claims))));
        }
        let begun = processor_seconds();
        let result = match &missing {
            Some(_) => Ok(()),
            None => (experiment.run)(&options, &mut |claim| {
                // Claims about abandoned games are wrong.
                if stop::asked() {
                    return;
                }
                if self.json {
                    let line = serde_json::to_value(&claim).map_err(anyhow::Error::from);
                    if let Err(error) = line.and_then(|value| output::json(&value)) {
                        failed.get_or_insert(error);
                    }
                }
                claims.lock().unwrap_or_else(PoisonError::into_inner).push(claim);
            }),
        };
        let seconds = processor_seconds() - begun;
        bars.clear();
        // Claims that were measured before an error are printed, too.
        let last_words = stop::take().is_some();
        let claims = taken(&claims);
        if !self.json && last_words && !claims.is_empty() {
            print(experiment, &claims)?;
        }
        // After a signal, the document keeps its old section.
        stop::outcome()?;
        let error = result.as_ref().err().map(ToString::to_string);
        if let (Some(path), Some(document)) = (&self.markdown, document) {
            let stopped = missing.clone().or_else(|| error.clone());
            let section = self.section(experiment, &claims, seconds, stopped);
            write(path, &markdown::merged(&document, &section))?;
        }
        if let Some(failed) = failed {
            return Err(failed);
        }
        match result {
            Ok(()) => {
                if let Some(missing) = missing {
                    eprintln!("ludex: {}: not run: {missing}", experiment.id);
                }
                Ok(true)
            }
            Err(error) if among => {
                eprintln!("ludex: {}: {error}", experiment.id);
                Ok(false)
            }
            Err(Failure::Core(error)) => Err(error.into()),
            Err(Failure::File(error)) => Err(error.into()),
            Err(failure) => Err(failure.into()),
        }
    }

    /// The command that reproduces the claims.
    fn command(&self, experiment: &Experiment) -> String {
        let mut command = format!("ludex reproduce {}", experiment.id);
        if self.quick {
            command += " --quick";
        }
        let numbers = [("seed", self.seed), ("games", self.games), ("rounds", self.rounds)];
        for (name, number) in numbers {
            if let Some(number) = number {
                command += &format!(" --{name} {number}");
            }
        }
        if !self.times.is_empty() {
            let times: Vec<String> = self.times.iter().map(u64::to_string).collect();
            command += &format!(" --times {}", times.join(","));
        }
        command
    }
}

fn taken(claims: &Mutex<Vec<Claim>>) -> Vec<Claim> {
    std::mem::take(&mut claims.lock().unwrap_or_else(PoisonError::into_inner))
}

/// The text of the document, empty if it does not exist. Checks that the document can be written.
fn read(path: &Path, experiment: &Experiment) -> anyhow::Result<String> {
    let document = match std::fs::read_to_string(path) {
        Ok(document) => document,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(e) => return Err(e).with_context(|| format!("can't read {}", path.display())),
    };
    // Fail before the experiment runs, not after it.
    write(path, &document).with_context(|| format!("{} was not run", experiment.id))?;
    Ok(document)
}

fn write(path: &Path, document: &str) -> anyhow::Result<()> {
    std::fs::write(path, document).with_context(|| format!("can't write {}", path.display()))
}

/// The CPU time of all threads of this process, in seconds.
fn processor_seconds() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// The date in UTC.
fn today() -> String {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    ludex_arena::date::date(now.map_or(0, |time| time.as_secs()))
}

fn list() -> anyhow::Result<()> {
    let mut table =
        output::table(&["id", "experiment", "--quick", "full", "data that you must fetch"], 5);
    for experiment in experiments() {
        let [quick, full] = experiment.takes;
        table.add_row([experiment.id, experiment.title, quick, full, experiment.needs.text()]);
    }
    output::print(&table)?;
    output::line("\nTimes are for one core, measured once; ~ marks estimates from smaller runs.")
}

fn print(experiment: &Experiment, claims: &[Claim]) -> anyhow::Result<()> {
    output::line(format!("{}: {}\n", experiment.id, experiment.title))?;
    let origins = markdown::origins(claims);
    let criteria = markdown::criteria(claims);
    let mut header = vec!["claim"];
    header.extend(origins.iter().map(|origin| origin.name()));
    header.extend(["ours", "95 % interval", "verdict", "by", ""]);
    let mut table = output::table(&header, header.len());
    for (n, claim) in claims.iter().enumerate() {
        let interval = claim.interval.map(|[low, high]| format!("{low:.3} .. {high:.3}"));
        let criterion = claim.criterion().and_then(|c| criteria.iter().position(|k| *k == c));
        let remark = markdown::remark(claim);
        let mut row = vec![claim.claim.clone()];
        row.extend(origins.iter().map(|&o| claim.figure(o).unwrap_or("-").to_string()));
        row.extend([
            claim.ours.clone(),
            interval.unwrap_or_default(),
            claim.verdict().map_or("shown".into(), |verdict| verdict.to_string()),
            criterion.map_or(String::new(), markdown::letter),
            if remark.is_empty() { String::new() } else { format!("({})", n + 1) },
        ]);
        table.add_row(row);
    }
    output::print(&table)?;
    output::line(format!("\n{}", markdown::counts(claims)))?;
    if !criteria.is_empty() {
        output::line("\nCriteria")?;
    }
    for (n, criterion) in criteria.iter().enumerate() {
        output::line(format!("{}: {criterion}", markdown::letter(n)))?;
    }
    let remarks = claims.iter().map(markdown::remark).enumerate();
    let remarks: Vec<(usize, String)> = remarks.filter(|(_, remark)| !remark.is_empty()).collect();
    if !remarks.is_empty() {
        output::line("\nNotes")?;
    }
    for (n, remark) in remarks {
        output::line(format!("({}) {remark}", n + 1))?;
    }
    Ok(())
}

/// One progress bar per part of an experiment.
#[derive(Default)]
struct Bars(Mutex<Option<ProgressBar>>);

impl Bars {
    fn with(&self, f: impl FnOnce(&mut Option<ProgressBar>)) {
        if let Ok(mut bar) = self.0.lock() {
            f(&mut bar);
        }
    }

    fn clear(&self) {
        self.with(|bar| {
            if let Some(bar) = bar.take() {
                bar.finish_and_clear();
            }
        });
    }
}

impl Progress for Bars {
    fn begin(&self, part: &str, steps: u64) {
        self.clear();
        self.with(|bar| *bar = Some(output::progress(steps, "").with_message(part.to_string())));
    }

    fn step(&self) {
        self.with(|bar| {
            if let Some(bar) = bar {
                bar.inc(1);
            }
        });
    }
}
