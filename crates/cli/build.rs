//! Computes the digest of the sources that decide how a game goes: rules, engines, agents and the referee. Machines that play
//! games of one run compare it.

use std::path::{Path, PathBuf};

/// The crates that decide how a game goes. The others read, print or draw.
const CRATES: [&str; 9] =
    ["agents", "arena", "core", "games", "gdl", "ggp", "library", "lud", "model"];

fn main() {
    ludex_needs::main();
    println!("cargo::rerun-if-changed=build.rs");
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = vec![crates.join("../Cargo.lock")];
    for name in CRATES {
        let folder = crates.join(name).join("src");
        println!("cargo::rerun-if-changed={}", folder.display());
        walk(&folder, &mut files);
    }
    println!("cargo::rerun-if-changed={}", crates.join("../Cargo.lock").display());
    files.sort();
    let mut digest = blake3::Hasher::new();
    for file in &files {
        // Paths differ from machine to machine; names inside of the project don't.
        let name = file.strip_prefix(&crates).unwrap_or(file).to_string_lossy().into_owned();
        digest.update(name.as_bytes());
        digest.update(&std::fs::read(file).unwrap_or_default());
    }
    let version = env!("CARGO_PKG_VERSION");
    // A package has no crates beside it: there the exact versions of its dependencies say which sources they are.
    let packaged = !crates.join("core").join("src").is_dir();
    let digest = digest.finalize().to_hex();
    let build = if packaged { "packaged" } else { &digest[..12] };
    println!("cargo::rustc-env=LUDEX_BUILD={version}-{build}");
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            walk(&path, files);
        } else {
            files.push(path);
        }
    }
}
