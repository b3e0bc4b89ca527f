//! The description of a search as a file; `docs/tune.md` explains every key.

use crate::optimise::cmaes::Cmaes;
use crate::optimise::ntbea::{self, Ntbea};
use crate::optimise::spsa::{Gains, Spsa};
use crate::optimise::{Optimiser, Point};
use ludex_arena::Problem;
use ludex_core::Seed;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The description of a search for the best parameters of an agent.
///
/// ```
/// use ludex_learn::tune::Description;
/// let text = "
/// game = 'ropasci360'
/// agent = 'ropasci-greedy(throws={throws},kills={kills})'
/// opponents = ['ropasci-greedy']
/// method = 'spsa'
/// games = 10
/// steps = 5
/// [parameters]
/// throws = { from = 0, to = 10, start = 1 }
/// kills = { from = 1, to = 100, start = 5, log = true }
/// ";
/// let tune = Description::read("first.toml", text).unwrap();
/// assert_eq!(tune.agent(&tune.start()), "ropasci-greedy(throws=1,kills=5)");
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Description {
    /// The name of the search in the database (default: the name of the file without its extension).
    #[serde(default)]
    pub name: String,
    /// A remark for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    /// The seed of all randomness.
    #[serde(default = "one")]
    pub seed: u64,
    /// The game.
    pub game: String,
    /// The agent, with `{name}` in the place of each parameter.
    pub agent: String,
    /// The opponents of the candidates; without any, candidates play each other.
    #[serde(default)]
    pub opponents: Vec<String>,
    /// The budget of agents that have none in their name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<String>,
    /// The search method.
    pub method: Method,
    /// The least number of games of each candidate in a step.
    pub games: u64,
    /// The number of steps.
    pub steps: u32,
    /// The number of candidates of a step, for the methods that let you choose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub population: Option<usize>,
    /// The number of heats of a step. After each heat, clearly bad candidates leave the race.
    #[serde(default = "heats")]
    pub heats: u32,
    /// The parameters.
    pub parameters: BTreeMap<String, Parameter>,
    /// The final test.
    #[serde(default)]
    pub test: Test,
}

fn one() -> u64 {
    1
}

fn heats() -> u32 {
    1
}

/// The search methods.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Random sets of values play; in each step the better half stays and new sets join: the method of the RoPaSci report.
    Tournament,
    /// Covariance matrix adaptation.
    Cmaes,
    /// Simultaneous perturbation.
    Spsa,
    /// The n-tuple bandit.
    Ntbea,
}

/// A number that is tuned.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameter {
    /// The least value.
    pub from: f64,
    /// The greatest value.
    pub to: f64,
    /// The first value of the search; the final test compares with it.
    pub start: f64,
    /// Is the scale of the parameter logarithmic?
    #[serde(default)]
    pub log: bool,
    /// Are only whole numbers allowed?
    #[serde(default)]
    pub integer: bool,
    /// The number of levels, for `ntbea`.
    #[serde(default = "levels")]
    pub levels: usize,
}

fn levels() -> usize {
    7
}

impl Parameter {
    /// The value at a coordinate from 0 to 1.
    pub fn at(&self, x: f64) -> f64 {
        let value = match self.log {
            true => (self.from.ln() + x * (self.to / self.from).ln()).exp(),
            false => self.from + x * (self.to - self.from),
        };
        let value = if self.integer { value.round() } else { value };
        // Four digits are more exact than games can measure, and read well.
        let digits = 3 - value.abs().max(1e-9).log10().floor() as i32;
        let scale = 10f64.powi(digits.clamp(0, 12));
        ((value * scale).round() / scale).clamp(self.from, self.to)
    }

    /// The fault of the numbers, if there is one.
    fn fault(&self) -> Option<&'static str> {
        let ordered = self.from < self.to && (self.from..=self.to).contains(&self.start);
        if !(ordered && self.from.is_finite() && self.to.is_finite()) {
            Some("expected numbers from < to with start between them")
        } else if self.log && self.from <= 0.0 {
            Some("with `log` all values must be above 0")
        } else if !(2..=1000).contains(&self.levels) {
            Some("from 2 to 1000 levels")
        } else {
            None
        }
    }

    /// The coordinate of a value.
    pub fn place(&self, value: f64) -> f64 {
        let x = match self.log {
            true => (value / self.from).ln() / (self.to / self.from).ln(),
            false => (value - self.from) / (self.to - self.from),
        };
        if x.is_finite() { x.clamp(0.0, 1.0) } else { 0.5 }
    }
}

