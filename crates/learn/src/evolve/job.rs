//! Evolutions as a job: each unit is the whole run of one plan, for example of one plan with several seeds.

use super::checkpoint::{Folder, Log};
use super::evolution::Evolution;
use super::figure;
use super::genome::Genome;
use super::operators::Individual;
use super::plan::Plan;
use super::run::{Failure, Visit, keep, measure, settings, with_genome};
use crate::cells::{Open, on_one_thread};
use ludex_arena::job::Job;
use ludex_core::deadline;
use ludex_core::{Error, Game, Result};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Plans whose evolutions can run anywhere.
pub struct Evolutions {
    plans: Vec<Plan>,
    open: Open,
}

impl Evolutions {
    /// A job of these plans. `open` opens games.
    pub fn new(plans: Vec<Plan>, open: Open) -> Self {
        Evolutions { plans, open }
    }

    fn plan(&self, number: u64) -> Result<&Plan> {
        let missing = || Error::BadMatch(format!("there is no plan {number}"));
        usize::try_from(number).ok().and_then(|n| self.plans.get(n)).ok_or_else(missing)
    }
}

impl Job for Evolutions {
    type Row = Evolved;

    fn total(&self) -> u64 {
        self.plans.len() as u64
    }

    fn refuses(&self, number: u64) -> Option<String> {
        (self.open)(&self.plan(number).ok()?.game).err().map(|error| error.to_string())
    }

    fn compute(&self, number: u64) -> Result<Evolved> {
        let plan = self.plan(number)?;
        let game = (self.open)(&plan.game)?;
        let whole = || with_genome(plan, &game, Whole(plan)).and_then(|evolved| evolved);
        on_one_thread(whole)?.map_err(|failure| match failure {
            Failure::Core(error) => error,
            other => Error::BadMatch(other.to_string()),
        })
    }
}

/// A finished run without a folder.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Evolved {
    log: Log,
    population: Vec<Individual>,
    labels: Vec<String>,
}

impl Evolved {
    /// Writes the files of the run into its folder. A later call of [`run`](super::run) finds the run finished there.
    ///
    /// # Errors
    /// The run has no champion, or a file can't be written.
    pub fn keep(mut self, folder: &Path) -> std::io::Result<()> {
        let folder = Folder::new(folder)?;
        let champion = self.log.champion.and_then(|(_, index)| self.population.get(index));
        let champion = champion.ok_or_else(|| std::io::Error::other("the run has no champion"))?;
        let genes = champion.genes.clone();
        figure::write(&folder, &self.log.points, &self.log.trail, &self.labels)?;
        keep(&folder, &mut self.log, &self.population, &genes)
    }
}

/// Runs a plan from its first generation to the champion.
struct Whole<'a>(&'a Plan);

impl Visit for Whole<'_> {
    type Out = std::result::Result<Evolved, Failure>;

    fn visit<G: Game>(self, game: &G, genome: &dyn Genome<G>) -> Self::Out {
        let plan = self.0;
        let mut log = Log { identity: plan.identity(), genes: genome.genes(), ..Log::default() };
        let mut evolution = Evolution::new(game, genome, settings(plan, genome)?);
        loop {
            measure(plan, genome, &evolution, &mut log, &mut ());
            if deadline::stopped() {
                return Err(Failure::Core(Error::Stopped));
            }
            if evolution.generation() >= plan.generations {
                break;
            }
            evolution.step();
        }
        log.generation = evolution.generation();
        log.champion = Some((log.generation, evolution.champion(plan.reduce.games)));
        Ok(Evolved { log, population: evolution.population().to_vec(), labels: genome.labels() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evolve::run;
    use std::sync::atomic::AtomicBool;

    #[test]
    fn a_run_elsewhere_leaves_the_same_files_as_a_run_here() {
        let mut plan = Plan::new("ludo", "simple", 8, 5);
        plan.evaluate.agents = 4;
        plan.evaluate.games = 10;
        plan.reduce.games = 20;
        let dir = tempfile::tempdir().unwrap();
        let (here, there) = (dir.path().join("here"), dir.path().join("there"));
        let game = ludex_games::open("ludo").unwrap();
        let (stop, watch) = (AtomicBool::new(false), &mut ());
        let outcome = run(&plan, &game, &here, &stop, watch).unwrap();
        let job = Evolutions::new(vec![plan.clone()], ludex_games::open);
        let text = serde_json::to_string(&job.compute(0).unwrap()).unwrap();
        let evolved: Evolved = serde_json::from_str(&text).unwrap();
        evolved.keep(&there).unwrap();
        for name in ["champion.json", "champion.npy", "population-5.npy", "run.json", "genes.svg"] {
            let read = |folder: &Path| std::fs::read(folder.join(name)).unwrap();
            assert!(read(&here) == read(&there), "{name}");
        }
        // The run is found finished.
        assert_eq!(run(&plan, &game, &there, &stop, watch).unwrap(), outcome);
        assert!(job.compute(1).is_err());
    }
}
