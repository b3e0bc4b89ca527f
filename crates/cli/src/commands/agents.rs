//! `ludex agents`

use crate::output;
use clap::Args;
use serde_json::json;

/// List the minds, their parameters and what they can play
#[derive(Args)]
#[command(
    after_help = "Examples:\n  ludex agents\n  ludex match connect4 'uct(c=0.7)' uct --sims 500 --games 50"
)]
pub(crate) struct Agents {
    /// One JSON object a line
    #[arg(long)]
    json: bool,
}

impl Agents {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        if self.json {
            for entry in ludex_agents::catalog() {
                output::json(&json!({
                    "agent": entry.name,
                    "summary": entry.summary,
                    "parameters": entry.params,
                    "supports": entry.supports,
                }))?;
            }
            return Ok(());
        }
        let mut table = output::table(&["agent", "what it does", "plays"], 3);
        for entry in ludex_agents::catalog() {
            table.add_row([entry.name, entry.summary, entry.supports]);
        }
        output::print(&table)?;
        output::line("")?;
        let mut table = output::table(&["agent", "parameters"], 2);
        for entry in ludex_agents::catalog().iter().filter(|entry| !entry.params.is_empty()) {
            table.add_row([entry.name, entry.params]);
        }
        output::print(&table)
    }
}
