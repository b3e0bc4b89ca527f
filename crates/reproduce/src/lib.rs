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

mod claim;
mod hyper;
mod hyperplay;
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
    /// A game, an agent or a data set failed.
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
        /// Why it can't be written.
        error: std::io::Error,
    },
    /// An agent gave no move.
    #[error(transparent)]
    Agent(#[from] ludex_agents::Failure),
}

/// What experiments return.
pub type Result<T> = std::result::Result<T, Failure>;

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
    /// Where the public data of the hyper-agents' thesis are.
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

impl Default for Options<'_> {
    /// A full run with seed 1 that nobody watches, in the folder `reproduced`.
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

/// Data that an experiment reads and that the project does not contain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    /// None.
    Nothing,
    /// The data of the hyper-agents' thesis.
    Data,
    /// Those, and Ludii's game descriptions.
    DataAndDescriptions,
    /// Ludii's game descriptions; other games stand in where they are missing.
    Descriptions,
}

impl Needs {
    /// What is needed and where it is public, for people.
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

    /// What a run read of it, for its report.
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

    /// What is not there and without which the experiment can't run.
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

/// Something that can be measured again.
#[derive(Clone, Copy)]
pub struct Experiment {
    /// The name that people type.
    pub id: &'static str,
    /// What it is, and where it was published.
    pub title: &'static str,
    /// Data from elsewhere.
    pub needs: Needs,
    /// About how long it takes with `--quick` and at full size, in time of one core; `~`: worked out from smaller runs.
    pub takes: [&'static str; 2],
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
    ]
}

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
