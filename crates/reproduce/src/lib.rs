//! Tables and figures of published systems, measured again: published numbers beside ours.
//!
//! Each [`Experiment`] has a file or a folder (`mbm`, `ropasci`, `ludo`, `hyperplay`, `hyper`) and makes [`Claim`]s with a
//! [`Verdict`].
//!
//! ```
//! use ludex_reproduce::{Options, experiments};
//! let mbm = experiments().iter().find(|e| e.id == "mbm").unwrap();
//! assert!(mbm.title.contains("bandit"));
//! ```

mod claim;
mod hyper;
mod hyperplay;
pub mod job;
mod ludo;
pub mod markdown;
mod mbm;
mod oracle;
mod play;
mod ropasci;

pub use claim::{Claim, Origin, Verdict};
use ludex_core::{Error, Seed};
use ludex_learn::file::FileError;
use ludex_stats::plot::Drawing;
use std::path::{Path, PathBuf};

/// Why an experiment failed.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// A game, an agent or a model failed.
    #[error(transparent)]
    Core(#[from] Error),
    /// An evolution failed.
    #[error(transparent)]
    Evolve(#[from] ludex_learn::evolve::Failure),
    /// A table of data can't be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// A file of the public data is missing.
    #[error(
        "{}: no such file; --data DIR must name a clone of github.com/thom11345/HyperAgents, its folder Models, or a \
         folder with the files of Models/data and Models/analysis", path.display()
    )]
    NoData {
        /// The file.
        path: PathBuf,
    },
    /// A figure can't be drawn.
    #[error(transparent)]
    Draw(#[from] ludex_stats::plot::DrawError),
    /// A file can't be written.
    #[error("can't write {}: {error}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        error: std::io::Error,
    },
    /// An agent gave no move.
    #[error(transparent)]
    Agent(#[from] ludex_agents::Failure),
}

/// The result of an experiment.
pub type Result<T> = std::result::Result<T, Failure>;

/// The options of an experiment.
pub struct Options<'a> {
    /// Use smaller samples, for a first look.
    pub quick: bool,
    /// The number of matches per part. Only experiments with [`Experiment::sized`] take it.
    pub games: Option<u64>,
    /// The seed of all randomness.
    pub seed: Seed,
    /// The folder of figures, and of results that one experiment keeps for another.
    pub out: PathBuf,
    /// The folder of the public data of the hyper-agents' thesis.
    pub data: PathBuf,
    /// The number of games of each agent in each game, for `hyper-experiment`.
    pub rounds: Option<u64>,
    /// Thinking times in milliseconds, for `hyper-experiment`.
    pub times: Vec<u64>,
    /// A folder of `ludex train table` instead of the built-in table.
    pub table: Option<PathBuf>,
    /// Receives the progress of long work.
    pub progress: &'a dyn Progress,
}

impl Default for Options<'_> {
    /// A full run with seed 1 in the folder `reproduced`.
    fn default() -> Self {
        Options {
            quick: false,
            games: None,
            seed: Seed(1),
            out: "reproduced".into(),
            data: PathBuf::new(),
            rounds: None,
            times: Vec::new(),
            table: None,
            progress: &(),
        }
    }
}

impl Options<'_> {
    /// The number of matches: the given one, or one of these defaults.
    fn matches(&self, quick: u64, full: u64) -> u64 {
        self.games.unwrap_or(if self.quick { quick } else { full })
    }
}

/// Receives the progress of long work.
pub trait Progress: Sync {
    /// A part with this number of steps begins.
    fn begin(&self, part: &str, steps: u64);
    /// A step is finished.
    fn step(&self);
}

/// Ignores the progress.
impl Progress for () {
    fn begin(&self, _: &str, _: u64) {}
    fn step(&self) {}
}

/// The data that an experiment needs and that are not in the repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    /// No data.
    Nothing,
    /// The data of the hyper-agents' thesis.
    Data,
    /// The data of the thesis, and Ludii's game descriptions.
    DataAndDescriptions,
    /// Ludii's game descriptions; without them other games are played.
    Descriptions,
}

