//! A sub-agent that may fail.

use crate::agent::{Agent, Choice, Failure, Thought};
use crate::budget::Budget;
use crate::spec::AgentSpec;
use ludex_core::{AnyGame, View};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A sub-agent with its weight.
pub struct Member {
    /// The agent.
    pub spec: AgentSpec,
    mind: Box<dyn Agent<AnyGame>>,
    /// How much its vote weighs.
    pub weight: f64,
}

impl Member {
    /// A member.
    pub fn new(spec: AgentSpec, mind: Box<dyn Agent<AnyGame>>, weight: f64) -> Self {
        Member { spec, mind, weight }
    }

    /// Asks it for a move. A panic is an error, and so is a move that is not legal.
    ///
    /// # Errors
    /// The member failed, crashed, or chose an illegal move.
    pub fn choose(
        &mut self,
        game: &AnyGame,
        view: &View<'_, AnyGame>,
        budget: &Budget,
    ) -> Result<Choice, Failure> {
        let mind = &mut self.mind;
        let asked = catch_unwind(AssertUnwindSafe(|| mind.choose(game, view, budget)));
        let choice = asked.unwrap_or_else(|_| Err(Failure::Crashed("it crashed".into())))?;
        match view.legal().contains(&choice.mv) {
            true => Ok(choice),
            false => Err(Failure::Crashed("its move is not legal".into())),
        }
    }
}

/// A part of a budget: time, simulations and nodes are divided, depth is not.
pub fn share(budget: &Budget, part: f64) -> Budget {
    let whole = if budget.is_empty() { &Budget::time(Budget::DEFAULT_TIME) } else { budget };
    let count = |n: u64| ((n as f64 * part) as u64).max(1);
    Budget {
        time: whole.time.map(|time| time.mul_f64(part.clamp(0.0, 1.0))),
        cpu: whole.cpu.map(|time| time.mul_f64(part.clamp(0.0, 1.0))),
        sims: whole.sims.map(count),
        nodes: whole.nodes.map(count),
        depth: whole.depth,
    }
}

/// Is the choice a proved win?
pub fn proved_win(thought: &Thought) -> bool {
    thought.proven && thought.value.is_some_and(|value| value >= 1.0 - 1e-6)
}
