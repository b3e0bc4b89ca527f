//! Which public descriptions load and replay: `coverage FOLDER [NAME [RECORDS]]`, the records being
//! those in the subfolder `trials` or another, such as `legal`. Games are replayed on all
//! cores; one that takes longer than 60 s is reported as slow.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

use ludex_lud::engine::Lud;
use ludex_lud::expand::{Library, expand};
use ludex_lud::replay::{Trial, replay};
use ludex_lud::tree;

enum Result {
    Unsupported(String),
    Good,
    Bad(String),
}

fn main() {
    let root = PathBuf::from(std::env::args().nth(1).unwrap_or_default());
    let only = std::env::args().nth(2);
    let mut files = Vec::new();
    let mut todo = vec![root.join("lud")];
    while let Some(path) = todo.pop() {
        for entry in std::fs::read_dir(&path).into_iter().flatten().flatten() {
            if entry.path().is_dir() { todo.push(entry.path()) } else { files.push(entry.path()) }
        }
    }
    files.retain(|f| only.as_ref().is_none_or(|only| f.display().to_string().contains(only)));
    files.sort();
    let files = Arc::new(files);
    let next = Arc::new(AtomicUsize::new(0));
    let results: Arc<Mutex<BTreeMap<String, Result>>> = Arc::default();
    let library = Arc::new(Library::read(&root.join("def")).0);
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let loud = only.as_ref().is_some_and(|only| !only.is_empty());
    let threads: Vec<_> = (0..workers)
        .map(|_| {
            let (files, next, results, library, root) =
                (files.clone(), next.clone(), results.clone(), library.clone(), root.clone());
            std::thread::spawn(move || {
                while let Some(path) = files.get(next.fetch_add(1, Ordering::Relaxed)).cloned() {
                    let name =
                        path.strip_prefix(root.join("lud")).unwrap_or(&path).display().to_string();
                    let (send, receive) = mpsc::channel();
                    let (library, root, text) = (library.clone(), root.clone(), name.clone());
                    // A thread of its own: one game that hangs or dies is only one.
                    let work = move || {
                        let _ = send.send(one(&root, &path, &text, &library, loud));
                    };
                    let builder = std::thread::Builder::new().stack_size(64 << 20);
                    let Ok(_) = builder.spawn(work) else { continue };
                    let result = receive
                        .recv_timeout(Duration::from_secs(60))
                        .unwrap_or_else(|e| Result::Bad(format!("{e}")));
                    if let Ok(mut results) = results.lock() {
                        results.insert(name, result);
                    }
                }
            })
        })
        .collect();
    threads.into_iter().for_each(|t| drop(t.join()));
    let results = results.lock().map(|mut r| std::mem::take(&mut *r)).unwrap_or_default();
    let mut first: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let (mut good, mut bad) = (0, Vec::new());
    for (name, result) in results {
        match result {
            Result::Good => good += 1,
            Result::Bad(what) => bad.push(format!("{name}: {what}")),
            Result::Unsupported(what) => first.entry(what).or_default().push(name),
        }
    }
    println!("{} loaded, {good} replayed, {} differ", good + bad.len(), bad.len());
    bad.iter().for_each(|line| println!("  {line}"));
    let mut first: Vec<_> = first.into_iter().collect();
    first.sort_by_key(|(_, games)| std::cmp::Reverse(games.len()));
    for (message, games) in first {
        let names: Vec<&str> =
            games.iter().take(4).map(|g| g.rsplit('/').next().unwrap_or(g)).collect();
        println!("{:4} {message} ({})", games.len(), names.join(", "));
    }
}

fn one(root: &Path, path: &Path, name: &str, library: &Library, loud: bool) -> Result {
    let source = std::fs::read_to_string(path).unwrap_or_default();
    let expanded = match expand(name, &source, library, &[]) {
        Ok(expanded) => expanded,
        Err(located) => return Result::Unsupported(located.fault.message),
    };
    match tree::game(&expanded.game).and_then(|tree| Lud::new(&tree)) {
        Err(fault) => {
            if loud {
                println!("{}", fault.render(&expanded.sources));
            }
            Result::Unsupported(fault.message)
        }
        Ok(game) => {
            let records = std::env::args().nth(3).unwrap_or_else(|| "trials".into());
            let name = name.replace(".lud", ".txt.gz");
            let flat = root.join(&records).join(name.replace('/', "~"));
            let trial = if flat.exists() { flat } else { root.join(records).join(name) };
            match text(&trial).and_then(|text| Trial::read(&text)).map(|t| replay(&game, &t)) {
                Ok(Ok(())) => Result::Good,
                Ok(Err(difference)) => Result::Bad(difference),
                Err(error) => Result::Bad(error),
            }
        }
    }
}

fn text(path: &Path) -> std::result::Result<String, String> {
    let mut text = String::new();
    let file = std::fs::File::open(path).map_err(|e| e.to_string())?;
    flate2::read::GzDecoder::new(file).read_to_string(&mut text).map_err(|e| e.to_string())?;
    Ok(text)
}