impl Needs {
    /// The data and where they are public, as text.
    pub fn text(self) -> &'static str {
        const DATA: &str = "--data: Models/ of github.com/thom11345/HyperAgents";
        const BOTH: &str = "--data: Models/ of github.com/thom11345/HyperAgents; LUDEX_PATH: Common/res/lud of github.com/Ludeme/Ludii";
        const OPTIONAL: &str =
            "LUDEX_PATH: Common/res/lud of github.com/Ludeme/Ludii (without it: games of ours)";
        match self {
            Needs::Nothing => "",
            Needs::Data => DATA,
            Needs::DataAndDescriptions => BOTH,
            Needs::Descriptions => OPTIONAL,
        }
    }

    /// The data that a run has read, for its report.
    pub(crate) fn used(self) -> String {
        const DATA: &str = "the public data of github.com/thom11345/HyperAgents";
        const LUD: &str = "the public descriptions of github.com/Ludeme/Ludii (LUDEX_PATH)";
        match self {
            Needs::Nothing => "none but what is in the repository".into(),
            Needs::Data => DATA.into(),
            Needs::DataAndDescriptions => format!("{DATA}; {LUD}"),
            Needs::Descriptions if hyper::descriptions() => LUD.into(),
            Needs::Descriptions => format!("games of ours; without {LUD}"),
        }
    }

    /// The missing data without which the experiment can't run.
    pub fn missing(self, options: &Options<'_>) -> Option<String> {
        let data = matches!(self, Needs::Data | Needs::DataAndDescriptions);
        if data && !hyper::found(&options.data) {
            return Some(format!(
                "the data of the hyper-agents' thesis are not in {}; --data DIR names the folder: a clone of \
                 github.com/thom11345/HyperAgents, its Models, or one with the files of Models/data and \
                 Models/analysis",
                options.data.display()
            ));
        }
        if self == Needs::DataAndDescriptions && !hyper::descriptions() {
            return Some(
                "Ludii's game descriptions are not found; LUDEX_PATH must name Common/res/lud of \
                 github.com/Ludeme/Ludii"
                    .into(),
            );
        }
        None
    }
}

