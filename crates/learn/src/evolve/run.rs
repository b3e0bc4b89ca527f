//! A whole run in a folder: generations, measurements, checkpoints, figures, the best player.

use super::checkpoint::{Folder, Log};
use super::evolution::{Evolution, Point};
use super::figure;
use super::genome::{Genome, Terms};
use super::plan::Plan;
use ludex_core::{AnyGame, Error, Game, error::did_you_mean};
use ludex_games::Ludo;
use ludex_games::ludo::values::Kind;
use ludex_model::npy;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Somebody who watches a run.
pub trait Watch {
    /// A generation is done, of so many.
    fn generation(&mut self, _done: u64, _of: u64) {}
    /// A measurement; all so far.
    fn measured(&mut self, _points: &[Point]) {}
    /// The best is being chosen.
    fn reducing(&mut self) {}
}

impl Watch for () {}

/// How a run ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// Generations done.
    pub generation: u64,
    /// Games that groups played.
    pub games: u64,
    /// The measurements.
    pub points: Vec<Point>,
    /// The genes of everybody at the measurements, where they are few.
    pub trail: Vec<Vec<Vec<f64>>>,
    /// The best player's genes; empty where the run was stopped before its end.
    pub champion: Vec<f64>,
}

/// Why a run can't begin or go on.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The plan makes no sense.
    #[error(transparent)]
    Problem(#[from] ludex_arena::Problem),
    /// The game or the genome makes no sense.
    #[error(transparent)]
    Core(#[from] Error),
    /// The folder holds the run of another plan.
    #[error("{folder} holds a run of another plan; name another folder, or remove it")]
    OtherPlan {
        /// The folder.
        folder: String,
    },
    /// The file of the population holds another number of individuals or genes.
    #[error("{folder}: {file} does not hold the population of this plan")]
    OtherPopulation {
        /// The folder.
        folder: String,
        /// The file of the population.
        file: String,
    },
    /// A file of the folder can't be read or written.
    #[error("{folder}: {error}")]
    Io {
        /// The folder.
        folder: String,
        /// Why it failed.
        error: std::io::Error,
    },
}

/// Runs a plan in a folder, or goes on with the run that the folder holds. `stop` ends it after the
/// generation at hand; what was done is kept.
///
/// # Errors
/// See [`Failure`].
pub fn run(
    plan: &Plan,
    game: &AnyGame,
    folder: &Path,
    stop: &AtomicBool,
    watch: &mut dyn Watch,
) -> Result<Outcome, Failure> {
    let kinds = [Kind::Simple, Kind::Advanced, Kind::Full];
    let kind = kinds.into_iter().find(|kind| kind.name() == plan.genome);
    match (kind, plan.genome.as_str()) {
        (Some(kind), _) => match game.get::<Ludo>() {
            Some(ludo) => run_with(plan, ludo, &kind, folder, stop, watch),
            None => Err(Failure::Core(Error::Unsupported(format!(
                "the genome `{}` plays ludo, not {}; `terms` plays games with terms",
                plan.genome,
                game.info().name
            )))),
        },
        (None, "terms") => run_with(plan, game, &Terms::of(game)?, folder, stop, watch),
        (None, name) => {
            let known = ["simple", "advanced", "full", "terms"];
            let mut hint = did_you_mean(name, known);
            if hint.is_empty() {
                hint = format!("; there are {}", known.join(", "));
            }
            Err(Failure::Core(Error::Unknown { what: "genome", name: name.into(), hint }))
        }
    }
}

/// The same for any game and genome.
///
/// # Errors
/// See [`Failure`].
pub fn run_with<G: Game>(
    plan: &Plan,
    game: &G,
    genome: &dyn Genome<G>,
    folder: &Path,
    stop: &AtomicBool,
    watch: &mut dyn Watch,
) -> Result<Outcome, Failure> {
    let at = folder.display().to_string();
    let io = |error| Failure::Io { folder: at.clone(), error };
    let settings = plan.settings()?;
    let folder = Folder::new(folder).map_err(io)?;
    let (mut log, mut evolution) = match folder.load().map_err(io)? {
        Some((log, _)) if log.identity != plan.identity() => {
            return Err(Failure::OtherPlan { folder: at });
        }
        Some((log, population)) => {
            let sigmas = settings.mutation.sigmas(genome.genes());
            let whole = population.len() == settings.population
                && population
                    .iter()
                    .all(|one| (one.genes.len(), one.sigmas.len()) == (genome.genes(), sigmas));
            if !whole {
                return Err(Failure::OtherPopulation { folder: at, file: log.population });
            }
            let generation = log.generation;
            (log, Evolution::resume(game, genome, settings, population, generation))
        }
        None => {
            let log = Log { identity: plan.identity(), genes: genome.genes(), ..Log::default() };
            (log, Evolution::new(game, genome, settings))
        }
    };
    let (mut saving, mut drawing) = (Pace::new(), Pace::new());
    loop {
        let done = evolution.generation();
        let last = done >= plan.generations;
        let every = plan.evaluate.every;
        let due = every > 0 && (done.is_multiple_of(every) || last);
        if due && log.points.last().is_none_or(|point| point.generation < done) {
            log.points.push(evolution.evaluate(&plan.evaluation()));
            if genome.genes() <= FEW {
                log.trail.push(evolution.population().iter().map(|i| i.genes.clone()).collect());
            }
            watch.measured(&log.points);
        }
        let stopped = stop.load(Ordering::Relaxed);
        // A run that was finished before is only read.
        let kept = log.champion.is_some_and(|(then, _)| then == done);
        let must = last || stopped;
        if !kept && (saving.due() || must) {
            log.generation = done;
            folder.save(&mut log, evolution.population()).map_err(io)?;
            saving.done();
        }
        if !kept && (drawing.due() || must) {
            figure::write(&folder, &log.points, &log.trail, &genome.labels()).map_err(io)?;
            drawing.done();
        }
        if last || stopped {
            break;
        }
        evolution.step();
        watch.generation(evolution.generation(), plan.generations);
    }
    let mut champion = Vec::new();
    if evolution.generation() >= plan.generations {
        let generation = evolution.generation();
        let kept = log.champion.filter(|(then, _)| *then == generation);
        let number = kept.map_or_else(
            || {
                watch.reducing();
                evolution.champion(plan.reduce.games)
            },
            |(_, number)| number,
        );
        champion.clone_from(&evolution.population()[number.min(plan.population - 1)].genes);
        if kept.is_none() {
            folder.write("champion.npy", &npy::list(&champion)).map_err(io)?;
            let text = serde_json::to_vec(&champion).map_err(|e| io(e.into()))?;
            folder.write("champion.json", &text).map_err(io)?;
            log.champion = Some((generation, number));
            folder.save(&mut log, evolution.population()).map_err(io)?;
        }
    }
    Ok(Outcome {
        generation: evolution.generation(),
        games: evolution.games(),
        points: log.points,
        trail: log.trail,
        champion,
    })
}

/// Genomes of so many genes are few enough to keep everybody's at each measurement.
const FEW: usize = 16;

/// Does something as often as it costs no more than a twentieth of the time.
struct Pace {
    begun: Instant,
    last: Instant,
    pause: Duration,
}

impl Pace {
    fn new() -> Self {
        let now = Instant::now();
        Pace { begun: now, last: now, pause: Duration::ZERO }
    }

    fn due(&mut self) -> bool {
        self.begun = Instant::now();
        self.begun - self.last >= self.pause
    }

    fn done(&mut self) {
        self.last = Instant::now();
        self.pause = 20 * (self.last - self.begun);
    }
}
