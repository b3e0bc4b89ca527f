//! `ludex play GAME`

mod input;
mod session;

use super::{BudgetArgs, agent, default_agent, origin};
use crate::error::usage;
use crate::output;
use clap::Args;
use ludex_agents::AgentSpec;
use ludex_arena::referee::Step;
use ludex_arena::{Referee, Seat};
use ludex_core::{AnyGame, Game, Match, Player, Seed, error::did_you_mean};
use serde_json::json;
use session::Session;
use std::time::Duration;

/// Play a game in the terminal against agents, or watch agents play
#[derive(Args)]
#[command(after_help = "Examples:
  ludex play tictactoe                                   you move first, uct answers
  ludex play connect4 --seat o=human --seat x=alphabeta  you move second
  ludex play lud:chess --seat 2=alphabeta --time 2s
  ludex play breakthrough --seat white=uct --seat black=uct --sims 500 --seed 3
  ludex play pig --seat 1=flat --seat 2=random --json")]
pub(crate) struct Play {
    /// The game
    game: String,
    /// The agent of a seat: NAME=AGENT or NUMBER=AGENT, counted from 1; may be given several times. You take the first
    /// seat without an agent, the default agent takes the others
    #[arg(long = "seat", value_name = "NAME=AGENT")]
    seats: Vec<String>,
    /// Begin at this position instead of the start
    #[arg(long)]
    position: Option<String>,
    #[command(flatten)]
    budget: BudgetArgs,
    /// The seed of all randomness; a fresh one if a person plays and none is given
    #[arg(long)]
    seed: Option<u64>,
    /// Print one JSON object per step, then the record of the game
    #[arg(long)]
    json: bool,
}

impl Play {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let game = ludex_library::open(&self.game)?;
        let start = origin(&game, self.position.as_deref())?;
        let specs = self.specs(&game)?;
        let people = specs.iter().any(is_human);
        if people && !self.json {
            let number = self.seed.unwrap_or_else(fresh_seed);
            let origin = start.unwrap_or_else(|| game.start());
            let play = Match::at(&game, origin);
            output::line(format!("{} (seed {number})", game.info().title))?;
            let budget = self.budget.budget();
            return Session::new(&game, play, specs, &budget, Seed(number))?.run();
        }
        let seed = Seed(self.seed.unwrap_or(1));
        let mut seats = Vec::new();
        for (i, spec) in specs.iter().enumerate() {
            spec.supports(game.info())?;
            let agent = spec.build(&game, Player(i as u8), seed.named("agent").child(i as u64))?;
            seats.push(Seat { agent, budget: spec.budget().or(&self.budget.budget()) });
        }
        // People have no time limit.
        let referee = Referee { grace: Duration::from_secs(1_000_000), ..Referee::default() };
        let viewer = None;
        if !self.json {
            let shown = start.clone().unwrap_or_else(|| game.start());
            output::line(format!(
                "{}\n{}",
                game.info().title,
                output::board(&game, &shown, viewer, None)
            ))?;
        }
        let mut failed = None;
        let record = referee.play(&game, start.as_ref(), &mut seats, seed, |step| {
            let shown =
                if self.json { step_json(&game, step) } else { step_text(&game, step, viewer) };
            failed = shown.err().or(failed.take());
        });
        if let Some(error) = failed {
            return Err(error);
        }
        if self.json {
            return output::json(&json!({ "record": record }));
        }
        if let Some(forfeit) = &record.forfeit {
            let name = game.info().player(Player(forfeit.seat));
            output::line(format!("{name} forfeits ({}): {}", forfeit.fault, forfeit.reason))?;
        }
        output::line(result_line(&game, &record.payoffs))
    }

    /// The agent of each seat.
    fn specs(&self, game: &AnyGame) -> anyhow::Result<Vec<AgentSpec>> {
        let names = &game.info().players;
        let mut given: Vec<Option<AgentSpec>> = vec![None; names.len()];
        for text in &self.seats {
            let (name, spec) = text
                .split_once('=')
                .ok_or_else(|| usage!("--seat needs NAME=AGENT, not `{text}`"))?;
            let number = name.parse::<usize>().ok().and_then(|n| n.checked_sub(1));
            let place = names
                .iter()
                .position(|known| known.eq_ignore_ascii_case(name))
                .or(number.filter(|&n| n < names.len()))
                .ok_or_else(|| {
                    let hint = did_you_mean(name, names.iter().map(String::as_str));
                    usage!("no seat `{name}`{hint} (seats: {})", names.join(", "))
                })?;
            if given[place].replace(agent(spec)?).is_some() {
                return Err(usage!("the seat `{name}` is given twice"));
            }
        }
        let mut mine = true;
        given
            .into_iter()
            .map(|spec| match spec {
                Some(spec) => Ok(spec),
                None if std::mem::take(&mut mine) => agent("human"),
                None => default_agent(game),
            })
            .collect()
    }
}

/// Is this agent a person?
fn is_human(spec: &AgentSpec) -> bool {
    spec.to_string().starts_with("human")
}

/// A seed that differs from run to run.
fn fresh_seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    // Small enough to be typed again.
    now.map_or(1, |now| now.subsec_nanos() as u64 ^ now.as_secs()) % 1_000_000
}

/// The payoffs of all seats in one line.
fn result_line(game: &AnyGame, payoffs: &[f32]) -> String {
    let results = game.info().players.iter().zip(payoffs);
    let results: Vec<String> = results.map(|(name, payoff)| format!("{name} {payoff}")).collect();
    format!("Result: {}", results.join(", "))
}

/// Prints a step as text.
fn step_text(game: &AnyGame, step: &Step<'_>, viewer: Option<Player>) -> anyhow::Result<()> {
    let info = game.info();
    if step.choices.is_empty() && !info.hidden {
        output::line(format!("chance: {}", game.move_text(step.joint[0])))?;
    }
    for (player, choice) in step.choices {
        let hidden = viewer.is_some_and(|viewer| viewer != *player);
        let value = choice.thought.value.map(|v| format!("  (value {v:.2})")).unwrap_or_default();
        let text = if hidden {
            "moves".to_string()
        } else {
            format!("plays {}{value}", game.move_text(choice.mv))
        };
        output::line(format!("{} {text}", info.player(*player)))?;
    }
    // The move of another seat may be hidden, so only the viewer's own games mark it.
    let last = step.joint.last().copied().filter(|_| viewer.is_none());
    output::line(output::board(game, step.after, viewer, last))
}

/// Prints a step as JSON.
fn step_json(game: &AnyGame, step: &Step<'_>) -> anyhow::Result<()> {
    let joint: Vec<String> = step.joint.iter().map(|&mv| game.move_text(mv)).collect();
    let movers: Vec<&str> = step.choices.iter().map(|(p, _)| game.info().player(*p)).collect();
    let values: Vec<_> = step.choices.iter().map(|(_, c)| c.thought.value).collect();
    output::json(&json!({
        "moves": joint,
        "movers": if movers.is_empty() { vec!["chance"] } else { movers },
        "values": values,
        "state": game.json(step.after),
    }))
}
