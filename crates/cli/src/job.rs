//! Jobs as texts: what another process needs to compute numbered units of work.

use crate::world::Here;
use ludex_arena::World;
use ludex_arena::job::AnyJob;
use ludex_learn::cells::{Cell, Cells};
use ludex_learn::evolve::{Evolutions, Plan};
use ludex_reproduce::job::{Again, Wanted};
use serde::{Deserialize, Serialize};

/// A job that any process of the same build can do.
#[derive(Serialize, Deserialize)]
pub struct JobText {
    /// The build that made the job.
    build: String,
    work: Work,
}

/// The units of a job.
#[derive(Serialize, Deserialize)]
pub(crate) enum Work {
    /// The cells of a survey.
    Survey(Vec<Cell>),
    /// Whole evolutions.
    Evolutions(Vec<Plan>),
    /// Published experiments, measured again.
    Experiments(Vec<Wanted>),
}

impl JobText {
    /// The job of this work.
    pub(crate) fn new(work: Work) -> Self {
        JobText { build: Here.build(), work }
    }

    /// Opens the job in this process.
    ///
    /// # Errors
    /// A text that says why this process refuses the job.
    pub fn open(self) -> Result<Box<dyn AnyJob>, String> {
        if self.build != Here.build() {
            return Err(format!(
                "this program is build {}, the job was made by build {}",
                Here.build(),
                self.build
            ));
        }
        Ok(match self.work {
            Work::Survey(cells) => Box::new(Cells::new(cells, ludex_library::open)),
            Work::Evolutions(plans) => Box::new(Evolutions::new(plans, ludex_library::open)),
            Work::Experiments(wanted) => Box::new(Again::new(wanted)),
        })
    }
}
