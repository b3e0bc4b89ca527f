//! `ludex check --coverage DIR`: which ludeme descriptions load.

use crate::output;
use ludex_library::{Description, defines_of, find_lud, load_lud, lud_files};
use ludex_lud::expand::Library;
use ludex_lud::load::load;
use rayon::prelude::*;
use serde_json::json;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// A description, the first thing in it that does not load, and the seconds that loading took.
type Outcome = (PathBuf, Option<String>, f64);

/// Loads every description below a folder, and counts what the others lack.
pub(crate) fn run(folder: &Path, as_json: bool) -> anyhow::Result<()> {
    let files = lud_files(folder);
    if files.is_empty() {
        anyhow::bail!("there are no descriptions below {}", folder.display());
    }
    let library = defines_of(&files[0]).map_or_else(Library::default, |def| Library::read(&def).0);
    let bar = output::progress(files.len() as u64, "descriptions");
    let outcomes: Vec<Outcome> = files
        .into_par_iter()
        .map(|file| {
            let begun = Instant::now();
            let first = first_error(&file, &library);
            bar.inc(1);
            (file, first, begun.elapsed().as_secs_f64())
        })
        .collect();
    bar.finish_and_clear();
    let mut needed: BTreeMap<&str, Vec<&Path>> = BTreeMap::new();
    for (file, first, seconds) in &outcomes {
        if as_json {
            output::json(&json!({
                "file": file.display().to_string(), "loads": first.is_none(), "needs": first,
                "seconds": seconds,
            }))?;
        }
        if let Some(first) = first {
            needed.entry(first).or_default().push(file);
        }
    }
    if as_json {
        return Ok(());
    }
    let mut needed: Vec<_> = needed.into_iter().collect();
    needed.sort_by_key(|(_, files)| std::cmp::Reverse(files.len()));
    for (what, files) in needed {
        let names: Vec<String> = files.iter().take(3).map(|f| stem(f)).collect();
        let more = if files.len() > names.len() { ", ..." } else { "" };
        output::line(format!("{:5} {what} ({}{more})", files.len(), names.join(", ")))?;
    }
    let loaded = outcomes.iter().filter(|(_, first, _)| first.is_none()).count();
    let mut times: Vec<f64> = outcomes.iter().map(|(_, _, seconds)| *seconds).collect();
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize] * 1000.0;
    output::line(format!(
        "{loaded} of {} load ({:.1} %); loading takes {:.1} ms (median), {:.0} ms (99 %), {:.0} ms at most",
        outcomes.len(),
        100.0 * loaded as f64 / outcomes.len() as f64,
        at(0.5),
        at(0.99),
        at(1.0),
    ))?;
    let forms = ludex_lud::compile::table::Table::get().census();
    output::line(format!(
        "{} forms of the language: {} are read, {} in part, {} are refused (`ludex show --ludemes` says why)",
        forms.whole + forms.partly + forms.refused,
        forms.whole,
        forms.partly,
        forms.refused,
    ))
}

/// The first thing that is wrong with a description.
fn first_error(file: &Path, library: &Library) -> Option<String> {
    let text = match std::fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) => return Some(error.to_string()),
    };
    let name = file.display().to_string();
    load(&name, &name, &text, library, &[]).found.into_iter().next().map(|found| found.message)
}

/// Checks one description, prints its errors and returns their number.
pub(crate) fn check(name: &str, as_json: bool) -> anyhow::Result<usize> {
    let description: Description = find_lud(name.strip_prefix("lud:").unwrap_or(name))?;
    let library = match &description.defines {
        Some(folder) => Library::read(folder).0,
        None => Library::default(),
    };
    let loaded = load_lud(name, &description, &library, &[]);
    for finding in &loaded.found {
        super::check::show(finding, &loaded.texts, as_json)?;
    }
    Ok(loaded.found.len())
}

fn stem(file: &Path) -> String {
    file.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default()
}
