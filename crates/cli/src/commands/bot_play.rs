//! `ludex bot play AGENT`: an agent of Ludex as a bot of any host that speaks `docs/bots.md`.

use super::{agent, default_agent, duration};
use crate::error::usage;
use crate::output;
use clap::Args;
use ludex_agents::{Agent, AgentSpec, Budget};
use ludex_arena::bot::Limit;
use ludex_core::{AnyGame, Game, Match, Player, Seed};
use rustix::time::{ClockId, clock_gettime};
use serde::Deserialize;
use serde_json::json;
use std::io::BufRead;
use std::time::Duration;

/// Be a bot: play one game after another over standard input and output
#[derive(Args)]
#[command(after_help = "Examples:
  ludex bot play uct@sims=500
  ludex bot play --cpu 55s
  ludex match tictactoe 'exec:ludex bot play uct@sims=100' random

The host speaks docs/bots.md: `newgame`, `go` and `end`. A host that
keeps no positions of Ludex sends `moves` instead: the moves of all players in every step since the
last question. With --cpu the agent divides that much CPU time over a whole game.")]
pub(crate) struct BotPlay {
    /// The agent (the default agent of the game)
    agent: Option<String>,
    /// CPU time for a whole game, such as 55s; without it the host's budget of each move holds
    #[arg(long, value_parser = duration)]
    cpu: Option<Duration>,
}

/// The messages of the host. Unknown keys are ignored.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Told {
    NewGame {
        game: String,
        seat: u8,
        #[serde(default)]
        seed: u64,
    },
    Go {
        #[serde(default)]
        position: Option<String>,
        #[serde(default)]
        moves: Vec<Vec<String>>,
        #[serde(default)]
        budget: Limit,
    },
    End,
}

/// A game that is being played.
struct Table {
    play: Match<'static, AnyGame>,
    seat: Player,
    agent: Box<dyn Agent<AnyGame>>,
    /// CPU time spent when it began.
    begun: Duration,
}

impl BotPlay {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let spec = self.agent.as_deref().map(agent).transpose()?;
        let mut table = None;
        for line in std::io::stdin().lock().lines() {
            let line = line?;
            if line.trim().is_empty() {
                continue;
            }
            let told: Told = serde_json::from_str(&line)
                .map_err(|e| usage!("the host said what is no message: {e}"))?;
            match told {
                Told::NewGame { game, seat, seed } => {
                    let begun = Table::open(&game, seat, seed, spec.as_ref())?;
                    let name = begun.agent.name();
                    table = Some(begun);
                    output::json(&json!({"type": "ready", "name": format!("ludex {name}")}))?;
                }
                Told::Go { position, moves, budget } => {
                    let Some(table) = table.as_mut() else {
                        return Err(usage!("the host asked for a move before `newgame`"));
                    };
                    table.follow(position.as_deref(), &moves)?;
                    let (text, cpu) = table.answer(&Budget::from(&budget), self.cpu)?;
                    output::json(&json!({
                        "type": "move", "move": text, "cpu_ms": cpu.as_secs_f64() * 1e3,
                    }))?;
                }
                Told::End => break,
            }
        }
        Ok(())
    }
}

/// CPU time of this process so far.
fn cpu_time() -> Duration {
    let now = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(now.tv_sec.unsigned_abs(), now.tv_nsec.unsigned_abs() as u32)
}

impl Table {
    fn open(game: &str, seat: u8, seed: u64, spec: Option<&AgentSpec>) -> anyhow::Result<Self> {
        let begun = cpu_time();
        let game = ludex_library::open(game)?;
        if game.info().hidden {
            return Err(usage!(
                "`ludex bot play` can't play {}: hosts send no position of a game with hidden information",
                game.info().name
            ));
        }
        let spec = spec.map_or_else(|| default_agent(&game), |spec| Ok(spec.clone()))?;
        let agent = spec.build(&game, Player(seat), Seed(seed))?;
        Ok(Table { play: Match::owning(game), seat: Player(seat), agent, begun })
    }

    /// Brings the match up to date: by the moves of all steps since the last question, or by the position. A
    /// position that the moves don't lead to is the origin of a new match.
    fn follow(&mut self, position: Option<&str>, moves: &[Vec<String>]) -> anyhow::Result<()> {
        for texts in moves {
            self.play.try_apply_text(texts)?;
        }
        if let Some(text) = position {
            let game = self.play.game();
            let state = game.parse_position(text)?;
            if game.position(&state) != self.play.position() {
                self.play = Match::owning_at(game.clone(), state);
            }
        }
        Ok(())
    }

    /// The agent's move, and the CPU time of the game so far.
    fn answer(
        &mut self,
        told: &Budget,
        cpu: Option<Duration>,
    ) -> anyhow::Result<(String, Duration)> {
        let (play, game) = (&self.play, self.play.game());
        let mut pad = Vec::new();
        let view = play.view(self.seat, &mut pad);
        let Some(&first) = view.legal().first() else {
            return Err(usage!("the host asked for a move where none is due"));
        };
        let spent = cpu_time().saturating_sub(self.begun);
        let budget = match cpu {
            None => told.clone(),
            Some(cpu) => {
                let longest = game.info().longest.unwrap_or(200);
                Budget::time(share(cpu.saturating_sub(spent), play.len() as u32, longest))
            }
        };
        let choice = self.agent.choose(game, &view, &budget)?;
        let mv = if view.legal().contains(&choice.mv) { choice.mv } else { first };
        Ok((game.move_text(mv), cpu_time().saturating_sub(self.begun)))
    }
}

/// The time for the next move. Most games end long before the longest: take twice the even share of the time that is
/// left, and never all of it.
fn share(left: Duration, played: u32, longest: u32) -> Duration {
    let moves = f64::from(longest.saturating_sub(played)) / 2.0 + 10.0;
    // A tenth of the time is kept for reading and writing messages.
    (left.mul_f64(0.9 / moves)).max(Duration::from_micros(100))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_of_the_longest_game_never_add_up_to_more_than_there_is() {
        let whole = Duration::from_secs(55);
        let mut left = whole;
        for played in 0..360 {
            let share = share(left, played, 360);
            // Every move is a tenth over its time.
            left = left.checked_sub(share.mul_f64(1.1)).expect("time is left");
        }
        assert!(share(whole, 0, 360) > whole / 360);
    }
}
