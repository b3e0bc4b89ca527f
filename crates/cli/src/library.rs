//! From the name that a person types to a game.

use ludex_core::{AnyGame, Result};

/// Opens a game by its name.
pub(crate) fn open(name: &str) -> Result<AnyGame> {
    ludex_games::open(name)
}
