//! An experiment as a file: what is played, by whom, how often, and when to stop.
//!
//! The same schema in TOML and JSON; `docs/arena.md` explains every key.

mod problem;

pub use problem::Problem;

use crate::contender::World;
use crate::plan::{Plan, Setup, Table};
use crate::referee::Referee;
use ludex_agents::Budget;
use ludex_agents::budget::parse_time;
use ludex_core::{Game, Seed};
use ludex_stats::sprt::Sprt;
use problem::Key;
use serde::de::{self, MapAccess, Visitor, value::MapAccessDeserializer};
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;

/// What is to be played.
///
/// ```
/// use ludex_arena::Experiment;
/// let text = "games = ['tictactoe']\nagents = ['uct@sims=50', 'random']\nrounds = 10";
/// let experiment = Experiment::from_toml("first.toml", text).unwrap();
/// assert_eq!((experiment.name.as_str(), experiment.rounds), ("first", Some(10)));
/// let error = Experiment::from_toml("x.toml", "game = ['nim']").unwrap_err();
/// assert!(error.to_string().starts_with("x.toml:1:1: "), "{error}");
/// assert!(error.to_string().contains("did you mean `games`?"), "{error}");
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Experiment {
    /// The name of the run in the database; the file's name without its ending.
    #[serde(default)]
    pub name: String,
    /// What it is about, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    /// Where all luck comes from.
    #[serde(default = "one")]
    pub seed: u64,
    /// The games.
    pub games: Vec<GameEntry>,
    /// Who plays.
    pub agents: Vec<String>,
    /// The budget of agents without one of their own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<String>,
    /// Each agent without a budget of its own takes part once with each of these.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub budgets: Vec<String>,
    /// Who meets whom.
    #[serde(default)]
    pub format: Format,
    /// In a gauntlet: so many of the first agents meet all the others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub champions: Option<usize>,
    /// In which orders they sit.
    #[serde(default)]
    pub seats: Seats,
    /// In a round every group meets on every game in every order of seats.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u64>,
    /// At most so many games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u64>,
    /// Random first moves, the same for every order of seats.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub openings: Option<Openings>,
    /// The dice.
    #[serde(default)]
    pub dice: Dice,
    /// When to stop before the last round.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop: Option<Stop>,
    /// Which games end before their rules end them.
    #[serde(default)]
    pub adjudicate: Adjudicate,
    /// How long after its time a move still counts.
    #[serde(default = "one_second")]
    pub grace: String,
    /// What happens to an agent that can't play one of the games.
    #[serde(default)]
    pub unsupported: Unsupported,
    /// The agent whose rating is 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub anchor: Option<String>,
}

fn one() -> u64 {
    1
}

fn one_second() -> String {
    "1s".into()
}

/// A game by name, and where it begins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GameEntry {
    /// The string that opens the game.
    pub game: String,
    /// The first position, where it is not the usual start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
}

impl<'de> Deserialize<'de> for GameEntry {
    /// A plain name, or a table with `game` and `position`.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Full {
            game: String,
            position: Option<String>,
        }
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = GameEntry;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a game, or a table { game = .., position = .. }")
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<GameEntry, E> {
                Ok(GameEntry { game: text.into(), position: None })
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<GameEntry, A::Error> {
                let full = Full::deserialize(MapAccessDeserializer::new(map))?;
                Ok(GameEntry { game: full.game, position: full.position })
            }
        }
        deserializer.deserialize_any(Either)
    }
}

/// Who meets whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Every group that fits at the table.
    #[default]
    RoundRobin,
    /// The champions meet the others.
    Gauntlet,
}

/// In which orders a group sits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Seats {
    /// Everybody moves on by one seat.
    #[default]
    Rotate,
    /// Every order there is.
    All,
    /// As they are listed.
    Fixed,
}

/// The luck of the game itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Dice {
    /// The same dice for every order of seats of a group.
    #[default]
    Paired,
    /// New dice for every game.
    Free,
}

/// What happens to an agent that can't play one of the games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unsupported {
    /// The experiment is refused.
    #[default]
    Refuse,
    /// It forfeits those games.
    Forfeit,
}

/// Random openings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Openings {
    /// So many random moves before the minds may choose.
    pub plies: u32,
}

/// When to stop early. Rules look at whole rounds, in order, so that the end does not depend on
/// how fast which game was played.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Stop {
    /// A sequential test of the first agent against the second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<Sprt>,
    /// As soon as every agent's 95 % interval of its mean payoff is narrower than this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub width: Option<f64>,
    /// Not before so many rounds.
    #[serde(default)]
    pub min_rounds: u64,
}

