//! Our own training table: the score of each agent in each game, at a fixed budget.
//!
//! Every agent plays against the same opponent (`uct`) at all other seats; seats are rotated. Each line is appended when it
//! is measured, so that a survey can be stopped and resumed.

use crate::file::{FileError, FileFault};
use crate::pace::pace;
use crate::table::{Table, TableError};
use ludex_agents::{AgentSpec, Budget};
use ludex_arena::{Contest, Referee};
use ludex_core::deadline;
use ludex_core::{AnyGame, Error, Game, Player, Result, Seed};
use ludex_model::{Effort, Matrix, describe};
use ludex_stats::{Interval, Z95, wilson};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A measurement of one agent in one game.
pub struct Task<'a> {
    /// The game.
    pub game: &'a AnyGame,
    /// The agent to measure.
    pub agent: &'a AgentSpec,
    /// The agent at all other seats.
    pub opponent: &'a AgentSpec,
    /// The budget of agents that have none in their name.
    pub budget: &'a Budget,
    /// Instead of the budget: as many simulations as take each agent about this time.
    pub work: Option<Duration>,
    /// The number of games.
    pub games: u64,
    /// Does the agent always have the first seat, as in the thesis? Otherwise seats are rotated.
    pub first: bool,
    /// The number of steps after which a game is a draw.
    pub longest: u32,
    /// The seed of all randomness.
    pub seed: Seed,
}

/// The result of a measurement.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Measured {
    /// Can the agent play the game?
    pub supported: bool,
    /// The budget of the agent.
    #[serde(with = "budget_text")]
    pub budget: Budget,
    /// The opponent, with its budget.
    pub opponent: String,
    /// The mean payoff, 0 to 1.
    pub score: f64,
    /// The mean payoff at the first seat.
    pub first: f64,
    /// The number of games played.
    pub games: u64,
    /// The number of games that the agent forfeited.
    pub forfeits: u64,
}

/// A budget as its text.
mod budget_text {
    use ludex_agents::Budget;
    use serde::{Deserialize, Deserializer, Serializer, de};

