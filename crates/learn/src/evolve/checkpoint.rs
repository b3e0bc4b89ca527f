//! Where a run stands, on disk: a run that was killed goes on there and ends as if it had not been.
//!
//! The population is a NumPy matrix in a file of its own; `run.json` names it and holds the rest.
//! Both are written beside their places and renamed, the population first: whenever the machine
//! stops, `run.json` names a whole file.

use super::evolution::Point;
use super::operators::Individual;
use ludex_model::npy;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// All but the population.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Default)]
pub struct Log {
    /// What must not change when it goes on.
    pub identity: String,
    /// Generations done.
    pub generation: u64,
    /// The file of the population.
    pub population: String,
    /// Genes an individual, without the sizes of mutations.
    pub genes: usize,
    /// The measurements.
    pub points: Vec<Point>,
    /// The genes of everybody at measurements, where they are few: what figure 4 shows.
    pub trail: Vec<Vec<Vec<f64>>>,
    /// The number of the best, once it is chosen, and the generation in which.
    pub champion: Option<(u64, usize)>,
}

/// A folder of a run.
#[derive(Debug, Clone)]
pub struct Folder(PathBuf);

impl Folder {
    /// Makes the folder where it is not there.
    ///
    /// # Errors
    /// What the system says.
    pub fn new(path: &Path) -> std::io::Result<Self> {
        fs::create_dir_all(path)?;
        Ok(Folder(path.to_path_buf()))
    }

    /// A file in it.
    pub fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Writes a whole file or nothing.
    ///
    /// # Errors
    /// What the system says.
    pub fn write(&self, name: &str, bytes: &[u8]) -> std::io::Result<()> {
        let (part, whole) = (self.file(&format!(".{name}.part")), self.file(name));
        let mut file = fs::File::create(&part)?;
        file.write_all(bytes)?;
        file.sync_data()?;
        drop(file);
        fs::rename(part, whole)
    }

    /// Saves a run; its log gets the name of the population's file.
    ///
    /// # Errors
    /// What the system says.
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

    /// Also those that a killed run left; one that stays does no harm.
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

    /// Reads the run that the folder holds, and removes what a kill left; `None` where there is none.
    ///
    /// # Errors
    /// A file that can't be read, or that holds something else.
    pub fn load(&self) -> std::io::Result<Option<(Log, Vec<Individual>)>> {
        let text = match fs::read(self.file("run.json")) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let log: Log = serde_json::from_slice(&text)?;
        let bad = |reason: &str| std::io::Error::other(format!("{}: {reason}", log.population));
        // The name comes from a file: it stays within the folder.
        if Path::new(&log.population).components().count() != 1 {
            return Err(bad("is no file of this folder"));
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
