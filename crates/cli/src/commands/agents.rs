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
                let parameters: Vec<_> = entry
                    .params
                    .iter()
                    .map(|p| json!({ "name": p.name, "default": p.default, "meaning": p.meaning }))
                    .collect();
                output::json(&json!({
                    "agent": entry.name,
                    "summary": entry.summary,
                    "parameters": parameters,
                    "plays": entry.plays,
                }))?;
            }
            return Ok(());
        }
        let mut table = output::table(&["agent", "what it does", "plays"], 3);
        for entry in ludex_agents::catalog() {
            table.add_row([entry.name, entry.summary, entry.plays]);
        }
        output::print(&table)?;
        output::line("")?;
        let mut table = output::table(&["agent", "parameter", "default", "meaning"], 4);
        for entry in ludex_agents::catalog() {
            for param in entry.params {
                table.add_row([entry.name, param.name, param.default, param.meaning]);
            }
        }
        output::print(&table)
    }
}
