//! A game as a row, and back.

use super::{Run, StoreError};
use crate::plan::Fixture;
use crate::record::{Ending, Forfeit, GameRecord};

/// A finished game, ready to be written.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Its number in the run.
    pub number: u64,
    pub(super) place: i64,
    pub(super) seats: String,
    pub(super) seed: i64,
    pub(super) opening: i64,
    pub(super) moves: String,
    pub(super) steps: i64,
    pub(super) payoffs: String,
    pub(super) ending: &'static str,
    pub(super) forfeit: Option<String>,
    pub(super) think_us: String,
    pub(super) overruns: Option<String>,
    pub(super) notes: Option<String>,
}

impl Row {
    /// The row of a game that was played as `fixture` says.
    pub fn new(fixture: &Fixture, record: &GameRecord) -> Self {
        let late = record.overruns.iter().any(|&n| n > 0);
        Row {
            number: fixture.number,
            place: fixture.table as i64,
            seats: words(&fixture.seats),
            seed: record.seed as i64,
            opening: record.opening.into(),
            moves: json(&record.moves),
            steps: record.moves.len() as i64,
            payoffs: words(&record.payoffs),
            ending: record.ending.name(),
            forfeit: record.forfeit.as_ref().map(json),
            think_us: words(record.think_ms.iter().map(|ms| (ms * 1e3).round() as u64)),
            overruns: late.then(|| words(&record.overruns)),
            notes: (!record.notes.is_empty()).then(|| json(&record.notes)),
        }
    }
}

/// What statistics need of a stored game.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// Its number in the run.
    pub number: u64,
    /// The game's place in the run's list of games.
    pub table: usize,
    /// Which agent sat at each seat.
    pub seats: Vec<usize>,
    /// The result by seat.
    pub payoffs: Vec<f32>,
    /// How many steps it had.
    pub steps: u32,
    /// How it ended.
    pub ending: Ending,
    /// Who forfeited, and why.
    pub forfeit: Option<Forfeit>,
    /// Thinking time by seat, microseconds.
    pub think_us: Vec<u64>,
    /// How often each seat thought longer than its budget.
    pub overruns: Vec<u32>,
    /// Who played it.
    pub worker: i64,
}

/// A stored game, whole.
#[derive(Debug, Clone, PartialEq)]
pub struct Stored {
    /// What statistics need.
    pub line: Line,
    /// Everything that is needed to replay it.
    pub record: GameRecord,
}

pub(super) const INSERT: &str = "INSERT INTO game (run, number, place, seats, seed, opening, \
     moves, steps, payoffs, ending, forfeit, think_us, overruns, notes, worker) ";

pub(super) const AGAIN: &str = " ON CONFLICT (run, number) DO NOTHING";

/// Parts of few different sizes, so that few different statements are prepared.
pub(super) fn batches(rows: &[Row]) -> impl Iterator<Item = &[Row]> {
    let (large, rest) = rows.split_at(rows.len() - rows.len() % 256);
    let (middle, small) = rest.split_at(rest.len() - rest.len() % 16);
    large.chunks(256).chain(middle.chunks(16)).chain(small.chunks(1))
}

/// Binds a row's values in the order of [`INSERT`].
macro_rules! bind {
    ($values:ident, $run:ident, $row:ident, $worker:ident) => {{
        let mut values = $values;
        values
            .push_bind($run)
            .push_bind($row.number as i64)
            .push_bind($row.place)
            .push_bind(&$row.seats)
            .push_bind($row.seed)
            .push_bind($row.opening)
            .push_bind(&$row.moves)
            .push_bind($row.steps)
            .push_bind(&$row.payoffs)
            .push_bind($row.ending)
            .push_bind(&$row.forfeit)
            .push_bind(&$row.think_us)
            .push_bind(&$row.overruns)
            .push_bind(&$row.notes)
            .push_bind($worker);
    }};
}

