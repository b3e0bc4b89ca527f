//! A run in a folder: generations, measurements, checkpoints, figures, the champion.

use super::checkpoint::{Folder, Log};
use super::evolution::{Evolution, Point, Settings};
use super::figure;
use super::genome::{Genome, Terms};
use super::operators::Individual;
use super::plan::Plan;
use ludex_core::{AnyGame, Error, Game, error::did_you_mean};
use ludex_games::Ludo;
use ludex_games::ludo::values::Kind;
use ludex_model::npy;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Watches a run.
pub trait Watch {
    /// `done` of `of` generations are finished.
    fn generation(&mut self, _done: u64, _of: u64) {}
    /// A measurement is finished; `points` holds all measurements so far.
    fn measured(&mut self, _points: &[Point]) {}
    /// The choice of the champion begins.
    fn reducing(&mut self) {}
}

impl Watch for () {}

/// The result of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// The number of finished generations.
    pub generation: u64,
    /// The number of games that groups played.
    pub games: u64,
    /// The measurements.
    pub points: Vec<Point>,
    /// The genes of the whole population at each measurement, for small genomes.
    pub trail: Vec<Vec<Vec<f64>>>,
    /// The genes of the champion; empty if the run was stopped before its end.
    pub champion: Vec<f64>,
}

/// Why a run can't begin or be resumed.
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

/// Runs a plan in a folder, or resumes the run in the folder. `stop` ends the run after the current generation and keeps
/// its checkpoint.
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
    with_genome(plan, game, Whole { plan, folder, stop, watch })?
}

/// Work on the concrete game and genome of a plan.
pub(super) trait Visit {
    /// The result.
    type Out;
    /// Does the work.
    fn visit<G: Game>(self, game: &G, genome: &dyn Genome<G>) -> Self::Out;
}

/// Finds the game and the genome that a plan names.
///
/// # Errors
/// The genome is unknown, or does not fit the game.
pub(super) fn with_genome<V: Visit>(
    plan: &Plan,
    game: &AnyGame,
    visit: V,
) -> Result<V::Out, Failure> {
    let kinds = [Kind::Simple, Kind::Advanced, Kind::Full, Kind::Fellow];
    let kind = kinds.into_iter().find(|kind| kind.name() == plan.genome);
    match (kind, plan.genome.as_str()) {
        (Some(kind), _) => match game.get::<Ludo>() {
            Some(ludo) => Ok(visit.visit(ludo, &kind)),
            None => Err(Failure::Core(Error::Unsupported(format!(
                "the genome `{}` plays ludo, not {}; `terms` plays games with terms",
                plan.genome,
                game.info().name
            )))),
        },
        (None, "terms") => Ok(visit.visit(game, &Terms::of(game)?)),
        (None, name) => {
            let known = ["simple", "advanced", "full", "fellow", "terms"];
            let mut hint = did_you_mean(name, known);
            if hint.is_empty() {
                hint = format!("; there are {}", known.join(", "));
            }
            Err(Failure::Core(Error::Unknown { what: "genome", name: name.into(), hint }))
        }
    }
}

/// A whole run in a folder.
struct Whole<'a> {
    plan: &'a Plan,
    folder: &'a Path,
    stop: &'a AtomicBool,
    watch: &'a mut dyn Watch,
}

impl Visit for Whole<'_> {
    type Out = Result<Outcome, Failure>;

    fn visit<G: Game>(self, game: &G, genome: &dyn Genome<G>) -> Self::Out {
        run_with(self.plan, game, genome, self.folder, self.stop, self.watch)
    }
}

/// Does the folder hold the finished run of a plan?
///
/// # Errors
/// A file of the folder can't be read.
pub fn finished(plan: &Plan, folder: &Path) -> std::io::Result<bool> {
    let run = Folder::at(folder).load()?;
    Ok(run.is_some_and(|(log, _)| {
        let champion = log.champion.is_some_and(|(then, _)| then == plan.generations);
        champion && log.identity == plan.identity()
    }))
}

