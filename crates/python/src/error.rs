//! Errors as Python exceptions, with the texts of the core.

use ludex_core::Error;
use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyValueError};
use pyo3::prelude::*;

create_exception!(ludex, LudexError, PyException, "Any error of Ludex.");
create_exception!(ludex, IllegalMoveError, LudexError, "A move that is not legal here.");
create_exception!(ludex, PositionError, LudexError, "A position that the game cannot read.");
create_exception!(
    ludex,
    UnknownNameError,
    LudexError,
    "A name of a game or an agent that nothing answers to."
);
create_exception!(
    ludex,
    UnsupportedError,
    LudexError,
    "Something that a game or an agent cannot do."
);
create_exception!(
    ludex,
    RefusedError,
    LudexError,
    "Work that this process refuses because it would play other games: it has other rules or is another build."
);

/// The exception of an error.
pub(crate) fn raise(error: Error) -> PyErr {
    let text = error.to_string();
    match error {
        Error::IllegalMove { .. } | Error::BadStep { .. } => IllegalMoveError::new_err(text),
        Error::BadPosition { .. } | Error::BadMatch(_) => PositionError::new_err(text),
        Error::Unknown { .. } => UnknownNameError::new_err(text),
        Error::Unsupported(_) => UnsupportedError::new_err(text),
        _ => LudexError::new_err(text),
    }
}

/// A wrong argument.
pub(crate) fn value(text: impl Into<String>) -> PyErr {
    PyValueError::new_err(text.into())
}

/// Adds the exceptions to the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("LudexError", py.get_type::<LudexError>())?;
    module.add("IllegalMoveError", py.get_type::<IllegalMoveError>())?;
    module.add("PositionError", py.get_type::<PositionError>())?;
    module.add("UnknownNameError", py.get_type::<UnknownNameError>())?;
    module.add("RefusedError", py.get_type::<RefusedError>())?;
    module.add("UnsupportedError", py.get_type::<UnsupportedError>())
}
