//! Finished games in a database file: SQLite in WAL mode, nothing to install.
//!
//! Games come from many playing threads; one thread writes them in batches, each batch a
//! transaction, so a killed process loses at most the last moment's games and never half a game.

use crate::record::GameRecord;
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous,
};
use sqlx::{QueryBuilder, Row, Sqlite};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::{SystemTime, UNIX_EPOCH};
use tokio::runtime::Runtime;

/// What can go wrong with a store.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The file can't be opened or made.
    #[error("can't open the games database `{path}`: {reason}")]
    Open {
        /// The file.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
    /// The database refused a query.
    #[error("the games database failed: {0}")]
    Query(#[from] sqlx::Error),
    /// A row that this version can't read.
    #[error("game {number} of run {run} can't be read: {reason}")]
    Row {
        /// The run.
        run: String,
        /// The game's number in it.
        number: u64,
        /// What is wrong.
        reason: String,
    },
    /// No such run.
    #[error("no run `{0}` in this database")]
    NoRun(String),
}

/// The version that is written into every run.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// At most so many games are written in one statement (SQLite allows 32,766 values in one).
const BATCH: usize = 1000;

/// A database of games.
pub struct Store {
    pool: SqlitePool,
    runtime: Runtime,
}

impl Store {
    /// Opens the file, making it where it does not exist.
    ///
    /// # Errors
    /// A file that can't be opened, made or read as a database of this kind.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let failed = |reason: String| StoreError::Open { path: path.to_path_buf(), reason };
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|e| failed(e.to_string()))?;
        let options = SqliteConnectOptions::new()
            .filename(path)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Normal)
            .busy_timeout(std::time::Duration::from_secs(30));
        let pool = runtime.block_on(async {
            let pool = SqlitePoolOptions::new()
                .max_connections(1)
                .acquire_timeout(std::time::Duration::from_secs(35))
                .connect_with(options)
                .await
                .map_err(|e| failed(plain(&e)))?;
            sqlx::migrate!().run(&pool).await.map_err(|e| failed(e.to_string()))?;
            Ok::<_, StoreError>(pool)
        })?;
        Ok(Store { pool, runtime })
    }

    /// Begins a run: `config` says what is played, in a form that can be run again.
    ///
    /// # Errors
    /// The database's own.
    pub fn begin(&self, id: &str, config: &str) -> Result<(), StoreError> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_millis() as i64);
        let query = sqlx::query(
            "INSERT INTO run (id, created_ms, version, config) VALUES ($1, $2, $3, $4)",
        )
        .bind(id)
        .bind(now)
        .bind(VERSION)
        .bind(config);
        self.runtime.block_on(query.execute(&self.pool))?;
        Ok(())
    }

    /// Writes games of a run, all or none.
    ///
    /// # Errors
    /// The database's own.
    pub fn add(&self, run: &str, games: &[(u64, GameRecord)]) -> Result<(), StoreError> {
        self.runtime.block_on(async {
            let mut transaction = self.pool.begin().await?;
            for batch in games.chunks(BATCH) {
                let mut query = QueryBuilder::<Sqlite>::new(
                    "INSERT INTO game (run, number, game, position, agents, seed, moves, payoffs, \
                     forfeit, think_ms, overruns) ",
                );
                query.push_values(batch, |mut row, (number, game)| {
                    row.push_bind(run)
                        .push_bind(*number as i64)
                        .push_bind(&game.game)
                        .push_bind(&game.position)
                        .push_bind(json(&game.agents))
                        .push_bind(game.seed.to_string())
                        .push_bind(json(&game.moves))
                        .push_bind(json(&game.payoffs))
                        .push_bind(game.forfeit.as_ref().map(json))
                        .push_bind(json(&game.think_ms))
                        .push_bind(json(&game.overruns));
                });
                query.build().execute(&mut *transaction).await?;
            }
            transaction.commit().await
        })?;
        Ok(())
    }

    /// The games of a run by number.
    ///
    /// # Errors
    /// The database's own, or a row that can't be read.
    pub fn games(&self, run: &str) -> Result<Vec<(u64, GameRecord)>, StoreError> {
        let rows = self.runtime.block_on(
            sqlx::query("SELECT * FROM game WHERE run = $1 ORDER BY number")
                .bind(run)
                .fetch_all(&self.pool),
        )?;
        rows.iter()
            .map(|row| {
                let number: i64 = row.try_get("number")?;
                let bad = |reason: String| StoreError::Row {
                    run: run.to_string(),
                    number: number as u64,
                    reason,
                };
                let text = |column: &str| row.try_get::<String, _>(column);
                let seed = text("seed")?;
                let forfeit: Option<String> = row.try_get("forfeit")?;
                let record = GameRecord {
                    game: text("game")?,
                    position: row.try_get("position")?,
                    agents: parse(&text("agents")?).map_err(bad)?,
                    seed: seed.parse().map_err(|e| bad(format!("seed {seed}: {e}")))?,
                    moves: parse(&text("moves")?).map_err(bad)?,
                    payoffs: parse(&text("payoffs")?).map_err(bad)?,
                    forfeit: forfeit.as_deref().map(parse).transpose().map_err(bad)?,
                    think_ms: parse(&text("think_ms")?).map_err(bad)?,
                    overruns: parse(&text("overruns")?).map_err(bad)?,
                };
                Ok((number as u64, record))
            })
            .collect()
    }

    /// The ids of all runs, newest first.
    ///
    /// # Errors
    /// The database's own.
    pub fn runs(&self) -> Result<Vec<String>, StoreError> {
        let rows = self.runtime.block_on(
            sqlx::query("SELECT id FROM run ORDER BY created_ms DESC, id DESC")
                .fetch_all(&self.pool),
        )?;
        Ok(rows.iter().map(|row| row.try_get(0)).collect::<Result<_, _>>()?)
    }

    /// Moves the store to a thread of its own that writes what it is sent.
    pub fn writer(self, run: &str) -> Writer {
        let (sender, receiver) = sync_channel(4 * BATCH);
        let run = run.to_string();
        let thread = std::thread::spawn(move || {
            let result = write_all(&self, &run, &receiver);
            result.map(|()| self)
        });
        Writer { sender, thread }
    }
}

