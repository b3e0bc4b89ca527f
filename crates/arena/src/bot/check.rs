//! Does a bot keep to the protocol? Each rule is tried on a real process and reported by name.

use super::exec::Exec;
use super::message::Say;
use super::process::Process;
use crate::contender::Contender;
use crate::record::GameRecord;
use crate::referee::{Deal, Referee, Seat};
use ludex_agents::{AgentSpec, Budget};
use ludex_core::{AnyGame, Game, Player, Seed};
use std::time::{Duration, Instant};

/// One rule of the protocol, and whether the bot keeps to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The rule.
    pub law: String,
    /// The bot's fault; `None` where it keeps to the rule.
    pub fault: Option<String>,
}

/// Plays `games` games of each of `kinds` against `random` with changing seats. Then checks that the bot ends when it is
/// told to, and when its input is closed.
pub fn check(
    bot: &Exec,
    kinds: &[AnyGame],
    games: u64,
    budget: &Budget,
    seed: Seed,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut note = |law: String, fault: Option<String>| findings.push(Finding { law, fault });
    for game in kinds {
        let info = game.info();
        for number in 0..games {
            let seat = (number % info.seats() as u64) as usize;
            let fault = match duel(bot, game, seat, budget, seed.child(number)) {
                Err(error) => Some(error.to_string()),
                Ok(record) => match &record.forfeit {
                    Some(f) if usize::from(f.seat) == seat => {
                        Some(format!("{}: {}", f.fault, f.reason))
                    }
                    _ if record.overruns.get(seat).is_some_and(|&n| n > 0) => {
                        Some("answered later than its budget allows".into())
                    }
                    _ => None,
                },
            };
            let who = info.player(Player(seat as u8));
            let failed = fault.is_some();
            note(format!("plays {} as {who}", info.name), fault);
            if failed {
                break;
            }
        }
    }
    note("ends when it is told so".into(), leaves(bot, true));
    note("ends when its input is closed".into(), leaves(bot, false));
    findings
}

fn duel(
    bot: &Exec,
    game: &AnyGame,
    seat: usize,
    budget: &Budget,
    seed: Seed,
) -> ludex_core::Result<GameRecord> {
    let random: AgentSpec = "random".parse()?;
    let referee = Referee::default();
    let mut seats = Vec::new();
    for place in 0..game.info().seats() {
        let contender: &dyn Contender = if place == seat { bot } else { &random };
        let own = seed.named("agent").child(place as u64);
        let agent = contender.build(game, Player(place as u8), own, referee.grace)?;
        seats.push(Seat { agent, budget: contender.budget().or(budget) });
    }
    Ok(referee.conduct(game, Deal::new(None, seed), &mut seats, |_| {}))
}

/// Does the process end in the time that it has to start? `told`: by the message `end`; else its input is closed.
fn leaves(bot: &Exec, told: bool) -> Option<String> {
    let mut process = match Process::start(bot.command(), bot.limits()) {
        Ok(process) => process,
        Err(trouble) => return Some(format!("{trouble:?}")),
    };
    if told {
        let line = serde_json::to_string(&Say::End).unwrap_or_default();
        let _ = process.say(&line, Instant::now() + Duration::from_secs(1));
    } else {
        process.close_input();
    }
    (!process.ends_within(bot.limits().start)).then(|| "it goes on".to_string())
}
