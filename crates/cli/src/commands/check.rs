//! `ludex check FILE...`

use crate::output;
use clap::Args;
use ludex_core::diagnostic::{Diagnostic, Note, Texts};
use ludex_gdl::check::dynamic::{Effort, simulate};
use ludex_gdl::check::{Mode, check_dialect};
use ludex_gdl::hrf::{Dialect, read_rules};
use serde_json::json;

/// Validate rule sheets: `file:line:col: error[CODE]: text`, the source line, a hint
#[derive(Args)]
#[command(after_help = "Examples:
  ludex check my-game.kif
  ludex check --lenient games/*.kif
  ludex check my-game.kif --play 100 --json
  ludex check my-game.lud
  ludex check --coverage ludii/lud

docs/gdl-checks.md lists the codes. Exit code: 0 clean, 1 errors.")]
pub(crate) struct Check {
    /// Rule sheets: files, or names of built-in ones
    #[arg(required_unless_present = "coverage")]
    files: Vec<String>,
    /// Turn what public sheets do, and the loader understands, into warnings
    #[arg(long)]
    lenient: bool,
    /// How the sheets are written: kif, hrf (infix) or capitals (variables without `?`)
    #[arg(long, default_value = "kif")]
    dialect: Dialect,
    /// Also play so many random games of each sheet without errors: moves for everybody, an
    /// end, one goal value, base and input complete, somebody can win
    #[arg(long, value_name = "GAMES", default_value_t = 0)]
    play: u32,
    /// Don't show warnings
    #[arg(long)]
    quiet: bool,
    /// Which descriptions below a folder load, and what the others need first
    #[arg(long, value_name = "DIR", conflicts_with = "files")]
    coverage: Option<std::path::PathBuf>,
    /// One JSON object a finding
    #[arg(long)]
    json: bool,
}

impl Check {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        if let Some(folder) = &self.coverage {
            return super::coverage::run(folder, self.json);
        }
        let mode = if self.lenient { Mode::Lenient } else { Mode::Strict };
        let (mut errors, mut warnings) = (0, 0);
        for name in &self.files {
            if name.ends_with(".lud") || name.starts_with("lud:") {
                errors += super::coverage::check(name, self.json)?;
                continue;
            }
            let source = ludex_library::find_kif(name)?;
            let mut found = check_dialect(&source.text, self.dialect, mode);
            if self.play > 0 && !found.iter().any(|d| d.is_error()) {
                let (rules, _) = read_rules(&source.text, self.dialect);
                found
                    .extend(simulate(&rules, &Effort { playouts: self.play, ..Effort::default() }));
            }
            let texts = Texts::one(source.origin, source.text);
            for finding in found {
                *if finding.is_error() { &mut errors } else { &mut warnings } += 1;
                if self.quiet && !finding.is_error() {
                    continue;
                }
                show(&finding, &texts, self.json)?;
            }
        }
        if !self.json {
            output::line(format!(
                "{} file(s): {errors} errors, {warnings} warnings",
                self.files.len()
            ))?;
        }
        if errors > 0 { Err(crate::error::Failed.into()) } else { Ok(()) }
    }
}

/// Prints a finding: for people, or as one JSON object.
pub(crate) fn show(finding: &Diagnostic, texts: &Texts, as_json: bool) -> anyhow::Result<()> {
    if !as_json {
        return output::line(finding.render(texts));
    }
    let place = |span| {
        let (line, column) = texts.line_column(span);
        (texts.file(span.file).0, line, column)
    };
    let note = |note: &Note| {
        let (file, line, column) = place(note.span);
        json!({ "file": file, "line": line, "column": column, "message": note.message })
    };
    let (file, line, column) = place(finding.span);
    output::json(&json!({
        "file": file, "line": line, "column": column, "severity": finding.severity.to_string(),
        "code": finding.code, "message": finding.message, "hint": finding.hint,
        "notes": texts.notes(finding).iter().map(note).collect::<Vec<_>>(),
    }))
}
