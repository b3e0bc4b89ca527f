//! Which public descriptions load and replay: `coverage FOLDER [NAME [RECORDS]]`, the records being
//! those in the subfolder `trials` or another, such as `legal`. Games are replayed on all
//! cores; one that takes longer than 60 s differs.

mod common;

use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;

use common::Outcome;
use ludex_lud::expand::Library;
use ludex_lud::load::load;
use ludex_lud::replay::{Trial, replay};
use ludex_lud::source;

fn main() {
    let root = PathBuf::from(std::env::args().nth(1).unwrap_or_default());
    let only = std::env::args().nth(2).unwrap_or_default();
    let folder = root.join("lud");
    let name = |path: &Path| path.strip_prefix(&folder).unwrap_or(path).display().to_string();
    let files = source::files(&folder, ".lud").0.into_iter();
    let cases = files.map(|path| (name(&path), path)).filter(|(name, _)| name.contains(&only));
    let cases = cases.map(|(name, path)| (name.clone(), (name, path))).collect();
    let library = Library::read(&root.join("def")).0;
    let work =
        move |(name, path): &(String, PathBuf)| one(&root, path, name, &library, !only.is_empty());
    let outcomes = common::each(cases, Duration::from_secs(60), work);
    let (good, bad) = (outcomes.good, outcomes.bad.len());
    println!("{} loaded, {good} replayed, {bad} differ", good + bad);
    outcomes.print();
}

fn one(root: &Path, path: &Path, name: &str, library: &Library, loud: bool) -> Outcome {
    let source = std::fs::read_to_string(path).unwrap_or_default();
    let loaded = load(name, name, &source, library, &[]);
    match loaded.game {
        None => {
            if loud {
                loaded.found.iter().for_each(|f| println!("{}", f.render(&loaded.texts)));
            }
            let first = loaded.found.into_iter().next();
            Outcome::Refused(first.map(|f| f.message).unwrap_or_default())
        }
        Some(game) => {
            let records = std::env::args().nth(3).unwrap_or_else(|| "trials".into());
            let name = name.replace(".lud", ".txt.gz");
            let flat = root.join(&records).join(name.replace('/', "~"));
            let trial = if flat.exists() { flat } else { root.join(records).join(name) };
            match text(&trial).and_then(|text| Trial::read(&text)).map(|t| replay(game.lud(), &t)) {
                Ok(Ok(())) => Outcome::Good,
                Ok(Err(difference)) => Outcome::Bad(difference),
                Err(error) => Outcome::Bad(error),
            }
        }
    }
}

fn text(path: &Path) -> Result<String, String> {
    let mut text = String::new();
    let file = std::fs::File::open(path).map_err(|e| e.to_string())?;
    flate2::read::GzDecoder::new(file).read_to_string(&mut text).map_err(|e| e.to_string())?;
    Ok(text)
}
