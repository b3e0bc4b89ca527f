//! Who can take part in a tournament: agents of our own and agents outside of this process, by one name each.

use ludex_agents::{Agent, AgentSpec, Budget};
use ludex_core::{AnyGame, Info, Player, Result, Seed, Spec};
use std::sync::Arc;
use std::time::Duration;

/// A participant: it can sit down at any seat of the games that it supports.
pub trait Contender: Send + Sync {
    /// The string that makes it again, its own budget included.
    fn name(&self) -> String;

    /// Its own limits; empty where its name gives none.
    fn budget(&self) -> &Budget;

    /// Can it play such a game?
    ///
    /// # Errors
    /// What stands in the way.
    fn supports(&self, info: &Info) -> Result<()>;

    /// Sits down. `grace` is how long after the end of its time an answer still counts.
    ///
    /// # Errors
    /// An agent that can't be made for this game.
    fn build(
        &self,
        game: &AnyGame,
        seat: Player,
        seed: Seed,
        grace: Duration,
    ) -> Result<Box<dyn Agent<AnyGame>>>;
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
    ) -> Result<Box<dyn Agent<AnyGame>>> {
        AgentSpec::build(self, game, seat, seed)
    }
}

/// The budget in the name of an agent: the part after `@`.
///
/// # Errors
/// A key that is unknown, or a value that can't be read.
pub fn own_budget(spec: &Spec) -> Result<Budget> {
    let mut budget = Budget::default();
    for (key, value) in &spec.budget {
        budget.set(key, value)?;
    }
    Ok(budget)
}

/// Where names of games and agents are looked up. The arena itself knows no rule language and no
/// network protocol.
pub trait World: Sync {
    /// Opens a game.
    ///
    /// # Errors
    /// A name that nothing answers to, rules that can't be loaded.
    fn game(&self, name: &str) -> Result<AnyGame>;

    /// Reads an agent's name.
    ///
    /// # Errors
    /// A name that nothing answers to, parameters that make no agent.
    fn agent(&self, name: &str) -> Result<Arc<dyn Contender>>;
}
