//! Finished games in a database: an SQLite file, nothing to install, or PostgreSQL for many
//! machines. One schema and one text of every query; `row` says how a game becomes a row, `lease`
//! who plays what.

mod lease;
mod row;

pub use lease::{Claim, Worker};
pub use row::{Line, Row, Stored};

use serde::{Deserialize, Serialize};
use sqlx::migrate::MigrateError;
use sqlx::postgres::{PgPool, PgPoolOptions};
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous,
};
use sqlx::{Postgres, QueryBuilder, Row as _, Sqlite};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::runtime::Runtime;

/// What can go wrong with a store.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database can't be opened or made.
    #[error("can't open the games database `{place}`: {reason}")]
    Open {
        /// The file or address.
        place: String,
        /// Why not.
        reason: String,
    },
    /// The database refused a query.
    #[error("the games database failed: {0}")]
    Query(#[from] sqlx::Error),
    /// A row that this version can't read.
    #[error("game {number} can't be read: {reason}")]
    Row {
        /// The game's number in its run.
        number: u64,
        /// What is wrong.
        reason: String,
    },
    /// No such run.
    #[error("no run `{name}` in this database{hint}")]
    NoRun {
        /// The name that was asked for.
        name: String,
        /// Which there are.
        hint: String,
    },
    /// No such game.
    #[error("run `{run}` has no game {number}; it has {games}")]
    NoGame {
        /// The run.
        run: String,
        /// The number that was asked for.
        number: u64,
        /// How many there are.
        games: u64,
    },
    /// A run of this name plays something else.
    #[error("run `{name}` in this database is another experiment ({what}); choose another name")]
    OtherRun {
        /// The name.
        name: String,
        /// What differs.
        what: String,
    },
}

/// The version that is written into every run.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

enum Pool {
    Sqlite(SqlitePool),
    Postgres(PgPool),
}

/// A database of games.
pub struct Store {
    pool: Pool,
    runtime: Runtime,
}

/// Runs the same code on whichever database it is.
macro_rules! on {
    ($store:expr, |$pool:ident| $body:expr) => {
        match &$store.pool {
            Pool::Sqlite($pool) => $store.runtime.block_on(async { $body }),
            Pool::Postgres($pool) => $store.runtime.block_on(async { $body }),
        }
    };
}
use on;

/// A game of a run: its name, where it begins, and a digest of its rules.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunGame {
    /// The string that opens it.
    pub game: String,
    /// The first position, where it is not the usual start.
    pub position: Option<String>,
    /// The digest of its rules.
    pub rules: String,
}

/// One experiment in the database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// Its number in the database.
    pub id: i64,
    /// Its name.
    pub name: String,
    /// When it began, milliseconds since 1970.
    pub created_ms: i64,
    /// The version that began it.
    pub version: String,
    /// The experiment, as JSON.
    pub config: String,
    /// Who plays.
    pub agents: Vec<String>,
    /// What is played.
    pub games: Vec<RunGame>,
    /// Games before this number are played or being played.
    pub next: u64,
    /// Games before this number count.
    pub total: u64,
    /// Why it stopped early.
    pub verdict: Option<String>,
}

/// What a new run is made of.
#[derive(Debug, Clone)]
pub struct NewRun<'a> {
    /// Its name.
    pub name: &'a str,
    /// The experiment, as JSON.
    pub config: &'a str,
    /// Who plays.
    pub agents: &'a [String],
    /// What is played.
    pub games: &'a [RunGame],
    /// How many games.
    pub total: u64,
}

