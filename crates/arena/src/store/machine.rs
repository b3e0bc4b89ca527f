//! The machines that played a run.

use super::{Run, Store, StoreError, on};
use sqlx::Row as _;

/// A processor that played games of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Machine {
    /// The model of the processor.
    pub cpu: String,
    /// The number of games.
    pub games: u64,
}

impl Store {
    /// The processors that played the stored games of a run, those with most games first.
    ///
    /// # Errors
    /// The database failed.
    pub fn machines(&self, run: &Run) -> Result<Vec<Machine>, StoreError> {
        on!(self, |pool| {
            let rows = sqlx::query(
                "SELECT worker.cpu AS cpu, COUNT(*) AS games FROM game JOIN worker ON worker.id = game.worker \
                 WHERE game.run = $1 GROUP BY worker.cpu ORDER BY COUNT(*) DESC, worker.cpu",
            )
            .bind(run.id)
            .fetch_all(pool)
            .await?;
            rows.iter()
                .map(|row| {
                    let games: i64 = row.try_get("games")?;
                    Ok(Machine { cpu: row.try_get("cpu")?, games: games as u64 })
                })
                .collect()
        })
    }
}
