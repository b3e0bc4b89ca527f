//! The command line inside the package: `python -m ludex`.

use pyo3::prelude::*;

/// Runs the command line with these arguments, the first of which is the program's name. Returns the exit code.
#[pyfunction]
fn run_command(py: Python<'_>, arguments: Vec<String>) -> u8 {
    py.detach(|| ludex::run(arguments))
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(run_command, module)?)
}
