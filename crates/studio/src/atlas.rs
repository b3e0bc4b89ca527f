//! The map of games. It is made in a thread of its own when a page first asks for it, and kept.

use crate::driver::STACK;
use crate::error::panic_text;
use crate::shelf::Shelf;
use crate::wire::{MapInfo, MapPoint};
use ludex_core::{Game, Seed};
use ludex_learn::map::{Charted, Described, Distances, Landscape, Settings, chart};
use ludex_learn::table::Table;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The most games of a map.
const MOST_GAMES: usize = 1500;
/// The similar games of each game.
const MOST_NEAR: usize = 8;
/// The groups: enough to see what the games of a group have in common.
const GROUPS: usize = 6;
/// The games that represent the others.
const CHOSEN: usize = 10;
/// About the number of neighbours that count for the place of a game.
const PERPLEXITY: f64 = 12.0;

/// The map, or how much of it is done.
#[derive(Default)]
pub(crate) struct Atlas(Mutex<Option<MapInfo>>);

impl Atlas {
    fn lock(&self) -> MutexGuard<'_, Option<MapInfo>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The map as it is now. The first call starts the work.
    pub(crate) fn look(self: &Arc<Self>, shelf: &Arc<Shelf>) -> MapInfo {
        let mut info = self.lock();
        if let Some(info) = &*info {
            return info.clone();
        }
        let games = shelf.list().games;
        let total = games.len().min(MOST_GAMES) as u32;
        let begun = MapInfo { total, ..MapInfo::default() };
        *info = Some(begun.clone());
        let (atlas, shelf) = (self.clone(), shelf.clone());
        let thread = std::thread::Builder::new().name("map".into()).stack_size(STACK);
        let started = thread.spawn(move || {
            let made = catch_unwind(AssertUnwindSafe(|| atlas.make(&shelf)));
            let made = made.unwrap_or_else(|panic| Err(panic_text(&*panic)));
            if let Some(info) = &mut *atlas.lock() {
                match made {
                    Ok(points) => info.points = points,
                    Err(error) => info.error = Some(error),
                }
                info.done = info.total;
            }
        });
        if started.is_err() {
            *info = None;
        }
        begun
    }

    /// Describes all games and places them.
    fn make(&self, shelf: &Shelf) -> Result<Vec<MapPoint>, String> {
        let mut described = Described::default();
        let mut names: Vec<(String, String)> = Vec::new();
        for card in shelf.list().games.into_iter().take(MOST_GAMES) {
            if let Ok(game) = shelf.load(&card.name) {
                let added = catch_unwind(AssertUnwindSafe(|| described.add(&game, Seed(1))));
                if added.is_ok() {
                    names.push((card.name, title(&game.info().title, &card.title)));
                }
            }
            if let Some(info) = &mut *self.lock() {
                // The last step is the map itself.
                info.done = (info.done + 1).min(info.total.saturating_sub(1));
            }
        }
        points(&described.table(), names).ok_or_else(|| "a map needs at least three games".into())
    }
}

fn title(own: &str, card: &str) -> String {
    if own.is_empty() { card.into() } else { own.into() }
}

fn points(table: &Table, names: Vec<(String, String)>) -> Option<Vec<MapPoint>> {
    let groups = Some(GROUPS);
    let settings = Settings { choose: CHOSEN, groups, perplexity: PERPLEXITY, seed: Seed(1) };
    let Charted { map, groups, chosen } = chart(table, None, &settings)?;
    let distances = Distances::cosine(&Landscape::new(table, None).table.values);
    let range = |axis: usize| {
        let values = map.points.iter().map(|point| point[axis]);
        let low = values.clone().fold(f64::INFINITY, f64::min);
        let high = values.fold(f64::NEG_INFINITY, f64::max);
        (low, (high - low).max(1e-9))
    };
    let ranges = [range(0), range(1)];
    let place = |row: usize, axis: usize| {
        let (low, width) = ranges[axis];
        map.points.get(row).map_or(0.5, |point| (point[axis] - low) / width)
    };
    let point = |(row, (name, title)): (usize, (String, String))| {
        let mut near: Vec<u32> = (0..distances.len() as u32).collect();
        near.retain(|&other| other as usize != row);
        let to = |&other: &u32| distances.get(row, other as usize);
        near.sort_by(|a, b| to(a).total_cmp(&to(b)));
        near.truncate(MOST_NEAR);
        MapPoint {
            name,
            title,
            x: place(row, 0),
            y: place(row, 1),
            group: groups.of.get(row).map_or(0, |&group| group as u32),
            chosen: chosen.rows.contains(&row),
            near,
        }
    };
    Some(names.into_iter().enumerate().map(point).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn similar_games_are_neighbours() {
        let names = ["connect4", "connect4(5,4)", "tictactoe", "nim", "nim(2,3)", "pig", "kuhn"];
        let mut described = Described::default();
        for name in names {
            described.add(&ludex_library::open(name).unwrap(), Seed(1));
        }
        let named = names.map(|name| (name.to_string(), name.to_string())).to_vec();
        let points = points(&described.table(), named).unwrap();
        assert_eq!(points.len(), names.len());
        assert_eq!(points[0].near[0], 1, "{points:?}");
        assert!(points.iter().all(|p| (0.0..=1.0).contains(&p.x) && (0.0..=1.0).contains(&p.y)));
    }
}
