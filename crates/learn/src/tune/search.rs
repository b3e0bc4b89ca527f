//! The search: asks for candidates, lets them play, tells their scores, and tests the result.

use super::description::{Description, Method};
use super::race::{Score, in_the_race};
use crate::optimise::Point;
use ludex_arena::experiment::Format;
use ludex_arena::{Experiment, GameResult, Plan, Problem, World};
use ludex_core::Seed;
use ludex_stats::plot::{Chart, Series};
use ludex_stats::{Interval, Z95, wilson};
use serde::Serialize;
use std::collections::BTreeMap;

/// Plays the games of a search and keeps them. A search that is started again finds the games that it has played.
pub trait Archive {
    /// Plays the games of an experiment that are not kept yet, and returns the results of all of its games in order. The
    /// list is shorter than the plan where the search was told to stop.
    ///
    /// # Errors
    /// The games can't be kept or read.
    fn play(&self, experiment: &Experiment, plan: &Plan) -> Result<Vec<GameResult>, ArchiveError>;
}

/// An error of the store behind an [`Archive`].
pub type ArchiveError = Box<dyn std::error::Error + Send + Sync>;

/// A search that failed.
#[derive(Debug, thiserror::Error)]
pub enum TuneError {
    /// The description names an agent, a game or a number that makes no sense.
    #[error(transparent)]
    Description(#[from] Problem),
    /// The archive of games failed.
    #[error(transparent)]
    Archive(ArchiveError),
    /// The search was told to stop.
    #[error("stopped; the same command continues the search")]
    Stopped,
}

/// One step of a search.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Step {
    /// The number of the step, from 1.
    pub step: u32,
    /// The number of games so far.
    pub games: u64,
    /// The best mean payoff of a candidate of the step.
    pub best: f64,
    /// The mean payoff of all candidates of the step.
    pub mean: f64,
    /// The best values so far.
    pub values: BTreeMap<String, f64>,
}

/// The result of an agent in the final test.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Tested {
    /// The role of the agent: `found` or `start`.
    pub role: &'static str,
    /// The name of the agent.
    pub agent: String,
    /// The number of games.
    pub games: u64,
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// The mean payoff.
    pub score: f64,
    /// The 95 % interval of the mean payoff.
    pub interval: Interval,
}

/// The result of a search.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Outcome {
    /// The name of the search.
    pub name: String,
    /// The best values.
    pub values: BTreeMap<String, f64>,
    /// The agent with the best values.
    pub agent: String,
    /// The number of games of the search, without the test.
    pub games: u64,
    /// The steps.
    pub steps: Vec<Step>,
    /// The test of the best values and of the start values, on new seeds.
    pub test: Vec<Tested>,
}

impl Outcome {
    /// The progress as a chart.
    pub fn chart(&self) -> Chart {
        let line = |name: &str, value: fn(&Step) -> f64| {
            let line = self.steps.iter().map(|step| (step.games as f64, value(step))).collect();
            Series { label: name.to_string(), line, ..Series::default() }
        };
        Chart {
            title: format!("{}: scores as the search went on", self.name),
            x: "games".into(),
            y: "mean payoff".into(),
            series: vec![
                line("best of the step", |step| step.best),
                line("mean of the step", |step| step.mean),
            ],
            ..Chart::default()
        }
    }
}

/// A search.
pub struct Search<'a> {
    /// The description of the parameters and of the search.
    pub description: &'a Description,
    /// Where names of games and agents are looked up.
    pub world: &'a dyn World,
    /// Plays and keeps the games.
    pub archive: &'a dyn Archive,
}

