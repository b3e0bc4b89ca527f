//! What minds there are, with their parameters, in words and for the machine.

use ludex_core::Info;

/// One mind as `ludex agents` lists it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// The name that people type.
    pub name: &'static str,
    /// One line on how it thinks.
    pub summary: &'static str,
    /// Its parameters.
    pub params: &'static [Param],
    /// What it can play, in words.
    pub plays: &'static str,
}

/// One parameter of a mind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Param {
    /// The key, as in `c=1.4`.
    pub name: &'static str,
    /// What it is where it is not given.
    pub default: &'static str,
    /// What it means.
    pub meaning: &'static str,
}

/// All minds, the simplest first.
pub fn catalog() -> &'static [Entry] {
    &[Entry {
        name: "random",
        summary: "any legal move, each as likely as the others",
        params: &[],
        plays: "every game",
    }]
}

/// The names of the minds that can play such a game.
pub fn supporting(info: &Info) -> Vec<&'static str> {
    let able = |entry: &&Entry| {
        entry.name.parse::<crate::AgentSpec>().is_ok_and(|spec| spec.supports(info).is_ok())
    };
    catalog().iter().filter(able).map(|entry| entry.name).collect()
}
