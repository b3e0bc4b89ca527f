//! Lists the descriptions of `games/`, so that the binary has them all.

use std::fmt::Write;
use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    ludex_needs::main();
    let folder = Path::new(&std::env::var("CARGO_MANIFEST_DIR")?).join("games");
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut files: Vec<_> = std::fs::read_dir(&folder)?
        .filter_map(|entry| entry.ok().map(|e| e.path()))
        .filter(|path| path.extension().is_some_and(|ending| ending == "lud"))
        .collect();
    files.sort();
    let mut list = String::from("[\n");
    for file in files {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let path = std::fs::canonicalize(&file)?;
        writeln!(list, "    ({name:?}, include_str!({:?})),", path.display().to_string())?;
    }
    list.push(']');
    let out = Path::new(&std::env::var("OUT_DIR")?).join("descriptions.rs");
    std::fs::write(out, list)?;
    Ok(())
}
