//! Jobs as texts: what another process needs to compute numbered units of work.

use crate::world::Here;
use ludex_arena::World;
use ludex_arena::job::AnyJob;
use ludex_learn::cells::{Cell, Cells};
use serde::{Deserialize, Serialize};

/// A job that any process of the same build can do.
#[derive(Serialize, Deserialize)]
pub struct JobText {
    /// The build that made the job.
    build: String,
    /// The cells of a survey.
    survey: Vec<Cell>,
}

impl JobText {
    /// The job of these cells of a survey.
    pub fn survey(cells: Vec<Cell>) -> Self {
        JobText { build: Here.build(), survey: cells }
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
        Ok(Box::new(Cells::new(self.survey, ludex_library::open)))
    }
}
