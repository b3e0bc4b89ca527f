//! `ludex match GAME A B ...`

use super::adhoc::{self, json_of};
use super::{BudgetArgs, SeedArgs, ThreadsArgs};
use crate::{output, stop};
use clap::Args;
use ludex_arena::Experiment;
use ludex_arena::experiment::GameEntry;
use ludex_arena::report::{AgentReport, counted, table};
use ludex_core::Seed;
use ludex_stats::Tally;
use serde_json::{Map, Value, json};

/// Let agents play against each other with rotated seats and paired dice
#[derive(Args)]
#[command(after_help = "Examples:
  ludex match connect4 uct alphabeta --games 100 --sims 1000
  ludex match tictactoe uct@sims=200 uct@sims=2000 random --games 300
  ludex match tictactoe 'exec:python3 bots/random_bot.py' random --games 20
  ludex match pig 'flat@sims=200' random --games 200 --db games.db --json

Without a limit an agent thinks for 1 s per move: 100 games of connect4 take half an hour.")]
pub(crate) struct Match {
    /// The game
    game: String,
    /// The agents; if there are more of them than seats, every combination meets
    #[arg(required = true)]
    agents: Vec<String>,
    /// The number of games
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    #[command(flatten)]
    budget: BudgetArgs,
    /// Begin each game at this position instead of the start
    #[arg(long)]
    position: Option<String>,
    #[command(flatten)]
    seed: SeedArgs,
    #[command(flatten)]
    threads: ThreadsArgs,
    /// Store the games in this database
    #[arg(long)]
    db: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Match {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let seed = self.seed.get();
        let budget = self.budget.budget();
        let experiment = Experiment {
            name: adhoc::run_name("match"),
            seed: seed.0,
            games: vec![GameEntry { game: self.game.clone(), position: self.position.clone() }],
            agents: self.agents.clone(),
            budget: (!budget.is_empty()).then(|| budget.to_string()),
            rounds: None,
            limit: Some(self.games),
            ..Experiment::new("", &[], &[], 1)
        };
        let plan = adhoc::plan(&experiment)?;
        let progress = adhoc::play(&experiment, &plan, self.threads.get(), self.db.as_deref())?;
        let tally = progress.tally();
        if stop::asked() {
            eprintln!("stopped after {} of {}", tally.games, counted(plan.total(), "game"));
        }
        let names = plan.names().into_iter().zip(tally.standings());
        let agents: Vec<AgentReport> =
            names.map(|(name, standing)| AgentReport::new(name, standing)).collect();
        let game = plan.games().swap_remove(0);
        if self.json {
            let mut summary = summary(&game, seed, &tally, &agents);
            summary["faults"] = json!(progress.faults());
            output::json(&summary)?;
            return stop::outcome();
        }
        output::line(format!(
            "{game}: {}, {}, {}, seed {seed}",
            counted(tally.games, "game"),
            counted(tally.draws, "draw"),
            counted(tally.forfeits, "forfeit")
        ))?;
        output::print_table(&table::standings(&agents.iter().collect::<Vec<_>>()))?;
        progress.faults().iter().try_for_each(output::line)?;
        stop::outcome()
    }
}

/// One object with the totals, and one list with an entry for each agent for every column of the table of agents.
/// Scripts rely on `game`, `agents`, `games`, `wins`, `draws`, `losses`, `score`, `interval`, `forfeits` and `seed`.
fn summary(game: &str, seed: Seed, tally: &Tally, agents: &[AgentReport]) -> Value {
    let mut object = Map::new();
    object.insert("game".into(), json!(game));
    object.insert("agents".into(), json!(agents.iter().map(|a| &a.agent).collect::<Vec<_>>()));
    object.insert("games".into(), json!(tally.games));
    let values: Vec<Map<String, Value>> = agents.iter().map(json_of).collect();
    let keys = values.first().into_iter().flat_map(Map::keys).filter(|key| *key != "agent");
    for key in keys {
        let list: Vec<&Value> = values.iter().filter_map(|agent| agent.get(key)).collect();
        object.insert(key.clone(), json!(list));
    }
    // The numbers of draws and forfeits are totals, not lists.
    object.insert("draws".into(), json!(tally.draws));
    object.insert("forfeits".into(), json!(tally.forfeits));
    object.insert("seed".into(), json!(seed.0));
    object.into()
}
