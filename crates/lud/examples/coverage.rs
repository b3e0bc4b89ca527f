//! Which public descriptions load and replay: `coverage FOLDER [NAME [RECORDS]]`. `RECORDS` is a subfolder of
//! recorded games (`trials`, `second`, `legal`, `options`, `swap`) or `lud`, which only loads every description.
//! `NAME` is a part of a record's path; with it, all problems of a description are shown in full. Games are
//! replayed on all cores; one that takes longer than 60 s differs.

mod common;

use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use common::Outcome;
use ludex_lud::expand::Library;
use ludex_lud::load::load;
use ludex_lud::replay::{Trial, replay_until};
use ludex_lud::source;

/// The time limit for a record.
const LIMIT: Duration = Duration::from_secs(60);

fn main() {
    let root = PathBuf::from(std::env::args().nth(1).unwrap_or_default());
    let only = std::env::args().nth(2).unwrap_or_default();
    let records = std::env::args().nth(3).unwrap_or_else(|| "trials".into());
    let folder = root.join(&records);
    let ending = if records == "lud" { ".lud" } else { ".txt.gz" };
    let name = |path: &Path| path.strip_prefix(&folder).unwrap_or(path).display().to_string();
    let files = source::files(&folder, ending).0.into_iter();
    let cases = files.map(|path| (name(&path), path)).filter(|(name, _)| name.contains(&only));
    let cases = cases.map(|(name, path)| (name.clone(), (name, path))).collect();
    let library = Library::read(&root.join("def")).0;
    let work =
        move |(name, path): &(String, PathBuf)| one(&root, path, name, &library, !only.is_empty());
    let outcomes = common::each(cases, LIMIT, work);
    let (good, bad) = (outcomes.good, outcomes.bad.len());
    let refused: usize = outcomes.refused.iter().map(|(_, names)| names.len()).sum();
    println!("{records}: {good} passed, {bad} differ, {refused} do not load");
    outcomes.print();
}

fn one(root: &Path, path: &Path, name: &str, library: &Library, loud: bool) -> Outcome {
    let begun = Instant::now();
    let mut trial = Trial::default();
    if !name.ends_with(".lud") {
        match text(path).and_then(|text| Trial::read(&text)) {
            Ok(read) => trial = read,
            Err(error) => return Outcome::Bad(error),
        }
    }
    let name = description(name);
    let source = match std::fs::read_to_string(root.join("lud").join(&name)) {
        Ok(source) => source,
        Err(error) => return Outcome::Refused(error.to_string()),
    };
    let loaded = load(&name, &name, &source, library, &trial.options);
    let took = begun.elapsed().as_secs_f64();
    if took > 2.0 && loud {
        println!("{name}: loading took {took:.1} s");
    }
    match loaded.game {
        None => {
            if loud {
                loaded.found.iter().for_each(|f| println!("{}", f.render(&loaded.texts)));
            }
            let first = loaded.found.into_iter().next();
            Outcome::Refused(first.map(|f| f.message).unwrap_or_default())
        }
        Some(_) if trial.moves.is_empty() => Outcome::Good,
        Some(game) => match replay_until(game.lud(), &trial, Some(begun + LIMIT)) {
            Ok(()) => Outcome::Good,
            Err(difference) => Outcome::Bad(difference),
        },
    }
}

/// The path of the description to which a record belongs: `board~hunt~Adugo__1.txt.gz` is of `board/hunt/Adugo.lud`.
fn description(record: &str) -> String {
    let record = record.replace('~', "/");
    let stem = record.trim_end_matches(".txt.gz").trim_end_matches(".lud");
    let numbered = stem.rsplit_once("__").filter(|(_, n)| n.bytes().all(|b| b.is_ascii_digit()));
    format!("{}.lud", numbered.map_or(stem, |(stem, _)| stem))
}

fn text(path: &Path) -> Result<String, String> {
    let mut text = String::new();
    let file = std::fs::File::open(path).map_err(|e| e.to_string())?;
    flate2::read::GzDecoder::new(file).read_to_string(&mut text).map_err(|e| e.to_string())?;
    Ok(text)
}
