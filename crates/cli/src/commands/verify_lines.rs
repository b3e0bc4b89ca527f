//! `ludex verify ludo|ropasci FILE...`: files with one record per line.

use super::verify::read;
use crate::output;
use anyhow::Context;
use ludex_core::Spec;
use ludex_games::Ropasci360;
use rayon::prelude::*;
use serde_json::json;
use std::path::PathBuf;

/// The kinds of files with one record per line.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    Ludo,
    Ropasci,
}

/// Checks every line of every file; fails if one differs.
pub(crate) fn run(kind: Kind, files: &[PathBuf], as_json: bool) -> anyhow::Result<()> {
    let ropasci = Ropasci360::new(&Spec::new("ropasci360"))?;
    let check = |line: &str| match kind {
        Kind::Ludo => ludex_games::ludo::verify::verify(line),
        Kind::Ropasci => ludex_games::ropasci::verify::verify(&ropasci, line),
    };
    let (mut passed, mut failed) = (0, 0);
    for file in files {
        let name = file.display().to_string();
        let text = read(file).with_context(|| name.clone())?;
        let lines: Vec<(usize, &str)> =
            text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).collect();
        let differences: Vec<(usize, String)> = lines
            .par_iter()
            .filter_map(|&(n, line)| check(line).err().map(|difference| (n + 1, difference)))
            .collect();
        passed += lines.len() - differences.len();
        failed += differences.len();
        let first = differences.first();
        if as_json {
            output::json(&json!({
                "file": name,
                "records": lines.len(),
                "failed": differences.len(),
                "line": first.map(|(n, _)| n),
                "difference": first.map(|(_, text)| text),
            }))?;
        } else {
            output::line(format!("{name}: {} records, {} failed", lines.len(), differences.len()))?;
            if let Some((n, difference)) = first {
                output::line(format!("{name}:{n}: {difference}"))?;
            }
        }
    }
    if !as_json {
        output::line(format!("{passed} passed, {failed} failed"))?;
    }
    match failed {
        0 => Ok(()),
        _ => Err(crate::error::Failed.into()),
    }
}
