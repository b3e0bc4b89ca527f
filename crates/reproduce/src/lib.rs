//! The tables and figures of published systems, measured again: the paper's number beside ours.
//!
//! One file or folder an [`Experiment`]: [`mbm`], [`ropasci`], [`ludo`], `hyperplay`, `hyper`. Each is a list of
//! [`Claim`]s with a [`Verdict`].
//!
//! ```
//! use ludex_reproduce::{Options, experiments};
//! let mbm = experiments().iter().find(|e| e.id == "mbm").unwrap();
//! assert!(mbm.title.contains("bandit"));
//! ```

pub mod claim;
mod hyper;
mod hyperplay;
pub mod ludo;
pub mod mbm;
pub mod oracle;
pub mod play;
pub mod ropasci;

pub use claim::{Claim, Verdict};
use ludex_core::{Error, Result, Seed};
use std::path::{Path, PathBuf};

/// How an experiment is run.
pub struct Options<'a> {
    /// Smaller samples, for a first look.
    pub quick: bool,
    /// Matches a part, instead of what the experiment says. Only those of [`Experiment::sized`] take it.
    pub games: Option<u64>,
    /// Where all luck comes from.
    pub seed: Seed,
    /// Where files go: figures, and what is kept from one experiment for another.
    pub out: PathBuf,
    /// Where the public data of the hyper-agents are.
    pub data: PathBuf,
    /// Games of each agent in each game, where the experiment lets one choose.
    pub rounds: Option<u64>,
    /// Think times in milliseconds, where the experiment lets one choose.
    pub times: Vec<u64>,
    /// A folder of `ludex train table` instead of the table that is built in.
    pub table: Option<PathBuf>,
    /// Told of each step of long work.
    pub progress: &'a dyn Progress,
}

impl Options<'_> {
    /// How many matches: as many as were asked for, or few in a quick run.
    fn matches(&self, quick: u64, full: u64) -> u64 {
        self.games.unwrap_or(if self.quick { quick } else { full })
    }
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

impl Experiment {
    /// Can its size be chosen by [`Options::games`]?
    pub fn sized(&self) -> bool {
        self.id.starts_with("hyperplay-fig")
    }
}

/// All experiments.
pub fn experiments() -> &'static [Experiment] {
    &[
        Experiment {
            id: "mbm",
            title: "the multi-agent bandit of Banda 2019: Tic-Tac-Toe, Nim, Minichess (section 6)",
            run: mbm::run,
        },
        Experiment {
            id: "ropasci",
            title: "the RoPaSci 360 agents of Fern and Lyons Keenan 2021 (section 3)",
            run: ropasci::run,
        },
        Experiment {
            id: "ludo-table1",
            title: "Ludo, Haugaard 2019, table 1: two of each player",
            run: ludo::table1,
        },
        Experiment {
            id: "ludo-table2",
            title: "Ludo, Haugaard 2019, table 2: one player against three",
            run: ludo::table2,
        },
        Experiment {
            id: "ludo-fig1",
            title: "Ludo, Haugaard 2019, figure 1: the simple player, sizes of mutations",
            run: ludo::fig1,
        },
        Experiment {
            id: "ludo-fig2",
            title: "Ludo, Haugaard 2019, figure 2: the advanced player",
            run: ludo::fig2,
        },
        Experiment {
            id: "ludo-fig3",
            title: "Ludo, Haugaard 2019, figure 3: the full player, sizes of populations",
            run: ludo::fig3,
        },
        Experiment {
            id: "ludo-fig4",
            title: "Ludo, Haugaard 2019, figure 4: genes of the simple player, recombinations",
            run: ludo::fig4,
        },
        Experiment {
            id: "ludo-fig5",
            title: "Ludo, Haugaard 2019, figure 5: the full player, recombinations",
            run: ludo::fig5,
        },
        Experiment {
            id: "ludo-best",
            title: "our best Ludo player against all of the paper's",
            run: ludo::best,
        },
        Experiment {
            id: "hyperplay-fig3",
            title: "HyperPlay (Schofield and Thielscher 2017): cost of sampling (--out: the figure)",
            run: hyperplay::sampling_cost,
        },
        Experiment {
            id: "hyperplay-fig4",
            title: "HyperPlay: are samples uniform in mid game?",
            run: hyperplay::mid_game,
        },
        Experiment {
            id: "hyperplay-fig5",
            title: "HyperPlay: are samples uniform in the end game?",
            run: hyperplay::end_game,
        },
        Experiment {
            id: "hyperplay-fig6",
            title: "HyperPlay: remedies for biased samples",
            run: hyperplay::remedies,
        },
        Experiment {
            id: "hyperplay-fig7",
            title: "HyperPlay: the case study, Blind Breakthrough 8x8",
            run: hyperplay::case_study,
        },
        Experiment {
            id: "hyperplay-questions",
            title: "HyperPlay: sanity games and the paper's open questions, docs/hidden-information.md",
            run: hyperplay::questions,
        },
        Experiment {
            id: "hyper-models",
            title: "hyper-agents, Thompson 2024, figures 2 and 3: regret of models (--data)",
            run: hyper::models,
        },
        Experiment {
            id: "hyper-play",
            title: "hyper-agents: what features of play add to the public data (--data, LUDEX_PATH)",
            run: hyper::play,
        },
        Experiment {
            id: "hyper-results",
            title: "hyper-agents, figure 4 and table 5, tests by game, the portfolio's picks (--data)",
            run: hyper::results,
        },
        Experiment {
            id: "hyper-games",
            title: "hyper-agents, figure 1: 30 games that stand for all, and the map (--data)",
            run: hyper::games,
        },
        Experiment {
            id: "hyper-experiment",
            title: "hyper-agents: eleven of our agents against UCT, games held out of training",
            run: hyper::experiment,
        },
    ]
}

/// Writes a file of an experiment.
fn write(folder: &Path, name: &str, bytes: &[u8]) -> Result<()> {
    let path = folder.join(name);
    std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&path, bytes)).map_err(|e| {
        Error::BadParameter { name: path.display().to_string(), reason: e.to_string() }
    })
}
