//! `ludex map`

use super::SeedArgs;
use crate::error::usage;
use crate::output;
use anyhow::Context;
use clap::Args;
use ludex_core::Game;
use ludex_learn::map::cluster::{elbow, k_means};
use ludex_learn::map::draw::{Map as Picture, embed};
use ludex_learn::map::{Distances, Landscape, representatives};
use ludex_learn::table::Table;
use ludex_model::{Effort, Matrix, describe};
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
        let seed = self.seed.get();
        let (numbers, flags) = match &self.features {
            Some(path) => {
                let flags = self.flags.as_ref().map(|path| Table::read(path)).transpose()?;
                (Table::read(path)?, flags)
            }
            None => (self.described()?, None),
        };
        let landscape = Landscape::new(&numbers, flags.as_ref());
        let names = landscape.table.names.clone();
        if names.len() < 3 {
            return Err(usage!("a map needs at least three games, not {}", names.len()));
        }
        let distances = Distances::cosine(&landscape.table.values);
        let chosen = representatives(&distances, self.choose.max(1)).context("no games")?;
        let again = landscape.scaled_again();
        let k = match self.groups {
            Some(k) => k.clamp(1, names.len()),
            None => elbow(&again, 8.min(names.len() - 1), seed.named("groups")).0,
        };
        let groups = k_means(&again, k, 10, seed.named("four"));
        let picture = Picture {
            title: format!("{} games", names.len()),
            points: embed(&Distances::cosine(&again), self.perplexity.max(2.0), seed),
            groups: groups.of.clone(),
            marked: chosen.rows.clone(),
            names: names.clone(),
        };
        let write = |ending: &str, bytes: &[u8]| {
            let path = self.out.with_extension(ending);
            std::fs::write(&path, bytes).with_context(|| path.display().to_string())
        };
        let chart = picture.scatter();
        write("svg", chart.svg()?.as_bytes())?;
        write("png", &chart.png()?)?;
        write("html", picture.html().as_bytes())?;
        let shown: Vec<&str> = chosen.rows.iter().map(|&row| names[row].as_str()).collect();
        if self.json {
            return output::json(&json!({
                "games": names.len(),
                "groups": k,
                "sizes": groups.sizes(),
                "chosen": shown,
                "gaps": chosen.gaps,
                "total": chosen.total,
            }));
        }
        let sizes: Vec<String> = groups.sizes().iter().map(|n| n.to_string()).collect();
        output::line(format!("{} games in {k} groups of {}", names.len(), sizes.join(", ")))?;
        output::line(format!("{} representatives: {}", shown.len(), shown.join(", ")))?;
        output::line(format!("drawn: {}.svg, .png, .html", self.out.display()))
    }

    /// The features of the games.
    fn described(&self) -> anyhow::Result<Table> {
        let all = self.games.is_empty();
        let list = if all { ludex_library::names() } else { self.games.clone() };
        let bar = output::progress(list.len() as u64, "describe");
        let mut table = Table::default();
        let mut rows: Vec<Vec<f64>> = Vec::new();
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
            let features = describe(&game, Effort::default(), self.seed.get());
            if table.columns.is_empty() {
                let timeless = features.iter().map(|(name, _)| name.to_string());
                table.columns = timeless.filter(|name| name != "MovesPerSecond").collect();
            }
            rows.push(table.columns.iter().map(|c| features.get(c).unwrap_or(0.0)).collect());
            table.names.push(game.info().name.clone());
        }
        bar.finish_and_clear();
        table.values = Matrix::from_rows(table.columns.len(), rows);
        Ok(table)
    }
}
