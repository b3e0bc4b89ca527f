//! Output: tables and JSON on stdout, progress on stderr.

use anyhow::Context;
use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, Table, presets};
use indicatif::{HumanDuration, ProgressBar, ProgressState, ProgressStyle};
use ludex_arena::report::table::{self as report, Align};
use ludex_core::{AnyGame, AnyState, Game, Move, Player};
use ludex_draw::Marks;
use std::io::{ErrorKind, Write};
use std::path::Path;

/// An aligned table. The first `left` columns are aligned to the left, the others to the right. In a terminal that is too narrow
/// the texts of the first columns break; numbers never do.
pub(crate) fn table(header: &[&str], left: usize) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    let terminal = console::Term::stdout();
    let narrow = terminal.is_term().then(|| terminal.size().1);
    if let Some(width) = narrow {
        table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
    }
    table.set_header(header.iter().copied());
    for (i, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 2));
        if i >= left {
            column.set_cell_alignment(CellAlignment::Right);
            if narrow.is_some() {
                column.set_constraint(ColumnConstraint::ContentWidth);
            }
        }
    }
    table
}

/// Prints a table of a report, and its notes below it.
pub(crate) fn print_table(shown: &report::Table) -> anyhow::Result<()> {
    let header: Vec<&str> = shown.columns.iter().map(|column| column.title.as_str()).collect();
    let left = shown.columns.iter().take_while(|column| column.align == Align::Left).count();
    let mut aligned = table(&header, left);
    for row in &shown.rows {
        aligned.add_row(row);
    }
    print(&aligned)?;
    shown.notes().map_or(Ok(()), line)
}

/// Prints a table without the blanks at the ends of its lines.
pub(crate) fn print(table: &Table) -> anyhow::Result<()> {
    let mut text = String::new();
    for line in table.lines() {
        text.push_str(line.trim_end());
        text.push('\n');
    }
    bytes(text.as_bytes())
}

/// Writes to stdout. The program ends quietly where the reader of stdout has gone away (`ludex games | head -1`).
pub(crate) fn bytes(text: &[u8]) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text).and_then(|()| out.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => std::process::exit(0),
        written => Ok(written?),
    }
}

/// Reads a text file that a command was given; `what` names its role in an error.
pub(crate) fn read_file(path: &Path, what: &str) -> anyhow::Result<String> {
    let read = std::fs::read_to_string(path);
    read.with_context(|| format!("can't read {what} `{}`", path.display()))
}

/// Prints one JSON object on a line of its own.
pub(crate) fn json(value: &serde_json::Value) -> anyhow::Result<()> {
    bytes(format!("{value}\n").as_bytes())
}

/// Prints a line.
pub(crate) fn line(text: impl std::fmt::Display) -> anyhow::Result<()> {
    bytes(format!("{text}\n").as_bytes())
}

/// Prints a text behind a head. Lines break at blanks where the terminal ends, below the beginning of the text.
pub(crate) fn wrapped(head: &str, text: &str) -> anyhow::Result<()> {
    let indent = head.chars().count();
    let width = usize::from(console::Term::stdout().size().1).clamp(indent + 30, 120);
    let (mut out, mut at) = (head.to_owned(), indent);
    for (number, word) in text.split(' ').enumerate() {
        let length = word.chars().count();
        if number > 0 && at + 1 + length > width {
            out.push('\n');
            out.push_str(&" ".repeat(indent));
            at = indent;
        } else if number > 0 {
            out.push(' ');
            at += 1;
        }
        out.push_str(word);
        at += length;
    }
    line(out)
}

/// A progress bar on stderr with count, rate and remaining time; hidden where stderr is not a terminal.
pub(crate) fn progress(steps: u64, what: &'static str) -> ProgressBar {
    let style = ProgressStyle::with_template(
        "{prefix} {bar:24} {pos}/{len}, {elapsed} gone, {rest} left {msg}",
    )
    .unwrap_or_else(|_| ProgressStyle::default_bar())
    .with_key("rest", |state: &ProgressState, out: &mut dyn std::fmt::Write| {
        // Nothing is known of the rest before the first step is done.
        let _ = match state.pos() {
            0 => write!(out, "?"),
            _ => write!(out, "{:#}", HumanDuration(state.eta())),
        };
    });
    ProgressBar::new(steps).with_style(style).with_prefix(what)
}

/// A rounded number with separated thousands, such as `3,104,512`.
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

/// A position for the terminal, as `viewer` may see it, with the move that led to it marked.
pub(crate) fn board(
    game: &AnyGame,
    state: &AnyState,
    viewer: Option<Player>,
    last: Option<Move>,
) -> String {
    let marks =
        Marks { last: last.map(|mv| game.move_sites(mv)), colour: console::colors_enabled() };
    ludex_draw::board(game, state, viewer, &marks)
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
