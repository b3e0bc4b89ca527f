//! `ludex arena report`

use super::{Db, games_page, print};
use crate::output;
use anyhow::Context;
use clap::Args;
use std::path::PathBuf;

/// Print tables, ratings and tests of a run, also while it is played
#[derive(Args)]
#[command(after_help = "Examples:
  ludex arena report first --db games.db
  ludex arena report first --full
  ludex arena report first --html first.html
  ludex arena report first --json")]
pub(super) struct Report {
    /// The run (default: the newest)
    name: Option<String>,
    #[command(flatten)]
    db: Db,
    /// Add the tests of every pair of agents
    #[arg(long)]
    full: bool,
    /// Write one HTML file with all tables and figures, and games to open
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Report {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let (store, run) = self.db.open(self.name.as_deref())?;
        let report = ludex_arena::Report::read(&store, &run)?;
        if let Some(file) = &self.html {
            let origin = ludex_arena::report::Origin::read(&store, &run)?;
            let games = games_page::section(&store, &run)?;
            let page = ludex_arena::report::html::page(&report, &origin, &games)?;
            std::fs::write(file, page)
                .with_context(|| format!("can't write {}", file.display()))?;
        }
        if self.json {
            return output::json(&serde_json::to_value(&report)?);
        }
        if self.html.is_some() {
            return Ok(());
        }
        print::report(&report, self.full)
    }
}