impl Search<'_> {
    /// Searches and tests. `told` is called after every step.
    ///
    /// # Errors
    /// The description makes no sense, the archive failed, or the search was told to stop.
    pub fn run(&self, told: &mut dyn FnMut(&Step)) -> Result<Outcome, TuneError> {
        let tune = self.description;
        let mut search = tune.optimiser();
        let mut steps: Vec<Step> = Vec::new();
        let mut games = 0;
        for number in 0..tune.steps {
            let points = search.ask();
            let scores = self.measure(number, &points)?;
            let worth: Vec<f64> = scores.iter().map(Score::mean).collect();
            search.tell(&points, &worth);
            games += scores.iter().map(|score| score.games).sum::<u64>();
            let step = Step {
                step: number + 1,
                games,
                best: worth.iter().copied().fold(f64::MIN, f64::max),
                mean: worth.iter().sum::<f64>() / worth.len().max(1) as f64,
                values: tune.values(&search.best()),
            };
            told(&step);
            steps.push(step);
        }
        let best = search.best();
        let (values, agent) = (tune.values(&best), tune.agent(&best));
        let test = self.test(&best)?;
        Ok(Outcome { name: tune.name.clone(), values, agent, games, steps, test })
    }

    /// The scores of the candidates of a step, measured in heats.
    fn measure(&self, step: u32, points: &[Point]) -> Result<Vec<Score>, TuneError> {
        let tune = self.description;
        let wanted = match tune.method {
            Method::Tournament | Method::Cmaes => points.len().div_ceil(2),
            Method::Spsa | Method::Ntbea => points.len(),
        };
        let mut scores = vec![Score::default(); points.len()];
        let mut running = vec![true; points.len()];
        for heat in 0..tune.heats {
            let who: Vec<usize> = (0..points.len()).filter(|&i| running[i]).collect();
            // Candidates that play each other need at least two.
            if who.is_empty() || who.len() < 2 && tune.opponents.is_empty() {
                break;
            }
            let agents: Vec<String> = who.iter().map(|&i| tune.agent(&points[i])).collect();
            let name = format!("{}.{:04}.{heat}", tune.name, step + 1);
            let seed = Seed(tune.seed).named("games").child(step.into()).child(heat.into());
            let games = tune.games.div_ceil(tune.heats.into());
            let fresh = self.play(&name, seed, &agents, &tune.opponents, games)?;
            who.iter().zip(&fresh).for_each(|(&i, score)| scores[i].merge(score));
            let still = in_the_race(&scores, wanted);
            running.iter_mut().zip(still).for_each(|(running, still)| *running &= still);
        }
        Ok(scores)
    }

    /// Tests the best values and the start values on seeds that the search has not used.
    fn test(&self, best: &[f64]) -> Result<Vec<Tested>, TuneError> {
        let tune = self.description;
        let agents = [tune.agent(best), tune.agent(&tune.start())];
        let mut others = match tune.test.opponents.as_slice() {
            [] => tune.opponents.clone(),
            given => given.to_vec(),
        };
        let mut rng = Seed(tune.seed).named("test sets").rng();
        for _ in 0..tune.test.sets {
            let point: Point = tune.parameters.iter().map(|_| rng.unit()).collect();
            others.push(tune.agent(&point));
        }
        let seed = Seed(tune.seed).named("test");
        let name = format!("{}.test", tune.name);
        let scores = self.play(&name, seed, &agents, &others, tune.test.games)?;
        let roles = ["found", "start"];
        let tested = roles.into_iter().zip(agents).zip(&scores);
        Ok(tested
            .map(|((role, agent), score)| Tested {
                role,
                agent,
                games: score.games,
                wins: score.wins,
                draws: score.draws(),
                losses: score.losses,
                score: score.mean(),
                interval: wilson(score.mean(), score.games, Z95),
            })
            .collect())
    }

    /// Lets every agent play at least `games` games against the others (or against each other if there are no others), as
    /// one experiment. Games that the archive has are not played again.
    fn play(
        &self,
        name: &str,
        seed: Seed,
        agents: &[String],
        others: &[String],
        games: u64,
    ) -> Result<Vec<Score>, TuneError> {
        let tune = self.description;
        let names: Vec<&str> = agents.iter().chain(others).map(String::as_str).collect();
        let mut experiment = Experiment::new(name, &[&tune.game], &names, 1);
        experiment.seed = seed.0 >> 1;
        experiment.budget = tune.budget.clone();
        if !others.is_empty() {
            experiment.format = Format::Gauntlet;
            experiment.champions = Some(agents.len());
        }
        let plan = experiment.plan(self.world)?;
        let sits = |number: u64| plan.fixture(number).seats.contains(&0);
        let each = (0..plan.round()).filter(|&number| sits(number)).count() as u64;
        experiment.rounds = Some(games.div_ceil(each.max(1)));
        let plan = experiment.plan(self.world)?;
        let results = self.archive.play(&experiment, &plan).map_err(TuneError::Archive)?;
        if (results.len() as u64) < plan.total() {
            return Err(TuneError::Stopped);
        }
        let mut scores = vec![Score::default(); agents.len()];
        for result in &results {
            for (seat, (&agent, &payoff)) in result.seats.iter().zip(&result.payoffs).enumerate() {
                let Some(score) = scores.get_mut(agent) else { continue };
                let others = result.payoffs.iter().enumerate().filter(|(other, _)| *other != seat);
                let best = others.map(|(_, payoff)| f64::from(*payoff)).fold(0.0, f64::max);
                score.add(payoff.into(), best);
            }
        }
        Ok(scores)
    }
}
