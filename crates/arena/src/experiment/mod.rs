//! An experiment as a file: games, agents, number of rounds, stop rules.
//!
//! TOML and JSON have the same keys; `docs/arena.md` explains them.

mod problem;

pub use problem::Problem;

use crate::contender::{Contender, World};
use crate::plan::{Plan, Setup, Table};
use crate::referee::Referee;
use ludex_agents::Budget;
use ludex_agents::budget::parse_time;
use ludex_core::error::did_you_mean;
use ludex_core::{Game, Seed, Spec};
use ludex_stats::sprt::Sprt;
use problem::Key;
use serde::de::{self, MapAccess, Visitor, value::MapAccessDeserializer};
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;
use std::sync::Arc;

/// An experiment.
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
    /// The name of the run in the database (default: the name of the file without its extension).
    #[serde(default)]
    pub name: String,
    /// A remark for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    /// The seed of all randomness.
    #[serde(default = "one")]
    pub seed: u64,
    /// The games.
    pub games: Vec<GameEntry>,
    /// The agents.
    pub agents: Vec<String>,
    /// The budget of agents that have none in their name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<String>,
    /// Each agent without a budget in its name takes part once with each of these budgets.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub budgets: Vec<String>,
    /// The pairing of agents.
    #[serde(default)]
    pub format: Format,
    /// In a gauntlet, the number of champions: the first agents of the list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub champions: Option<usize>,
    /// The orders of seats.
    #[serde(default)]
    pub seats: Seats,
    /// The number of rounds. In a round every group meets on every game in every order of seats.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u64>,
    /// The greatest number of games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u64>,
    /// Random openings, the same for every order of seats.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub openings: Option<Openings>,
    /// Are the dice the same for every order of seats?
    #[serde(default)]
    pub dice: Dice,
    /// The rules that stop a run before its last round.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop: Option<Stop>,
    /// The rules that end a game before its own rules do.
    #[serde(default)]
    pub adjudicate: Adjudicate,
    /// How long after the end of its time a move still counts.
    #[serde(default = "one_second")]
    pub grace: String,
    /// The treatment of an agent that can't play one of the games.
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

/// A game by its name, and its first position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GameEntry {
    /// The string that opens the game.
    pub game: String,
    /// The first position, where it is not the usual start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
}

impl<'de> Deserialize<'de> for GameEntry {
    /// Reads a name, or a table with `game` and `position`.
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

/// The pairing of agents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Every group of agents that fills the seats.
    #[default]
    RoundRobin,
    /// Each champion meets the other agents.
    Gauntlet,
}

/// The orders of seats of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Seats {
    /// All rotations.
    #[default]
    Rotate,
    /// All orders.
    All,
    /// Only the order of the list.
    Fixed,
}

/// The dice of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Dice {
    /// The same dice for every order of seats of a group.
    #[default]
    Paired,
    /// New dice for every game.
    Free,
}

/// The treatment of an agent that can't play one of the games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unsupported {
    /// The experiment is refused.
    #[default]
    Refuse,
    /// The agent forfeits these games.
    Forfeit,
}

/// Random openings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Openings {
    /// The number of random moves before the agents choose.
    pub plies: u32,
}

/// Rules that stop a run early. They look at whole rounds in order, so that the end does not depend on the speed of single
/// games.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Stop {
    /// Stop when a sequential test of the first agent against the second is decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<Sprt>,
    /// Stop when the 95 % interval of every mean payoff is narrower than this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub width: Option<f64>,
    /// The least number of rounds.
    #[serde(default)]
    pub min_rounds: u64,
}

/// Rules that end a game before its own rules do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Adjudicate {
    /// The number of steps after which a game is a draw.
    pub steps: u32,
    /// Does a result that an agent has proven end the game?
    pub proven: bool,
}

impl Default for Adjudicate {
    fn default() -> Self {
        Adjudicate { steps: Referee::default().longest, proven: false }
    }
}

/// The most rounds and games: far more than can be played.
const MOST: u64 = 1 << 40;

impl Experiment {
    /// An experiment with all other keys at their defaults.
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

    /// Reads an experiment in TOML.
    ///
    /// # Errors
    /// What is wrong, with its place in `file`.
    pub fn from_toml(file: &str, text: &str) -> Result<Self, Problem> {
        let read: Result<Experiment, _> = toml::from_str(text);
        read.map(|e| e.named(file)).map_err(|error| Problem::in_toml(&error).at(file, text))
    }

    /// Reads an experiment in JSON.
    ///
    /// # Errors
    /// What is wrong, with its place in `file`.
    pub fn from_json(file: &str, text: &str) -> Result<Self, Problem> {
        let read: Result<Experiment, _> = serde_json::from_str(text);
        read.map(|e| e.named(file)).map_err(|error| Problem::in_json(&error, text).at(file, text))
    }

    /// Reads the text of a file: JSON if its name ends in `.json`, else TOML.
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

    /// The part that must be the same when a run is resumed: all but the number of games, the stop rules, the anchor and the
    /// remark.
    pub fn identity(&self) -> String {
        let same = Experiment {
            about: None,
            rounds: None,
            limit: None,
            stop: None,
            anchor: None,
            ..self.clone()
        };
        let text = serde_json::to_string(&same);
        debug_assert!(text.is_ok(), "an experiment is plain data");
        text.unwrap_or_default()
    }

