//! `ludex perft GAME --depth D`

use super::origin;
use crate::output;
use clap::Args;
use ludex_core::{Game, perft};
use serde_json::json;
use std::time::Instant;

/// Count the positions at each depth, the usual test of a move generator
#[derive(Args)]
#[command(
    after_help = "Examples:\n  ludex perft tictactoe --depth 9\n  ludex perft breakthrough --depth 5 --json"
)]
pub(crate) struct Perft {
    /// The game
    game: String,
    /// The greatest depth
    #[arg(long, default_value_t = 4)]
    depth: u32,
    /// Count from this position instead of the start
    #[arg(long)]
    position: Option<String>,
    /// Print one JSON object per depth
    #[arg(long)]
    json: bool,
}

impl Perft {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let game = ludex_library::open(&self.game)?;
        let state = origin(&game, self.position.as_deref())?.unwrap_or_else(|| game.start());
        if !self.json {
            output::line(format!("{:>5}  {:>16}  {:>14}", "depth", "positions", "per second"))?;
        }
        for depth in 1..=self.depth {
            let begun = Instant::now();
            let count = perft(&game, &state, depth);
            let seconds = begun.elapsed().as_secs_f64();
            // Every game is over before this depth. Scripts get an object for each depth that they asked for.
            if count == 0 && depth > 1 && !self.json {
                break;
            }
            if self.json {
                output::json(&json!({
                    "game": game.info().name, "depth": depth, "positions": count, "seconds": seconds,
                }))?;
            } else {
                let rate = output::thousands(count as f64 / seconds.max(1e-9));
                output::line(format!(
                    "{depth:>5}  {:>16}  {rate:>14}",
                    output::thousands(count as f64)
                ))?;
            }
        }
        Ok(())
    }
}
