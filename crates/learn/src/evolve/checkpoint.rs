//! Checkpoints of a run: a run that was killed is resumed from its folder and ends with the same result.
//!
//! The population is a NumPy matrix in a file of its own; `run.json` names the file and holds the rest. Both are written
//! to temporary files and renamed, the population first. So `run.json` always names a complete file.

use super::evolution::Point;
use super::operators::Individual;
use ludex_model::npy;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The state of a run without its population.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Default)]
pub struct Log {
    /// The part of the plan that must be the same when the run is resumed.
    pub identity: String,
    /// The number of finished generations.
    pub generation: u64,
    /// The file of the population.
    pub population: String,
    /// The number of genes of an individual, without the mutation sizes.
    pub genes: usize,
    /// The measurements.
    pub points: Vec<Point>,
    /// The genes of the whole population at each measurement, for small genomes.
    pub trail: Vec<Vec<Vec<f64>>>,
    /// The generation and the index of the champion, once it is chosen.
    pub champion: Option<(u64, usize)>,
}

/// The folder of a run.
#[derive(Debug, Clone)]
pub struct Folder(PathBuf);

impl Folder {
    /// Opens the folder, and creates it if necessary.
    ///
    /// # Errors
    /// The folder can't be created.
    pub fn new(path: &Path) -> std::io::Result<Self> {
        fs::create_dir_all(path)?;
        Ok(Folder(path.to_path_buf()))
    }

    /// A folder that may not exist.
    pub(super) fn at(path: &Path) -> Self {
        Folder(path.to_path_buf())
    }

    /// The path of a file in the folder.
    pub fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Writes a whole file or leaves it unchanged.
    ///
    /// # Errors
    /// The file can't be written.
    pub fn write(&self, name: &str, bytes: &[u8]) -> std::io::Result<()> {
        let (part, whole) = (self.file(&format!(".{name}.part")), self.file(name));
        let mut file = fs::File::create(&part)?;
        file.write_all(bytes)?;
        file.sync_data()?;
        drop(file);
        fs::rename(part, whole)
    }

    /// Saves a run, and sets the name of the population file in its log.
    ///
    /// # Errors
    /// A file can't be written.
    pub fn save(&self, log: &mut Log, population: &[Individual]) -> std::io::Result<()> {
        let name = format!("population-{}.npy", log.generation);
        let rows: Vec<Vec<f64>> =
            population.iter().map(|one| [&one.genes[..], &one.sigmas[..]].concat()).collect();
        self.write(&name, &npy::matrix(&rows))?;
        log.population = name;
        self.write("run.json", &serde_json::to_vec(&log)?)?;
        self.remove_populations_but(&log.population);
        Ok(())
    }

    /// Removes old population files, also those of a killed run. A file that can't be removed does no harm.
    fn remove_populations_but(&self, kept: &str) {
        for entry in fs::read_dir(&self.0).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let number = name
                .to_str()
                .filter(|&name| name != kept)
                .and_then(|name| name.strip_prefix("population-")?.strip_suffix(".npy"));
            if number.is_some_and(|number| number.parse::<u64>().is_ok()) {
                let _ = fs::remove_file(entry.path());
            }
        }
    }

    /// Reads the run in the folder, and removes files that a killed run left. `None` if the folder holds no run.
    ///
    /// # Errors
    /// A file can't be read, or is not the file of a run.
    pub fn load(&self) -> std::io::Result<Option<(Log, Vec<Individual>)>> {
        let text = match fs::read(self.file("run.json")) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let log: Log = serde_json::from_slice(&text)?;
        let bad = |reason: &str| std::io::Error::other(format!("{}: {reason}", log.population));
        // The name was read from a file. It must not lead out of the folder.
        if Path::new(&log.population).components().count() != 1 {
            return Err(bad("is not a file of this folder"));
        }
        let bytes = fs::read(self.file(&log.population))?;
        let rows = npy::read_matrix(&bytes).map_err(|reason| bad(&reason))?;
        let mut population = Vec::with_capacity(rows.len());
        for row in rows {
            let Some((genes, sigmas)) = row.split_at_checked(log.genes) else {
                return Err(bad("has too few columns"));
            };
            population.push(Individual { genes: genes.to_vec(), sigmas: sigmas.to_vec() });
        }
        self.remove_populations_but(&log.population);
        Ok(Some((log, population)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_killed_run_left_is_removed_when_it_goes_on() {
        let dir = tempfile::tempdir().unwrap();
        let folder = Folder::new(dir.path()).unwrap();
        let mut log = Log { generation: 2, genes: 1, ..Log::default() };
        let one = Individual { genes: vec![0.5], sigmas: vec![0.1] };
        folder.save(&mut log, std::slice::from_ref(&one)).unwrap();
        for name in ["population-1.npy", "population-mine.npy"] {
            fs::write(folder.file(name), "left").unwrap();
        }
        assert!(folder.load().unwrap().is_some());
        let there = |name: &str| folder.file(name).exists();
        assert!(there("population-2.npy") && there("population-mine.npy"));
        assert!(!there("population-1.npy"));
    }
}
