//! `ludex uci` and `ludex gtp`: Ludex as an engine for chess and Go programs.

mod gtp;
mod uci;

use super::{agent, default_agent};
use clap::Args;
use ludex_agents::{AgentSpec, Budget};
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
}

impl<'g> Table<'g> {
    fn new(game: &'g AnyGame, behind: &Behind) -> anyhow::Result<Table<'g>> {
        let (squares, spec) = (Squares::of(game)?, behind.spec(game)?);
        Ok(Table { game, play: Match::new(game), squares, spec, seed: Seed(behind.seed) })
    }

    /// The player who moves; `None` where the game is over.
    fn mover(&self) -> Option<Player> {
        match self.play.turn() {
            Turn::One(player) => Some(player),
            _ => None,
        }
    }

    /// The move of the agent.
    fn think(&self, budget: &Budget) -> Option<Move> {
        let player = self.mover()?;
        let seed = self.seed.child(self.play.len() as u64);
        let mut agent = self.spec.build(self.game, player, seed).ok()?;
        let mut pad = Vec::new();
        let view = self.play.view(player, &mut pad);
        let budget = self.spec.budget().or(budget);
        agent.choose(self.game, &view, &budget).ok().map(|choice| choice.mv)
    }
}
