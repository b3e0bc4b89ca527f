//! `ludex verify KIND FILE...`

use super::{threads, verify_lines};
use crate::output;
use anyhow::Context;
use clap::{Args, ValueEnum};
use flate2::read::GzDecoder;
use ludex_gdl::game::{Engine, GdlGame, LoadError, Options};
use ludex_gdl::ground::GroundError;
use ludex_gdl::reasoner::Reasoner;
use ludex_gdl::verify::verify_until;
use serde_json::json;
use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// Replay recorded games of another system and compare all recorded values
#[derive(Args)]
#[command(after_help = "Examples:
  ludex verify gdl traces/*.jsonl.gz
  ludex verify gdl traces/*.jsonl.gz --engine all
  ludex verify ropasci records.jsonl.gz
  ludex verify lud trials/*.txt.gz --library ludii
  ludex verify gdl traces/breakthrough.jsonl.gz --games rules --engine joins --limit 60s

With `--engine all` every engine that can run the rules must agree. An engine that can't (the rules are too big to \
ground, or the engine is too slow for its limit) is listed with the reason. The last line is `N passed, M failed`; it \
counts files, and for ludo and ropasci records.")]
pub(crate) struct Verify {
    /// The kind of records
    kind: Kind,
    /// The records
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The folder of the rule sheets (default: `../games` beside each file)
    #[arg(long)]
    games: Option<PathBuf>,
    /// The folder with `lud` and `def`, for kind lud
    #[arg(long, value_name = "DIR")]
    library: Option<PathBuf>,
    /// The engine: auto, lanes, single, joins, naive, or all that can load the game
    #[arg(long, default_value = "auto")]
    engine: String,
    /// Time limit for each file and engine, such as 30s, for comparing and for loading rules that are not grounded. All
    /// states that were compared in time count (default: 10s with `--engine all`, else none)
    #[arg(long, value_parser = super::duration)]
    limit: Option<Duration>,
    /// How many files are compared at a time (default: one per core)
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Print one JSON object per file and engine
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Kind {
    /// Traces of GDL games by an independent prover
    Gdl,
    /// Games, steps and values of Ludo
    Ludo,
    /// Games, ends and heuristic values of RoPaSci 360
    Ropasci,
    /// Recorded games of ludeme descriptions
    Lud,
}

/// The time limit for a file and engine with `--engine all`.
const LIMIT: Duration = Duration::from_secs(10);

/// The verdict on one engine and one file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    /// All compared values agree.
    Passed,
    /// A value differs, or there is nothing to compare.
    Failed,
    /// The engine cannot load the rules.
    Unable,
    /// The engine gave no answer in time.
    TooSlow,
}

impl Verdict {
    fn name(self) -> &'static str {
        match self {
            Verdict::Passed => "passed",
            Verdict::Failed => "FAILED",
            Verdict::Unable => "can't load",
            Verdict::TooSlow => "too slow",
        }
    }
}

/// The result of one engine on one file.
struct Outcome {
    engine: &'static str,
    states: usize,
    cut_short: bool,
    seconds: f64,
    verdict: Verdict,
    reason: Option<String>,
}

impl Verify {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let lines = match self.kind {
            Kind::Lud => {
                let library = self.library.as_deref().ok_or_else(|| {
                    crate::error::usage!(
                        "verify lud needs --library DIR: the folder with `lud` and `def`"
                    )
                })?;
                return super::verify_lud::run(&self.files, library, self.limit, self.json);
            }
            Kind::Gdl => None,
            Kind::Ludo => Some(verify_lines::Kind::Ludo),
            Kind::Ropasci => Some(verify_lines::Kind::Ropasci),
        };
        if let Some(kind) = lines {
            return verify_lines::run(kind, &self.files, self.json);
        }
        let engines = match self.engine.as_str() {
            "auto" => vec![None],
            "all" => [Engine::Lanes, Engine::Single, Engine::Joins, Engine::Naive].map(Some).into(),
            name => {
                let engine = name.parse::<Engine>().map_err(|e| crate::error::usage!("{e}"))?;
                vec![Some(engine)]
            }
        };
        let bar = output::progress(self.files.len() as u64, "files");
        let next = AtomicUsize::new(0);
        let mut summary = Summary { chosen: self.engine == "auto", ..Summary::default() };
        let (send, receive) = mpsc::channel::<(usize, Vec<Outcome>)>();
        std::thread::scope(|scope| -> anyhow::Result<()> {
            for _ in 0..threads(self.threads).min(self.files.len()) {
                let (send, next, engines, this) = (send.clone(), &next, &engines, &self);
                scope.spawn(move || {
                    loop {
                        let i = next.fetch_add(1, Ordering::Relaxed);
                        let Some(file) = this.files.get(i) else { return };
                        if send.send((i, this.file(file, engines))).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(send);
            // Print results in the order of the files, as soon as they are there.
            let mut waiting = BTreeMap::new();
            let mut shown = 0;
            for (i, outcomes) in receive {
                waiting.insert(i, outcomes);
                while let Some(outcomes) = waiting.remove(&shown) {
                    bar.suspend(|| self.show(&self.files[shown], &outcomes))?;
                    summary.add(&self.files[shown], &outcomes);
                    bar.inc(1);
                    shown += 1;
                }
            }
            Ok(())
        })?;
        bar.finish_and_clear();
        // Files whose thread broke down are failures, too.
        summary.failed = self.files.len() - summary.passed;
        if !self.json {
            summary.print(engines.len() > 1)?;
            output::line(format!("{} passed, {} failed", summary.passed, summary.failed))?;
        }
        if summary.failed > 0 { Err(crate::error::Failed.into()) } else { Ok(()) }
    }

    fn show(&self, file: &Path, outcomes: &[Outcome]) -> anyhow::Result<()> {
        for o in outcomes {
            if self.json {
                output::json(&json!({
                    "file": file.display().to_string(), "engine": o.engine, "states": o.states,
                    "cut_short": o.cut_short, "seconds": o.seconds,
                    "passed": o.verdict == Verdict::Passed, "verdict": o.verdict.name(),
                    "reason": o.reason,
                }))?;
                continue;
            }
            let what = match &o.reason {
                Some(reason) => format!("{}: {reason}", o.verdict.name()),
                None => {
                    let cut = if o.cut_short { ", then out of time" } else { "" };
                    format!("{}, {} states{cut}", o.verdict.name(), o.states)
                }
            };
            output::line(format!(
                "{:<28} {:<7} {:6.1} s  {what}",
                stem(file),
                o.engine,
                o.seconds
            ))?;
        }
        Ok(())
    }

    /// One file with each engine.
    fn file(&self, file: &Path, engines: &[Option<Engine>]) -> Vec<Outcome> {
        let sources = self.sources(file);
        let all = engines.len() > 1;
        let limit = self.limit.or(all.then_some(LIMIT));
        // The engines `lanes` and `single` share one grounding.
        let mut ground: Option<Result<GdlGame, LoadError>> = None;
        let mut outcomes = Vec::new();
        for &engine in engines {
            let begun = Instant::now();
            let mut outcome = Outcome {
                engine: engine.map_or("auto", Engine::name),
                states: 0,
                cut_short: false,
                seconds: 0.0,
                verdict: Verdict::Failed,
                reason: None,
            };
            let (rules, trace) = match &sources {
                Ok(sources) => sources,
                Err(error) => {
                    outcome.reason = Some(format!("{error:#}"));
                    outcomes.push(outcome);
                    continue;
                }
            };
            let load = |engine: Option<Engine>| {
                let options = Options { engine, time: limit, ..Options::default() };
                GdlGame::load("kif:trace", rules, &options)
            };
            let own;
            let loaded = match engine {
                Some(Engine::Lanes | Engine::Single) => {
                    &*ground.get_or_insert_with(|| load(Some(Engine::Lanes)))
                }
                other => {
                    own = load(other);
                    &own
                }
            };
            match loaded {
                Err(error) => {
                    // Another engine may be able to load such rules.
                    let able = match error {
                        LoadError::Ground(GroundError::TooBig(_)) | LoadError::Engine { .. } => {
                            !all
                        }
                        _ => true,
                    };
                    outcome.verdict = if able { Verdict::Failed } else { Verdict::Unable };
                    outcome.reason = Some(error.to_string());
                }
                Ok(game) => {
                    let probe = game.probe().filter(|_| engine == Some(Engine::Lanes));
                    let reasoner = probe.as_ref().map_or(game.reasoner(), |p| p as &dyn Reasoner);
                    if engine.is_none() {
                        outcome.engine = ludex_core::Game::info(game).engine;
                    }
                    // Grounding has a limit of its own and does not count.
                    let grounded = matches!(engine, Some(Engine::Lanes | Engine::Single));
                    let from = if grounded { Instant::now() } else { begun };
                    let report = verify_until(reasoner, trace, limit.map(|limit| from + limit));
                    (outcome.states, outcome.cut_short) = (report.states, report.cut_short);
                    if report.passed() {
                        outcome.verdict = Verdict::Passed;
                    } else if report.differences.is_empty() && report.cut_short {
                        outcome.verdict = Verdict::TooSlow;
                        outcome.reason = Some("no state was compared in time".into());
                    } else {
                        let first = report.differences.first().cloned();
                        outcome.reason = Some(first.unwrap_or("nothing was compared".into()));
                    }
                }
            }
            outcome.seconds = begun.elapsed().as_secs_f64();
            outcomes.push(outcome);
        }
        outcomes
    }

    /// The rule sheet and the trace of a file.
    fn sources(&self, file: &Path) -> anyhow::Result<(String, String)> {
        let trace = read(file)?;
        let folder = match &self.games {
            Some(folder) => folder.clone(),
            None => file.parent().unwrap_or(Path::new(".")).join("../games"),
        };
        let sheet = folder.join(format!("{}.kif", stem(file)));
        let source = ludex_library::find_kif(&sheet.to_string_lossy())?;
        Ok((source.text, trace))
    }
}

/// The text of a file, decompressed if necessary.
pub(crate) fn read(file: &Path) -> anyhow::Result<String> {
    let bytes = std::fs::read(file).with_context(|| format!("can't read {}", file.display()))?;
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        return String::from_utf8(bytes).context("not text");
    }
    let mut text = String::new();
    GzDecoder::new(&bytes[..]).read_to_string(&mut text).context("bad gzip file")?;
    Ok(text)
}

/// The name of a file without its extensions.
fn stem(file: &Path) -> String {
    let name = file.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    name.split(".jsonl").next().unwrap_or(&name).to_owned()
}

/// The counts over all files.
#[derive(Default)]
struct Summary {
    /// Was the engine chosen automatically?
    chosen: bool,
    passed: usize,
    failed: usize,
    /// By engine: files by verdict, files that passed but were cut short, states.
    engines: BTreeMap<&'static str, ([usize; 4], usize, usize)>,
    /// Sheets that are too big to ground.
    big: Vec<String>,
}

impl Summary {
    fn add(&mut self, file: &Path, outcomes: &[Outcome]) {
        let any = |verdict| outcomes.iter().any(|o| o.verdict == verdict);
        if any(Verdict::Passed) && !any(Verdict::Failed) {
            self.passed += 1;
        }
        for o in outcomes {
            let (verdicts, cut, states) = self.engines.entry(o.engine).or_default();
            verdicts[o.verdict as usize] += 1;
            *cut += usize::from(o.cut_short && o.verdict == Verdict::Passed);
            *states += o.states;
        }
        let by = |engine: Engine, verdict| {
            outcomes.iter().any(|o| o.engine == engine.name() && o.verdict == verdict)
        };
        let chosen = self.chosen && by(Engine::Joins, Verdict::Passed);
        if chosen || by(Engine::Lanes, Verdict::Unable) || by(Engine::Single, Verdict::Unable) {
            self.big.push(stem(file));
        }
    }

    fn print(&self, all: bool) -> anyhow::Result<()> {
        if all || self.engines.len() > 1 {
            let head =
                ["engine", "passed", "cut short", "failed", "can't load", "too slow", "states"];
            let mut table = output::table(&head, 1);
            for (engine, ([passed, failed, unable, slow], cut, states)) in &self.engines {
                let counts = [passed, cut, failed, unable, slow, states].map(ToString::to_string);
                table.add_row(std::iter::once((*engine).to_owned()).chain(counts));
            }
            output::print(&table)?;
        }
        if !self.big.is_empty() {
            let list = self.big.join(", ");
            output::line(format!("not grounded, run by joins ({}): {list}", self.big.len()))?;
        }
        Ok(())
    }
}
