//! The games of a run for other tools: CSV and JSON lines, and Parquet behind a feature.

use crate::store::{Run, Store, StoreError, Stored};
use serde::Serialize;
use std::io::Write;

/// An export that failed.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The file can't be written.
    #[error("can't write: {0}")]
    Io(#[from] std::io::Error),
    /// The CSV writer failed.
    #[error("can't write: {0}")]
    Csv(#[from] csv::Error),
    /// The Parquet writer failed.
    #[cfg(feature = "parquet")]
    #[error("can't write: {0}")]
    Parquet(#[from] parquet::errors::ParquetError),
}

/// One seat of one game: the long format that analysis tools expect.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SeatRow {
    /// The name of the run.
    pub run: String,
    /// The number of the game in the run.
    pub number: u64,
    /// The name of the game.
    pub game: String,
    /// The seat, from 0.
    pub seat: u32,
    /// The agent at the seat.
    pub agent: String,
    /// The payoff of the seat.
    pub payoff: f32,
    /// The number of steps of the game.
    pub steps: u32,
    /// The number of steps of the random opening.
    pub opening: u32,
    /// How the game ended.
    pub ending: &'static str,
    /// Did this seat forfeit?
    pub forfeit: bool,
    /// The thinking time of the seat in milliseconds.
    pub think_ms: f64,
    /// How many moves of the seat took longer than its budget.
    pub overruns: u32,
    /// The seed of the game.
    pub seed: u64,
}

fn seat_rows(run: &Run, game: &Stored) -> Vec<SeatRow> {
    let record = &game.record;
    (0..record.payoffs.len())
        .map(|seat| SeatRow {
            run: run.name.clone(),
            number: game.result.number,
            game: record.game.clone(),
            seat: seat as u32,
            agent: record.agents.get(seat).cloned().unwrap_or_default(),
            payoff: record.payoffs[seat],
            steps: game.result.steps,
            opening: record.opening,
            ending: record.ending.name(),
            forfeit: record.forfeit.as_ref().is_some_and(|f| usize::from(f.seat) == seat),
            think_ms: record.think_ms.get(seat).copied().unwrap_or(0.0),
            overruns: record.overruns.get(seat).copied().unwrap_or(0),
            seed: record.seed,
        })
        .collect()
}

/// Calls `take` with all games of a run, a page at a time. Returns the number of games.
fn each_page<E: From<StoreError>>(
    store: &Store,
    run: &Run,
    mut take: impl FnMut(&[Stored]) -> Result<(), E>,
) -> Result<u64, E> {
    let (mut from, mut count) = (0, 0);
    loop {
        let page = store.games(run, from, 4096)?;
        let Some(last) = page.last() else { return Ok(count) };
        from = last.result.number + 1;
        count += page.len() as u64;
        take(&page)?;
    }
}

/// Writes one line per seat. Returns the number of games.
///
/// # Errors
/// The database failed, or the file can't be written.
pub fn csv(store: &Store, run: &Run, out: impl Write) -> Result<u64, ExportError> {
    let mut writer = csv::Writer::from_writer(out);
    let count = each_page(store, run, |page| {
        for row in page.iter().flat_map(|game| seat_rows(run, game)) {
            writer.serialize(row)?;
        }
        Ok::<_, ExportError>(())
    })?;
    writer.flush()?;
    Ok(count)
}

/// Writes one JSON object per game, with all that is needed to replay it. Returns the number of games.
///
/// # Errors
/// The database failed, or the file can't be written.
pub fn jsonl(store: &Store, run: &Run, mut out: impl Write) -> Result<u64, ExportError> {
    let digests: Vec<&str> = run.games.iter().map(|game| game.rules.as_str()).collect();
    let count = each_page(store, run, |page| {
        for game in page {
            let mut value = serde_json::json!({
                "run": run.name,
                "number": game.result.number,
                "rules": digests.get(game.result.table),
                "version": run.version,
            });
            if let (Some(object), Ok(serde_json::Value::Object(record))) =
                (value.as_object_mut(), serde_json::to_value(&game.record))
            {
                object.extend(record);
            }
            writeln!(out, "{value}")?;
        }
        Ok::<_, ExportError>(())
    })?;
    out.flush()?;
    Ok(count)
}

/// Writes one row per seat. Returns the number of games.
///
/// # Errors
/// The database failed, or the file can't be written.
#[cfg(feature = "parquet")]
pub fn parquet(store: &Store, run: &Run, out: impl Write + Send) -> Result<u64, ExportError> {
    use parquet::data_type::{
        BoolType, ByteArray, ByteArrayType, DoubleType, FloatType, Int32Type, Int64Type,
    };
    use parquet::file::properties::WriterProperties;
    use parquet::file::writer::SerializedFileWriter;
    use parquet::schema::parser::parse_message_type;
    use std::sync::Arc;

    const SCHEMA: &str = "message games { \
        REQUIRED BINARY run (UTF8); REQUIRED INT64 number; REQUIRED BINARY game (UTF8); \
        REQUIRED INT32 seat; REQUIRED BINARY agent (UTF8); REQUIRED FLOAT payoff; \
        REQUIRED INT32 steps; REQUIRED INT32 opening; REQUIRED BINARY ending (UTF8); \
        REQUIRED BOOLEAN forfeit; REQUIRED DOUBLE think_ms; REQUIRED INT32 overruns; \
        REQUIRED INT64 seed; }";
    let properties =
        WriterProperties::builder().set_compression(parquet::basic::Compression::SNAPPY).build();
    let schema = Arc::new(parse_message_type(SCHEMA)?);
    let mut writer = SerializedFileWriter::new(out, schema, Arc::new(properties))?;
    let count = each_page(store, run, |page| {
        let rows: Vec<SeatRow> = page.iter().flat_map(|game| seat_rows(run, game)).collect();
        let mut group = writer.next_row_group()?;
        macro_rules! column {
            ($kind:ty, $row:ident => $value:expr) => {{
                let values: Vec<_> = rows.iter().map(|$row| $value).collect();
                if let Some(mut column) = group.next_column()? {
                    column.typed::<$kind>().write_batch(&values, None, None)?;
                    column.close()?;
                }
            }};
        }
        column!(ByteArrayType, row => ByteArray::from(row.run.as_str()));
        column!(Int64Type, row => row.number as i64);
        column!(ByteArrayType, row => ByteArray::from(row.game.as_str()));
        column!(Int32Type, row => row.seat as i32);
        column!(ByteArrayType, row => ByteArray::from(row.agent.as_str()));
        column!(FloatType, row => row.payoff);
        column!(Int32Type, row => row.steps as i32);
        column!(Int32Type, row => row.opening as i32);
        column!(ByteArrayType, row => ByteArray::from(row.ending));
        column!(BoolType, row => row.forfeit);
        column!(DoubleType, row => row.think_ms);
        column!(Int32Type, row => row.overruns as i32);
        column!(Int64Type, row => row.seed as i64);
        group.close()?;
        Ok::<_, ExportError>(())
    })?;
    writer.close()?;
    Ok(count)
}
