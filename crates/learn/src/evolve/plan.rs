//! The plan of an evolution as a file; `docs/evolve.md` explains every key.

use super::evolution::{Evaluation, Settings};
use ludex_arena::Problem;
use ludex_core::Seed;
use serde::{Deserialize, Serialize};

/// The plan of an evolution: the file of `ludex evolve`.
///
/// ```
/// use ludex_learn::evolve::Plan;
/// let text = "game = 'ludo'\ngenome = 'simple'\npopulation = 20\ngenerations = 100";
/// let plan = Plan::from_toml("simple.toml", text).unwrap();
/// assert_eq!((plan.games, plan.mutation.as_str()), (10, "normal(sigma=0.1)"));
/// let error = Plan::from_toml("x.toml", "gnome = 'simple'").unwrap_err();
/// assert!(error.to_string().contains("did you mean `genome`?"), "{error}");
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Plan {
    /// A remark for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    /// The game.
    pub game: String,
    /// The kind of genome: `simple`, `advanced`, `full`, `fellow` (Ludo), `terms` (games with evaluation terms).
    pub genome: String,
    /// The size of the population.
    pub population: usize,
    /// The number of generations.
    pub generations: u64,
    /// The number of games of a group of four.
    #[serde(default = "ten")]
    pub games: u64,
    /// `tournament`, `cellular`, `island(islands=4,epoch=10,migrants=2)`.
    #[serde(default = "tournament")]
    pub selection: String,
    /// `none`, `uniform`, `whole`, `blend(alpha=0.5)`.
    #[serde(default = "whole")]
    pub recombination: String,
    /// `normal(sigma=0.1)`, `one-step(rate=0.1)`, `n-step(global=0.1,local=0.1)`.
    #[serde(default = "normal")]
    pub mutation: String,
    /// Fixed opponents: `random`; for the players of Ludo also `smart`, `defensive`, `aggressive`, `fast`. None: the group
    /// plays among itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opponents: Option<String>,
    /// The seed of all randomness.
    #[serde(default = "one")]
    pub seed: u64,
    /// The measurements.
    #[serde(default)]
    pub evaluate: Evaluate,
    /// The choice of the champion at the end.
    #[serde(default)]
    pub reduce: Reduce,
}

/// The measurements of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Evaluate {
    /// The number of generations between measurements; 0 for none.
    pub every: u64,
    /// The number of individuals to measure.
    pub agents: usize,
    /// The number of games of each individual.
    pub games: u64,
}

impl Default for Evaluate {
    fn default() -> Self {
        Evaluate { every: 1, agents: 20, games: 100 }
    }
}

/// The choice of the champion at the end.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Reduce {
    /// The number of games of a group of four.
    pub games: u64,
}

impl Default for Reduce {
    fn default() -> Self {
        Reduce { games: 500 }
    }
}

fn ten() -> u64 {
    10
}

fn one() -> u64 {
    1
}

fn tournament() -> String {
    "tournament".into()
}

fn whole() -> String {
    "whole".into()
}

fn normal() -> String {
    "normal(sigma=0.1)".into()
}

/// The greatest number of individuals, generations and games: more than memory and time allow.
const MOST: u64 = 1 << 32;

impl Plan {
    /// A plan with all other keys at their defaults.
    pub fn new(game: &str, genome: &str, population: usize, generations: u64) -> Self {
        Plan {
            about: None,
            game: game.into(),
            genome: genome.into(),
            population,
            generations,
            games: ten(),
            selection: tournament(),
            recombination: whole(),
            mutation: normal(),
            opponents: None,
            seed: one(),
            evaluate: Evaluate::default(),
            reduce: Reduce::default(),
        }
    }

    /// Reads TOML and checks it.
    ///
    /// # Errors
    /// What is wrong, with its place in `file`.
    pub fn from_toml(file: &str, text: &str) -> Result<Self, Problem> {
        let plan: Plan =
            toml::from_str(text).map_err(|error| Problem::in_toml(&error).at(file, text))?;
        plan.settings().map_err(|problem| problem.at(file, text))?;
        Ok(plan)
    }

    /// The settings of the evolution.
    ///
    /// # Errors
    /// The first problem of the plan.
    pub fn settings(&self) -> Result<Settings, Problem> {
        let whole = [
            ("population", self.population as u64),
            ("generations", self.generations),
            ("games", self.games),
        ];
        if let Some((key, n)) = whole.into_iter().find(|(_, n)| !(1..MOST).contains(n)) {
            return Err(Problem::of_key(key, format!("must be 1 or more, not {n}")));
        }
        let selection = self.selection.parse().map_err(|e| Problem::of_key("selection", e))?;
        let settings = Settings {
            population: self.population,
            games: self.games,
            selection,
            recombination: self
                .recombination
                .parse()
                .map_err(|e| Problem::of_key("recombination", e))?,
            mutation: self.mutation.parse().map_err(|e| Problem::of_key("mutation", e))?,
            opponents: self.opponents.clone(),
            seed: Seed(self.seed),
        };
        selection.check(self.population).map_err(|e| Problem::of_key("population", e))?;
        Ok(settings)
    }

    /// How the population is measured.
    pub fn evaluation(&self) -> Evaluation {
        let Evaluate { every, agents, games } = self.evaluate;
        Evaluation { every, agents, games }
    }

    /// The part that must be the same when a run is resumed: all but the number of generations, the choice of the champion
    /// and the remark.
    pub(crate) fn identity(&self) -> String {
        let same = Plan { about: None, generations: 0, reduce: Reduce::default(), ..self.clone() };
        serde_json::to_string(&same).unwrap_or_default()
    }
}
