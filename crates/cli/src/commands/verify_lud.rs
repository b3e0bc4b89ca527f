//! `ludex verify lud TRIAL... --library DIR`: recorded games of ludeme descriptions.

use super::verify::read;
use crate::output;
use ludex_library::{Description, load_lud};
use ludex_lud::expand::Library;
use ludex_lud::replay::{Trial, replay_until};
use rayon::prelude::*;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The verdict on a record.
enum Verdict {
    /// All recorded values are the same.
    Passed,
    /// The first difference.
    Differs(String),
    /// The description does not load.
    Unable(String),
}

/// The default time limit for a record.
const LIMIT: Duration = Duration::from_secs(300);

/// Replays every record; fails if one differs.
pub(crate) fn run(
    files: &[PathBuf],
    folder: &Path,
    limit: Option<Duration>,
    as_json: bool,
) -> anyhow::Result<()> {
    let (library, problems) = Library::read(&folder.join("def"));
    for problem in problems {
        eprintln!("warning: {problem}");
    }
    let bar = output::progress(files.len() as u64, "records");
    let outcomes: Vec<(Verdict, f64)> = files
        .par_iter()
        .map(|file| {
            let begun = Instant::now();
            let verdict = one(file, folder, &library, begun + limit.unwrap_or(LIMIT));
            bar.inc(1);
            (verdict, begun.elapsed().as_secs_f64())
        })
        .collect();
    bar.finish_and_clear();
    let (mut passed, mut failed, mut unable) = (0, 0, 0);
    for (file, (verdict, seconds)) in files.iter().zip(outcomes) {
        let (count, name, reason) = match verdict {
            Verdict::Passed => (&mut passed, "passed", None),
            Verdict::Differs(reason) => (&mut failed, "FAILED", Some(reason)),
            Verdict::Unable(reason) => (&mut unable, "can't load", Some(reason)),
        };
        *count += 1;
        if as_json {
            output::json(&json!({
                "file": file.display().to_string(), "verdict": name, "reason": reason,
                "seconds": seconds,
            }))?;
        } else if let Some(reason) = reason {
            output::line(format!("{}: {name}: {reason}", file.display()))?;
        }
    }
    let loaded = passed + failed;
    let share = 100.0 * f64::from(passed) / f64::from(loaded.max(1));
    if !as_json {
        output::line(format!(
            "{passed} passed, {failed} failed ({share:.1} % of those that load), {unable} don't load"
        ))?;
    }
    match failed {
        0 => Ok(()),
        _ => Err(crate::error::Failed.into()),
    }
}

fn one(file: &Path, folder: &Path, library: &Library, deadline: Instant) -> Verdict {
    let trial = match read(file).map_err(|e| format!("{e:#}")).and_then(|text| Trial::read(&text)) {
        Ok(trial) => trial,
        Err(error) => return Verdict::Differs(error),
    };
    let path = folder.join("lud").join(&trial.game);
    let read = std::fs::read_to_string(&path).or_else(|error| match moved(folder, &path) {
        Some(path) => std::fs::read_to_string(path),
        None => Err(error),
    });
    let text = match read {
        Ok(text) => text,
        Err(error) => return Verdict::Unable(format!("{}: {error}", path.display())),
    };
    let description = Description { origin: trial.game.clone(), text, defines: None };
    let loaded = load_lud(&trial.game, &description, library, &trial.options);
    match loaded.game {
        None => {
            Verdict::Unable(loaded.found.first().map(|f| f.line(&loaded.texts)).unwrap_or_default())
        }
        Some(game) => match replay_until(game.lud(), &trial, Some(deadline)) {
            Ok(()) => Verdict::Passed,
            Err(difference) => Verdict::Differs(difference),
        },
    }
}

/// The present path of a description. Records name the path that it had when they were made.
fn moved(folder: &Path, path: &Path) -> Option<PathBuf> {
    let name = path.file_name()?;
    let mut todo = vec![folder.join("lud")];
    while let Some(folder) = todo.pop() {
        for entry in std::fs::read_dir(folder).ok()?.flatten() {
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => todo.push(entry.path()),
                Ok(_) if entry.file_name() == name => return Some(entry.path()),
                _ => {}
            }
        }
    }
    None
}
