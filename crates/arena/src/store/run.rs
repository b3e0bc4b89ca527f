//! Runs: experiments that are played or have been played.

use super::error::StoreError;
use super::{Store, VERSION, now_ms, on, row, unique};
use crate::experiment::Experiment;
use crate::plan::{Digests, Plan};
use ludex_core::Game;
use serde::{Deserialize, Serialize};
use sqlx::Row as _;

/// A game of a run: its name, its first position, and the digest of its rules.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunGame {
    /// The string that opens the game.
    pub game: String,
    /// The first position, where it is not the usual start.
    pub position: Option<String>,
    /// The digest of the rules.
    pub rules: String,
}

/// One experiment in the database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// The number of the run in the database.
    pub id: i64,
    /// The name of the run.
    pub name: String,
    /// When the run began, in milliseconds since 1970.
    pub created_ms: i64,
    /// The version of Ludex that began the run.
    pub version: String,
    /// The digest of the program that plays the run; `None` in runs of older versions.
    pub build: Option<String>,
    /// The experiment, as JSON.
    pub config: String,
    /// The agents.
    pub agents: Vec<String>,
    /// The games.
    pub games: Vec<RunGame>,
    /// Game numbers before this one are played or leased.
    pub next: u64,
    /// Game numbers before this one count.
    pub total: u64,
    /// Why the run stopped early.
    pub verdict: Option<String>,
}

impl Run {
    /// Checks that `plan`, made by this program, plays the games of the run: the same rules, by the same build.
    ///
    /// # Errors
    /// A game has other rules, or the program is another build.
    pub fn check(&self, plan: &Plan) -> Result<(), StoreError> {
        let rules = self.games.iter().map(|game| game.rules.clone()).collect();
        let digests = Digests { build: self.build.clone().unwrap_or_default(), rules };
        plan.check(&digests)
            .map_err(|reason| StoreError::Refused { name: self.name.clone(), reason })
    }
}

impl Store {
    /// Begins the run of an experiment, or resumes it. A run grows where the experiment now has more rounds.
    ///
    /// # Errors
    /// The run of this name belongs to another experiment, or the database failed.
    pub fn start_or_resume(&self, experiment: &Experiment, plan: &Plan) -> Result<Run, StoreError> {
        let games: Vec<RunGame> = plan
            .tables
            .iter()
            .zip(&experiment.games)
            .map(|(table, entry)| RunGame {
                game: table.game.info().name.clone(),
                position: entry.position.clone(),
                rules: table.digest(),
            })
            .collect();
        let config = row::json(experiment);
        let agents = plan.names();
        let build = (!plan.build.is_empty()).then_some(plan.build.as_str());
        self.insert(&experiment.name, &config, &agents, &games, plan.total(), build)?;
        let run = self.run(&experiment.name)?;
        let other = |what: &str| StoreError::OtherRun { name: run.name.clone(), what: what.into() };
        let old: Experiment = serde_json::from_str(&run.config)
            .map_err(|_| other("its experiment can't be read by this version"))?;
        if old.identity() != experiment.identity() {
            return Err(other(&difference(&old, experiment)));
        }
        if run.games != games {
            return Err(other("the rules of a game have changed"));
        }
        if run.agents != agents {
            return Err(other("agents are named otherwise"));
        }
        // The number of games or the stop rules may have changed. Finished games stay; a verdict is dropped, because the
        // new rules may come to another one.
        if run.config != config || run.total != plan.total() {
            self.set_total(&run, &config, plan.total(), None)?;
        }
        // Another build may go on with a run: the caller has asked for it. Workers of the former build then refuse the run.
        if build.is_some() && run.build.as_deref() != build {
            self.set_build(&run, build)?;
        }
        self.close_gaps(&run)?;
        self.run(&run.name)
    }

    /// Inserts a run; a run of this name that exists stays as it is.
    fn insert(
        &self,
        name: &str,
        config: &str,
        agents: &[String],
        games: &[RunGame],
        total: u64,
        build: Option<&str>,
    ) -> Result<(), StoreError> {
        let id = unique();
        on!(self, |pool| {
            sqlx::query(
                "INSERT INTO run (id, name, created_ms, version, config, agents, games, next, \
                 total, build) VALUES ($1, $2, $3, $4, $5, $6, $7, 0, $8, $9) ON CONFLICT (name) DO NOTHING",
            )
            .bind(id)
            .bind(name)
            .bind(now_ms())
            .bind(VERSION)
            .bind(config)
            .bind(row::json(&agents))
            .bind(row::json(&games))
            .bind(total as i64)
            .bind(build)
            .execute(pool)
            .await
            .map(|_| ())
        })?;
        Ok(())
    }

    fn set_build(&self, run: &Run, build: Option<&str>) -> Result<(), StoreError> {
        on!(self, |pool| {
            sqlx::query("UPDATE run SET build = $1 WHERE id = $2")
                .bind(build)
                .bind(run.id)
                .execute(pool)
                .await
                .map(|_| ())
        })?;
        Ok(())
    }

    /// The run of this name.
    ///
    /// # Errors
    /// There is none, or the database failed.
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
    /// The database failed, or a run can't be read.
    pub fn runs(&self) -> Result<Vec<Run>, StoreError> {
        on!(self, |pool| {
            let rows = sqlx::query("SELECT * FROM run ORDER BY created_ms DESC, id DESC")
                .fetch_all(pool)
                .await?;
            rows.iter()
                .map(|row| {
                    let name: String = row.try_get("name")?;
                    let bad = |reason| StoreError::BadRun { name: name.clone(), reason };
                    Ok(Run {
                        id: row.try_get("id")?,
                        created_ms: row.try_get("created_ms")?,
                        version: row.try_get("version")?,
                        build: row.try_get("build")?,
                        config: row.try_get("config")?,
                        agents: row::parse(row.try_get("agents")?).map_err(bad)?,
                        games: row::parse(row.try_get("games")?).map_err(bad)?,
                        next: row.try_get::<i64, _>("next")? as u64,
                        total: row.try_get::<i64, _>("total")? as u64,
                        verdict: row.try_get("verdict")?,
                        name,
                    })
                })
                .collect()
        })
    }

    /// Ends a run early: only games before number `total` count.
    ///
    /// # Errors
    /// The database failed.
    pub fn stop_run(&self, run: &Run, total: u64, verdict: &str) -> Result<(), StoreError> {
        self.set_total(run, &run.config, total, Some(verdict))
    }

    fn set_total(
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
}

/// The keys in which two experiments differ.
fn difference(old: &Experiment, new: &Experiment) -> String {
    let values = |e: &Experiment| serde_json::from_str::<serde_json::Value>(&e.identity());
    let (Ok(old), Ok(new)) = (values(old), values(new)) else { return "it differs".into() };
    let keys = old.as_object().into_iter().flat_map(|object| object.keys());
    let differs = keys.filter(|key| old.get(*key) != new.get(*key)).cloned();
    let keys: Vec<String> = differs.collect();
    format!("other {}", if keys.is_empty() { "keys".into() } else { keys.join(", ") })
}
