//! A contest in code: agents play one game many times, without a file and without a store.

use crate::contender::Contender;
use crate::experiment::Seats;
use crate::plan::{Fixture, Plan, Setup, Table};
use crate::record::GameRecord;
use crate::referee::Referee;
use crate::runner::{Control, Counter, Progress, play_telling};
use crate::tally::Tally;
use ludex_agents::{AgentSpec, Budget};
use ludex_core::deadline;
use ludex_core::{AnyGame, AnyState, Error, Game, Result, Seed};
use std::sync::Arc;

/// What is to be played.
pub struct Contest {
    /// The game.
    pub game: AnyGame,
    /// Where each game begins, where that is not the usual start.
    pub origin: Option<AnyState>,
    /// Who plays.
    pub agents: Vec<AgentSpec>,
    /// The budget of agents that don't bring their own.
    pub budget: Budget,
    /// How many games.
    pub games: u64,
    /// Where all luck comes from.
    pub seed: Seed,
    /// How games are conducted.
    pub referee: Referee,
}

impl Contest {
    /// Checks that every agent can play the game.
    ///
    /// # Errors
    /// The first agent that can't, with one that can.
    pub fn check(&self) -> Result<()> {
        self.agents.iter().try_for_each(|agent| agent.supports(self.game.info()))
    }

    /// The games to be played.
    ///
    /// # Errors
    /// Nobody to play, or too many to lay out.
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
            .map_err(Error::Unsupported)
    }

    /// Plays everything on `threads` threads; `finished` is called with each game as it ends, in
    /// no particular order.
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
        let desk = Counter::new(plan.total());
        play_telling(&plan, &desk, threads, &progress, &Control::default(), &finished)
            .map_err(|error| Error::Unsupported(error.to_string()))?;
        // A part of the games is not what was asked for.
        if deadline::stopped() {
            return Err(Error::Stopped);
        }
        Ok(progress.tally())
    }
}
