//! `ludex check FILE...`

use crate::output;
use clap::Args;
use ludex_arena::report::counted;
use ludex_core::diagnostic::{Diagnostic, Note, Texts};
use ludex_gdl::check::dynamic::{Effort, simulate};
use ludex_gdl::check::{Mode, check_dialect};
use ludex_gdl::hrf::{Dialect, read_rules};
use serde_json::json;

/// Check rule sheets and show each problem with its place and a hint
#[derive(Args)]
#[command(after_help = "Examples:
  ludex check my-game.kif
  ludex check --lenient games/*.kif
  ludex check my-game.kif --play 100 --json
  ludex check my-game.lud
  ludex check --coverage ludii/lud

A problem is shown as `file:line:column: error[CODE]: text`, with the source line. docs/gdl-checks.md lists the codes. \
The exit code is 0 without errors and 1 with errors.")]
pub(crate) struct Check {
    /// The rule sheets: files, or names of built-in sheets
    #[arg(required_unless_present = "coverage")]
    files: Vec<String>,
    /// Report common deviations of public sheets that the loader understands as warnings
    #[arg(long)]
    lenient: bool,
    /// The syntax of the sheets: kif, hrf (infix) or capitals (variables without `?`)
    #[arg(long, default_value = "kif")]
    dialect: Dialect,
    /// Also play this many random games of each sheet without errors, and check that every player can move, games end,
    /// goals are unique, base and input are complete, and a player can win
    #[arg(long, value_name = "GAMES", default_value_t = 0)]
    play: u32,
    /// Hide warnings
    #[arg(long)]
    quiet: bool,
    /// List the ludeme descriptions below a folder that don't load, by what they lack
    #[arg(long, value_name = "DIR", conflicts_with = "files")]
    coverage: Option<std::path::PathBuf>,
    /// Print one JSON object per problem
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
            let sheet = name.strip_prefix("kif:");
            let described = ludex_library::DESCRIPTIONS.iter().any(|(known, _)| known == name);
            let is_sheet =
                sheet.is_some() || ludex_library::SHEETS.iter().any(|(known, _)| known == name);
            if name.ends_with(".lud") || name.starts_with("lud:") || described && !is_sheet {
                let name = if described { &format!("lud:{name}") } else { name };
                errors += super::coverage::check(name, self.json)?;
                continue;
            }
            let name = sheet.unwrap_or(name);
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
                "{}: {}, {}",
                counted(self.files.len() as u64, "file"),
                counted(errors as u64, "error"),
                counted(warnings as u64, "warning")
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