/// Takes what has come, writes it as one batch, and so on until nobody can send any more.
fn write_all(
    store: &Store,
    run: &str,
    receiver: &Receiver<(u64, GameRecord)>,
) -> Result<(), StoreError> {
    let mut batch = Vec::with_capacity(BATCH);
    while let Ok(first) = receiver.recv() {
        batch.push(first);
        batch.extend(receiver.try_iter().take(BATCH - 1));
        store.add(run, &batch)?;
        batch.clear();
    }
    Ok(())
}

/// A store that writes on its own thread.
pub struct Writer {
    sender: SyncSender<(u64, GameRecord)>,
    thread: JoinHandle<Result<Store, StoreError>>,
}

impl Writer {
    /// Hands over a finished game. `false` where the writer has failed; [`Writer::close`] says
    /// why.
    pub fn send(&self, number: u64, game: GameRecord) -> bool {
        self.sender.send((number, game)).is_ok()
    }

    /// Waits until everything is written, and gives the store back.
    ///
    /// # Errors
    /// What stopped the writer.
    pub fn close(self) -> Result<Store, StoreError> {
        drop(self.sender);
        match self.thread.join() {
            Ok(result) => result,
            Err(_) => Err(StoreError::Query(sqlx::Error::WorkerCrashed)),
        }
    }
}

/// The records hold strings and numbers only, which JSON always can.
fn json<T: serde::Serialize>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

fn parse<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|e| e.to_string())
}

/// A database error without the library's words around it.
fn plain(error: &sqlx::Error) -> String {
    match error {
        sqlx::Error::Database(inner) => inner.message().to_string(),
        other => other.to_string(),
    }
}
