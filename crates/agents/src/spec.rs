//! The names of minds: `uct`, `uct(c=0.7)@sims=500`, `alphabeta(heuristic=material)`.

use crate::agent::{Agent, Choice};
use crate::budget::Budget;
use crate::catalog::catalog;
use crate::random::Random;
use ludex_core::error::did_you_mean;
use ludex_core::{AnyGame, Error, Info, Player, Result, Seed, Spec, View};
use std::fmt;
use std::str::FromStr;

/// A mind by name, with its parameters and its own budget, checked and ready to be built.
///
/// ```
/// use ludex_agents::AgentSpec;
/// let spec: AgentSpec = "random@time=250ms".parse().unwrap();
/// assert_eq!(spec.to_string(), "random@time=250ms");
/// let error = "randon".parse::<AgentSpec>().unwrap_err();
/// assert_eq!(error.to_string(), "unknown agent `randon`: did you mean `random`?");
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct AgentSpec {
    kind: Kind,
    budget: Budget,
}

/// A mind with its parameters.
#[derive(Debug, Clone, PartialEq)]
enum Kind {
    Random,
}

impl AgentSpec {
    /// Its own limits; empty where the name gives none.
    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// Can it play such a game?
    ///
    /// # Errors
    /// What stands in the way, and who can play it instead.
    pub fn supports(&self, info: &Info) -> Result<()> {
        let _ = info;
        Ok(())
    }

    /// Sits down at `seat`.
    ///
    /// # Errors
    /// Where the mind can't play this game, or a parameter does not fit it.
    pub fn build(
        &self,
        game: &AnyGame,
        seat: Player,
        seed: Seed,
    ) -> Result<Box<dyn Agent<AnyGame>>> {
        let _ = (game, seat);
        let mind: Box<dyn Agent<AnyGame>> = match &self.kind {
            Kind::Random => Box::new(Random::new(seed)),
        };
        Ok(Box::new(Seated { name: self.to_string(), budget: self.budget.clone(), mind }))
    }
}

impl FromStr for AgentSpec {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let spec: Spec = text.parse()?;
        let kind = match spec.name.as_str() {
            "random" => {
                spec.expect(&[], 0)?;
                Kind::Random
            }
            name => {
                let known = catalog().iter().map(|entry| entry.name);
                let mut hint = did_you_mean(name, known.clone());
                if hint.is_empty() {
                    hint = format!("; there are {}", known.collect::<Vec<_>>().join(", "));
                }
                return Err(Error::Unknown { what: "agent", name: name.into(), hint });
            }
        };
        let mut budget = Budget::default();
        for (key, value) in &spec.budget {
            budget.set(key, value)?;
        }
        Ok(AgentSpec { kind, budget })
    }
}

impl fmt::Display for AgentSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::Random => f.write_str("random")?,
        }
        if self.budget.is_empty() { Ok(()) } else { write!(f, "@{}", self.budget) }
    }
}

/// A mind with the name and the budget that it was asked for by.
struct Seated {
    name: String,
    budget: Budget,
    mind: Box<dyn Agent<AnyGame>>,
}

impl Agent<AnyGame> for Seated {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn choose(
        &mut self,
        game: &AnyGame,
        view: &View<'_, AnyGame>,
        budget: &Budget,
    ) -> Result<Choice> {
        self.mind.choose(game, view, &self.budget.or(budget))
    }

    fn cheats(&self) -> bool {
        self.mind.cheats()
    }
}
