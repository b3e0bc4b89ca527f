//! One struct a command.

pub(crate) mod adhoc;
pub(crate) mod advise;
pub(crate) mod agents;
pub(crate) mod arena;
pub(crate) mod bench;
pub(crate) mod bot;
pub(crate) mod bot_play;
pub(crate) mod check;
pub(crate) mod concepts;
pub(crate) mod coverage;
pub(crate) mod draw;
pub(crate) mod evolve;
pub(crate) mod games;
pub(crate) mod ggp_match;
pub(crate) mod ggp_player;
pub(crate) mod map;
pub(crate) mod r#match;
pub(crate) mod perft;
pub(crate) mod play;
pub(crate) mod predict;
pub(crate) mod replay;
pub(crate) mod reproduce;
pub(crate) mod show;
pub(crate) mod tour;
pub(crate) mod train;
pub(crate) mod tune;
pub(crate) mod verify;
pub(crate) mod verify_lines;
pub(crate) mod verify_lud;
pub(crate) mod worker;

use clap::Args;
use ludex_agents::{AgentSpec, Budget};
use ludex_core::{AnyGame, AnyState, Game, Seed};
use std::time::Duration;

/// The budget of a move.
#[derive(Args, Default, Clone)]
pub(crate) struct BudgetArgs {
    /// Time a move, such as 500ms, 1s, 2m
    #[arg(long, value_parser = duration)]
    time: Option<Duration>,
    /// Simulations a move
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    sims: Option<u64>,
    /// Nodes a move
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Search depth in plies
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
}

impl BudgetArgs {
    pub(crate) fn budget(&self) -> Budget {
        Budget {
            time: self.time,
            sims: self.sims,
            nodes: self.nodes,
            depth: self.depth,
            ..Budget::default()
        }
    }
}

/// Reads a duration the way budgets in agent names are read.
fn duration(text: &str) -> Result<Duration, String> {
    let budget: Budget =
        format!("time={text}").parse().map_err(|e: ludex_core::Error| e.to_string())?;
    budget.time.ok_or_else(|| "expected a time such as 500ms or 1s".into())
}

/// Reads an agent's string.
pub(crate) fn agent(text: &str) -> anyhow::Result<AgentSpec> {
    Ok(text.parse::<AgentSpec>()?)
}

/// The position to begin with: `--position`, or `None` for the usual start.
pub(crate) fn origin(game: &AnyGame, position: Option<&str>) -> anyhow::Result<Option<AnyState>> {
    Ok(position.map(|text| game.parse_position(text)).transpose()?)
}

/// The mind that plays where nobody said which.
pub(crate) fn default_agent(game: &AnyGame) -> anyhow::Result<AgentSpec> {
    agent(ludex_agents::usual(game.info()))
}

/// A seed from the command line, or one that is printed so that the run can be repeated.
pub(crate) fn seed(given: Option<u64>) -> Seed {
    Seed(given.unwrap_or(1))
}

/// How many threads: what was asked for, or all cores.
pub(crate) fn threads(given: Option<u16>) -> usize {
    given.map_or_else(|| std::thread::available_parallelism().map_or(1, |n| n.get()), usize::from)
}
