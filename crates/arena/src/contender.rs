//! The contenders of a tournament: our own agents and agents outside of this process, by one name each.

use ludex_agents::{Agent, AgentSpec, Budget, Failure};
use ludex_core::{AnyGame, Info, Player, Result, Seed};
use std::sync::Arc;
use std::time::Duration;

/// A participant of a tournament: an agent for every seat of the games that it supports.
pub trait Contender: Send + Sync {
    /// The name from which the participant can be read again, with its own budget.
    fn name(&self) -> String;

    /// The budget in its name; empty if the name has none.
    fn budget(&self) -> &Budget;

    /// Checks that the participant can play such a game.
    ///
    /// # Errors
    /// The reason why it can't.
    fn supports(&self, info: &Info) -> Result<()>;

    /// Builds the agent for a seat of a game. `grace` is how long after the end of its time an answer still counts.
    ///
    /// # Errors
    /// The agent can't be built for this game.
    fn build(
        &self,
        game: &AnyGame,
        seat: Player,
        seed: Seed,
        grace: Duration,
    ) -> Result<Box<dyn Agent<AnyGame>>, Failure>;
}

impl Contender for AgentSpec {
    fn name(&self) -> String {
        self.to_string()
    }

    fn budget(&self) -> &Budget {
        AgentSpec::budget(self)
    }

    fn supports(&self, info: &Info) -> Result<()> {
        AgentSpec::supports(self, info)
    }

    fn build(
        &self,
        game: &AnyGame,
        seat: Player,
        seed: Seed,
        _: Duration,
    ) -> Result<Box<dyn Agent<AnyGame>>, Failure> {
        Ok(AgentSpec::build(self, game, seat, seed)?)
    }
}

/// Where names of games and agents are looked up. The arena itself knows no rule language and no
/// network protocol.
pub trait World: Sync {
    /// Opens a game.
    ///
    /// # Errors
    /// The name is unknown, or the rules can't be loaded.
    fn game(&self, name: &str) -> Result<AnyGame>;

    /// Reads an agent's name.
    ///
    /// # Errors
    /// The name is unknown, or a parameter makes no sense.
    fn agent(&self, name: &str) -> Result<Arc<dyn Contender>>;

    /// The digest of the program's sources. Two programs with the same digest play the same games. Empty: unknown.
    fn build(&self) -> String {
        String::new()
    }
}
