//! `ludex bot check COMMAND` and `ludex bot play AGENT`

use super::bot_play::BotPlay;
use super::{BudgetArgs, SeedArgs};
use crate::error::Failed;
use crate::output;
use clap::{Args, Subcommand};
use ludex_arena::bot::{Exec, check};
use serde_json::json;

/// Check a bot of your own, or let an agent of Ludex play as a bot
#[derive(Args)]
#[command(after_help = "Examples:
  ludex bot check 'python3 bots/random_bot.py'
  ludex bot play uct --cpu 60s")]
pub(crate) struct Bot {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Check(Check),
    Play(BotPlay),
}

/// Let a bot play against `random` on games of every kind, and list the rules that it breaks
#[derive(Args)]
#[command(after_help = "Examples:
  ludex bot check 'python3 bots/random_bot.py'
  ludex bot check ./my-bot --game connect4 --games 10 --time 500ms

docs/bots.md describes the protocol.")]
struct Check {
    /// The command that starts the bot, or exec:COMMAND with parameters
    command: String,
    /// A game to play, may be given several times (default: one with full information, one with dice, one with hidden
    /// information, one with simultaneous moves)
    #[arg(long = "game")]
    games_of: Vec<String>,
    /// How often each game is played
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    #[command(flatten)]
    budget: BudgetArgs,
    #[command(flatten)]
    seed: SeedArgs,
    /// Print one JSON object per rule
    #[arg(long)]
    json: bool,
}

impl Bot {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        match self.command {
            Command::Check(command) => command.run(),
            Command::Play(command) => command.run(),
        }
    }
}

impl Check {
    fn run(self) -> anyhow::Result<()> {
        let bot: Exec = match self.command.strip_prefix("exec:") {
            Some(_) => self.command.parse()?,
            None => format!("exec:\"{}\"", self.command.replace('"', "\"\"")).parse()?,
        };
        let names = match self.games_of.as_slice() {
            [] => ["tictactoe", "pig(target=20)", "kuhn", "rps"].map(String::from).to_vec(),
            some => some.to_vec(),
        };
        let kinds =
            names.iter().map(|name| ludex_library::open(name)).collect::<Result<Vec<_>, _>>()?;
        let findings = check(&bot, &kinds, self.games, &self.budget.budget(), self.seed.get());
        for finding in &findings {
            if self.json {
                output::json(&json!({
                    "law": finding.law, "holds": finding.fault.is_none(), "fault": finding.fault,
                }))?;
            } else {
                match &finding.fault {
                    None => output::line(format!("ok      {}", finding.law))?,
                    Some(fault) => output::line(format!("FAILED  {}: {fault}", finding.law))?,
                }
            }
        }
        if findings.iter().any(|finding| finding.fault.is_some()) {
            Err(Failed.into())
        } else {
            Ok(())
        }
    }
}
