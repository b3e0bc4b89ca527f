//! A contest in code: agents play one game many times, without an experiment file and without a store.

use crate::contender::Contender;
use crate::experiment::Seats;
use crate::plan::{Fixture, Plan, Setup, Table};
use crate::record::GameRecord;
use crate::referee::Referee;
use crate::runner::{Control, Counter, Progress, Runner};
use ludex_agents::{AgentSpec, Budget};
use ludex_core::deadline;
use ludex_core::{AnyGame, AnyState, Error, Game, Result, Seed};
use ludex_stats::Tally;
use std::sync::Arc;

/// Agents that play one game many times.
pub struct Contest {
    /// The game.
    pub game: AnyGame,
    /// The first position, where it is not the usual start.
    pub origin: Option<AnyState>,
    /// The agents.
    pub agents: Vec<AgentSpec>,
    /// The budget of agents that have none in their name.
    pub budget: Budget,
    /// The number of games.
    pub games: u64,
    /// The seed of all randomness.
    pub seed: Seed,
    /// How games are conducted.
    pub referee: Referee,
}

impl Contest {
    /// Checks that every agent can play the game.
    ///
    /// # Errors
    /// The first agent that can't play it; the message names an agent that can.
    fn check(&self) -> Result<()> {
        self.agents.iter().try_for_each(|agent| agent.supports(self.game.info()))
    }

    /// The schedule.
    ///
    /// # Errors
    /// There are no agents, or too many to lay out.
    pub fn plan(&self) -> Result<Plan> {
        let agent = |spec: &AgentSpec| Arc::new(spec.clone()) as Arc<dyn Contender>;
        let seats = self.game.info().seats();
        let count = self.agents.len();
        let setup = Setup {
            agents: self.agents.iter().map(agent).collect(),
            budget: self.budget.clone(),
            seed: self.seed,
            referee: self.referee.clone(),
            openings: 0,
            paired: true,
            anchor: None,
            stop: None,
        };
        Table::new(self.game.clone(), self.origin.clone(), count, seats, None, Seats::Rotate)
            .and_then(|table| Plan::new(setup, vec![table], None, Some(self.games)))
            .map_err(|error| Error::Unsupported(error.to_string()))
    }

    /// Plays all games on `threads` threads. `finished` is called with each game as it ends, in no particular order.
    ///
    /// # Errors
    /// An agent that can't play; [`Error::Stopped`].
    pub fn run(
        &self,
        threads: usize,
        finished: impl Fn(&Fixture, &GameRecord) + Sync,
    ) -> Result<Tally> {
        self.check()?;
        let plan = self.plan()?;
        let progress = Progress::new(&plan);
        let control = Control::default();
        let runner =
            Runner { finished: &finished, ..Runner::new(&plan, threads, &progress, &control) };
        let Ok(()) = runner.play(&Counter::new(plan.total()));
        // Some of the games are not the result that was asked for.
        if deadline::stopped() {
            return Err(Error::Stopped);
        }
        Ok(progress.tally())
    }
}
