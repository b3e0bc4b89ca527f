//! `ludex draw GAME`

use super::origin;
use crate::output;
use anyhow::Context;
use clap::Args;
use ludex_core::{Game, Player};
use ludex_draw::Marks;
use serde_json::json;
use std::path::PathBuf;

/// Draw a position: in the terminal, as an SVG file, or as data
#[derive(Args)]
#[command(after_help = "Examples:
  ludex draw connect4 --position 7/7/7/3o3/3x3/2oxx2
  ludex draw lud:hex --svg hex.svg
  ludex draw lud:chess --json")]
pub(crate) struct Draw {
    /// The game
    game: String,
    /// The position; the start if none is given
    #[arg(long)]
    position: Option<String>,
    /// Draw what this seat may see, counted from 1; everything if none is given
    #[arg(long)]
    seat: Option<u8>,
    /// Write an SVG file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// One JSON object: the scene of the game and the view of the position
    #[arg(long)]
    json: bool,
}

impl Draw {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let game = ludex_library::open(&self.game)?;
        let state = origin(&game, self.position.as_deref())?.unwrap_or_else(|| game.start());
        let viewer = self.seat.map(|seat| Player(seat.saturating_sub(1)));
        let (scene, view) = (game.scene(), game.view(&state, viewer));
        if let Some(path) = &self.svg {
            std::fs::write(path, ludex_draw::svg(&scene, &view, &Marks::default()))
                .with_context(|| format!("can't write {}", path.display()))?;
        }
        if self.json {
            return output::json(&json!({ "scene": scene, "view": view }));
        }
        match self.svg {
            Some(path) => output::line(format!("{} is written", path.display())),
            None => output::line(output::board(&game, &state, viewer, None)),
        }
    }
}