/// A published table or figure that can be measured again.
#[derive(Clone, Copy)]
pub struct Experiment {
    /// The name on the command line.
    pub id: &'static str,
    /// The title, and where it was published.
    pub title: &'static str,
    /// The data that it needs.
    pub needs: Needs,
    /// The time that it takes on one core with `--quick` and in full; `~` marks an estimate from smaller runs.
    pub takes: [&'static str; 2],
    /// Runs the experiment, and calls the closure with each claim as soon as it is measured.
    pub run: fn(&Options<'_>, &mut dyn FnMut(Claim)) -> Result<()>,
}

impl Experiment {
    /// Does the experiment take [`Options::games`]?
    pub fn sized(&self) -> bool {
        self.id.starts_with("hyperplay-fig") || self.id == "hyperplay-variants"
    }
}

/// All experiments.
pub fn experiments() -> &'static [Experiment] {
    &EXPERIMENTS
}

static EXPERIMENTS: [Experiment; 23] = [
    Experiment {
        id: "mbm",
        title: "the multi-agent bandit of Banda 2019: Tic-Tac-Toe, Nim, Minichess (section 6)",
        needs: Needs::Nothing,
        takes: ["12 s", "90 s"],
        run: mbm::run,
    },
    Experiment {
        id: "ropasci",
        title: "the RoPaSci 360 agents of Fern and Lyons Keenan 2021 (section 3)",
        needs: Needs::Nothing,
        takes: ["8 s", "3 min"],
        run: ropasci::run,
    },
    Experiment {
        id: "ludo-table1",
        title: "Ludo, Haugaard 2019, table 1: two of each player",
        needs: Needs::Nothing,
        takes: ["1 min", "~15 min"],
        run: ludo::table1,
    },
    Experiment {
        id: "ludo-table2",
        title: "Ludo, Haugaard 2019, table 2: one player against three",
        needs: Needs::Nothing,
        takes: ["1 min", "~15 min"],
        run: ludo::table2,
    },
    Experiment {
        id: "ludo-fig1",
        title: "Ludo, Haugaard 2019, figure 1: the simple player, sizes of mutations",
        needs: Needs::Nothing,
        takes: ["25 s", "25 s"],
        run: ludo::fig1,
    },
    Experiment {
        id: "ludo-fig2",
        title: "Ludo, Haugaard 2019, figure 2: the advanced player",
        needs: Needs::Nothing,
        takes: ["20 s", "20 s"],
        run: ludo::fig2,
    },
    Experiment {
        id: "ludo-fig3",
        title: "Ludo, Haugaard 2019, figure 3: the full player, sizes of populations",
        needs: Needs::Nothing,
        takes: ["30 s", "~5 min"],
        run: ludo::fig3,
    },
    Experiment {
        id: "ludo-fig4",
        title: "Ludo, Haugaard 2019, figure 4: genes of the simple player, recombinations",
        needs: Needs::Nothing,
        takes: ["8 s", "8 s"],
        run: ludo::fig4,
    },
    Experiment {
        id: "ludo-fig5",
        title: "Ludo, Haugaard 2019, figure 5: the full player, recombinations",
        needs: Needs::Nothing,
        takes: ["25 s", "~2 min"],
        run: ludo::fig5,
    },
    Experiment {
        id: "ludo-mutation",
        title: "Ludo, Haugaard 2019, section 4: the full player, mutations that adapt",
        needs: Needs::Nothing,
        takes: ["1 min", "~12 min"],
        run: ludo::mutation,
    },
    Experiment {
        id: "ludo-best",
        title: "our best Ludo player against those of Haugaard 2019",
        needs: Needs::Nothing,
        takes: ["1 min", "~15 min"],
        run: ludo::best,
    },
    Experiment {
        id: "hyperplay-fig3",
        title: "HyperPlay, Schofield and Thielscher 2017, figure 3: cost of sampling",
        needs: Needs::Nothing,
        takes: ["3 s", "35 s"],
        run: hyperplay::sampling_cost,
    },
    Experiment {
        id: "hyperplay-fig4",
        title: "HyperPlay, figure 4: are samples uniform in mid game?",
        needs: Needs::Nothing,
        takes: ["7 s", "12 min"],
        run: hyperplay::mid_game,
    },
    Experiment {
        id: "hyperplay-fig5",
        title: "HyperPlay, figure 5: are samples uniform in the end game?",
        needs: Needs::Nothing,
        takes: ["9 s", "12 min"],
        run: hyperplay::end_game,
    },
    Experiment {
        id: "hyperplay-fig6",
        title: "HyperPlay, figure 6: remedies for biased samples",
        needs: Needs::Nothing,
        takes: ["16 s", "~3 min"],
        run: hyperplay::remedies,
    },
    Experiment {
        id: "hyperplay-fig7",
        title: "HyperPlay, figure 7: the case study, Blind Breakthrough 8x8",
        needs: Needs::Nothing,
        takes: ["10 s", "7 min"],
        run: hyperplay::case_study,
    },
    Experiment {
        id: "hyperplay-variants",
        title: "HyperPlay, figures 3, 4, 5 and 7 under every variant of the rules that the paper's words allow",
        needs: Needs::Nothing,
        takes: ["1 min", "~1 h"],
        run: hyperplay::variants,
    },
    Experiment {
        id: "hyperplay-questions",
        title: "HyperPlay: sanity games and the paper's open questions",
        needs: Needs::Nothing,
        takes: ["2 min", "15 min"],
        run: hyperplay::questions,
    },
    Experiment {
        id: "hyper-models",
        title: "hyper-agents, Thompson 2024, figures 2 and 3: regret of models",
        needs: Needs::Data,
        takes: ["50 s", "30 min"],
        run: hyper::models,
    },
    Experiment {
        id: "hyper-play",
        title: "hyper-agents: what features of play add to the public data",
        needs: Needs::DataAndDescriptions,
        takes: ["4 min", "~2 h"],
        run: hyper::play,
    },
    Experiment {
        id: "hyper-results",
        title: "hyper-agents, figure 4 and table 5, tests by game, the portfolio's picks",
        needs: Needs::Data,
        takes: ["4 s", "36 s"],
        run: hyper::results,
    },
    Experiment {
        id: "hyper-games",
        title: "hyper-agents, figure 1: 30 games that stand for all, and the map",
        needs: Needs::Data,
        takes: ["18 s", "18 s"],
        run: hyper::games,
    },
    Experiment {
        id: "hyper-experiment",
        title: "hyper-agents: eleven of our agents against UCT, games held out of training",
        needs: Needs::Descriptions,
        takes: ["9 min", "~50 h"],
        run: hyper::experiment,
    },
];

/// Writes a file of an experiment.
fn write(folder: &Path, name: &str, bytes: &[u8]) -> Result<()> {
    let path = folder.join(name);
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(&path, bytes))
        .map_err(|error| Failure::Write { path, error })
}

/// Draws a figure of an experiment as NAME.svg and NAME.png. Returns the path of the SVG file.
fn draw(folder: &Path, name: &str, figure: &dyn Drawing) -> Result<String> {
    let file = format!("{name}.svg");
    write(folder, &file, figure.svg()?.as_bytes())?;
    write(folder, &format!("{name}.png"), &figure.png()?)?;
    Ok(folder.join(file).display().to_string())
}