/// [`run`] for any game and genome.
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
    let folder = Folder::new(folder).map_err(io)?;
    let (mut log, mut evolution) = begin(plan, game, genome, &folder, &at)?;
    let (mut saving, mut drawing) = (Pace::new(), Pace::new());
    loop {
        let done = evolution.generation();
        measure(plan, genome, &evolution, &mut log, watch);
        let last = done >= plan.generations || stop.load(Ordering::Relaxed);
        // A run that was finished before is only read.
        let finished = log.champion.is_some_and(|(then, _)| then == done);
        if !finished && (saving.due() || last) {
            log.generation = done;
            folder.save(&mut log, evolution.population()).map_err(io)?;
            saving.done();
        }
        if !finished && (drawing.due() || last) {
            figure::write(&folder, &log.points, &log.trail, &genome.labels()).map_err(io)?;
            drawing.done();
        }
        if last {
            break;
        }
        evolution.step();
        watch.generation(evolution.generation(), plan.generations);
    }
    let champion = champion(plan, &evolution, &folder, &mut log, watch).map_err(io)?;
    Ok(Outcome {
        generation: evolution.generation(),
        games: evolution.games(),
        points: log.points,
        trail: log.trail,
        champion,
    })
}

/// The settings of a plan, whose opponents the genome must know.
pub(super) fn settings<G: Game>(plan: &Plan, genome: &dyn Genome<G>) -> Result<Settings, Failure> {
    if let Some(name) = &plan.opponents
        && genome.rival(name).is_none()
    {
        let what = "opponent of this genome";
        return Err(Error::Unknown { what, name: name.clone(), hint: String::new() }.into());
    }
    Ok(plan.settings()?)
}

/// Begins an evolution, or resumes the one in the folder.
fn begin<'a, G: Game>(
    plan: &Plan,
    game: &'a G,
    genome: &'a dyn Genome<G>,
    folder: &Folder,
    at: &str,
) -> Result<(Log, Evolution<'a, G>), Failure> {
    let settings = settings(plan, genome)?;
    let loaded = folder.load().map_err(|error| Failure::Io { folder: at.into(), error })?;
    let Some((log, population)) = loaded else {
        let log = Log { identity: plan.identity(), genes: genome.genes(), ..Log::default() };
        return Ok((log, Evolution::new(game, genome, settings)));
    };
    if log.identity != plan.identity() {
        return Err(Failure::OtherPlan { folder: at.into() });
    }
    let sizes = (genome.genes(), settings.mutation.sigmas(genome.genes()));
    let fits = population.len() == settings.population
        && population.iter().all(|one| (one.genes.len(), one.sigmas.len()) == sizes);
    if !fits {
        return Err(Failure::OtherPopulation { folder: at.into(), file: log.population });
    }
    let generation = log.generation;
    Ok((log, Evolution::resume(game, genome, settings, population, generation)))
}

/// Measures the population, where a measurement is due and not in the log.
pub(super) fn measure<G: Game>(
    plan: &Plan,
    genome: &dyn Genome<G>,
    evolution: &Evolution<'_, G>,
    log: &mut Log,
    watch: &mut dyn Watch,
) {
    let (done, every) = (evolution.generation(), plan.evaluate.every);
    let due = every > 0 && (done.is_multiple_of(every) || done >= plan.generations);
    if due && log.points.last().is_none_or(|point| point.generation < done) {
        log.points.push(evolution.evaluate(&plan.evaluation()));
        if genome.genes() <= FEW {
            log.trail.push(evolution.population().iter().map(|i| i.genes.clone()).collect());
        }
        watch.measured(&log.points);
    }
}

/// The genes of the champion, which is chosen and saved once; empty before the last generation.
fn champion<G: Game>(
    plan: &Plan,
    evolution: &Evolution<'_, G>,
    folder: &Folder,
    log: &mut Log,
    watch: &mut dyn Watch,
) -> std::io::Result<Vec<f64>> {
    let generation = evolution.generation();
    if generation < plan.generations {
        return Ok(Vec::new());
    }
    let genes = |index: usize| evolution.population()[index.min(plan.population - 1)].genes.clone();
    if let Some((_, index)) = log.champion.filter(|(then, _)| *then == generation) {
        return Ok(genes(index));
    }
    watch.reducing();
    let index = evolution.champion(plan.reduce.games);
    let champion = genes(index);
    log.champion = Some((generation, index));
    keep(folder, log, evolution.population(), &champion)?;
    Ok(champion)
}

/// Writes the champion and the last checkpoint of a run.
pub(super) fn keep(
    folder: &Folder,
    log: &mut Log,
    population: &[Individual],
    champion: &[f64],
) -> std::io::Result<()> {
    folder.write("champion.npy", &npy::list(champion))?;
    folder.write("champion.json", &serde_json::to_vec(champion)?)?;
    folder.save(log, population)
}

/// The genes of the whole population are kept at each measurement for genomes of at most this size.
const FEW: usize = 16;

/// Times a task that is repeated so rarely that it takes at most a twentieth of the time.
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