/// Which games end before their rules end them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Adjudicate {
    /// A draw after so many steps.
    pub steps: u32,
    /// A result that a mind has proven stands.
    pub proven: bool,
}

impl Default for Adjudicate {
    fn default() -> Self {
        Adjudicate { steps: Referee::default().longest, proven: false }
    }
}

/// The most rounds, games and cells: far beyond what can be played.
const MOST: u64 = 1 << 40;

impl Experiment {
    /// An experiment with everything at its default.
    pub fn new(name: &str, games: &[&str], agents: &[&str], rounds: u64) -> Self {
        let entry = |game: &&str| GameEntry { game: (*game).into(), position: None };
        Experiment {
            name: name.into(),
            about: None,
            seed: 1,
            games: games.iter().map(entry).collect(),
            agents: agents.iter().map(|agent| (*agent).into()).collect(),
            budget: None,
            budgets: Vec::new(),
            format: Format::default(),
            champions: None,
            seats: Seats::default(),
            rounds: Some(rounds),
            limit: None,
            openings: None,
            dice: Dice::default(),
            stop: None,
            adjudicate: Adjudicate::default(),
            grace: one_second(),
            unsupported: Unsupported::default(),
            anchor: None,
        }
    }

    /// Reads TOML.
    ///
    /// # Errors
    /// What is wrong, with its place in `file`.
    pub fn from_toml(file: &str, text: &str) -> Result<Self, Problem> {
        let read: Result<Experiment, _> = toml::from_str(text);
        read.map(|e| e.named(file)).map_err(|error| Problem::in_toml(&error).at(file, text))
    }

    /// Reads JSON.
    ///
    /// # Errors
    /// What is wrong, with its place in `file`.
    pub fn from_json(file: &str, text: &str) -> Result<Self, Problem> {
        let read: Result<Experiment, _> = serde_json::from_str(text);
        read.map(|e| e.named(file)).map_err(|error| Problem::in_json(&error, text).at(file, text))
    }

    /// Reads a file's text: JSON where its name ends so, else TOML.
    ///
    /// # Errors
    /// What is wrong, with its place in `file`.
    pub fn read(file: &str, text: &str) -> Result<Self, Problem> {
        if file.ends_with(".json") {
            Experiment::from_json(file, text)
        } else {
            Experiment::from_toml(file, text)
        }
    }

    fn named(mut self, file: &str) -> Self {
        if self.name.is_empty() {
            let stem = std::path::Path::new(file).file_stem();
            self.name = stem.map_or_else(String::new, |s| s.to_string_lossy().into_owned());
        }
        self
    }

    /// The part that must be the same when a run goes on: all but the number of games, the rules
    /// to stop and the words for people.
    pub fn identity(&self) -> String {
        let same = Experiment {
            about: None,
            rounds: None,
            limit: None,
            stop: None,
            anchor: None,
            ..self.clone()
        };
        serde_json::to_string(&same).unwrap_or_default()
    }

    /// Everybody who takes part: agents times budgets.
    pub(crate) fn contenders(&self) -> Vec<String> {
        let mut names = Vec::new();
        for agent in &self.agents {
            let own = agent.parse::<ludex_core::Spec>().is_ok_and(|spec| !spec.budget.is_empty());
            if own || self.budgets.is_empty() {
                names.push(agent.clone());
            } else {
                names.extend(self.budgets.iter().map(|budget| format!("{agent}@{budget}")));
            }
        }
        names
    }