/// Reads the columns of a [`Line`] from a row of either database.
macro_rules! line {
    ($row:ident) => {
        row::Raw {
            number: $row.try_get("number")?,
            place: $row.try_get("place")?,
            seats: $row.try_get("seats")?,
            payoffs: $row.try_get("payoffs")?,
            steps: $row.try_get("steps")?,
            ending: $row.try_get("ending")?,
            forfeit: $row.try_get("forfeit")?,
            think_us: $row.try_get("think_us")?,
            overruns: $row.try_get("overruns")?,
            worker: $row.try_get("worker")?,
        }
        .read()
    };
}
pub(super) use {bind, line};

/// The columns of a [`Line`] as they are stored.
pub(super) struct Raw<'a> {
    pub(super) number: i64,
    pub(super) place: i64,
    pub(super) seats: &'a str,
    pub(super) payoffs: &'a str,
    pub(super) steps: i64,
    pub(super) ending: &'a str,
    pub(super) forfeit: Option<&'a str>,
    pub(super) think_us: &'a str,
    pub(super) overruns: Option<&'a str>,
    pub(super) worker: i64,
}

impl Raw<'_> {
    pub(super) fn read(self) -> Result<Line, StoreError> {
        let number = self.number as u64;
        let bad = |reason: String| StoreError::Row { number, reason };
        let seats: Vec<usize> = numbers(self.seats).map_err(bad)?;
        let payoffs: Vec<f32> = numbers(self.payoffs).map_err(bad)?;
        if seats.len() != payoffs.len() {
            return Err(bad(format!("{} seats, {} payoffs", seats.len(), payoffs.len())));
        }
        let ending = match self.ending {
            "rules" => Ending::Rules,
            "cap" => Ending::Cap,
            "proven" => Ending::Proven,
            "forfeit" => Ending::Forfeit,
            other => return Err(bad(format!("unknown ending `{other}`"))),
        };
        Ok(Line {
            number,
            table: self.place as usize,
            steps: self.steps as u32,
            ending,
            forfeit: self.forfeit.map(parse).transpose().map_err(bad)?,
            think_us: numbers(self.think_us).map_err(bad)?,
            overruns: match self.overruns {
                Some(text) => numbers(text).map_err(bad)?,
                None => vec![0; seats.len()],
            },
            worker: self.worker,
            seats,
            payoffs,
        })
    }
}

/// A whole game from its row and its run.
pub(super) fn stored(
    run: &Run,
    line: Line,
    seed: i64,
    opening: i64,
    moves: &str,
    notes: Option<&str>,
) -> Result<Stored, StoreError> {
    let bad = |reason: String| StoreError::Row { number: line.number, reason };
    let game = run.games.get(line.table).ok_or_else(|| bad(format!("no game {}", line.table)))?;
    let agent = |&seat: &usize| run.agents.get(seat).cloned();
    let agents: Option<Vec<String>> = line.seats.iter().map(agent).collect();
    let record = GameRecord {
        game: game.game.clone(),
        position: game.position.clone(),
        agents: agents.ok_or_else(|| bad("an agent that the run does not have".into()))?,
        seed: seed as u64,
        opening: opening as u32,
        moves: parse(moves).map_err(bad)?,
        payoffs: line.payoffs.clone(),
        ending: line.ending,
        forfeit: line.forfeit.clone(),
        think_ms: line.think_us.iter().map(|&us| us as f64 / 1e3).collect(),
        overruns: line.overruns.clone(),
        notes: notes.map(parse).transpose().map_err(bad)?.unwrap_or_default(),
    };
    Ok(Stored { line, record })
}

/// The records hold strings and numbers only, which JSON always can.
pub(super) fn json<T: serde::Serialize>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

pub(super) fn parse<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|e| e.to_string())
}

/// Numbers with blanks between.
fn words<T: std::fmt::Display>(items: impl IntoIterator<Item = T>) -> String {
    use std::fmt::Write;
    let mut text = String::new();
    for (i, item) in items.into_iter().enumerate() {
        let _ = write!(text, "{}{item}", if i == 0 { "" } else { " " });
    }
    text
}

fn numbers<T: std::str::FromStr>(text: &str) -> Result<Vec<T>, String> {
    let number = |word: &str| word.parse().map_err(|_| format!("`{word}` is no number"));
    text.split_ascii_whitespace().map(number).collect()
}
