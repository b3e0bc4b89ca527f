//! From the features of games to their map.

use super::cluster::{Clusters, elbow, k_means};
use super::draw::{Map, embed};
use super::{Distances, Landscape, Selection, representatives};
use crate::table::Table;
use ludex_core::{AnyGame, Game, Seed};
use ludex_model::{Effort, Matrix, describe};

/// How a map is made.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// The number of representative games.
    pub choose: usize,
    /// The number of groups; `None`: found by the elbow method.
    pub groups: Option<usize>,
    /// The perplexity of t-SNE: about the number of neighbours that count.
    pub perplexity: f64,
    /// The seed of all randomness.
    pub seed: Seed,
}

/// A map with its groups and representatives.
#[derive(Debug, Clone)]
pub struct Charted {
    /// The map.
    pub map: Map,
    /// The groups.
    pub groups: Clusters,
    /// The representatives.
    pub chosen: Selection,
}

/// The most groups that the elbow method tries.
const MOST_GROUPS: usize = 8;

/// The map of the games of a table of features; `flags` are further features that are not scaled. `None` for fewer than three
/// games.
pub fn chart(numbers: &Table, flags: Option<&Table>, settings: &Settings) -> Option<Charted> {
    let landscape = Landscape::new(numbers, flags);
    let names = landscape.table.names.clone();
    if names.len() < 3 {
        return None;
    }
    let seed = settings.seed;
    let distances = Distances::cosine(&landscape.table.values);
    let chosen = representatives(&distances, settings.choose.max(1))?;
    let again = landscape.scaled_again();
    let k = match settings.groups {
        Some(k) => k.clamp(1, names.len()),
        None => elbow(&again, MOST_GROUPS.min(names.len() - 1), seed.named("groups")).0,
    };
    let groups = k_means(&again, k, 10, seed.named("four"));
    let map = Map {
        title: format!("{} games", names.len()),
        points: embed(&Distances::cosine(&again), settings.perplexity.max(2.0), seed),
        groups: groups.of.clone(),
        marked: chosen.rows.clone(),
        names,
    };
    Some(Charted { map, groups, chosen })
}

/// A table of the features of games, without the speed of this machine.
#[derive(Debug, Default)]
pub struct Described {
    table: Table,
    rows: Vec<Vec<f64>>,
}

impl Described {
    /// Adds a game.
    pub fn add(&mut self, game: &AnyGame, seed: Seed) {
        let features = describe(game, Effort::default(), seed);
        let columns = &mut self.table.columns;
        if columns.is_empty() {
            let names = features.iter().map(|(name, _)| name.to_string());
            *columns = names.filter(|name| name != "MovesPerSecond").collect();
        }
        self.rows.push(columns.iter().map(|c| features.get(c).unwrap_or(0.0)).collect());
        self.table.names.push(game.info().name.clone());
    }

    /// The table.
    pub fn table(self) -> Table {
        let values = Matrix::from_rows(self.table.columns.len(), self.rows);
        Table { values, ..self.table }
    }
}