    /// Checks everything and lays out the games. Problems have a place after [`Problem::at`].
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn plan(&self, world: &dyn World) -> Result<Plan, Problem> {
        self.check()?;
        let mut agents = Vec::new();
        for (i, text) in self.agents.iter().enumerate() {
            let names = Experiment { agents: vec![text.clone()], ..self.clone() }.contenders();
            for name in names {
                let agent = world.agent(&name);
                agents.push(agent.map_err(|e| Problem::of(["agents".into(), Key::At(i)], e))?);
            }
        }
        let names: Vec<String> = agents.iter().map(|agent| agent.name()).collect();
        let anchor = match &self.anchor {
            None => None,
            Some(anchor) => {
                let found = names.iter().position(|name| name == anchor);
                let hint =
                    ludex_core::error::did_you_mean(anchor, names.iter().map(|n| n.as_str()));
                Some(found.ok_or_else(|| {
                    Problem::of(["anchor".into()], format!("no agent `{anchor}`{hint}"))
                })?)
            }
        };
        let champions = self.champions.unwrap_or(1);
        if self.format == Format::Gauntlet && !(1..agents.len()).contains(&champions) {
            let text = format!("{champions} champions leave nobody to meet");
            return Err(Problem::of(["champions".into()], text));
        }
        let champions = (self.format == Format::Gauntlet).then_some(champions);
        let mut tables = Vec::new();
        for (i, entry) in self.games.iter().enumerate() {
            let path = || ["games".into(), Key::At(i)];
            let game = world.game(&entry.game).map_err(|e| Problem::of(path(), e))?;
            let origin = entry.position.as_ref().map(|text| game.parse_position(text));
            let origin = origin.transpose().map_err(|e| Problem::of(path(), e))?;
            if origin.as_ref().is_some_and(|state| game.is_over(state)) {
                return Err(Problem::of(path(), "the game is over in this position"));
            }
            if self.unsupported == Unsupported::Refuse {
                for agent in &agents {
                    agent.supports(game.info()).map_err(|e| {
                        let hint = "or set unsupported = \"forfeit\": it loses those games";
                        Problem::of(path(), e).with_hint(hint)
                    })?;
                }
            }
            let seats = game.info().seats();
            let table = Table::new(game, origin, agents.len(), seats, champions, self.seats);
            tables.push(table.map_err(|text| Problem::of(path(), text))?);
        }
        let grace = parse_time(&self.grace).map_err(|e| Problem::of(["grace".into()], e))?;
        let setup = Setup {
            agents,
            budget: match &self.budget {
                Some(text) => text
                    .parse()
                    .map_err(|e: ludex_core::Error| Problem::of(["budget".into()], e))?,
                None => Budget::default(),
            },
            seed: Seed(self.seed),
            referee: Referee {
                grace,
                longest: self.adjudicate.steps,
                proven: self.adjudicate.proven,
            },
            openings: self.openings.as_ref().map_or(0, |o| o.plies),
            paired: self.dice == Dice::Paired,
            anchor,
            stop: self.stop.clone(),
        };
        let plan = Plan::new(setup, tables, self.rounds, self.limit);
        plan.map_err(|text| Problem::of(["rounds".into()], text))
    }

    /// What can be checked without opening anything.
    fn check(&self) -> Result<(), Problem> {
        let refuse = |key: &'static str, text: &str| Err(Problem::of([key.into()], text));
        if self.name.is_empty() || self.name.contains(|c: char| c.is_whitespace() || c == '/') {
            return refuse("name", "the name of a run is one word without `/`");
        }
        if self.games.is_empty() {
            return refuse("games", "there is no game to play");
        }
        if self.agents.is_empty() {
            return refuse("agents", "there is nobody to play");
        }
        for (i, text) in self.budgets.iter().enumerate() {
            if let Err(error) = text.parse::<Budget>() {
                return Err(Problem::of(["budgets".into(), Key::At(i)], error));
            }
        }
        match (self.rounds, self.limit) {
            (None, None) => return refuse("rounds", "say how much to play: rounds or limit"),
            (Some(0), _) => return refuse("rounds", "at least one round"),
            (_, Some(0)) => return refuse("limit", "at least one game"),
            (rounds, limit) if rounds.max(limit) > Some(MOST) => {
                return refuse("rounds", "that would never end");
            }
            _ => {}
        }
        if self.adjudicate.steps == 0 {
            return Err(Problem::of(["adjudicate".into(), "steps".into()], "at least one step"));
        }
        if self.openings.as_ref().is_some_and(|o| o.plies > 1000) {
            return refuse("openings", "an opening has at most 1000 plies");
        }
        let Some(stop) = &self.stop else { return Ok(()) };
        if let Some(width) = stop.width
            && !(width > 0.0 && width < 1.0)
        {
            let path = ["stop".into(), "width".into()];
            return Err(Problem::of(path, "the width of an interval is between 0 and 1"));
        }
        if let Some(sprt) = &stop.sprt {
            let path = ["stop".into(), "sprt".into()];
            let sound = [sprt.alpha, sprt.beta].iter().all(|&e| e > 0.0 && e < 0.5);
            if !sound || !sprt.elo0.is_finite() || !sprt.elo1.is_finite() || sprt.elo0 >= sprt.elo1
            {
                let text = "a test needs elo0 < elo1 and errors alpha and beta between 0 and 0.5";
                return Err(Problem::of(path, text));
            }
            if self.contenders().len() != 2 || self.seats == Seats::Fixed {
                let text = "a sequential test is for two agents who change seats";
                return Err(Problem::of(path, text));
            }
        }
        Ok(())
    }
}
