//! Finished games: writing, counting and reading them.

use super::error::StoreError;
use super::row::{self, Row, Stored};
use super::{Pool, Run, Store, on};
use crate::result::GameResult;
use sqlx::{AssertSqlSafe, Postgres, QueryBuilder, Row as _, Sqlite};

/// Fetches the rows of `most` games at or after number `from`, in order, and reads each.
macro_rules! page {
    ($store:expr, $run:expr, $from:expr, $most:expr, $columns:expr, |$row:ident| $read:expr) => {
        on!($store, |pool| {
            let query = format!(
                "SELECT {} FROM game WHERE run = $1 AND number >= $2 AND number < $3 \
                 ORDER BY number LIMIT $4",
                $columns
            );
            let rows = sqlx::query(AssertSqlSafe(query))
                .bind($run.id)
                .bind($from as i64)
                .bind($run.total as i64)
                .bind($most as i64)
                .fetch_all(pool)
                .await?;
            rows.iter().map(|$row| $read).collect()
        })
    };
}

impl Store {
    /// Writes games of a run, all or none. A game that is stored already stays as it is.
    ///
    /// # Errors
    /// The database failed.
    pub fn add(&self, run: i64, worker: i64, rows: &[Row]) -> Result<(), StoreError> {
        if rows.is_empty() {
            return Ok(());
        }
        let begin = self.dialect().begin;
        macro_rules! write_to {
            ($pool:expr, $database:ty) => {
                self.runtime.block_on(async {
                    let mut transaction = $pool.begin_with(begin).await?;
                    for batch in row::batches(rows) {
                        let mut query = QueryBuilder::<$database>::new(row::INSERT);
                        query
                            .push_values(batch, |values, row| row::bind!(values, run, row, worker));
                        query.push(row::KEEP_FIRST).build().execute(&mut *transaction).await?;
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

    /// The number of stored games of a run, up to its total.
    ///
    /// # Errors
    /// The database failed.
    pub fn count(&self, run: &Run) -> Result<u64, StoreError> {
        self.count_before(run, run.total)
    }

    /// The number of stored games of a run with numbers before `total`.
    pub(super) fn count_before(&self, run: &Run, total: u64) -> Result<u64, StoreError> {
        let count: i64 = on!(self, |pool| {
            sqlx::query_scalar("SELECT COUNT(*) FROM game WHERE run = $1 AND number < $2")
                .bind(run.id)
                .bind(total as i64)
                .fetch_one(pool)
                .await
        })?;
        Ok(count as u64)
    }

    /// The numbers in `first..last` that are stored, in order.
    pub(super) fn present(&self, run: i64, first: u64, last: u64) -> Result<Vec<u64>, StoreError> {
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

    /// The results of the next `most` games at or after number `from`, in order.
    ///
    /// # Errors
    /// The database failed, or a row can't be read.
    pub fn results(&self, run: &Run, from: u64, most: u64) -> Result<Vec<GameResult>, StoreError> {
        page!(self, run, from, most, row::RESULT, |row| row::result!(row))
    }

    /// The next `most` games at or after number `from`, in order, with all their moves.
    ///
    /// # Errors
    /// The database failed, or a row can't be read.
    pub fn games(&self, run: &Run, from: u64, most: u64) -> Result<Vec<Stored>, StoreError> {
        page!(self, run, from, most, "*", |row| {
            let result = row::result!(row)?;
            let seed: i64 = row.try_get("seed")?;
            let opening: i64 = row.try_get("opening")?;
            let moves: &str = row.try_get("moves")?;
            let notes: Option<&str> = row.try_get("notes")?;
            row::stored(run, result, seed, opening, moves, notes)
        })
    }

    /// One game.
    ///
    /// # Errors
    /// The game does not exist or can't be read, or the database failed.
    pub fn game(&self, run: &Run, number: u64) -> Result<Stored, StoreError> {
        let found = self.games(run, number, 1)?.pop().filter(|game| game.result.number == number);
        match found {
            Some(game) => Ok(game),
            None => {
                let games = self.count(run)?;
                Err(StoreError::NoGame { run: run.name.clone(), number, games })
            }
        }
    }
}