impl Store {
    /// Opens a database: `postgres://...`, or a file that is made where it does not exist.
    ///
    /// # Errors
    /// A database that can't be opened, made or read as one of this kind.
    pub fn open(place: &str) -> Result<Self, StoreError> {
        let shown = hide_password(place);
        let failed = |reason: String| StoreError::Open { place: shown.clone(), reason };
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|e| failed(e.to_string()))?;
        let remote = place.starts_with("postgres://") || place.starts_with("postgresql://");
        let pool = runtime.block_on(async {
            if remote {
                let options = PgPoolOptions::new()
                    .max_connections(2)
                    .acquire_timeout(Duration::from_secs(15));
                let pool = options.connect(place).await.map_err(|e| failed(plain(&e)))?;
                sqlx::migrate!().run(&pool).await.map_err(|e| failed(e.to_string()))?;
                Ok::<_, StoreError>(Pool::Postgres(pool))
            } else {
                let options = SqliteConnectOptions::new()
                    .filename(place.strip_prefix("sqlite:").unwrap_or(place))
                    .create_if_missing(true)
                    .journal_mode(SqliteJournalMode::Wal)
                    .synchronous(SqliteSynchronous::Normal)
                    .busy_timeout(Duration::from_secs(30));
                let pool = SqlitePoolOptions::new()
                    .max_connections(1)
                    .acquire_timeout(Duration::from_secs(35))
                    .connect_with(options)
                    .await
                    .map_err(|e| failed(plain(&e)))?;
                migrate_sqlite(&pool).await.map_err(|e| failed(e.to_string()))?;
                Ok(Pool::Sqlite(pool))
            }
        })?;
        Ok(Store { pool, runtime })
    }

    /// Is it a server that other machines can reach?
    pub fn is_remote(&self) -> bool {
        matches!(self.pool, Pool::Postgres(_))
    }

    /// How a transaction that writes begins, and how a row is locked that another might want.
    fn words(&self) -> (&'static str, &'static str, &'static str) {
        match self.pool {
            Pool::Sqlite(_) => ("BEGIN IMMEDIATE", "", ""),
            Pool::Postgres(_) => ("BEGIN", " FOR UPDATE", " FOR UPDATE SKIP LOCKED"),
        }
    }

    /// Begins a run, or finds it where it has begun already.
    ///
    /// # Errors
    /// The database's own.
    pub fn begin(&self, new: &NewRun<'_>) -> Result<Run, StoreError> {
        let id = unique();
        on!(self, |pool| {
            sqlx::query(
                "INSERT INTO run (id, name, created_ms, version, config, agents, games, next, \
                 total) VALUES ($1, $2, $3, $4, $5, $6, $7, 0, $8) ON CONFLICT (name) DO NOTHING",
            )
            .bind(id)
            .bind(new.name)
            .bind(now_ms())
            .bind(VERSION)
            .bind(new.config)
            .bind(row::json(&new.agents))
            .bind(row::json(&new.games))
            .bind(new.total as i64)
            .execute(pool)
            .await
            .map(|_| ())
        })?;
        self.run(new.name)
    }

    /// The run of this name.
    ///
    /// # Errors
    /// There is none, or the database's own.
    pub fn run(&self, name: &str) -> Result<Run, StoreError> {
        let mut runs = self.runs()?;
        match runs.iter().position(|run| run.name == name) {
            Some(at) => Ok(runs.swap_remove(at)),
            None => {
                let names: Vec<&str> = runs.iter().take(8).map(|run| run.name.as_str()).collect();
                let hint = match names.as_slice() {
                    [] => "; it is empty".to_string(),
                    some => format!("; it has {}", some.join(", ")),
                };
                Err(StoreError::NoRun { name: name.into(), hint })
            }
        }
    }

    /// All runs, the newest first.
    ///
    /// # Errors
    /// The database's own, or a run that can't be read.
    pub fn runs(&self) -> Result<Vec<Run>, StoreError> {
        on!(self, |pool| {
            let rows = sqlx::query("SELECT * FROM run ORDER BY created_ms DESC, id DESC")
                .fetch_all(pool)
                .await?;
            rows.iter()
                .map(|row| {
                    let bad = |reason| StoreError::Row { number: 0, reason };
                    Ok(Run {
                        id: row.try_get("id")?,
                        name: row.try_get("name")?,
                        created_ms: row.try_get("created_ms")?,
                        version: row.try_get("version")?,
                        config: row.try_get("config")?,
                        agents: row::parse(row.try_get("agents")?).map_err(bad)?,
                        games: row::parse(row.try_get("games")?).map_err(bad)?,
                        next: row.try_get::<i64, _>("next")? as u64,
                        total: row.try_get::<i64, _>("total")? as u64,
                        verdict: row.try_get("verdict")?,
                    })
                })
                .collect()
        })
    }

    /// Changes how many games count; `verdict` says why a run stopped early.
    ///
    /// # Errors
    /// The database's own.
    pub fn set_total(
        &self,
        run: &Run,
        config: &str,
        total: u64,
        verdict: Option<&str>,
    ) -> Result<(), StoreError> {
        on!(self, |pool| {
            sqlx::query("UPDATE run SET total = $1, verdict = $2, config = $3 WHERE id = $4")
                .bind(total as i64)
                .bind(verdict)
                .bind(config)
                .bind(run.id)
                .execute(pool)
                .await
                .map(|_| ())
        })?;
        Ok(())
    }

    /// Writes games of a run, all or none; a game that is there already stays as it is.
    ///
    /// # Errors
    /// The database's own.
    pub fn add(&self, run: i64, worker: i64, rows: &[Row]) -> Result<(), StoreError> {
        if rows.is_empty() {
            return Ok(());
        }
        let (begin, ..) = self.words();
        macro_rules! write_to {
            ($pool:expr, $database:ty) => {
                self.runtime.block_on(async {
                    let mut transaction = $pool.begin_with(begin).await?;
                    for batch in row::batches(rows) {
                        let mut query = QueryBuilder::<$database>::new(row::INSERT);
                        query
                            .push_values(batch, |values, row| row::bind!(values, run, row, worker));
                        query.push(row::AGAIN).build().execute(&mut *transaction).await?;
                    }
                    transaction.commit().await
                })
            };
        }
        match &self.pool {
            Pool::Sqlite(pool) => write_to!(pool, Sqlite),
            Pool::Postgres(pool) => write_to!(pool, Postgres),
        }?;
        Ok(())
    }

    /// How many games of a run are stored, up to its total.
    ///
    /// # Errors
    /// The database's own.
    pub fn count(&self, run: &Run) -> Result<u64, StoreError> {
        let count: i64 = on!(self, |pool| {
            sqlx::query_scalar("SELECT COUNT(*) FROM game WHERE run = $1 AND number < $2")
                .bind(run.id)
                .bind(run.total as i64)
                .fetch_one(pool)
                .await
        })?;
        Ok(count as u64)
    }

    /// The numbers in `first..last` that are stored, in order.
    ///
    /// # Errors
    /// The database's own.
    pub fn present(&self, run: i64, first: u64, last: u64) -> Result<Vec<u64>, StoreError> {
        let numbers: Vec<i64> = on!(self, |pool| {
            sqlx::query_scalar(
                "SELECT number FROM game WHERE run = $1 AND number >= $2 AND number < $3 \
                 ORDER BY number",
            )
            .bind(run)
            .bind(first as i64)
            .bind(last as i64)
            .fetch_all(pool)
            .await
        })?;
        Ok(numbers.into_iter().map(|number| number as u64).collect())
    }

    /// The next `most` games at or after `from`, in order: what statistics need of them.
    ///
    /// # Errors
    /// The database's own, or a row that can't be read.
    pub fn lines(&self, run: &Run, from: u64, most: u64) -> Result<Vec<Line>, StoreError> {
        on!(self, |pool| {
            let rows = sqlx::query(
                "SELECT number, place, seats, payoffs, steps, ending, forfeit, think_us, overruns, \
                 worker FROM game WHERE run = $1 AND number >= $2 AND number < $3 \
                 ORDER BY number LIMIT $4",
            )
            .bind(run.id)
            .bind(from as i64)
            .bind(run.total as i64)
            .bind(most as i64)
            .fetch_all(pool)
            .await?;
            rows.iter().map(|row| row::line!(row)).collect()
        })
    }

    /// The next `most` games at or after `from`, in order, whole.
    ///
    /// # Errors
    /// The database's own, or a row that can't be read.
    pub fn games(&self, run: &Run, from: u64, most: u64) -> Result<Vec<Stored>, StoreError> {
        on!(self, |pool| {
            let rows = sqlx::query(
                "SELECT * FROM game WHERE run = $1 AND number >= $2 AND number < $3 \
                 ORDER BY number LIMIT $4",
            )
            .bind(run.id)
            .bind(from as i64)
            .bind(run.total as i64)
            .bind(most as i64)
            .fetch_all(pool)
            .await?;
            rows.iter()
                .map(|row| {
                    let line = row::line!(row)?;
                    let seed: i64 = row.try_get("seed")?;
                    let opening: i64 = row.try_get("opening")?;
                    let moves: &str = row.try_get("moves")?;
                    let notes: Option<&str> = row.try_get("notes")?;
                    row::stored(run, line, seed, opening, moves, notes)
                })
                .collect()
        })
    }

    /// One game.
    ///
    /// # Errors
    /// It is not there, it can't be read, or the database's own.
    pub fn game(&self, run: &Run, number: u64) -> Result<Stored, StoreError> {
        let found = self.games(run, number, 1)?.pop().filter(|game| game.line.number == number);
        match found {
            Some(game) => Ok(game),
            None => {
                let games = self.count(run)?;
                Err(StoreError::NoGame { run: run.name.clone(), number, games })
            }
        }
    }
}