    /// The names under which an agent takes part: once with each budget, unless it has a budget of its own.
    fn with_budgets(&self, agent: &str) -> Vec<String> {
        let own = agent.parse::<Spec>().is_ok_and(|spec| !spec.budget.is_empty());
        if own || self.budgets.is_empty() {
            return vec![agent.to_string()];
        }
        self.budgets.iter().map(|budget| format!("{agent}@{budget}")).collect()
    }

    /// Checks the experiment and lays out its games.
    ///
    /// # Errors
    /// The first problem. [`Problem::at`] adds its place in the file.
    pub fn plan(&self, world: &dyn World) -> Result<Plan, Problem> {
        self.check()?;
        let agents = self.read_agents(world)?;
        let anchor = self.anchor_among(&agents)?;
        let tables = self.tables(world, &agents)?;
        let bad = |key: &'static str| move |e: ludex_core::Error| Problem::of([key.into()], e);
        let setup = Setup {
            agents,
            budget: match &self.budget {
                Some(text) => text.parse().map_err(bad("budget"))?,
                None => Budget::default(),
            },
            seed: Seed(self.seed),
            referee: Referee {
                grace: parse_time(&self.grace).map_err(bad("grace"))?,
                longest: self.adjudicate.steps,
                proven: self.adjudicate.proven,
            },
            openings: self.openings.as_ref().map_or(0, |o| o.plies),
            paired: self.dice == Dice::Paired,
            anchor,
            stop: self.stop.clone(),
        };
        let plan = Plan::new(setup, tables, self.rounds, self.limit);
        let mut plan = plan.map_err(|error| Problem::of(["rounds".into()], error))?;
        plan.build = world.build();
        Ok(plan)
    }

    fn read_agents(&self, world: &dyn World) -> Result<Vec<Arc<dyn Contender>>, Problem> {
        let mut agents = Vec::new();
        for (i, text) in self.agents.iter().enumerate() {
            for name in self.with_budgets(text) {
                let agent = world.agent(&name);
                agents.push(agent.map_err(|e| Problem::of(["agents".into(), Key::At(i)], e))?);
            }
        }
        Ok(agents)
    }

    /// The index of the agent whose rating is 0.
    fn anchor_among(&self, agents: &[Arc<dyn Contender>]) -> Result<Option<usize>, Problem> {
        let Some(anchor) = &self.anchor else { return Ok(None) };
        let names: Vec<String> = agents.iter().map(|agent| agent.name()).collect();
        let found = names.iter().position(|name| name == anchor);
        if found.is_none() {
            let hint = did_you_mean(anchor, names.iter().map(String::as_str));
            return Err(Problem::of(["anchor".into()], format!("no agent `{anchor}`{hint}")));
        }
        Ok(found)
    }

    /// Opens the games and lays out the groups that meet in each.
    fn tables(
        &self,
        world: &dyn World,
        agents: &[Arc<dyn Contender>],
    ) -> Result<Vec<Table>, Problem> {
        let champions = match self.format {
            Format::RoundRobin => None,
            Format::Gauntlet => Some(self.champions.unwrap_or(1)),
        };
        if let Some(n) = champions.filter(|n| !(1..agents.len()).contains(n)) {
            let text = format!("{n} champions leave no other agents");
            return Err(Problem::of(["champions".into()], text));
        }
        let mut tables = Vec::new();
        for (i, entry) in self.games.iter().enumerate() {
            let bad =
                |message: &dyn fmt::Display| Problem::of(["games".into(), Key::At(i)], message);
            let game = world.game(&entry.game).map_err(|e| bad(&e))?;
            let origin = entry.position.as_ref().map(|text| game.parse_position(text));
            let origin = origin.transpose().map_err(|e| bad(&e))?;
            if origin.as_ref().is_some_and(|state| game.is_over(state)) {
                return Err(bad(&"the game is over in this position"));
            }
            if self.unsupported == Unsupported::Refuse {
                let hint = "or set unsupported = \"forfeit\": it loses those games";
                let able = agents.iter().try_for_each(|agent| agent.supports(game.info()));
                able.map_err(|e| bad(&e).with_hint(hint))?;
            }
            let seats = game.info().seats();
            let table = Table::new(game, origin, agents.len(), seats, champions, self.seats);
            tables.push(table.map_err(|e| bad(&e))?);
        }
        Ok(tables)
    }

    /// The checks that need no game and no agent.
    fn check(&self) -> Result<(), Problem> {
        let refuse = |key: &'static str, text: &str| Err(Problem::of([key.into()], text));
        if self.name.is_empty() || self.name.contains(|c: char| c.is_whitespace() || c == '/') {
            return refuse("name", "the name of a run is one word without `/`");
        }
        if self.games.is_empty() {
            return refuse("games", "there is no game to play");
        }
        if self.agents.is_empty() {
            return refuse("agents", "there is no agent to play");
        }
        for (i, text) in self.budgets.iter().enumerate() {
            if let Err(error) = text.parse::<Budget>() {
                return Err(Problem::of(["budgets".into(), Key::At(i)], error));
            }
        }
        match (self.rounds, self.limit) {
            (None, None) => {
                return refuse("rounds", "the number of games is missing: rounds or limit");
            }
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
            let participants = self.agents.iter().map(|agent| self.with_budgets(agent).len());
            if participants.sum::<usize>() != 2 || self.seats == Seats::Fixed {
                let text = "a sequential test needs two agents that change seats";
                return Err(Problem::of(path, text));
            }
        }
        Ok(())
    }
}
