//! Collects the forms of the ludemes, and says which tests can run on this machine.

use std::fmt::Write;
use std::path::Path;

fn main() -> std::io::Result<()> {
    ludex_needs::main();
    println!("cargo::rerun-if-changed=src/ludemes");
    let source = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default();
    let target = std::env::var_os("OUT_DIR").unwrap_or_default();
    let mut list = String::new();
    collect(&Path::new(&source).join("src/ludemes"), "", &mut list)?;
    std::fs::write(Path::new(&target).join("forms.rs"), format!("&[{list}]"))
}

/// Appends `path::FORMS` for every module of a folder that lists forms, in the order in which its `mod.rs` declares them.
fn collect(folder: &Path, path: &str, list: &mut String) -> std::io::Result<()> {
    for line in std::fs::read_to_string(folder.join("mod.rs"))?.lines() {
        let Some((_, name)) = line.strip_suffix(';').and_then(|line| line.rsplit_once("mod "))
        else {
            continue;
        };
        let inner = folder.join(name);
        let path = format!("{path}{name}::");
        let file = folder.join(format!("{name}.rs"));
        let is_folder = !file.is_file();
        let text = std::fs::read_to_string(if is_folder { inner.join("mod.rs") } else { file })?;
        if text.contains("const FORMS: &[Form]") {
            let _ = write!(list, "{path}FORMS, ");
        }
        if is_folder {
            collect(&inner, &path, list)?;
        }
    }
    Ok(())
}
