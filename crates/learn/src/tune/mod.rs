//! An agent's parameters, measured by games.
