//! Public reference data, where it is there.

use std::path::{Path, PathBuf};

/// The folder of the public descriptions; none, with a printed line, if it is absent.
pub(crate) fn shared() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/ludii");
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skipped: no {}", folder.display());
    None
}

/// All files under a folder with an ending, sorted.
pub(crate) fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let (found, problems) = ludex_lud::source::files(folder, ending);
    assert!(problems.is_empty(), "{problems:?}");
    found
}
