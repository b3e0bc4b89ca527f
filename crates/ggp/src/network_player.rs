//! `ggp:HOST:PORT`: a player on the network as an agent at one seat, for tournaments.
//!
//! The protocol asks a player in every step. A turn of a game asks only the players that have a choice. So this agent
//! also tells the player of the steps between two of its turns, and ignores the answers to them: the player has only
//! one legal move there.

use crate::client::Remote;
use crate::http::HttpError;
use crate::message::{Message, News, short};
use crate::table::Table;
use ludex_agents::budget::parse_time;
use ludex_agents::{Agent, Budget, Choice};
use ludex_arena::Contender;
use ludex_arena::contender::own_budget;
use ludex_core::{AnyGame, Error, Game, Info, Match, Move, Result, Seed, Spec, Turn, View};
use ludex_gdl::game::GdlGame;
use std::time::{Duration, Instant};

/// Finds the rules of a game by its name, as they are sent.
pub type FindRules = fn(&str) -> Result<String>;

/// How long to wait for a player that is busy with another match.
const PATIENCE: Duration = Duration::from_secs(600);

/// A player by its address: `ggp:127.0.0.1:9147(start=20s)@time=5s`.
pub struct NetworkPlayer {
    spec: Spec,
    remote: Remote,
    start: Duration,
    budget: Budget,
    rules: FindRules,
}

impl NetworkPlayer {
    /// Reads the name of a player.
    ///
    /// # Errors
    /// An address that is none, parameters that are not known.
    pub fn read(text: &str, rules: FindRules) -> Result<Self> {
        let spec: Spec = text.parse()?;
        let bad = |reason: String| Error::BadParameter { name: spec.name.clone(), reason };
        let remote = spec.name.strip_prefix("ggp:").unwrap_or(&spec.name).parse().map_err(bad)?;
        spec.expect(&["start"], 0)?;
        let start = spec.get("start").map(|value| parse_time(&value.name)).transpose()?;
        let start = start.unwrap_or(Duration::from_secs(10));
        Ok(NetworkPlayer { remote, start, budget: own_budget(&spec)?, rules, spec })
    }
}

impl Contender for NetworkPlayer {
    fn name(&self) -> String {
        self.spec.to_string()
    }

    fn budget(&self) -> &Budget {
        &self.budget
    }

    fn supports(&self, info: &Info) -> Result<()> {
        let name = &info.name;
        if info.source.language() != Some(ludex_core::Language::Gdl) {
            let text = format!("{name} has no rules in KIF that could be sent to {}", self.spec);
            return Err(Error::Unsupported(text));
        }
        if info.hidden {
            let text = format!(
                "{name} has hidden information; `ludex ggp-match` plays it with {}",
                self.spec
            );
            return Err(Error::Unsupported(text));
        }
        Ok(())
    }

    fn build(
        &self,
        game: &AnyGame,
        seat: ludex_core::Player,
        _: Seed,
        grace: Duration,
    ) -> Result<Box<dyn Agent<AnyGame>>> {
        let Some(gdl) = game.get::<GdlGame>() else {
            return Err(Error::Unsupported(format!("{} is not in GDL", game.info().name)));
        };
        let table = Table::new(gdl.clone());
        let role = (0..table.roles().len()).find(|&role| table.seat(role) == Some(seat));
        let role = role.ok_or_else(|| Error::Unsupported(format!("no role for {seat}")))?;
        let time = self.budget.time.unwrap_or(Duration::from_secs(5));
        let id = format!("ludex.{:x}.{role}", nonce());
        let message = Message::Start {
            id: id.clone(),
            role: table.roles()[role].clone(),
            rules: (self.rules)(&game.info().name)?,
            startclock: self.start.as_secs().max(1) as u32,
            playclock: time.as_secs_f64().ceil().max(1.0) as u32,
        };
        let until = Instant::now() + PATIENCE;
        loop {
            let answer = self.remote.ask(&message, self.start + grace);
            match answer.map_err(|error| self.failed(&error, self.start))?.trim() {
                ready if ready.eq_ignore_ascii_case("ready") => break,
                busy if busy.eq_ignore_ascii_case("busy") && Instant::now() < until => {
                    std::thread::sleep(Duration::from_millis(50));
                }
                other => {
                    let text = format!("{} answered START with `{}`", self.spec, short(other));
                    return Err(Error::Unsupported(text));
                }
            }
        }
        Ok(Box::new(NetworkAgent {
            name: self.name(),
            remote: self.remote.clone(),
            id,
            grace,
            time,
            play: None,
            step: vec![None; table.roles().len()],
            unsent: vec![None],
            table,
        }))
    }
}

