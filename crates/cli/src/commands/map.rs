//! `ludex map`

use super::SeedArgs;
use crate::error::usage;
use crate::output;
use anyhow::Context;
use clap::Args;
use ludex_learn::map::{Charted, Described, Settings, chart};
use ludex_learn::table::Table;
use ludex_stats::plot::Drawing;
use serde_json::json;
use std::path::PathBuf;

/// Draw a map of games: similar games are near each other
#[derive(Args)]
#[command(after_help = "Examples:
  ludex map --out map                                     every game that is known here
  ludex map connect4 'connect4(5,4)' tictactoe nim pig --out small
  ludex map --features concepts.csv --flags ludemes.csv --choose 30 --out ludii

Writes OUT.svg, OUT.png and OUT.html, which shows the name of the game under the pointer. Distances are cosine \
distances of scaled logarithms, the map is made by t-SNE, groups are found by k-means, and some games that are far from \
each other represent all.")]
pub(crate) struct Map {
    /// The games (default: all known games)
    games: Vec<String>,
    /// A table of features instead of games: CSV with the names in the first column
    #[arg(long, conflicts_with = "games")]
    features: Option<PathBuf>,
    /// A second table of features that are not scaled
    #[arg(long, requires = "features")]
    flags: Option<PathBuf>,
    /// The number of representative games
    #[arg(long, default_value_t = 10)]
    choose: usize,
    /// The number of groups (default: found by the elbow method)
    #[arg(long)]
    groups: Option<usize>,
    /// The perplexity of t-SNE: about the number of neighbours that count
    #[arg(long, default_value_t = 30.0)]
    perplexity: f64,
    /// The name of the files without extension
    #[arg(long, default_value = "map")]
    out: PathBuf,
    #[command(flatten)]
    seed: SeedArgs,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Map {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let (numbers, flags) = match &self.features {
            Some(path) => {
                let flags = self.flags.as_ref().map(|path| Table::read(path)).transpose()?;
                (Table::read(path)?, flags)
            }
            None => (self.described()?, None),
        };
        let settings = Settings {
            choose: self.choose,
            groups: self.groups,
            perplexity: self.perplexity,
            seed: self.seed.get(),
        };
        let Some(Charted { map, groups, chosen }) = chart(&numbers, flags.as_ref(), &settings)
        else {
            return Err(usage!("a map needs at least three games, not {}", numbers.names.len()));
        };
        let names = &map.names;
        let write = |ending: &str, bytes: &[u8]| {
            let path = self.out.with_extension(ending);
            std::fs::write(&path, bytes).with_context(|| path.display().to_string())
        };
        let drawing = map.scatter();
        write("svg", drawing.svg()?.as_bytes())?;
        write("png", &drawing.png()?)?;
        write("html", map.html().as_bytes())?;
        let shown: Vec<&str> = chosen.rows.iter().map(|&row| names[row].as_str()).collect();
        if self.json {
            return output::json(&json!({
                "games": names.len(),
                "groups": groups.sizes().len(),
                "sizes": groups.sizes(),
                "chosen": shown,
                "gaps": chosen.gaps,
                "total": chosen.total,
            }));
        }
        let sizes: Vec<String> = groups.sizes().iter().map(|n| n.to_string()).collect();
        output::line(format!(
            "{} games in {} groups of {}",
            names.len(),
            sizes.len(),
            sizes.join(", ")
        ))?;
        output::line(format!("{} representatives: {}", shown.len(), shown.join(", ")))?;
        output::line(format!("drawn: {}.svg, .png, .html", self.out.display()))
    }

    /// The features of the games.
    fn described(&self) -> anyhow::Result<Table> {
        let all = self.games.is_empty();
        let list = if all { ludex_library::names() } else { self.games.clone() };
        let bar = output::progress(list.len() as u64, "describe");
        let mut described = Described::default();
        for name in &list {
            bar.inc(1);
            let game = match ludex_library::open(name) {
                Ok(game) => game,
                Err(error) if all => {
                    bar.suspend(|| eprintln!("ludex: left out: {error}"));
                    continue;
                }
                Err(error) => return Err(error.into()),
            };
            described.add(&game, self.seed.get());
        }
        bar.finish_and_clear();
        Ok(described.table())
    }
}
