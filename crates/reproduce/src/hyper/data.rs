//! The public data of the hyper-agents' thesis.

use crate::{Failure, Result};
use ludex_core::Error;
use ludex_learn::file::{FileError, FileFault};
use ludex_learn::table::{Table, TableError};
use ludex_learn::validate::{Folds, numpy_shuffle};
use ludex_model::{Matrix, argmax};
use std::path::{Path, PathBuf};

/// The seeds of the shuffles; the first is the seed of the thesis.
pub(crate) const SHUFFLES: [u32; 5] = [69, 1, 2, 3, 4];

/// All tables.
pub(crate) struct Data {
    folder: PathBuf,
    pub(crate) concepts: Table,
    pub(crate) ludemes: Table,
    pub(crate) agents: Table,
    pub(crate) heuristics: Table,
}

/// The path of a file of the public data. `folder` may be a clone of the thesis' repository, its folder `Models` or
/// `Models/data`, or one folder with all files.
fn locate(folder: &Path, name: &str) -> Option<PathBuf> {
    let places = ["", "data", "analysis", "../analysis", "Models/data", "Models/analysis"];
    places.iter().map(|place| folder.join(place).join(name)).find(|path| path.is_file())
}

/// Does the folder hold the public data?
pub(crate) fn found(folder: &Path) -> bool {
    locate(folder, "gameAgents.csv").is_some()
}

impl Data {
    /// Reads all tables of a folder.
    pub(crate) fn read(folder: &Path) -> Result<Self> {
        let folder = folder.to_path_buf();
        let read = |name: &str| Ok::<_, Failure>(Table::read(&path(&folder, name)?)?);
        Ok(Data {
            concepts: read("gameConceptsCompilation.csv")?,
            ludemes: read("gameLudemes.csv")?,
            agents: read("gameAgents.csv")?,
            heuristics: read("gameHeuristics.csv")?,
            folder,
        })
    }

    /// The path of a file of the public data.
    pub(crate) fn path(&self, name: &str) -> Result<PathBuf> {
        path(&self.folder, name)
    }

    /// The win rates of the agents that differ from Random in more than half of the games.
    pub(crate) fn agents(&self) -> Result<Problem> {
        let useful = useful(&self.agents);
        self.problem("agents", &self.agents.select_columns(&useful))
    }

    /// The win rates of heuristics.
    pub(crate) fn heuristics(&self) -> Result<Problem> {
        self.problem("heuristics", &self.heuristics)
    }

    fn problem(&self, id: &'static str, target: &Table) -> Result<Problem> {
        let all = target.join(&self.concepts).join(&self.ludemes);
        let n = target.columns.len();
        let columns: Vec<usize> = (0..all.columns.len()).collect();
        if all.names.is_empty() {
            return Err(Error::BadParameter {
                name: self.folder.display().to_string(),
                reason: "no game is in all tables".into(),
            }
            .into());
        }
        Ok(Problem {
            id,
            names: all.names.clone(),
            targets: target.columns.clone(),
            columns: all.columns[n..].to_vec(),
            concepts: self.concepts.columns.len(),
            x: all.values.select_columns(&columns[n..]),
            y: all.values.select_columns(&columns[..n]),
        })
    }

    /// Recorded folds for each of the [`SHUFFLES`], by game, from a file `folds.csv` beside the data. The file is not a
    /// part of the public data.
    pub(crate) fn kept_folds(&self, problem: &Problem) -> Result<Option<Vec<Folds>>> {
        let Some(path) = locate(&self.folder, "folds.csv") else { return Ok(None) };
        let folds = read_folds(&path, problem).map_err(|fault| FileError::new(&path, fault))?;
        Ok(Some(folds))
    }
}

fn read_folds(path: &Path, problem: &Problem) -> std::result::Result<Vec<Folds>, FileFault> {
    let mut folds = vec![vec![usize::MAX; problem.names.len()]; SHUFFLES.len()];
    for record in csv::Reader::from_path(path)?.records() {
        let record = record?;
        if record.get(0) != Some(problem.id) {
            continue;
        }
        let game = record.get(2).unwrap_or_default();
        let Some(row) = problem.names.iter().position(|name| name == game) else { continue };
        for (shuffle, folds) in folds.iter_mut().enumerate() {
            let value = record.get(3 + shuffle).unwrap_or_default().to_string();
            let line = record.position().map_or(0, csv::Position::line);
            let column = format!("the fold of {game}");
            folds[row] = value.parse().map_err(|_| TableError::Number { line, column, value })?;
        }
    }
    Ok(folds.into_iter().map(Folds).collect())
}

fn path(folder: &Path, name: &str) -> Result<PathBuf> {
    locate(folder, name).ok_or_else(|| Failure::NoData { path: folder.join(name) })
}

/// The agents that equal Random in fewer than half of the rows.
fn useful(agents: &Table) -> Vec<usize> {
    let random = agents.columns.iter().position(|name| name == "Random");
    let Some(random) = random else { return (0..agents.columns.len()).collect() };
    let equal = |j: usize| agents.values.iter().filter(|row| row[j] == row[random]).count();
    (0..agents.columns.len()).filter(|&j| 2 * equal(j) < agents.names.len()).collect()
}

/// A learning problem: features and win rates of games.
pub(crate) struct Problem {
    pub(crate) id: &'static str,
    pub(crate) names: Vec<String>,
    pub(crate) targets: Vec<String>,
    pub(crate) columns: Vec<String>,
    /// The number of concepts, which are the first columns; the others are ludemes.
    pub(crate) concepts: usize,
    pub(crate) x: Matrix,
    pub(crate) y: Matrix,
}

impl Problem {
    /// Ten folds after a shuffle, as the authors' code makes them.
    pub(crate) fn folds(&self, shuffle: u32) -> Folds {
        Folds::contiguous(&numpy_shuffle(self.names.len(), shuffle), 10)
    }

    /// The regret of a random pick: the mean over games of the best win rate less the mean win rate.
    pub(crate) fn random_regret(&self) -> f64 {
        let gap = |row: &[f64]| {
            let best = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            best - row.iter().sum::<f64>() / row.len().max(1) as f64
        };
        self.y.iter().map(gap).sum::<f64>() / self.names.len() as f64
    }

    /// The regret of always picking one target.
    pub(crate) fn constant_regret(&self, target: usize) -> f64 {
        let costs = self.y.iter().map(|row| ludex_learn::validate::regret(row, target));
        costs.sum::<f64>() / self.names.len() as f64
    }

    /// The number of games in which each target is the first best.
    pub(crate) fn best_counts(&self) -> Vec<usize> {
        let mut counts = vec![0; self.targets.len()];
        self.y.iter().for_each(|row| counts[argmax(row)] += 1);
        counts
    }

    /// A row of features with all ludemes set to 0, as the recorded portfolio saw it.
    pub(crate) fn without_ludemes(&self, row: usize) -> Vec<f64> {
        let mut out = self.x.row(row).to_vec();
        out.iter_mut().skip(self.concepts).for_each(|x| *x = 0.0);
        out
    }
}
