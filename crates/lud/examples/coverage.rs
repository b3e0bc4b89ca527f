//! Which public descriptions load and replay: `coverage FOLDER [NAME]`.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};

use ludex_lud::engine::Game;
use ludex_lud::expand::{Library, expand};
use ludex_lud::replay::{Trial, replay};
use ludex_lud::tree;

fn main() {
    let root = PathBuf::from(std::env::args().nth(1).unwrap_or_default());
    let only = std::env::args().nth(2);
    let (library, _) = Library::read(&root.join("def"));
    let mut files = Vec::new();
    let mut todo = vec![root.join("lud")];
    while let Some(path) = todo.pop() {
        for entry in std::fs::read_dir(&path).into_iter().flatten().flatten() {
            if entry.path().is_dir() { todo.push(entry.path()) } else { files.push(entry.path()) }
        }
    }
    files.sort();
    let (mut loaded, mut good, mut bad) = (0, 0, Vec::new());
    let mut first: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for path in files {
        let name = path.strip_prefix(root.join("lud")).unwrap_or(&path).display().to_string();
        if only.as_ref().is_some_and(|only| !name.contains(only.as_str())) {
            continue;
        }
        let source = std::fs::read_to_string(&path).unwrap_or_default();
        let Ok(expanded) = expand(&name, &source, &library, &[]) else { continue };
        let game = tree::game(&expanded.game).and_then(|tree| Game::new(&tree));
        match game {
            Err(fault) => {
                if only.is_some() {
                    println!("{}", fault.render(&expanded.sources));
                }
                first.entry(fault.message).or_default().push(name);
            }
            Ok(game) => {
                loaded += 1;
                let trial = root.join("trials").join(name.replace(".lud", ".txt.gz"));
                match text(&trial).and_then(|text| Trial::read(&text)).map(|t| replay(&game, &t)) {
                    Ok(Ok(())) => good += 1,
                    Ok(Err(difference)) => bad.push(format!("{name}: {difference}")),
                    Err(error) => bad.push(format!("{name}: {error}")),
                }
            }
        }
    }
    println!("{loaded} loaded, {good} replayed, {} differ", bad.len());
    bad.iter().for_each(|line| println!("  {line}"));
    let mut first: Vec<_> = first.into_iter().collect();
    first.sort_by_key(|(_, games)| std::cmp::Reverse(games.len()));
    for (message, games) in first.iter().take(40) {
        println!("{:4} {message} ({})", games.len(), games[0]);
    }
}

fn text(path: &Path) -> Result<String, String> {
    let mut text = String::new();
    let file = std::fs::File::open(path).map_err(|e| e.to_string())?;
    flate2::read::GzDecoder::new(file).read_to_string(&mut text).map_err(|e| e.to_string())?;
    Ok(text)
}
