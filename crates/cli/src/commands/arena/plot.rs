//! `ludex arena plot`

use super::Db;
use crate::output;
use anyhow::Context;
use clap::{Args, ValueEnum};
use ludex_arena::plot::Figure;
use std::path::PathBuf;

/// Draw figures of a run as SVG and PNG
#[derive(Args)]
#[command(after_help = "Examples:
  ludex arena plot first --out figures
  ludex arena plot first --figure elo --format png")]
pub(super) struct Plot {
    /// The run (default: the newest)
    name: Option<String>,
    #[command(flatten)]
    db: Db,
    /// A figure, may be given several times (default: all)
    #[arg(long = "figure")]
    figures: Vec<Kind>,
    /// The format (default: both)
    #[arg(long)]
    format: Option<Format>,
    /// The folder of the figures
    #[arg(long, default_value = ".")]
    out: PathBuf,
}

#[derive(Clone, Copy, ValueEnum)]
enum Kind {
    /// Mean payoffs with their intervals
    Scores,
    /// The mean payoff of every agent in every game
    Heat,
    /// Ratings after more and more games
    Elo,
    /// The lengths of games
    Lengths,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Format {
    Svg,
    Png,
}

impl Plot {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let (store, run) = self.db.open(self.name.as_deref())?;
        let report = ludex_arena::Report::read(&store, &run)?;
        let figures: Vec<Figure> = match self.figures.as_slice() {
            [] => Figure::ALL.to_vec(),
            some => some.iter().map(|kind| Figure::ALL[*kind as usize]).collect(),
        };
        std::fs::create_dir_all(&self.out)
            .with_context(|| format!("can't make the folder {}", self.out.display()))?;
        for figure in figures {
            for format in [Format::Svg, Format::Png] {
                if self.format.is_some_and(|wanted| wanted != format) {
                    continue;
                }
                let (ending, bytes) = match format {
                    Format::Svg => ("svg", figure.svg(&report).map(String::into_bytes)),
                    Format::Png => ("png", figure.png(&report)),
                };
                let file = self.out.join(format!("{}-{}.{ending}", run.name, figure.name()));
                std::fs::write(&file, bytes?)
                    .with_context(|| format!("can't write {}", file.display()))?;
                output::line(file.display())?;
            }
        }
        Ok(())
    }
}
