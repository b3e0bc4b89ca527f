//! Experiments as a job: each unit is one experiment, for a cluster that runs several at a time.

use crate::{Claim, Experiment, Options, experiments};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ludex_arena::job::Job;
use ludex_core::deadline;
use ludex_core::{Error, Result, Seed};
use ludex_learn::cells::on_one_thread;
use rustix::time::{ClockId, clock_gettime};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// An experiment with its options. Folders of data must be at the same place on all machines.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Wanted {
    /// The name of the experiment.
    pub id: String,
    /// As [`Options::quick`].
    pub quick: bool,
    /// As [`Options::games`].
    pub games: Option<u64>,
    /// As [`Options::seed`].
    pub seed: u64,
    /// As [`Options::data`].
    pub data: PathBuf,
    /// As [`Options::rounds`].
    pub rounds: Option<u64>,
    /// As [`Options::times`].
    pub times: Vec<u64>,
    /// As [`Options::table`].
    pub table: Option<PathBuf>,
}

impl Wanted {
    fn experiment(&self) -> Option<&'static Experiment> {
        experiments().iter().find(|experiment| experiment.id == self.id)
    }

    fn options(&self, out: &Path) -> Options<'static> {
        Options {
            quick: self.quick,
            games: self.games,
            seed: Seed(self.seed),
            out: out.to_path_buf(),
            data: self.data.clone(),
            rounds: self.rounds,
            times: self.times.clone(),
            table: self.table.clone(),
            progress: &(),
        }
    }
}

/// The result of an experiment that ran elsewhere.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Measured {
    /// The claims.
    pub claims: Vec<Claim>,
    /// The processor time in seconds.
    pub seconds: f64,
    /// Why the experiment failed, where it did.
    pub failed: Option<String>,
    /// Figures: the name of each file, and its bytes in base 64.
    figures: Vec<(String, String)>,
}

impl Measured {
    /// Writes the figures into a folder, and returns their paths.
    ///
    /// # Errors
    /// A file can't be written, or a figure is damaged.
    pub fn keep_figures(&self, folder: &Path) -> std::io::Result<Vec<PathBuf>> {
        if self.figures.is_empty() {
            return Ok(Vec::new());
        }
        std::fs::create_dir_all(folder)?;
        let mut kept = Vec::new();
        for (name, text) in &self.figures {
            // The name came from another machine. It must not lead out of the folder.
            let name = Path::new(name)
                .file_name()
                .ok_or_else(|| std::io::Error::other("a figure without a name"))?;
            let path = folder.join(name);
            std::fs::write(&path, STANDARD.decode(text).map_err(std::io::Error::other)?)?;
            kept.push(path);
        }
        Ok(kept)
    }
}

/// Experiments to measure again.
pub struct Again(Vec<Wanted>);

impl Again {
    /// A job of these experiments.
    pub fn new(wanted: Vec<Wanted>) -> Self {
        Again(wanted)
    }

    fn wanted(&self, number: u64) -> Result<(&Wanted, &'static Experiment)> {
        let missing = || Error::BadMatch(format!("there is no experiment {number}"));
        let wanted =
            usize::try_from(number).ok().and_then(|n| self.0.get(n)).ok_or_else(missing)?;
        let experiment = wanted.experiment();
        let unknown = || Error::BadMatch(format!("there is no experiment `{}`", wanted.id));
        Ok((wanted, experiment.ok_or_else(unknown)?))
    }
}

impl Job for Again {
    type Row = Measured;

    fn total(&self) -> u64 {
        self.0.len() as u64
    }

    /// A machine without the data refuses the experiment.
    fn refuses(&self, number: u64) -> Option<String> {
        match self.wanted(number) {
            Ok((wanted, experiment)) => experiment.needs.missing(&wanted.options(Path::new(""))),
            Err(error) => Some(error.to_string()),
        }
    }

    fn compute(&self, number: u64) -> Result<Measured> {
        let (wanted, experiment) = self.wanted(number)?;
        let folder = Scratch::new()?;
        let measured = on_one_thread(|| {
            let begun = thread_seconds();
            let mut measured = Measured::default();
            let ran = (experiment.run)(&wanted.options(&folder.0), &mut |claim| {
                measured.claims.push(claim);
            });
            measured.failed = ran.err().map(|error| error.to_string());
            measured.seconds = thread_seconds() - begun;
            measured
        })?;
        if deadline::stopped() {
            return Err(Error::Stopped);
        }
        Ok(Measured { figures: figures(&folder.0), ..measured })
    }
}

/// The figures in a folder.
fn figures(folder: &Path) -> Vec<(String, String)> {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<(String, String)> = files
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let drawn =
                [".svg", ".png", ".html", ".csv"].iter().any(|ending| name.ends_with(ending));
            Some((name, STANDARD.encode(drawn.then(|| std::fs::read(entry.path()).ok())??)))
        })
        .collect();
    found.sort();
    found
}

/// A temporary folder of one unit.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Result<Self> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("ludex-reproduce-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let failed = |e| Error::Unsupported(format!("can't make {}: {e}", path.display()));
        std::fs::create_dir_all(&path).map_err(failed)?;
        Ok(Scratch(path))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The processor time of this thread, in seconds.
fn thread_seconds() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted(id: &str) -> Wanted {
        Wanted {
            id: id.into(),
            quick: true,
            games: Some(2),
            seed: 3,
            data: PathBuf::new(),
            rounds: None,
            times: Vec::new(),
            table: None,
        }
    }

    #[test]
    fn an_experiment_elsewhere_has_the_same_claims_and_brings_its_figures() {
        let job = Again::new(vec![wanted("hyperplay-fig3")]);
        let text = serde_json::to_string(&job.compute(0).unwrap()).unwrap();
        let there: Measured = serde_json::from_str(&text).unwrap();
        let dir = tempfile::tempdir().unwrap();
        let mut here = Vec::new();
        let (wanted, experiment) = job.wanted(0).unwrap();
        (experiment.run)(&wanted.options(dir.path()), &mut |claim| here.push(claim)).unwrap();
        assert!(!here.is_empty() && there.claims == here);
        let again = tempfile::tempdir().unwrap();
        let kept = there.keep_figures(again.path()).unwrap();
        assert!(!kept.is_empty());
        for file in kept {
            let other = dir.path().join(file.file_name().unwrap());
            assert!(std::fs::read(&file).unwrap() == std::fs::read(other).unwrap());
        }
    }

    #[test]
    fn a_machine_without_the_data_refuses() {
        let job = Again::new(vec![wanted("mbm"), wanted("hyper-models"), wanted("nothing")]);
        assert_eq!(job.refuses(0), None);
        assert!(job.refuses(1).unwrap().contains("--data"));
        assert!(job.refuses(2).unwrap().contains("nothing"));
    }
}