/// The final test of the best values and the start values, on new seeds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Test {
    /// The number of games of each.
    #[serde(default = "test_games")]
    pub games: u64,
    /// The opponents (default: those of the search; without any, the two play each other).
    #[serde(default)]
    pub opponents: Vec<String>,
    /// The number of further opponents with random values.
    #[serde(default)]
    pub sets: usize,
}

fn test_games() -> u64 {
    400
}

impl Default for Test {
    fn default() -> Self {
        Test { games: test_games(), opponents: Vec::new(), sets: 0 }
    }
}

impl Description {
    /// Reads the text of a TOML file.
    ///
    /// # Errors
    /// What is wrong, with its place in `file`.
    pub fn read(file: &str, text: &str) -> Result<Self, Problem> {
        let mut tune: Description =
            toml::from_str(text).map_err(|error| Problem::in_toml(&error).at(file, text))?;
        if tune.name.is_empty() {
            let stem = std::path::Path::new(file).file_stem().and_then(|stem| stem.to_str());
            tune.name = stem.unwrap_or("tune").to_string();
        }
        tune.check().map_err(|problem| problem.at(file, text))?;
        Ok(tune)
    }

    fn check(&self) -> Result<(), Problem> {
        if self.parameters.is_empty() {
            return Err(Problem::of_key("parameters", "there is nothing to tune"));
        }
        for (name, parameter) in &self.parameters {
            if let Some(fault) = parameter.fault() {
                return Err(Problem::of_key("parameters", format!("`{name}`: {fault}")));
            }
            if !self.agent.contains(&format!("{{{name}}}")) {
                let fault = format!("`{}` has no place {{{name}}}", self.agent);
                return Err(Problem::of_key("agent", fault));
            }
        }
        if self.method == Method::Ntbea && self.opponents.is_empty() {
            let fault = "ntbea measures one candidate at a time: name `opponents`";
            return Err(Problem::of_key("method", fault));
        }
        let counts = [
            ("games", self.games),
            ("steps", self.steps.into()),
            ("heats", self.heats.into()),
            ("test", self.test.games),
        ];
        if let Some((key, _)) = counts.iter().find(|(_, count)| *count == 0) {
            return Err(Problem::of_key(key, "the number must be above 0"));
        }
        if self.population.is_some_and(|n| !(2..=1000).contains(&n)) {
            return Err(Problem::of_key("population", "the number must be from 2 to 1000"));
        }
        Ok(())
    }

    /// The first point of the search.
    pub fn start(&self) -> Point {
        self.parameters.values().map(|p| p.place(p.start)).collect()
    }

    /// The values of a point, by name.
    pub fn values(&self, point: &[f64]) -> BTreeMap<String, f64> {
        let places = self.parameters.iter().zip(point);
        places.map(|((name, p), &x)| (name.clone(), p.at(x))).collect()
    }

    /// The agent at a point.
    pub fn agent(&self, point: &[f64]) -> String {
        let mut text = self.agent.clone();
        for (name, value) in self.values(point) {
            text = text.replace(&format!("{{{name}}}"), &value.to_string());
        }
        text
    }

    /// The optimiser of the method.
    pub(crate) fn optimiser(&self) -> Box<dyn Optimiser> {
        let (start, seed) = (self.start(), Seed(self.seed).named("search"));
        match self.method {
            Method::Tournament => Box::new(Sets::new(start, self.population.unwrap_or(50), seed)),
            Method::Cmaes => match self.population {
                Some(lambda) => Box::new(Cmaes::with_population(&start, 0.25, lambda, seed)),
                None => Box::new(Cmaes::new(&start, 0.25, seed)),
            },
            Method::Spsa => Box::new(Spsa::new(
                &start,
                Gains { step: 0.3, ..Gains::for_steps(self.steps) },
                seed,
            )),
            Method::Ntbea => {
                let levels: Vec<usize> = self.parameters.values().map(|p| p.levels).collect();
                let settings = ntbea::Settings { k: 0.5, ..ntbea::Settings::default() };
                Box::new(Ntbea::new(&levels, &start, settings, seed))
            }
        }
    }
}

