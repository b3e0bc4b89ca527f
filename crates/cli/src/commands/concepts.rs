//! `ludex concepts GAME`

use super::SeedArgs;
use crate::output;
use clap::Args;
use ludex_core::{Features, Game};
use ludex_model::{Effort, describe};
use serde_json::json;

/// Show the features of a game: kind, ludemes, board, statistics of random play
#[derive(Args)]
#[command(after_help = "Examples:
  ludex concepts lud:hex
  ludex concepts connect4 --json

Ludemes and concepts of a `.lud` description have the names of the public data, such as \
`Line_game.functions.booleans.is.IsLineType` and `LineWin`; their value is 1 if the game has them.")]
pub(crate) struct Concepts {
    /// The game
    game: String,
    #[command(flatten)]
    seed: SeedArgs,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Concepts {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let game = ludex_library::open(&self.game)?;
        let features = describe(&game, Effort::default(), self.seed.get());
        show(&game.info().name, &features, self.json)
    }
}

/// Prints the features of a game.
pub(crate) fn show(name: &str, features: &Features, as_json: bool) -> anyhow::Result<()> {
    if as_json {
        let all: serde_json::Map<String, serde_json::Value> =
            features.iter().map(|(name, value)| (name.into(), json!(value))).collect();
        return output::json(&json!({ "game": name, "features": all }));
    }
    let mut table = output::table(&["feature", "value"], 1);
    for (name, value) in features.iter() {
        table.add_row([name.to_string(), format!("{value:.4}")]);
    }
    output::print(&table)
}
