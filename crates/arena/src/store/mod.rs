//! Finished games in a database: an SQLite file, which needs no installation, or PostgreSQL for many machines. Both have
//! one schema and the same queries.
//!
//! [`Run`] is an experiment in the database, `row` writes and reads games, `lease` says which worker plays which games,
//! `queue` connects a store with the runner, and `dispatch` with a scheduler of other machines.

mod dispatch;
mod error;
mod game;
mod lease;
mod machine;
mod queue;
mod row;
mod run;

pub use dispatch::{Batch, Dispatch, Status};
pub use error::{RowError, StoreError};
pub use lease::{LEASE, Worker};
pub use machine::Machine;
pub use queue::{again, play_stored};
pub use row::{Row, Stored};
pub use run::{Run, RunGame};

use crate::unique::unique;
use error::plain;
use rustix::fs::{Access, access};
use sqlx::SqlSafeStr as _;
use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};
use sqlx::postgres::{PgPool, PgPoolOptions};
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous,
};
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::runtime::Runtime;

/// The version that is written into every run.
const VERSION: &str = env!("CARGO_PKG_VERSION");

enum Pool {
    Sqlite(SqlitePool),
    Postgres(PgPool),
}

/// A database of games.
pub struct Store {
    pool: Pool,
    runtime: Runtime,
}

/// Runs the same code on either database.
macro_rules! on {
    ($store:expr, |$pool:ident| $body:expr) => {
        match &$store.pool {
            $crate::store::Pool::Sqlite($pool) => $store.runtime.block_on(async { $body }),
            $crate::store::Pool::Postgres($pool) => $store.runtime.block_on(async { $body }),
        }
    };
}
use on;

/// The words in which the two databases differ.
struct Dialect {
    /// Begins a transaction that writes.
    begin: &'static str,
    /// Locks the rows of a query.
    lock: &'static str,
    /// Locks the rows of a query and skips rows that another worker has locked.
    lock_free: &'static str,
}

impl Store {
    /// Opens a database: `postgres://...`, or a file, which is created where it does not exist.
    ///
    /// # Errors
    /// The database can't be opened, created, or read as a games database.
    pub fn open(place: &str) -> Result<Self, StoreError> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|e| StoreError::open(place, e))?;
        let remote = place.starts_with("postgres://") || place.starts_with("postgresql://");
        let pool = runtime.block_on(async {
            if remote { open_postgres(place).await } else { open_sqlite(place).await }
        })?;
        Ok(Store { pool, runtime })
    }

    fn dialect(&self) -> Dialect {
        match self.pool {
            Pool::Sqlite(_) => Dialect { begin: "BEGIN IMMEDIATE", lock: "", lock_free: "" },
            Pool::Postgres(_) => Dialect {
                begin: "BEGIN",
                lock: " FOR UPDATE",
                lock_free: " FOR UPDATE SKIP LOCKED",
            },
        }
    }
}

/// The steps that make the tables, in order. Never change one: databases remember their digests.
fn migrations() -> Migrator {
    let files = [
        ("games", include_str!("../../migrations/0001_games.sql")),
        ("arena", include_str!("../../migrations/0002_arena.sql")),
        ("notes", include_str!("../../migrations/0003_notes.sql")),
        ("build", include_str!("../../migrations/0004_build.sql")),
    ];
    let steps = (1..).zip(files).map(|(version, (name, sql))| {
        Migration::new(version, name.into(), MigrationType::Simple, sql.into_sql_str(), false)
    });
    Migrator::with_migrations(steps.collect())
}

async fn open_postgres(place: &str) -> Result<Pool, StoreError> {
    let options = PgPoolOptions::new().max_connections(2).acquire_timeout(Duration::from_secs(15));
    let pool = options.connect(place).await.map_err(|e| StoreError::open(place, plain(&e)))?;
    migrations().run(&pool).await.map_err(|e| StoreError::open(place, e))?;
    Ok(Pool::Postgres(pool))
}

async fn open_sqlite(place: &str) -> Result<Pool, StoreError> {
    let file = place.strip_prefix("sqlite:").unwrap_or(place);
    let options = SqliteConnectOptions::new()
        .filename(file)
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Normal)
        .busy_timeout(Duration::from_secs(30));
    let pool = SqlitePoolOptions::new()
        .max_connections(1)
        .acquire_timeout(Duration::from_secs(35))
        .connect_with(options)
        .await;
    let pool = match pool {
        Ok(pool) => pool,
        // A database without the right to write can still be read.
        Err(error) => match read_only(file).await {
            Some(pool) => return Ok(Pool::Sqlite(pool)),
            None => return Err(StoreError::open(place, plain(&error))),
        },
    };
    match migrate_sqlite(&pool).await {
        Ok(()) => Ok(Pool::Sqlite(pool)),
        Err(error) => match read_only(file).await {
            Some(pool) => Ok(Pool::Sqlite(pool)),
            None => Err(StoreError::open(place, error)),
        },
    }
}

/// Opens a finished database in a folder or on a medium that can't be written. The file must have all tables, and no writer.
async fn read_only(file: &str) -> Option<SqlitePool> {
    let folder = Path::new(file).parent().filter(|folder| !folder.as_os_str().is_empty());
    let places = [Path::new(file), folder.unwrap_or(Path::new("."))];
    if places.iter().all(|place| access(*place, Access::WRITE_OK).is_ok()) {
        return None;
    }
    let options = SqliteConnectOptions::new().filename(file).read_only(true).immutable(true);
    let pool = SqlitePoolOptions::new().max_connections(1).connect_with(options).await.ok()?;
    let steps: i64 =
        sqlx::query_scalar("SELECT COUNT(*) FROM _sqlx_migrations").fetch_one(&pool).await.ok()?;
    (steps == migrations().iter().count() as i64).then_some(pool)
}

/// Creates the tables. Two processes may create the same new file at once; the later one finds the tables on a further
/// attempt.
async fn migrate_sqlite(pool: &SqlitePool) -> Result<(), MigrateError> {
    let mut last = Ok(());
    for attempt in 0..20 {
        last = migrations().run(pool).await;
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
fn now_ms() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_millis() as i64)
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
