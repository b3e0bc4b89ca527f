//! Every public rule sheet reads and flattens without an error.

use std::path::Path;

use ludex_core::diagnostic::Texts;
use ludex_gdl::{lower::lower, rules::Rules};

#[test]
#[cfg_attr(not(shared_data), ignore = "needs ../shared")]
fn public_rule_sheets_flatten() {
    for folder in ["games", "imperfect"] {
        let path =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/gdl").join(folder);
        let mut bad = Vec::new();
        for entry in std::fs::read_dir(path).expect("readable folder") {
            let path = entry.expect("readable entry").path();
            let source = std::fs::read_to_string(&path).expect("readable file");
            let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let (rules, found) = Rules::read(&source);
            let (_, more) = lower(&rules);
            for finding in found.iter().chain(&more).filter(|d| d.is_error()) {
                bad.push(finding.line(&Texts::one(file.as_str(), source.as_str())));
            }
        }
        assert!(bad.is_empty(), "{}", bad.join("\n"));
    }
}
