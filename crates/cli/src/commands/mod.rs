//! The commands, one struct each, and the arguments that they share.

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
pub(crate) mod engine;
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
    /// Time per move, such as 500ms, 1s, 2m
    #[arg(long, value_parser = duration)]
    time: Option<Duration>,
    /// Simulations per move
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    sims: Option<u64>,
    /// Nodes per move
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

/// Reads a duration as it is written in the budget of an agent: 500ms, 1s, 2m.
fn duration(text: &str) -> ludex_core::Result<Duration> {
    ludex_agents::budget::parse_time(text)
}

/// The seed of a command.
#[derive(Args, Clone, Copy)]
pub(crate) struct SeedArgs {
    /// The seed of all randomness
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl Default for SeedArgs {
    fn default() -> Self {
        SeedArgs { seed: 1 }
    }
}

impl SeedArgs {
    pub(crate) fn get(self) -> Seed {
        Seed(self.seed)
    }
}

/// The number of threads of a command that plays games.
#[derive(Args, Default, Clone, Copy)]
pub(crate) struct ThreadsArgs {
    /// How many games are played at a time (default: one per core)
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl ThreadsArgs {
    pub(crate) fn get(self) -> usize {
        threads(self.threads)
    }
}

/// Reads the name of an agent.
pub(crate) fn agent(text: &str) -> anyhow::Result<AgentSpec> {
    Ok(text.parse::<AgentSpec>()?)
}

/// The first position: that of `--position`, or `None` for the usual start.
pub(crate) fn origin(game: &AnyGame, position: Option<&str>) -> anyhow::Result<Option<AnyState>> {
    Ok(position.map(|text| game.parse_position(text)).transpose()?)
}

/// The agent that plays a game by default.
pub(crate) fn default_agent(game: &AnyGame) -> anyhow::Result<AgentSpec> {
    agent(ludex_agents::usual(game.info()))
}

/// The seed of an optional argument.
pub(crate) fn seed(given: Option<u64>) -> Seed {
    Seed(given.unwrap_or(1))
}

/// The number of threads: the given one, or one per core.
pub(crate) fn threads(given: Option<u16>) -> usize {
    given.map_or_else(|| std::thread::available_parallelism().map_or(1, |n| n.get()), usize::from)
}