    pub(super) fn serialize<S: Serializer>(budget: &Budget, out: S) -> Result<S::Ok, S::Error> {
        out.collect_str(budget)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Budget, D::Error> {
        match String::deserialize(from)?.as_str() {
            "" => Ok(Budget::default()),
            text => text.parse().map_err(de::Error::custom),
        }
    }
}

impl Measured {
    /// The 95 % interval of the score.
    pub fn interval(&self) -> Interval {
        wilson(self.score, self.games, Z95)
    }
}

/// Plays the games of a measurement on all cores. An agent that can't play the game scores 0, as in the thesis.
///
/// # Errors
/// The opponent can't play the game, or the process was told to stop ([`Error::Stopped`]).
pub fn measure(task: &Task<'_>, told: &(dyn Fn() + Sync)) -> Result<Measured> {
    let info = task.game.info();
    task.opponent.supports(info)?;
    // Some agents find only now that they can't play the game, for example because it lacks an evaluation term.
    if task.agent.build(task.game, Player(0), task.seed).is_err() {
        return Ok(Measured::default());
    }
    let paced = |agent: &AgentSpec| match task.work {
        Some(time) if agent.budget().is_empty() => {
            Ok(agent.with_budget(pace(task.game, agent, time, task.seed.named("pace"))?))
        }
        _ => Ok::<_, Error>(agent.with_budget(agent.budget().or(task.budget))),
    };
    let (agent, opponent) = (paced(task.agent)?, paced(task.opponent)?);
    let budget = agent.budget().clone();
    let seats = info.seats().max(1);
    let mut agents = vec![agent];
    agents.resize(seats, opponent.clone());
    let orders = seats as u64;
    // The agent has the first seat in one of `seats` rotated orders.
    let games = if task.first { task.games * orders } else { task.games };
    let contest = Contest {
        game: task.game.clone(),
        origin: None,
        agents,
        budget: task.budget.clone(),
        games,
        seed: task.seed,
        referee: Referee { longest: task.longest, ..Referee::default() },
    };
    let plan = contest.plan()?;
    let own = |number: u64| {
        let fixture = plan.fixture(number);
        let seat = fixture.seats.iter().position(|&agent| agent == 0)?;
        (!task.first || seat == 0).then_some((fixture, seat))
    };
    let played: Vec<(f64, bool, usize)> = (0..games)
        .into_par_iter()
        .filter_map(own)
        .map(|(fixture, seat)| {
            let record = plan.play(&fixture);
            told();
            let forfeit = record.forfeit.as_ref().is_some_and(|f| usize::from(f.seat) == seat);
            (record.payoffs.get(seat).map_or(0.0, |p| f64::from(*p)), forfeit, seat)
        })
        .collect();
    if deadline::stopped() {
        return Err(Error::Stopped);
    }
    let mean = |some: &[&(f64, bool, usize)]| {
        some.iter().map(|(score, _, _)| score).sum::<f64>() / some.len().max(1) as f64
    };
    Ok(Measured {
        supported: true,
        budget,
        opponent: opponent.to_string(),
        score: mean(&played.iter().collect::<Vec<_>>()),
        first: mean(&played.iter().filter(|(_, _, seat)| *seat == 0).collect::<Vec<_>>()),
        games: played.len() as u64,
        forfeits: played.iter().filter(|(_, forfeit, _)| *forfeit).count() as u64,
    })
}

/// The family of a game: the common name of its variants in all rule languages, without sizes and words for variants.
///
/// ```
/// use ludex_learn::measure::family;
/// assert_eq!(family("kif:blind-breakthrough5"), "breakthrough");
/// assert_eq!(family("kif:breakthroughSuicideSmall"), "breakthrough");
/// assert_eq!(family("lud:Tic-Tac-Toe Misere"), family("kif:ticTacToe"));
/// assert_eq!(family("lud:connect-four"), family("connect4(columns=5,rows=4)"));
/// assert_eq!(family("nim(3,4,5)"), "nim");
/// assert_eq!(family("lud:games/board/Hex.lud"), "hex");
/// ```
pub fn family(name: &str) -> String {
    let plain = name.split_once(':').map_or(name, |(_, rest)| rest);
    let plain = plain.split(['(', '?']).next().unwrap_or(plain);
    let file = plain.rsplit('/').next().unwrap_or(plain);
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let mut short: String =
        stem.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase();
    loop {
        let bare = short.trim_matches(|c: char| c.is_ascii_digit()).to_string();
        let bare = VARIANTS.iter().fold(bare, |name, word| {
            let cut = name.strip_suffix(word).or(name.strip_prefix(word)).unwrap_or(&name);
            cut.to_string()
        });
        // A name that consists only of such words is kept.
        if bare.len() < 3 || bare == short {
            return short;
        }
        short = bare;
    }
}

/// Words of game names that mark a variant.
const VARIANTS: [&str; 34] = [
    "small",
    "tiny",
    "micro",
    "medium",
    "large",
    "larger",
    "walls",
    "holes",
    "suicide",
    "misere",
    "simultaneous",
    "parallel",
    "serial",
    "blind",
    "krieg",
    "hidden",
    "pie",
    "player",
    "double",
    "dual",
    "mustjump",
    "variant",
    "torus",
    "impossible",
    "general",
    "generalized",
    "orthogonal",
    "chicken",
    "coins",
    "bidding",
    "four",
    "p",
    "x",
    "dengji",
];

/// A survey in a folder: `results.csv` (one line per game and agent), `features.csv` (one line per game) and `agents.csv`
/// (win rates, one line per game).
pub struct Survey {
    folder: PathBuf,
    done: Vec<(String, String)>,
}

const HEADER: [&str; 11] = [
    "game",
    "agent",
    "supported",
    "score",
    "low",
    "high",
    "first",
    "games",
    "forfeits",
    "budget",
    "opponent",
];

impl Survey {
    /// Begins a survey, or resumes the one in the folder.
    ///
    /// # Errors
    /// The folder can't be written, or holds other files.
    pub fn open(folder: &Path) -> Result<Self, FileError> {
        std::fs::create_dir_all(folder).map_err(|e| FileError::new(folder, e))?;
        let path = folder.join("results.csv");
        let done = match path.is_file() {
            true => read(&path)?.into_iter().map(|row| (row.game, row.agent)).collect(),
            false => {
                let text = format!("{}\n", HEADER.join(","));
                std::fs::write(&path, text).map_err(|e| FileError::new(&path, e))?;
                Vec::new()
            }
        };
        Ok(Survey { folder: folder.to_path_buf(), done })
    }

    /// Was this agent measured in this game?
    pub fn has(&self, game: &str, agent: &str) -> bool {
        self.done.iter().any(|(g, a)| g == game && a == agent)
    }

    /// Appends a line to `results.csv`.
    ///
    /// # Errors
    /// The file can't be written.
    pub fn add(&mut self, game: &str, agent: &str, measured: &Measured) -> Result<(), FileError> {
        let (game, agent) = (game.to_string(), agent.to_string());
        let Interval { low, high } = measured.interval();
        let line = [
            game.clone(),
            agent.clone(),
            u8::from(measured.supported).to_string(),
            format!("{:.4}", measured.score),
            format!("{low:.4}"),
            format!("{high:.4}"),
            format!("{:.4}", measured.first),
            measured.games.to_string(),
            measured.forfeits.to_string(),
            measured.budget.to_string(),
            measured.opponent.clone(),
        ];
        self.append(&line)?;
        self.done.push((game, agent));
        Ok(())
    }

