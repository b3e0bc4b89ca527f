//! Matches of experiments.

use crate::Options;
use crate::claim::Wdl;
use ludex_agents::{AgentSpec, Budget};
use ludex_arena::{Contest, Referee};
use ludex_core::Result;
use std::sync::Mutex;

/// Plays `games` games of two agents with rotated seats. `ended` gets the seat of the first agent and the payoffs.
pub(crate) fn contest(
    game: &str,
    agents: [&str; 2],
    games: u64,
    options: &Options<'_>,
    ended: &(dyn Fn(usize, &[f32]) + Sync),
) -> Result<()> {
    let [one, two] = agents;
    let agents = vec![one.parse::<AgentSpec>()?, two.parse()?];
    options.progress.begin(&format!("{game}: {one} v {two}"), games);
    let contest = Contest {
        game: ludex_library::open(game)?,
        origin: None,
        agents,
        budget: Budget::default(),
        games,
        seed: options.seed.named(game).named(one).named(two),
        referee: Referee::default(),
    };
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
    contest.run(threads, |pairing, record| {
        let first = pairing.seats.iter().position(|&agent| agent == 0).unwrap_or(0);
        ended(first, &record.payoffs);
        options.progress.step();
    })?;
    Ok(())
}

/// The wins, draws and losses of the first agent.
pub(crate) fn versus(
    game: &str,
    agents: [&str; 2],
    games: u64,
    options: &Options<'_>,
) -> Result<Wdl> {
    let sum = Mutex::new(Wdl::default());
    contest(game, agents, games, options, &|first, payoffs| {
        if let (Ok(mut sum), Some(&payoff)) = (sum.lock(), payoffs.get(first)) {
            sum.add(payoff);
        }
    })?;
    Ok(sum.into_inner().unwrap_or_default())
}
