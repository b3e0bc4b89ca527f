//! A game as a row of the database, and back.

use super::error::{RowError, StoreError};
use super::run::Run;
use crate::plan::Fixture;
use crate::record::{Ending, GameRecord};
use crate::result::GameResult;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A finished game, ready to be written.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    pub(super) number: u64,
    pub(super) place: i64,
    pub(super) seats: String,
    pub(super) seed: i64,
    pub(super) opening: i64,
    pub(super) moves: String,
    pub(super) steps: i64,
    pub(super) payoffs: String,
    pub(super) ending: Ending,
    pub(super) forfeit: Option<String>,
    pub(super) think_us: String,
    pub(super) overruns: Option<String>,
    pub(super) notes: Option<String>,
}

impl Row {
    /// The row of the game `fixture` that ended as `record` says.
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
            ending: record.ending,
            forfeit: record.forfeit.as_ref().map(json),
            think_us: words(record.think_ms.iter().map(|ms| (ms * 1e3).round() as u64)),
            overruns: late.then(|| words(&record.overruns)),
            notes: (!record.notes.is_empty()).then(|| json(&record.notes)),
        }
    }
}

/// A stored game with all its moves.
#[derive(Debug, Clone, PartialEq)]
pub struct Stored {
    /// The result.
    pub result: GameResult,
    /// All that is needed to replay the game.
    pub record: GameRecord,
}

/// The columns of a [`GameResult`].
pub(super) const RESULT: &str =
    "number, place, seats, payoffs, steps, ending, forfeit, think_us, overruns, worker";

pub(super) const INSERT: &str = "INSERT INTO game (run, number, place, seats, seed, opening, \
     moves, steps, payoffs, ending, forfeit, think_us, overruns, notes, worker) ";

/// A game that is stored already stays as it is.
pub(super) const KEEP_FIRST: &str = " ON CONFLICT (run, number) DO NOTHING";

/// Batches of only three sizes, so that only three statements are prepared.
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
            .push_bind($row.ending.name())
            .push_bind(&$row.forfeit)
            .push_bind(&$row.think_us)
            .push_bind(&$row.overruns)
            .push_bind(&$row.notes)
            .push_bind($worker);
    }};
}

/// Reads a [`GameResult`] from a row of either database.
macro_rules! result {
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
pub(super) use {bind, result};

/// The columns of a [`GameResult`] as they are stored.
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
    pub(super) fn read(self) -> Result<GameResult, StoreError> {
        let number = self.number as u64;
        let bad = |reason: RowError| StoreError::Row { number, reason };
        let seats: Vec<usize> = numbers(self.seats).map_err(bad)?;
        let payoffs: Vec<f32> = numbers(self.payoffs).map_err(bad)?;
        if seats.len() != payoffs.len() {
            return Err(bad(bad_value(format_args!(
                "{} seats, {} payoffs",
                seats.len(),
                payoffs.len()
            ))));
        }
        let ending = match self.ending {
            "rules" => Ending::Rules,
            "cap" => Ending::Cap,
            "proven" => Ending::Proven,
            "forfeit" => Ending::Forfeit,
            other => return Err(bad(bad_value(format_args!("unknown ending `{other}`")))),
        };
        Ok(GameResult {
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

/// A game with all its moves, from its row and its run.
pub(super) fn stored(
    run: &Run,
    result: GameResult,
    seed: i64,
    opening: i64,
    moves: &str,
    notes: Option<&str>,
) -> Result<Stored, StoreError> {
    let bad = |reason: RowError| StoreError::Row { number: result.number, reason };
    let game = run.games.get(result.table);
    let game =
        game.ok_or_else(|| bad(bad_value(format_args!("the run has no game {}", result.table))))?;
    let agent = |&seat: &usize| run.agents.get(seat).cloned();
    let agents: Option<Vec<String>> = result.seats.iter().map(agent).collect();
    let record = GameRecord {
        game: game.game.clone(),
        position: game.position.clone(),
        agents: agents.ok_or_else(|| bad(bad_value("an agent that the run does not have")))?,
        seed: seed as u64,
        opening: opening as u32,
        moves: parse(moves).map_err(bad)?,
        payoffs: result.payoffs.clone(),
        ending: result.ending,
        forfeit: result.forfeit.clone(),
        think_ms: result.think_us.iter().map(|&us| us as f64 / 1e3).collect(),
        overruns: result.overruns.clone(),
        notes: notes.map(parse).transpose().map_err(bad)?.unwrap_or_default(),
    };
    Ok(Stored { result, record })
}

/// A value as JSON. Records hold only strings and numbers, which JSON can always express.
pub(super) fn json<T: Serialize>(value: &T) -> String {
    let text = serde_json::to_string(value);
    debug_assert!(text.is_ok(), "records have text keys alone");
    text.unwrap_or_default()
}

pub(super) fn parse<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, RowError> {
    serde_json::from_str(text).map_err(bad_value)
}

fn bad_value(reason: impl fmt::Display) -> RowError {
    RowError(reason.to_string())
}

/// Numbers separated by blanks.
fn words<T: fmt::Display>(items: impl IntoIterator<Item = T>) -> String {
    use fmt::Write;
    let mut text = String::new();
    for (i, item) in items.into_iter().enumerate() {
        let _ = write!(text, "{}{item}", if i == 0 { "" } else { " " });
    }
    text
}

fn numbers<T: std::str::FromStr>(text: &str) -> Result<Vec<T>, RowError> {
    let number =
        |word: &str| word.parse().map_err(|_| bad_value(format_args!("`{word}` is not a number")));
    text.split_ascii_whitespace().map(number).collect()
}
