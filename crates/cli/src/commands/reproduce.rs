//! `ludex reproduce ID`

use super::seed;
use crate::error::usage;
use crate::{output, stop};
use clap::Args;
use indicatif::ProgressBar;
use ludex_core::error::did_you_mean;
use ludex_reproduce::{Claim, Experiment, Options, Progress, experiments};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// A published table or figure, measured again: the paper's number beside ours
#[derive(Args)]
#[command(after_help = "Examples:
  ludex reproduce                  what there is
  ludex reproduce mbm --quick
  ludex reproduce mbm --json
  ludex reproduce ludo-fig3 --out figures
  ludex reproduce hyperplay-fig3 --quick --out figures
  ludex reproduce hyperplay-fig5 --games 200
  ludex reproduce hyper-models --data ../HyperAgents/Models/data
  LUDEX_PATH=../ludii/lud ludex reproduce hyper-play
  LUDEX_PATH=../ludii/lud ludex reproduce hyper-experiment --times 10 --rounds 4

Verdicts:
  holds         ours agrees with the published figure
  beaten        ours is better
  falls short   ours is worse
  artefact      the published figure comes from a fault, which the note explains")]
pub(crate) struct Reproduce {
    /// The experiment; without one: the list
    id: Option<String>,
    /// Smaller samples, for a first look
    #[arg(long)]
    quick: bool,
    /// Matches a game or cell, instead of the experiment's own number (the figures of HyperPlay)
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    games: Option<u64>,
    /// Where all luck comes from
    #[arg(long)]
    seed: Option<u64>,
    /// Where figures go, and what one experiment keeps for another
    #[arg(long, default_value = "reproduced")]
    out: PathBuf,
    /// The folder with the public data of the hyper-agents
    #[arg(long, default_value = "../shared/data/hyperagents")]
    data: PathBuf,
    /// Games of each agent in each game (hyper-experiment)
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    rounds: Option<u64>,
    /// Think times in milliseconds (hyper-experiment)
    #[arg(long, value_delimiter = ',', value_parser = clap::value_parser!(u64).range(1..))]
    times: Vec<u64>,
    /// A folder of `ludex train table` to train on instead of the one built in (hyper-experiment)
    #[arg(long)]
    table: Option<PathBuf>,
    /// One JSON object a claim
    #[arg(long)]
    json: bool,
}

impl Reproduce {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let Some(id) = &self.id else { return list() };
        let Some(experiment) = experiments().iter().find(|e| e.id == *id) else {
            let hint = did_you_mean(id, experiments().iter().map(|e| e.id));
            return Err(usage!("no experiment `{id}`{hint}; `ludex reproduce` lists them"));
        };
        if self.games.is_some() && !experiment.sized() {
            return Err(usage!("`{id}` takes no --games; --quick makes it smaller"));
        }
        let bars = Bars::default();
        let options = Options {
            quick: self.quick,
            games: self.games,
            seed: seed(self.seed),
            out: self.out.clone(),
            data: self.data.clone(),
            rounds: self.rounds,
            times: self.times.clone(),
            table: self.table.clone(),
            progress: &bars,
        };
        let claims = Arc::new(Mutex::new(Vec::new()));
        let mut failed = None;
        if !self.json {
            let claims = Arc::clone(&claims);
            // Nobody is left to be told where this fails.
            stop::last_words(move || drop(print(experiment, &taken(&claims))));
        }
        let result = (experiment.run)(&options, &mut |claim| {
            // Of games that were given up no claim is true.
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
        });
        bars.clear();
        // What was measured before an error is shown all the same.
        if !self.json && stop::take().is_some() {
            print(experiment, &taken(&claims))?;
        }
        stop::outcome()?;
        result?;
        failed.map_or(Ok(()), Err)
    }
}

fn taken(claims: &Mutex<Vec<Claim>>) -> Vec<Claim> {
    std::mem::take(&mut claims.lock().unwrap_or_else(PoisonError::into_inner))
}

fn list() -> anyhow::Result<()> {
    let mut table = output::table(&["id", "what"], 2);
    for experiment in experiments() {
        table.add_row([experiment.id, experiment.title]);
    }
    output::print(&table)
}

fn print(experiment: &Experiment, claims: &[Claim]) -> anyhow::Result<()> {
    output::line(format!("{}: {}\n", experiment.id, experiment.title))?;
    let header = ["claim", "paper", "ours", "95 % interval", "verdict", ""];
    let mut table = output::table(&header, 6);
    for (n, claim) in claims.iter().enumerate() {
        let interval = claim.interval.map(|[low, high]| format!("{low:.3} .. {high:.3}"));
        let note = if claim.note.is_empty() { String::new() } else { format!("({})", n + 1) };
        table.add_row([
            claim.claim.clone(),
            claim.paper.clone().unwrap_or_else(|| "-".into()),
            claim.ours.clone(),
            interval.unwrap_or_default(),
            claim.verdict.map(|v| v.to_string()).unwrap_or_default(),
            note,
        ]);
    }
    output::print(&table)?;
    for (n, claim) in claims.iter().enumerate().filter(|(_, claim)| !claim.note.is_empty()) {
        output::line(format!("({}) {}", n + 1, claim.note))?;
    }
    Ok(())
}

/// A bar a part.
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
