//! `ludex games`

use crate::output;
use clap::Args;
use serde_json::json;

/// List the games that are built in
#[derive(Args)]
#[command(
    after_help = "Examples:\n  ludex games\n  ludex games --json | head -3\n  ludex show 'nim(3,4,5)'"
)]
pub(crate) struct Games {
    /// One JSON object a line
    #[arg(long)]
    json: bool,
}

impl Games {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        if self.json {
            for entry in ludex_games::catalog() {
                output::json(&json!({
                    "game": entry.name,
                    "title": entry.title,
                    "parameters": entry.parameters,
                    "examples": entry.examples,
                }))?;
            }
            return Ok(());
        }
        let mut table = output::table(&["game", "title", "parameters"], 3);
        for entry in ludex_games::catalog() {
            table.add_row([entry.name, entry.title, entry.parameters]);
        }
        output::print(&table)?;
        output::line("\nludex show GAME tells more of one.")
    }
}
