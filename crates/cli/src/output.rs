//! What people and scripts see: tables on stdout, progress on stderr.

use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use indicatif::{ProgressBar, ProgressStyle};
use std::io::Write;

/// A plain aligned table; all columns but the first `left` are numbers.
pub(crate) fn table(header: &[&str], left: usize) -> Table {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(header.iter().copied());
    for (i, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 2));
        if i >= left {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

/// Prints a table without the blanks at the ends of its lines.
pub(crate) fn print(table: &Table) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    for line in table.lines() {
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

/// Prints one JSON object on a line of its own.
pub(crate) fn json(value: &serde_json::Value) -> anyhow::Result<()> {
    writeln!(std::io::stdout().lock(), "{value}")?;
    Ok(())
}

/// Prints a line.
pub(crate) fn line(text: impl std::fmt::Display) -> anyhow::Result<()> {
    writeln!(std::io::stdout().lock(), "{text}")?;
    Ok(())
}

/// A bar on stderr with count, rate and estimate; it hides where stderr is no terminal.
pub(crate) fn progress(steps: u64, what: &'static str) -> ProgressBar {
    let style = ProgressStyle::with_template(
        "{prefix} {bar:30} {pos}/{len} {per_sec} {elapsed} left {eta} {msg}",
    )
    .unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(steps).with_style(style).with_prefix(what)
}

/// A number with thin thousands, such as `3,104,512`.
pub(crate) fn thousands(n: f64) -> String {
    let digits = format!("{:.0}", n.abs());
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    if n < 0.0 { format!("-{out}") } else { out }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_grouped() {
        assert_eq!(thousands(7.0), "7");
        assert_eq!(thousands(999.6), "1,000");
        assert_eq!(thousands(1234567.2), "1,234,567");
    }
}
