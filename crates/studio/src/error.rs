//! Errors of the server, and the HTTP answers that they become.

use crate::wire::{Failure, MoveInfo};
use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

/// A request that cannot be answered.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// A game, agent, position or move that makes no sense.
    #[error(transparent)]
    Game(#[from] ludex_core::Error),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] ludex_arena::StoreError),
    /// The request makes no sense.
    #[error("{0}")]
    Bad(String),
    /// The text of a move fits several moves.
    #[error("{0}")]
    Unclear(String, Vec<MoveInfo>),
    /// The viewer may not do this.
    #[error("{0}")]
    Forbidden(String),
    /// Nothing has this name.
    #[error("{0}")]
    Missing(String),
    /// A limit of the server is reached.
    #[error("{0}")]
    Busy(String),
    /// A fault in the program.
    #[error("{0}")]
    Fault(String),
}

/// A result of the server.
pub(crate) type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// The HTTP status.
    pub(crate) fn status(&self) -> StatusCode {
        match self {
            Error::Game(ludex_core::Error::Unknown { .. }) | Error::Missing(_) => {
                StatusCode::NOT_FOUND
            }
            Error::Game(_) | Error::Bad(_) => StatusCode::BAD_REQUEST,
            Error::Unclear(..) => StatusCode::CONFLICT,
            Error::Forbidden(_) => StatusCode::FORBIDDEN,
            Error::Busy(_) => StatusCode::SERVICE_UNAVAILABLE,
            Error::Store(_) | Error::Fault(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        let (status, error) = (self.status(), self.to_string());
        let choices = match self {
            Error::Unclear(_, choices) => choices,
            _ => Vec::new(),
        };
        (status, Json(Failure { error, choices })).into_response()
    }
}

/// The text of a panic.
pub(crate) fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a fault").to_string()
}
