//! `ludex arena status`

use super::Db;
use crate::output;
use clap::Args;
use ludex_arena::report::counted;
use serde_json::json;

/// List runs and their progress, also while they are played
#[derive(Args)]
#[command(
    after_help = "Examples:\n  ludex arena status --db games.db\n  ludex arena status first --json"
)]
pub(super) struct Status {
    /// The run (default: all)
    name: Option<String>,
    #[command(flatten)]
    db: Db,
    /// Print one JSON object per run
    #[arg(long)]
    json: bool,
}

impl Status {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let store = self.db.existing()?;
        let runs = match &self.name {
            Some(name) => vec![store.run(name)?],
            None => store.runs()?,
        };
        let mut table =
            output::table(&["run", "state", "games", "of", "agents", "on", "verdict"], 2);
        for run in &runs {
            let stored = store.count(run)?;
            let state = match (stored >= run.total, store.played_now(run)?) {
                (true, _) => "done",
                (false, true) => "playing",
                (false, false) => "stopped",
            };
            if self.json {
                output::json(&json!({
                    "run": run.name, "state": state, "games": stored, "total": run.total,
                    "agents": run.agents, "on": run.games, "verdict": run.verdict,
                    "version": run.version, "created_ms": run.created_ms,
                }))?;
                continue;
            }
            table.add_row([
                run.name.clone(),
                state.into(),
                stored.to_string(),
                run.total.to_string(),
                run.agents.len().to_string(),
                counted(run.games.len() as u64, "game"),
                run.verdict.clone().unwrap_or_default(),
            ]);
        }
        if self.json { Ok(()) } else { output::print(&table) }
    }
}
