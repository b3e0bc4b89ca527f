//! `ludex draw GAME`

use super::origin;
use crate::output;
use anyhow::Context;
use clap::Args;
use ludex_core::{Game, Match, Player, Seed};
use ludex_draw::Marks;
use serde_json::json;
use std::path::PathBuf;

/// Draw a position: in the terminal, as an SVG or PNG file, or as data
#[derive(Args)]
#[command(after_help = "Examples:
  ludex draw connect4 --position 7/7/7/3o3/3x3/2oxx2
  ludex draw lud:hex --svg hex.svg
  ludex draw lud:backgammon --png backgammon.png --width 900
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
    /// Write a PNG file
    #[arg(long, value_name = "FILE")]
    png: Option<PathBuf>,
    /// The width of the PNG file in pixels
    #[arg(long, value_name = "PIXELS", default_value_t = 800, value_parser = clap::value_parser!(u32).range(16..=8192))]
    width: u32,
    /// Play this many random moves before drawing
    #[arg(long, value_name = "N", default_value_t = 0)]
    random: u32,
    /// The seed of the random moves
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// One JSON object: the scene of the game and the view of the position
    #[arg(long)]
    json: bool,
}

impl Draw {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let game = ludex_library::open(&self.game)?;
        let start = origin(&game, self.position.as_deref())?.unwrap_or_else(|| game.start());
        let mut play = Match::at(&game, start);
        let mut rng = Seed(self.seed).rng();
        for _ in 0..self.random {
            play.apply_random(&mut rng);
        }
        let state = play.state();
        let viewer = self.seat.map(|seat| Player(seat.saturating_sub(1)));
        let (scene, view) = (game.scene(), game.view(state, viewer));
        let marks = Marks::default();
        let write = |path: &PathBuf, bytes: &[u8]| {
            std::fs::write(path, bytes).with_context(|| format!("can't write {}", path.display()))
        };
        if let Some(path) = &self.svg {
            write(path, ludex_draw::svg(&scene, &view, &marks).as_bytes())?;
        }
        if let Some(path) = &self.png {
            let png = ludex_draw::png(&scene, &view, &marks, self.width)
                .context("this picture would be too large: choose a smaller --width")?;
            write(path, &png)?;
        }
        if self.json {
            return output::json(&json!({ "scene": scene, "view": view }));
        }
        let files: Vec<&PathBuf> = self.svg.iter().chain(&self.png).collect();
        for path in &files {
            output::line(format!("{} is written", path.display()))?;
        }
        match files.is_empty() {
            true => output::line(output::board(&game, state, viewer, None)),
            false => Ok(()),
        }
    }
}