/// A tournament of sets of values. The first step has the start and random sets; each further step has the better half of
/// the step before and new random sets. The best set is the one with the best mean over its steps, slightly in favour of
/// sets with more steps.
struct Sets {
    rng: ludex_core::Rng,
    count: usize,
    /// Every set with its number of steps and the sum of its scores.
    seen: Vec<(Point, f64, f64)>,
    next: Vec<Point>,
}

impl Sets {
    fn new(start: Point, count: usize, seed: Seed) -> Self {
        let mut sets =
            Sets { rng: seed.named("sets").rng(), count, seen: Vec::new(), next: vec![start] };
        sets.fill();
        sets
    }

    fn fill(&mut self) {
        let dim = self.next.first().map_or(0, Vec::len);
        while self.next.len() < self.count {
            self.next.push((0..dim).map(|_| self.rng.unit()).collect());
        }
    }
}

impl Optimiser for Sets {
    fn ask(&mut self) -> Vec<Point> {
        self.next.clone()
    }

    fn tell(&mut self, points: &[Point], worth: &[f64]) {
        for (point, &worth) in points.iter().zip(worth) {
            match self.seen.iter_mut().find(|(seen, _, _)| seen == point) {
                Some((_, n, sum)) => (*n, *sum) = (*n + 1.0, *sum + worth),
                None => self.seen.push((point.clone(), 1.0, worth)),
            }
        }
        let mut order: Vec<usize> = (0..points.len().min(worth.len())).collect();
        order.sort_by(|&a, &b| worth[b].total_cmp(&worth[a]));
        order.truncate(self.count.div_ceil(2));
        self.next = order.iter().map(|&i| points[i].clone()).collect();
        self.fill();
    }

    fn best(&self) -> Point {
        // One more step with half a point, so that one lucky step does not decide.
        let worth = |(_, n, sum): &(Point, f64, f64)| (sum + 0.5) / (n + 1.0);
        let best = self.seen.iter().max_by(|a, b| worth(a).total_cmp(&worth(b)));
        best.map_or_else(|| self.next[0].clone(), |(point, _, _)| point.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::optimise::testkit::search;

    #[test]
    fn values_come_back_and_read_well() {
        let log =
            Parameter { from: 1.0, to: 100.0, start: 5.0, log: true, integer: false, levels: 3 };
        assert_eq!((log.at(0.0), log.at(0.5), log.at(1.0)), (1.0, 10.0, 100.0));
        assert_eq!(log.at(log.place(5.0)), 5.0);
        let whole = Parameter { from: 0.0, to: 9.0, integer: true, log: false, ..log };
        assert_eq!((whole.at(0.34), whole.at(0.3333333)), (3.0, 3.0));
    }

    #[test]
    fn what_makes_no_sense_is_refused_with_its_place() {
        let good = "game = 'nim'\nagent = 'uct(c={c})'\nopponents = ['random']\nmethod = 'cmaes'\n\
                    games = 2\nsteps = 2\n[parameters]\nc = { from = 0.1, to = 2, start = 1 }\n";
        assert!(Description::read("t.toml", good).is_ok());
        for (old, new, says) in [
            ("cmaes", "climb", "t.toml:4:"),
            ("steps = 2", "stepps = 2", "t.toml:6:"),
            ("{c}", "1", "has no place {c}"),
            ("from = 0.1", "from = 3", "from < to"),
            ("start = 1", "start = 5", "start between"),
            ("from = 0.1", "log = true, from = -1", "above 0"),
            ("games = 2", "games = 0", "above 0"),
            ("opponents = ['random']\nmethod = 'cmaes'", "method = 'ntbea'", "name `opponents`"),
        ] {
            let error = Description::read("t.toml", &good.replace(old, new)).unwrap_err();
            let error = error.to_string();
            assert!(error.contains(says), "{new}: {error}");
        }
    }

    #[test]
    fn a_tournament_of_sets_finds_a_good_one_through_noise() {
        let hill = |p: &[f64]| 1.0 - p.iter().map(|x| (x - 0.7).abs()).sum::<f64>() / 2.0;
        let best = search(Sets::new(vec![0.1, 0.1], 40, Seed(1)), 400, 0.05, hill);
        assert!(hill(&best) > 0.9, "{best:?}");
    }
}
