//! The list of the native games, and how one is opened by its name.

use ludex_core::error::did_you_mean;
use ludex_core::schema::Param;
use ludex_core::{AnyGame, Error, Result, Spec};

/// A game of the list.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// The name that opens it.
    pub name: &'static str,
    /// One line for people.
    pub title: &'static str,
    /// The game's parameters, in the order of plain arguments.
    pub(crate) params: fn() -> Vec<Param>,
    /// Names that open versions of it.
    pub examples: &'static [&'static str],
    /// A position that is not the start, in the game's notation.
    pub position: &'static str,
    pub(crate) open: fn(&Spec) -> Result<AnyGame>,
}

impl Entry {
    /// The game's parameters with their defaults, in the order of plain arguments.
    pub fn params(&self) -> Vec<Param> {
        (self.params)()
    }
}

static CATALOG: &[Entry] = &[
    crate::breakthrough::ENTRY,
    crate::connect4::ENTRY,
    crate::goofspiel::ENTRY,
    crate::hex::ENTRY,
    crate::kuhn::ENTRY,
    crate::ludo::ENTRY,
    crate::minichess::ENTRY,
    crate::nim::ENTRY,
    crate::pig::ENTRY,
    crate::reversi::ENTRY,
    crate::ropasci::ENTRY,
    crate::rps::ENTRY,
    crate::tictactoe::ENTRY,
];

/// All native games, by name.
pub fn catalog() -> &'static [Entry] {
    CATALOG
}

/// Opens a game by a string such as `connect4(5,4)`.
///
/// # Errors
/// The string can't be read, no game has this name, or it does not take these parameters.
pub fn open(name: &str) -> Result<AnyGame> {
    open_spec(&name.parse()?)
}

/// Opens a game by a parsed name.
///
/// # Errors
/// No game has this name, or it does not take these parameters.
pub fn open_spec(spec: &Spec) -> Result<AnyGame> {
    let Some(entry) = CATALOG.iter().find(|entry| entry.name == spec.name) else {
        return Err(Error::Unknown {
            what: "game",
            name: spec.name.clone(),
            hint: did_you_mean(&spec.name, CATALOG.iter().map(|entry| entry.name)),
        });
    };
    if let Some((key, _)) = spec.budget.first() {
        let reason = format!("a game takes no budget such as `@{key}`");
        return Err(Error::BadParameter { name: spec.name.clone(), reason });
    }
    (entry.open)(spec)
}
