//! `ludex uci` and `ludex gtp`: Ludex as an engine for chess and Go programs.

mod gtp;
mod uci;

use super::{agent, default_agent};
use clap::Args;
use ludex_agents::{Agent, AgentSpec, Budget};
use ludex_arena::bot::Squares;
use ludex_core::{AnyGame, Game, Match, Move, Player, Seed, Turn};

pub(crate) use gtp::Gtp;
pub(crate) use uci::Uci;

/// The agent behind an engine.
#[derive(Args)]
struct Behind {
    /// The agent that thinks (default: the usual one of the game)
    #[arg(long)]
    agent: Option<String>,
    /// The seed of all randomness
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl Behind {
    fn spec(&self, game: &AnyGame) -> anyhow::Result<AgentSpec> {
        let spec = match &self.agent {
            Some(text) => agent(text)?,
            None => default_agent(game)?,
        };
        spec.supports(game.info())?;
        Ok(spec)
    }
}

/// A game under way, its words, and the agent that thinks.
struct Table<'g> {
    game: &'g AnyGame,
    play: Match<'g, AnyGame>,
    squares: Squares,
    spec: AgentSpec,
    seed: Seed,
    /// The agents by seat, as far as they have been asked. Building one may take long: some try the game first.
    agents: Vec<Option<Thinker>>,
}

/// An agent, and the course of the game that it knows.
struct Thinker {
    agent: Box<dyn Agent<AnyGame>>,
    origin: u64,
    line: Vec<Vec<Move>>,
}

impl<'g> Table<'g> {
    fn new(game: &'g AnyGame, behind: &Behind) -> anyhow::Result<Table<'g>> {
        let (squares, spec) = (Squares::of(game)?, behind.spec(game)?);
        let agents = game.info().players.iter().map(|_| None).collect();
        let seed = Seed(behind.seed);
        Ok(Table { game, play: Match::new(game), squares, spec, seed, agents })
    }

    /// The player who moves; `None` where the game is over.
    fn mover(&self) -> Option<Player> {
        match self.play.turn() {
            Turn::One(player) => Some(player),
            _ => None,
        }
    }

    /// Builds the agents of all seats, so that the first move is not late.
    fn get_ready(&mut self) -> anyhow::Result<()> {
        let origin = self.game.hash(self.play.origin());
        for (seat, slot) in self.agents.iter_mut().enumerate().filter(|(_, slot)| slot.is_none()) {
            let agent =
                self.spec.build(self.game, Player(seat as u8), self.seed.child(seat as u64))?;
            *slot = Some(Thinker { agent, origin, line: Vec::new() });
        }
        Ok(())
    }

    /// The move of the agent. What it remembers is of use only while the game goes on from where it thought last.
    fn think(&mut self, budget: &Budget) -> Option<Move> {
        let player = self.mover()?;
        let line: Vec<Vec<Move>> = self.play.joints().map(<[Move]>::to_vec).collect();
        let origin = self.game.hash(self.play.origin());
        let slot = self.agents.get_mut(player.index())?;
        if !slot.as_ref().is_some_and(|t| t.origin == origin && line.starts_with(&t.line)) {
            let seed = self.seed.child(player.index() as u64);
            let agent = self.spec.build(self.game, player, seed).ok()?;
            *slot = Some(Thinker { agent, origin, line: Vec::new() });
        }
        let thinker = slot.as_mut()?;
        thinker.line = line;
        let mut pad = Vec::new();
        let view = self.play.view(player, &mut pad);
        let budget = self.spec.budget().or(budget);
        thinker.agent.choose(self.game, &view, &budget).ok().map(|choice| choice.mv)
    }
}