impl NetworkPlayer {
    fn failed(&self, error: &HttpError, limit: Duration) -> Error {
        failure(&self.name(), error, limit)
    }
}

fn failure(name: &str, error: &HttpError, limit: Duration) -> Error {
    match error {
        HttpError::Slow => {
            Error::Late(format!("{name}: no answer within {:.1} s", limit.as_secs_f64()))
        }
        HttpError::Io(_) => Error::Crashed(format!("{name}: {error}")),
        _ => Error::Unsupported(format!("{name}: {error}")),
    }
}

/// A number for the name of a match.
fn nonce() -> u128 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(0, |d| d.as_nanos())
}

/// The player at its seat.
struct NetworkAgent {
    name: String,
    remote: Remote,
    id: String,
    grace: Duration,
    time: Duration,
    table: Table,
    /// The match as far as it was read from the records.
    play: Option<Match<'static, AnyGame>>,
    /// The moves of the step that is being read, by role.
    step: Vec<Option<Move>>,
    /// The moves of each step that the player was not told yet. The first message of a match tells no moves.
    unsent: Vec<Option<Vec<String>>>,
}

impl NetworkAgent {
    /// Reads one turn: a part of a step, or a whole one.
    fn follow(&mut self, play: &mut Match<'static, AnyGame>, joint: &[Move]) {
        let turn = play.turn();
        let movers = turn.movers();
        for role in 0..self.step.len() {
            let made = match self.table.seat(role) {
                Some(seat) if movers.contains(seat) => joint.get(movers.position(seat)).copied(),
                None if turn == Turn::Chance => joint.first().copied(),
                // A role without a choice makes its only move.
                _ => match self.table.legal(play.state(), role).as_slice() {
                    [only] => Some(*only),
                    _ => None,
                },
            };
            self.step[role] = self.step[role].or(made);
        }
        play.apply(joint);
        if self.step.iter().all(Option::is_some) {
            let game = self.table.game();
            let texts = self.step.iter().flatten().map(|&mv| game.move_text(mv)).collect();
            self.unsent.push(Some(texts));
            self.step.fill(None);
        }
    }

    fn play(&self, seen: Option<Vec<String>>, limit: Duration) -> Result<String> {
        let message = Message::Play { id: self.id.clone(), news: News { own: None, seen } };
        self.remote.ask(&message, limit).map_err(|error| failure(&self.name, &error, limit))
    }
}

impl Agent<AnyGame> for NetworkAgent {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn choose(
        &mut self,
        game: &AnyGame,
        view: &View<'_, AnyGame>,
        budget: &Budget,
    ) -> Result<Choice> {
        let begin = || Match::owning_at(game.clone(), view.origin().clone());
        let mut play = self.play.take().unwrap_or_else(begin);
        for record in view.records().iter().skip(play.len()) {
            let joint: Vec<Move> = record.percept.0.iter().map(|&word| Move(word)).collect();
            self.follow(&mut play, &joint);
        }
        self.play = Some(play);
        let limit = budget.time.unwrap_or(self.time) + self.grace;
        let mut unsent = std::mem::take(&mut self.unsent);
        let last = unsent.pop().flatten();
        for skipped in unsent {
            self.play(skipped, limit)?;
        }
        let answer = self.play(last, limit)?;
        self.table.find_in(view.legal(), answer.trim()).map(Choice::plain).ok_or_else(|| {
            Error::IllegalMove {
                text: short(answer.trim()),
                player: game.info().player(view.seat()).to_string(),
                hint: format!("{} said so", self.name),
            }
        })
    }
}

impl Drop for NetworkAgent {
    fn drop(&mut self) {
        // Agents are not told that a game has ended. ABORT makes the player free for the next one.
        let _ = self.remote.ask(&Message::Abort { id: self.id.clone() }, Duration::from_secs(1));
    }
}
