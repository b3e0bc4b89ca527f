//! Public reference data. Tests that use it are ignored where it is missing.

use std::path::{Path, PathBuf};

/// The folder of the public descriptions.
pub(crate) fn shared() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/ludii")
}

/// All files under a folder with an ending, sorted.
pub(crate) fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let (found, problems) = ludex_lud::source::files(folder, ending);
    assert!(problems.is_empty(), "{problems:?}");
    found
}
