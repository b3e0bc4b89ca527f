//! The tables and figures of published systems, measured again: the paper's number beside ours.
//!
//! One file an [`Experiment`]: [`mbm`]. Each is a list of [`Claim`]s with a [`Verdict`].
//!
//! ```
//! use ludex_reproduce::{Options, experiments};
//! let mbm = experiments().iter().find(|e| e.id == "mbm").unwrap();
//! assert!(mbm.title.contains("bandit"));
//! ```

pub mod claim;
pub mod mbm;
pub mod oracle;

pub use claim::{Claim, Verdict};
use ludex_core::{Result, Seed};

/// How an experiment is run.
pub struct Options<'a> {
    /// Smaller samples, for a first look.
    pub quick: bool,
    /// Where all luck comes from.
    pub seed: Seed,
    /// Told of each step of long work.
    pub progress: &'a dyn Progress,
}

/// Somebody who watches long work.
pub trait Progress: Sync {
    /// A part of so many steps begins.
    fn begin(&self, part: &str, steps: u64);
    /// A step is done.
    fn step(&self);
}

/// Nobody watches.
impl Progress for () {
    fn begin(&self, _: &str, _: u64) {}
    fn step(&self) {}
}

/// Something that can be measured again.
#[derive(Clone, Copy)]
pub struct Experiment {
    /// The name that people type.
    pub id: &'static str,
    /// What it is, and where it was published.
    pub title: &'static str,
    /// Runs it, handing over each claim as soon as it is measured.
    pub run: fn(&Options<'_>, &mut dyn FnMut(Claim)) -> Result<()>,
}

/// All experiments.
pub fn experiments() -> &'static [Experiment] {
    &[Experiment {
        id: "mbm",
        title: "the multi-agent bandit of Banda 2019: Tic-Tac-Toe, Nim, Minichess (section 6)",
        run: mbm::run,
    }]
}
