//! Public descriptions, where they are there: they expand and read without a fault.

use std::path::{Path, PathBuf};

use ludex_lud::expand::{Library, expand};
use ludex_lud::tree;

fn shared() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/ludii");
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skipped: no {}", folder.display());
    None
}

fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut todo = vec![folder.to_owned()];
    while let Some(path) = todo.pop() {
        for entry in std::fs::read_dir(&path).expect("readable folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                todo.push(path);
            } else if path.to_string_lossy().ends_with(ending) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

#[test]
fn every_public_description_expands_to_one_game() {
    let Some(shared) = shared() else { return };
    let (library, problems) = Library::read(&shared.join("def"));
    assert!(problems.is_empty(), "{problems:?}");
    let mut failed = Vec::new();
    for path in files(&shared.join("lud"), ".lud") {
        let source = std::fs::read_to_string(&path).expect("readable description");
        let name = path.display().to_string();
        let expanded = match expand(&name, &source, &library, &[]) {
            Ok(expanded) => expanded,
            Err(error) => {
                failed.push(error.to_string());
                continue;
            }
        };
        match tree::game(&expanded.game) {
            Err(fault) => failed.push(fault.render(&expanded.sources)),
            Ok(game) => game.walk(&mut |node| {
                if node.items().len() > 1
                    && matches!(&node.items()[0].form, tree::Form::Str(_))
                    && matches!(node.form, tree::Form::Call(_))
                {
                    failed.push(format!("{name}: a call of an unknown define"));
                }
            }),
        }
    }
    assert!(failed.is_empty(), "{} failed: {:#?}", failed.len(), &failed[..failed.len().min(30)]);
}
