//! `ludex ggp-match GAME`

use super::{SeedArgs, agent, duration};
use crate::error::usage;
use crate::output;
use clap::Args;
use ludex_core::error::did_you_mean;
use ludex_core::{Game, Spec};
use ludex_gdl::game::GdlGame;
use ludex_ggp::{Dialect, Host, Outcome, Side, Table};
use serde_json::json;
use std::time::Duration;

/// Host a match between GGP players over HTTP
#[derive(Args)]
#[command(after_help = "Examples:
  ludex ggp-match kif:tictactoe --player x=127.0.0.1:9147 --player o=127.0.0.1:9148
  ludex ggp-match kif:connect4 --player 1=127.0.0.1:9147 --player 2=agent:uct@sims=500 --scramble
  ludex ggp-match kif:monty-hall --player candidate=127.0.0.1:9147 --dialect 2 --json

An illegal, late or missing answer is replaced by a random legal move and counted as an error; with --forfeit it \
ends the match. docs/ggp.md explains more.")]
pub(crate) struct GgpMatch {
    /// The game: a rule sheet in KIF, such as kif:connect4 or my-game.kif
    game: String,
    /// The player of a role: ROLE=HOST:PORT or ROLE=agent:AGENT, where ROLE is a name or a number from 1; may be given
    /// several times. Roles without a player move at random
    #[arg(long = "player", value_name = "ROLE=HOST:PORT")]
    players: Vec<String>,
    /// Seconds before the first move
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=86400))]
    startclock: u32,
    /// Seconds per move
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=86400))]
    playclock: u32,
    /// How long after the clock an answer still counts
    #[arg(long, default_value = "1s", value_parser = duration)]
    grace: Duration,
    /// Replace the words of the rules by random ones, different for each player
    #[arg(long)]
    scramble: bool,
    /// The messages of GDL-II: 1 for (PLAY id (..)), 2 for (PLAY id turn move (..))
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=2))]
    dialect: u8,
    /// End the match at the first error
    #[arg(long)]
    forfeit: bool,
    /// The name of the match
    #[arg(long, default_value = "ludex.match")]
    id: String,
    /// The number of steps after which the match is a draw
    #[arg(long, default_value_t = 10_000)]
    longest: u32,
    #[command(flatten)]
    seed: SeedArgs,
    /// Print one JSON object with the result and the record
    #[arg(long)]
    json: bool,
}

impl GgpMatch {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        if self.id.is_empty() || self.id.contains(|c: char| c.is_whitespace() || "();".contains(c))
        {
            return Err(usage!("the name of a match is one word, not `{}`", self.id));
        }
        let any = ludex_library::open(&self.game)?;
        let name = &any.info().name;
        let Some(gdl) = any.get::<GdlGame>() else {
            let sheets = ludex_library::SHEETS.iter().map(|(sheet, _)| *sheet);
            let own = sheets.clone().find(|sheet| *sheet == name.as_str());
            let hint = own.map_or_else(
                || did_you_mean(name, sheets),
                |sheet| format!(": did you mean `kif:{sheet}`?"),
            );
            return Err(usage!("{name} has no rules in KIF to send to the players{hint}"));
        };
        let spec: Spec = name.parse()?;
        let source = ludex_library::find_variant(&spec)?;
        let sides = self.sides(&any.info().players)?;
        let host = Host {
            table: Table::new(gdl.clone()),
            rules: source.text,
            id: self.id.clone(),
            startclock: self.startclock,
            playclock: self.playclock,
            grace: self.grace,
            dialect: if self.dialect == 2 { Dialect::Turns } else { Dialect::Percepts },
            scramble: self.scramble,
            forfeit: self.forfeit,
            longest: self.longest,
            seed: self.seed.get(),
        };
        let mut step = 0;
        let mut failed = None;
        let outcome = host.play(&sides, |moves| {
            step += 1;
            if !self.json {
                failed = output::line(format!("{step:>4}  {}", moves.join("  "))).err();
            }
        })?;
        if let Some(error) = failed {
            return Err(error);
        }
        self.report(&any.info().players, &outcome)
    }

    /// The player of each role, in the order of the seats.
    fn sides(&self, names: &[String]) -> anyhow::Result<Vec<Side>> {
        let mut given: Vec<Option<Side>> = vec![None; names.len()];
        for text in &self.players {
            let (name, who) = text
                .split_once('=')
                .ok_or_else(|| usage!("--player needs ROLE=HOST:PORT, not `{text}`"))?;
            let number = name.parse::<usize>().ok().and_then(|n| n.checked_sub(1));
            let place = names
                .iter()
                .position(|known| known.eq_ignore_ascii_case(name))
                .or(number)
                .and_then(|place| given.get_mut(place))
                .ok_or_else(|| {
                    let hint = did_you_mean(name, names.iter().map(String::as_str));
                    usage!("no role `{name}`{hint} (roles: {})", names.join(", "))
                })?;
            let side = match who.strip_prefix("agent:") {
                Some(spec) => Side::Local(agent(spec)?),
                None => Side::Remote(who.parse().map_err(|e: String| usage!("{e}"))?),
            };
            if place.replace(side).is_some() {
                return Err(usage!("the role `{name}` is given twice"));
            }
        }
        let side = |side: Option<Side>| side.map_or_else(|| agent("random").map(Side::Local), Ok);
        given.into_iter().map(side).collect()
    }

    fn report(&self, names: &[String], outcome: &Outcome) -> anyhow::Result<()> {
        let errors = |name: &str| outcome.mistakes.iter().filter(|m| m.role == name).count();
        if self.json {
            let players: Vec<_> = names
                .iter()
                .zip(&outcome.record.agents)
                .zip(&outcome.goals)
                .map(|((role, player), goal)| {
                    json!({ "role": role, "player": player, "goal": goal, "errors": errors(role) })
                })
                .collect();
            let mistakes: Vec<_> = outcome
                .mistakes
                .iter()
                .map(|m| {
                    json!({ "step": m.step, "role": m.role, "fault": m.fault, "reason": m.reason })
                })
                .collect();
            return output::json(&json!({
                "match": self.id, "game": outcome.record.game, "steps": outcome.steps.len(),
                "players": players, "errors": mistakes, "moves": outcome.steps,
                "record": outcome.record,
            }));
        }
        for mistake in &outcome.mistakes {
            let (step, fault) = (mistake.step, mistake.fault);
            output::line(format!(
                "{} after step {step}: {fault}: {}",
                mistake.role, mistake.reason
            ))?;
        }
        if let Some(forfeit) = &outcome.record.forfeit {
            let name = names.get(usize::from(forfeit.seat)).map_or("?", String::as_str);
            output::line(format!("{name} forfeits"))?;
        }
        let mut table = output::table(&["role", "player", "goal", "errors", "thought"], 2);
        for (seat, role) in names.iter().enumerate() {
            let thought = outcome.record.think_ms.get(seat).copied().unwrap_or(0.0) / 1e3;
            table.add_row([
                role.clone(),
                outcome.record.agents.get(seat).cloned().unwrap_or_default(),
                outcome.goals.get(seat).map_or_else(String::new, u32::to_string),
                errors(role).to_string(),
                format!("{thought:.1} s"),
            ]);
        }
        output::print(&table)
    }
}
