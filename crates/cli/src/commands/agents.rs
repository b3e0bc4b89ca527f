//! `ludex agents`

use crate::output;
use clap::Args;
use ludex_agents::{AgentSpec, Entry};
use ludex_core::schema::Param;
use serde_json::{Value, json};

/// List the agents and what they can play, or the parameters of one agent
#[derive(Args)]
#[command(
    after_help = "Examples:\n  ludex agents\n  ludex agents uct\n  ludex match connect4 'uct(c=1.4)' uct --sims 500 --games 50"
)]
pub(crate) struct Agents {
    /// Show the parameters of this agent
    name: Option<String>,
    /// Print one JSON object per agent
    #[arg(long)]
    json: bool,
}

impl Agents {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let all = ludex_agents::catalog();
        let one = self.name.as_deref().map(find).transpose()?;
        if self.json {
            let entries = one.map_or(all, std::slice::from_ref);
            return entries.iter().try_for_each(|entry| output::json(&describe(entry)));
        }
        match one {
            Some(entry) => show(entry),
            None => {
                let mut table = output::table(&["agent", "what it does", "plays"], 3);
                for entry in all {
                    table.add_row([entry.name, entry.summary, &entry.needs.to_string()]);
                }
                output::print(&table)?;
                output::line("\n`ludex agents NAME` shows the parameters of an agent.")
            }
        }
    }
}

/// The agent of this name, with or without parameters.
fn find(name: &str) -> anyhow::Result<&'static Entry> {
    let all = ludex_agents::catalog();
    if let Some(entry) = all.iter().find(|entry| entry.name == name) {
        return Ok(entry);
    }
    let spec: AgentSpec = name.parse()?;
    all.iter().find(|entry| entry.name == spec.name()).ok_or_else(|| anyhow::anyhow!("no `{name}`"))
}

fn show(entry: &Entry) -> anyhow::Result<()> {
    output::line(format!("{}: {}", entry.name, entry.summary))?;
    output::line(format!("plays {}", entry.needs))?;
    let params = entry.params();
    if params.is_empty() {
        return output::line("It has no parameters.");
    }
    output::line("")?;
    let mut table = output::table(&["parameter", "default", "values", "meaning"], 4);
    for param in &params {
        table.add_row([param.key, &param.default, &values(param), &param.meaning]);
    }
    output::print(&table)
}

/// The values that a parameter takes, in words.
fn values(param: &Param) -> String {
    match param.none {
        Some(none) => format!("{none}, or {}", param.kind),
        None => param.kind.to_string(),
    }
}

fn describe(entry: &Entry) -> Value {
    let parameter = |param: &Param| {
        json!({
            "name": param.key,
            "default": param.default,
            "values": values(param),
            "meaning": param.meaning,
        })
    };
    json!({
        "agent": entry.name,
        "summary": entry.summary,
        "parameters": entry.params().iter().map(parameter).collect::<Vec<_>>(),
        "plays": entry.needs.to_string(),
    })
}