/// Two processes may make the same new file at once; the later one finds the tables made.
async fn migrate_sqlite(pool: &SqlitePool) -> Result<(), MigrateError> {
    let mut last = Ok(());
    for attempt in 0..20 {
        last = sqlx::migrate!().run(pool).await;
        match &last {
            Err(MigrateError::Execute(_) | MigrateError::ExecuteMigration(..)) => {
                tokio::time::sleep(Duration::from_millis(10 << (attempt / 4))).await;
            }
            _ => break,
        }
    }
    last
}

/// Milliseconds since 1970.
pub(crate) fn now_ms() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_millis() as i64)
}

/// A number that nobody else makes: time, process and a counter, mixed.
pub(crate) fn unique() -> i64 {
    use std::sync::atomic::{AtomicU64, Ordering};
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    let time = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_nanos() as u64);
    let here = u64::from(std::process::id()) << 32 | COUNTER.fetch_add(1, Ordering::Relaxed);
    (ludex_core::random::mix(time ^ ludex_core::random::mix(here)) >> 1) as i64
}

/// An address without its password.
pub fn hide_password(place: &str) -> String {
    let Some((scheme, rest)) = place.split_once("://") else { return place.to_string() };
    match rest.split_once('@') {
        Some((user, host)) => {
            let name = user.split(':').next().unwrap_or(user);
            format!("{scheme}://{name}@{host}")
        }
        None => place.to_string(),
    }
}

/// A database error without the library's words around it.
fn plain(error: &sqlx::Error) -> String {
    match error {
        sqlx::Error::Database(inner) => inner.message().to_string(),
        other => other.to_string(),
    }
}
