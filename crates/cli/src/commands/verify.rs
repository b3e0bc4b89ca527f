//! `ludex verify KIND FILE...`

use super::threads;
use crate::output;
use anyhow::Context;
use clap::{Args, ValueEnum};
use flate2::read::GzDecoder;
use ludex_gdl::game::{Engine, GdlGame, Options};
use ludex_gdl::verify::verify_trace;
use serde_json::json;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// Replay recorded games of another system and compare everything that was recorded
#[derive(Args)]
#[command(after_help = "Examples:
  ludex verify gdl traces/*.jsonl.gz
  ludex verify gdl traces/breakthrough.jsonl.gz --games rules --engine all

The last line is `N passed, M failed`; it counts files.")]
pub(crate) struct Verify {
    /// What was recorded
    kind: Kind,
    /// The records
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Where the rule sheets are (`../games` beside each file)
    #[arg(long)]
    games: Option<PathBuf>,
    /// The engine: auto, lanes, single, joins, naive, or all that can load the game
    #[arg(long, default_value = "auto")]
    engine: String,
    /// Files at a time (all cores)
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// One JSON object a file and engine
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Kind {
    /// Traces of GDL games by an independent prover
    Gdl,
}

/// What one engine said about one file.
struct Outcome {
    engine: &'static str,
    states: usize,
    seconds: f64,
    /// Why it failed; `None`: it passed.
    failure: Option<String>,
    /// It could not load the rules, though another could: not counted where all are asked.
    unable: bool,
}

impl Verify {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let Kind::Gdl = self.kind;
        let engines = match self.engine.as_str() {
            "auto" => vec![None],
            "all" => {
                vec![
                    Some(Engine::Lanes),
                    Some(Engine::Single),
                    Some(Engine::Joins),
                    Some(Engine::Naive),
                ]
            }
            name => {
                let engine = name.parse::<Engine>().map_err(|e| crate::error::usage!("{e}"))?;
                vec![Some(engine)]
            }
        };
        let bar = output::progress(self.files.len() as u64, "files");
        let next = AtomicUsize::new(0);
        let mut results: Vec<(usize, Vec<Outcome>)> = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..threads(self.threads).min(self.files.len()))
                .map(|_| {
                    scope.spawn(|| {
                        let mut mine = Vec::new();
                        loop {
                            let i = next.fetch_add(1, Ordering::Relaxed);
                            let Some(file) = self.files.get(i) else { return mine };
                            mine.push((i, self.file(file, &engines)));
                            bar.inc(1);
                        }
                    })
                })
                .collect();
            workers.into_iter().flat_map(|w| w.join().unwrap_or_default()).collect()
        });
        bar.finish_and_clear();
        results.sort_by_key(|(i, _)| *i);
        let (mut passed, mut failed) = (0, 0);
        for (i, outcomes) in &results {
            let name = self.files[*i].display();
            let all_unable = outcomes.iter().all(|o| o.unable);
            let bad = outcomes.iter().any(|o| o.failure.is_some() && !o.unable) || all_unable;
            *if bad { &mut failed } else { &mut passed } += 1;
            for outcome in outcomes {
                if self.json {
                    output::json(&json!({
                        "file": name.to_string(), "engine": outcome.engine, "states": outcome.states,
                        "seconds": outcome.seconds, "passed": outcome.failure.is_none(),
                        "reason": outcome.failure,
                    }))?;
                } else if let Some(reason) = &outcome.failure {
                    let what = if outcome.unable { "can't load" } else { "FAILED" };
                    output::line(format!("{name} [{}] {what}: {reason}", outcome.engine))?;
                }
            }
        }
        // Files that no worker came to (it broke down) are failures, too.
        failed += self.files.len() - results.len();
        output::line(format!("{passed} passed, {failed} failed"))?;
        if failed > 0 { Err(crate::error::Failed.into()) } else { Ok(()) }
    }

    /// One file with each engine.
    fn file(&self, file: &Path, engines: &[Option<Engine>]) -> Vec<Outcome> {
        let sources = self.sources(file);
        engines
            .iter()
            .map(|&engine| {
                let begun = Instant::now();
                let name = engine.map_or("auto", Engine::name);
                let failure = |reason: String, unable| Outcome {
                    engine: name,
                    states: 0,
                    seconds: begun.elapsed().as_secs_f64(),
                    failure: Some(reason),
                    unable,
                };
                let (rules, trace) = match &sources {
                    Ok(sources) => sources,
                    Err(error) => return failure(format!("{error:#}"), false),
                };
                let options = Options { engine, ..Options::default() };
                let game = match GdlGame::load("kif:trace", rules, &options) {
                    Ok(game) => game,
                    Err(error) => return failure(error.to_string(), engines.len() > 1),
                };
                let report = verify_trace(game.reasoner(), trace);
                Outcome {
                    engine: game.reasoner().engine(),
                    states: report.states,
                    seconds: begun.elapsed().as_secs_f64(),
                    failure: (!report.passed()).then(|| {
                        report.differences.first().cloned().unwrap_or("nothing was compared".into())
                    }),
                    unable: false,
                }
            })
            .collect()
    }

    /// The rule sheet and the trace of a file.
    fn sources(&self, file: &Path) -> anyhow::Result<(String, String)> {
        let bytes = std::fs::read(file)?;
        let mut trace = String::new();
        if bytes.starts_with(&[0x1f, 0x8b]) {
            GzDecoder::new(&bytes[..]).read_to_string(&mut trace).context("bad gzip file")?;
        } else {
            trace = String::from_utf8(bytes).context("not text")?;
        }
        let name = file.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        let stem = name.split(".jsonl").next().unwrap_or(&name);
        let folder = match &self.games {
            Some(folder) => folder.clone(),
            None => file.parent().unwrap_or(Path::new(".")).join("../games"),
        };
        let sheet = folder.join(format!("{stem}.kif"));
        let source = ludex_library::find_kif(&sheet.to_string_lossy())?;
        Ok((source.text, trace))
    }
}