    /// Adds a line to `features.csv`, where the game has none yet.
    ///
    /// # Errors
    /// The file can't be read or written.
    pub fn describe(&self, game: &AnyGame, seed: Seed) -> Result<(), FileError> {
        let name = &game.info().name;
        if self.described(name)? {
            return Ok(());
        }
        self.add_features(name, describe(game, Effort::default(), seed).iter())
    }

    /// Has `features.csv` a line for this game?
    ///
    /// # Errors
    /// The file can't be read.
    pub fn described(&self, game: &str) -> Result<bool, FileError> {
        Ok(self.features()?.names.iter().any(|name| name == game))
    }

    fn features(&self) -> Result<Table, FileError> {
        let path = self.folder.join("features.csv");
        if path.is_file() { Table::read(&path) } else { Ok(Table::default()) }
    }

    /// Adds a line to `features.csv`.
    ///
    /// # Errors
    /// The file can't be read or written.
    pub fn add_features<'a>(
        &self,
        game: &str,
        features: impl Iterator<Item = (&'a str, f64)>,
    ) -> Result<(), FileError> {
        let path = self.folder.join("features.csv");
        let mut table = self.features()?;
        table.add(game, features);
        // The new table is written to another file and then renamed: a kill leaves the old table or the new one.
        let fresh = self.folder.join("features.csv.part");
        std::fs::write(&fresh, table.to_csv("game"))
            .and_then(|()| std::fs::rename(&fresh, &path))
            .map_err(|e| FileError::new(&path, e))
    }

    fn append(&self, line: &[String]) -> Result<(), FileError> {
        let path = self.folder.join("results.csv");
        let append = || -> Result<(), FileFault> {
            let mut writer = csv::Writer::from_writer(Vec::new());
            writer.write_record(line)?;
            let bytes = writer.into_inner().map_err(|e| e.into_error())?;
            let mut out = std::fs::OpenOptions::new().append(true).open(&path)?;
            // One write for a line: a kill leaves whole lines.
            Ok(out.write_all(&bytes)?)
        };
        append().map_err(|fault| FileError::new(&path, fault))
    }

    /// All lines of `results.csv`.
    ///
    /// # Errors
    /// The file can't be read.
    pub fn rows(&self) -> Result<Vec<Row>, FileError> {
        read(&self.folder.join("results.csv"))
    }

    /// Writes `agents.csv`: win rates from 0 to 100 in the games in which all agents were measured. Returns the table.
    ///
    /// # Errors
    /// A file can't be read or written.
    pub fn finish(&self) -> Result<Table, FileError> {
        let table = win_rates(&self.rows()?);
        let path = self.folder.join("agents.csv");
        std::fs::write(&path, table.to_csv("game")).map_err(|e| FileError::new(&path, e))?;
        Ok(table)
    }
}

/// One line of `results.csv`.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The game.
    pub game: String,
    /// The agent.
    pub agent: String,
    /// The mean payoff, 0 to 1.
    pub score: f64,
    /// The mean payoff at the first seat.
    pub first: f64,
}

fn read(path: &Path) -> Result<Vec<Row>, FileError> {
    read_rows(path).map_err(|fault| FileError::new(path, fault))
}

fn read_rows(path: &Path) -> Result<Vec<Row>, FileFault> {
    let mut reader = csv::Reader::from_path(path)?;
    if reader.headers()?.iter().ne(HEADER) {
        return Err(TableError::Columns(HEADER.join(",")).into());
    }
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record?;
        let line = record.position().map_or(0, csv::Position::line);
        let cell = |i: usize| record.get(i).unwrap_or_default().to_string();
        let score = |i: usize| {
            let (column, value) = (HEADER[i].to_string(), cell(i));
            value.parse().map_err(|_| TableError::Number { line, column, value })
        };
        rows.push(Row { game: cell(0), agent: cell(1), score: score(3)?, first: score(6)? });
    }
    Ok(rows)
}

fn win_rates(rows: &[Row]) -> Table {
    let (mut games, mut agents): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    for row in rows {
        if !games.contains(&row.game) {
            games.push(row.game.clone());
        }
        if !agents.contains(&row.agent) {
            agents.push(row.agent.clone());
        }
    }
    let of = |game: &str, agent: &str| {
        rows.iter().find(|r| r.game == game && r.agent == agent).map(|r| 100.0 * r.score)
    };
    let whole: Vec<(String, Vec<f64>)> = games
        .into_iter()
        .filter_map(|game| {
            let row: Option<Vec<f64>> = agents.iter().map(|agent| of(&game, agent)).collect();
            Some((game, row?))
        })
        .collect();
    let (names, values): (Vec<String>, Vec<Vec<f64>>) = whole.into_iter().unzip();
    Table { names, values: Matrix::from_rows(agents.len(), values), columns: agents }
}
