//! `ludex match GAME A B ...`

use super::{BudgetArgs, agent, origin, seed, threads};
use crate::error::usage;
use crate::output;
use clap::Args;
use ludex_arena::{Contest, Referee, Standing, Store, Tally};
use ludex_core::Game;
use serde_json::json;
use std::path::PathBuf;

/// Let minds play against each other with rotated seats and paired dice
#[derive(Args)]
#[command(after_help = "Examples:
  ludex match connect4 uct alphabeta --games 100 --sims 1000
  ludex match tictactoe uct@sims=200 uct@sims=2000 random --games 300
  ludex match pig 'flat@sims=200' random --games 200 --db games.db --json")]
pub(crate) struct Match {
    /// The game
    game: String,
    /// The minds; more than the game has seats meet in every combination
    #[arg(required = true)]
    agents: Vec<String>,
    /// How many games
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    #[command(flatten)]
    budget: BudgetArgs,
    /// Begin each game here instead of at the start
    #[arg(long)]
    position: Option<String>,
    /// Where all luck comes from
    #[arg(long)]
    seed: Option<u64>,
    /// Games at a time (all cores)
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Keep the games in this database
    #[arg(long)]
    db: Option<PathBuf>,
    /// One JSON object at the end
    #[arg(long)]
    json: bool,
}

impl Match {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let game = ludex_library::open(&self.game)?;
        let origin = origin(&game, self.position.as_deref())?;
        let agents =
            self.agents.iter().map(|text| agent(text)).collect::<anyhow::Result<Vec<_>>>()?;
        if let Some(state) = &origin
            && game.is_over(state)
        {
            return Err(usage!("the game is over in this position"));
        }
        let contest = Contest {
            game,
            origin,
            agents,
            budget: self.budget.budget(),
            games: self.games,
            seed: seed(self.seed),
            referee: Referee::default(),
        };
        contest.check()?;
        let tally =
            run(&contest, threads(self.threads), self.db.as_deref().map(Store::open).transpose()?)?;
        let standings = tally.standings();
        if self.json {
            return output::json(&summary(&contest, &tally, &standings));
        }
        output::line(format!(
            "{}: {} games, {} draws, {} forfeits, seed {}",
            contest.game.info().name,
            tally.games,
            tally.draws,
            tally.forfeits,
            contest.seed
        ))?;
        let mut table =
            output::table(&["agent", "score", "95 % interval", "wins", "losses", "forfeits"], 1);
        for (agent, standing) in contest.agents.iter().zip(&standings) {
            table.add_row([
                agent.to_string(),
                format!("{:.3}", standing.score),
                format!("{:.3} .. {:.3}", standing.interval.low, standing.interval.high),
                standing.wins.to_string(),
                standing.losses.to_string(),
                standing.forfeits.to_string(),
            ]);
        }
        output::print(&table)
    }
}

/// Runs a contest with a progress bar, storing its games.
pub(crate) fn run(
    contest: &Contest,
    threads: usize,
    store: Option<Store>,
) -> anyhow::Result<Tally> {
    let writer = store
        .map(|store| {
            let id = format!("match-{}", unique());
            let config = json!({
                "game": contest.game.info().name,
                "agents": contest.agents.iter().map(ToString::to_string).collect::<Vec<_>>(),
                "games": contest.games,
                "seed": contest.seed.0,
            });
            store.begin(&id, &config.to_string()).map(|()| store.writer(&id))
        })
        .transpose()?;
    let bar = output::progress(contest.games, "games");
    let tally = contest.run(threads, |pairing, record| {
        if let Some(writer) = &writer {
            // A failed writer says why when it is closed.
            let _ = writer.send(pairing.number, record.clone());
        }
        bar.inc(1);
    });
    bar.finish_and_clear();
    if let Some(writer) = writer {
        writer.close()?;
    }
    Ok(tally?)
}

/// A name for a run: the time in nanoseconds, which sorts by age.
pub(crate) fn unique() -> String {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    format!("{:x}", now.map_or(0, |d| d.as_nanos()))
}

/// The fields that other scripts rely on.
fn summary(contest: &Contest, tally: &Tally, standings: &[Standing]) -> serde_json::Value {
    let by_agent =
        |f: fn(&Standing) -> serde_json::Value| -> Vec<_> { standings.iter().map(f).collect() };
    json!({
        "game": contest.game.info().name,
        "agents": contest.agents.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "games": tally.games,
        "wins": by_agent(|s| json!(s.wins)),
        "draws": tally.draws,
        "losses": by_agent(|s| json!(s.losses)),
        "score": by_agent(|s| json!(s.score)),
        "interval": by_agent(|s| json!([s.interval.low, s.interval.high])),
        "forfeits": tally.forfeits,
        "seed": contest.seed.0,
    })
}
