//! The build script of every crate whose tests need more than a fresh machine has: it says what is there, and tests
//! that need what is missing are shown as ignored, with the reason.
//!
//! | cfg | means |
//! |---|---|
//! | `shared_data` | the reference data lie in `../shared/data` beside the project |
//! | `python3` | there is a `python3` |
//!
//! Cargo runs it once. After `../shared` or Python has come, `touch crates/needs/src/lib.rs`. A crate outside of the project has
//! neither, and its library does not ask.

use std::path::Path;
use std::process::Command;

/// Tells Cargo what the tests of the crate that is built may use.
pub fn main() {
    println!("cargo::rustc-check-cfg=cfg(shared_data)");
    println!("cargo::rustc-check-cfg=cfg(python3)");
    println!("cargo::rerun-if-changed=build.rs");
    let crate_folder = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default();
    // A file instead of the folder: Cargo would look at all files in it at every build.
    let readme = Path::new(&crate_folder).join("../../../shared/data/gdl/README.md");
    if readme.is_file() {
        println!("cargo::rerun-if-changed={}", readme.display());
        println!("cargo::rustc-cfg=shared_data");
    }
    if Command::new("python3").arg("-V").output().is_ok_and(|output| output.status.success()) {
        println!("cargo::rustc-cfg=python3");
    }
}
