//! The Python package: every game and every agent of Ludex for programs in Python.
//!
//! One idea a file:
//! - `game`: rules; `state`: a match under way, with the names of OpenSpiel; `view`: what one seat may know;
//! - `vector`: many games stepped together, in threads and without copies;
//! - `agent`: agents by name; `callback`: agents written in Python; `puct`: a tree search with an evaluator in Python;
//! - `contest`: matches and tournaments; `cluster`: tournaments on many machines; `stats`: intervals, ratings and tests; `describe`: features and predictions;
//! - `rules`: games written in Python;
//! - `error`: exceptions; `interrupt`: long calls that Ctrl-C can end; `command`: the command line.
//!
//! Adapters to Gymnasium, PettingZoo and OpenSpiel are Python code in the folder `python/ludex`.

mod agent;
mod callback;
mod cluster;
mod command;
mod contest;
mod describe;
mod error;
mod game;
mod interrupt;
mod puct;
mod rules;
mod state;
mod stats;
mod vector;
mod view;

use pyo3::prelude::*;

#[pymodule(gil_used = false)]
fn _ludex(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    error::register(module)?;
    module.add_class::<game::Game>()?;
    module.add_class::<state::State>()?;
    module.add_class::<view::View>()?;
    module.add_class::<vector::Batch>()?;
    module.add_class::<agent::Agent>()?;
    game::register(module)?;
    state::register(module)?;
    agent::register(module)?;
    contest::register(module)?;
    cluster::register(module)?;
    describe::register(module)?;
    stats::register(module)?;
    command::register(module)
}
