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
    /// Print one JSON object per game
    #[arg(long)]
    json: bool,
}

impl Games {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        if self.json {
            for entry in ludex_games::catalog() {
                let parameters: Vec<_> = entry
                    .params()
                    .iter()
                    .map(|p| json!({ "name": p.key, "default": p.default, "values": p.kind.to_string(), "meaning": p.meaning }))
                    .collect();
                output::json(&json!({
                    "game": entry.name,
                    "title": entry.title,
                    "parameters": parameters,
                    "examples": entry.examples,
                }))?;
            }
            return Ok(());
        }
        let mut table = output::table(&["game", "title", "parameters"], 3);
        for entry in ludex_games::catalog() {
            let parameters: Vec<String> =
                entry.params().iter().map(|p| format!("{}={}", p.key, p.default)).collect();
            table.add_row([entry.name, entry.title, &parameters.join(" ")]);
        }
        output::print(&table)?;
        let sheets: Vec<&str> = ludex_library::SHEETS.iter().map(|(name, _)| *name).collect();
        output::line(format!("\nRule sheets, as kif:NAME: {}", sheets.join(", ")))?;
        let ludemes: Vec<&str> =
            ludex_library::DESCRIPTIONS.iter().map(|(name, _)| *name).collect();
        output::line(format!("\nLudeme descriptions, as lud:NAME: {}", ludemes.join(", ")))?;
        output::line("\n`ludex show GAME` describes a game.")
    }
}
