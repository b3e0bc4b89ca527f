//! `ludex check FILE...`

use crate::output;
use clap::Args;
use ludex_gdl::check::{Mode, check};
use ludex_gdl::diagnostic::line_column;
use serde_json::json;

/// Validate rule sheets: `file:line:col: error[CODE]: text`, the source line, a hint
#[derive(Args)]
#[command(after_help = "Examples:
  ludex check my-game.kif
  ludex check --lenient games/*.kif
  ludex check my-game.kif --json

docs/gdl-checks.md lists the codes. Exit code: 0 clean, 1 errors.")]
pub(crate) struct Check {
    /// Rule sheets: files, or names of built-in ones
    #[arg(required = true)]
    files: Vec<String>,
    /// Turn what public sheets do, and the loader understands, into warnings
    #[arg(long)]
    lenient: bool,
    /// Don't show warnings
    #[arg(long)]
    quiet: bool,
    /// One JSON object a finding
    #[arg(long)]
    json: bool,
}

impl Check {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let mode = if self.lenient { Mode::Lenient } else { Mode::Strict };
        let (mut errors, mut warnings) = (0, 0);
        for name in &self.files {
            let source = ludex_library::find_kif(name)?;
            for finding in check(&source.text, mode) {
                *if finding.is_error() { &mut errors } else { &mut warnings } += 1;
                if self.quiet && !finding.is_error() {
                    continue;
                }
                if self.json {
                    let (line, column) = line_column(&source.text, finding.span.start as usize);
                    output::json(&json!({
                        "file": source.origin, "line": line, "column": column,
                        "severity": if finding.is_error() { "error" } else { "warning" },
                        "code": finding.code, "message": finding.message, "hint": finding.hint,
                    }))?;
                } else {
                    output::line(finding.render(&source.origin, &source.text))?;
                }
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
