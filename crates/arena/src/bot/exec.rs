//! `exec:COMMAND`: a program as an agent.

use super::message::{Answer, Limit, News, PROTOCOL, Say};
use super::process::{Limits, Process, Trouble};
use crate::contender::Contender;
use ludex_agents::budget::Time;
use ludex_agents::{Agent, Budget, Choice, Failure};
use ludex_core::schema::{self, Bounds, Kind, Refusal, Schema, Value};
use ludex_core::{AnyGame, Error, Game, Info, Player, Result, Seed, Spec, View};
use std::time::Duration;

/// A bot by its command: `exec:./my-bot`, `exec:"python3 bot.py --fast"(memory=512M)@time=1s`.
///
/// ```
/// use ludex_arena::{Contender, bot::Exec};
/// let bot: Exec = "exec:python3 bot.py(memory=1G,start=5s)@time=1s".parse().unwrap();
/// assert_eq!(bot.command(), ["python3", "bot.py"]);
/// assert_eq!(bot.name(), "exec:python3 bot.py(memory=1G,start=5s)@time=1s");
/// assert!("exec:bot(memory=lots)".parse::<Exec>().is_err());
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Exec {
    spec: Spec,
    command: Vec<String>,
    limits: Limits,
    budget: Budget,
}

impl Exec {
    /// The program and its arguments.
    pub fn command(&self) -> &[String] {
        &self.command
    }

    /// The time and memory that the program may use.
    pub(super) fn limits(&self) -> &Limits {
        &self.limits
    }
}

impl std::str::FromStr for Exec {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let spec: Spec = text.parse()?;
        let bad = |reason: String| Error::BadParameter { name: spec.name.clone(), reason };
        let line = spec.name.strip_prefix("exec:").unwrap_or(&spec.name);
        let command = shlex::split(line).filter(|words| !words.is_empty());
        let command = command.ok_or_else(|| bad("expected exec:COMMAND".into()))?;
        let Params { memory, time, start } = Params::default().read(&spec)?;
        let limits = Limits { memory: memory.0, time: time.0, start: start.0 };
        Ok(Exec { command, limits, budget: Budget::read(&spec)?, spec })
    }
}

ludex_core::params! {
    /// The parameters of `exec:`.
    struct Params {
        /// Most address space of the program.
        memory: Size = Size(4 << 30);
        /// Time for an answer where the budget gives none.
        time: Time = Time(Duration::from_secs(60));
        /// Time to get ready.
        start: Time = Time(Duration::from_secs(10));
    }
}

/// A number of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Size(u64);

impl Value for Size {
    fn kind(_: &Bounds) -> Kind {
        Kind::Text("a size such as 512M or 2G")
    }

    fn read(value: &Spec, _: &Bounds) -> Result<Self, Refusal> {
        parse_size(schema::plain(value)?).map(Size).ok_or(Refusal::Unfit)
    }

    fn write(&self, _: &Bounds) -> Spec {
        Spec::new(format!("{}K", self.0 >> 10))
    }
}

/// Reads `512M`, `2G`.
fn parse_size(text: &str) -> Option<u64> {
    let (number, unit) = text.split_at(text.len().checked_sub(1)?);
    let scale = match unit {
        "K" => 10,
        "M" => 20,
        "G" => 30,
        _ => return None,
    };
    number.parse::<u64>().ok().filter(|&n| n > 0 && n < 1 << 30).map(|n| n << scale)
}

impl Contender for Exec {
    fn name(&self) -> String {
        self.spec.to_string()
    }

    fn budget(&self) -> &Budget {
        &self.budget
    }

    fn supports(&self, _: &Info) -> Result<()> {
        Ok(())
    }

    fn build(
        &self,
        game: &AnyGame,
        seat: Player,
        seed: Seed,
        grace: Duration,
    ) -> Result<Box<dyn Agent<AnyGame>>, Failure> {
        let name = self.name();
        let process = Process::start(&self.command, &self.limits);
        let process = process.map_err(|trouble| failure(&name, trouble, None))?;
        let time = self.limits.time;
        let mut bot = Bot { name, process: Some(process), time, grace, told: 0 };
        let info = game.info();
        let hello = Say::NewGame {
            protocol: PROTOCOL,
            game: info.name.clone(),
            title: info.title.clone(),
            players: info.players.clone(),
            seat: seat.0,
            hidden: info.hidden,
            seed: seed.0,
        };
        bot.ask(&hello, self.limits.start, |answer| match answer {
            Answer::Ready { .. } => Ok(Some(())),
            Answer::Info => Ok(None),
            Answer::Move { .. } => Err(Trouble::Garbage("a move before the game".into())),
        })?;
        Ok(Box::new(bot))
    }
}

/// A bot at its seat.
struct Bot {
    name: String,
    /// `None` once it has forfeited.
    process: Option<Process>,
    time: Duration,
    grace: Duration,
    /// Steps already told.
    told: usize,
}

impl Bot {
    /// Sends a message and waits for the answer. Trouble ends the process.
    fn ask<T>(
        &mut self,
        say: &Say,
        limit: Duration,
        mut take: impl FnMut(Answer) -> std::result::Result<Option<T>, Trouble>,
    ) -> Result<T, Failure> {
        let Some(process) = &mut self.process else {
            return Err(Failure::Crashed(format!("{} has ended", self.name)));
        };
        let line = serde_json::to_string(say).unwrap_or_default();
        let asked = process.ask(&line, limit, |line| {
            if line.is_empty() {
                return Ok(None);
            }
            let answer: Answer = serde_json::from_str(line).map_err(|e| {
                let short: String = line.chars().take(80).collect();
                Trouble::Garbage(format!("`{short}` is no answer: {e}"))
            })?;
            take(answer)
        });
        match asked {
            Ok(answer) => Ok(answer),
            Err(trouble) => {
                let words = process.last_words();
                self.process = None;
                Err(failure(&self.name, trouble, Some(words)))
            }
        }
    }
}

/// Trouble as an error that the referee understands, with the last lines of stderr.
pub(super) fn failure(name: &str, trouble: Trouble, last_words: Option<String>) -> Failure {
    let words = last_words.filter(|words| !words.is_empty());
    let words = words.map(|words| format!("; stderr: {words}")).unwrap_or_default();
    match trouble {
        Trouble::Gone(text) => Failure::Crashed(format!("{name}: {text}{words}")),
        Trouble::Late(text) => Failure::Late(format!("{name}: {text}{words}")),
        Trouble::Garbage(text) => Error::Unsupported(format!("{name}: {text}{words}")).into(),
    }
}

impl Agent<AnyGame> for Bot {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn choose(
        &mut self,
        game: &AnyGame,
        view: &View<'_, AnyGame>,
        budget: &Budget,
    ) -> Result<Choice, Failure> {
        let legal: Vec<String> = view.legal().iter().map(|&mv| game.move_text(mv)).collect();
        let records = view.records();
        let news = records.get(self.told..).unwrap_or(&[]);
        let say = Say::Go {
            step: records.len(),
            news: news
                .iter()
                .map(|record| News {
                    own: record.own.map(|mv| game.move_text(mv)),
                    seen: game.percept_text(&record.percept.0),
                })
                .collect(),
            position: view.state().map(|state| game.position(state)),
            legal: legal.clone(),
            budget: Limit::from(budget),
        };
        self.told = records.len();
        let limit = budget.time.unwrap_or(self.time) + self.grace;
        let mv = self.ask(&say, limit, |answer| match answer {
            Answer::Move { mv } => Ok(Some(mv)),
            Answer::Info => Ok(None),
            Answer::Ready { .. } => Err(Trouble::Garbage("`ready` instead of a move".into())),
        })?;
        match legal.iter().position(|text| *text == mv).and_then(|i| view.legal().get(i)) {
            Some(&mv) => Ok(Choice::plain(mv)),
            None => {
                let words = self.process.as_mut().map(Process::last_words).unwrap_or_default();
                self.process = None;
                let text: String = mv.chars().take(80).collect();
                let player = game.info().player(view.seat()).to_string();
                let hint = format!("{} said so; stderr: {words}", self.name);
                Err(Error::IllegalMove { text, player, hint }.into())
            }
        }
    }
}

impl Drop for Bot {
    fn drop(&mut self) {
        if let Some(process) = &mut self.process {
            let line = serde_json::to_string(&Say::End).unwrap_or_default();
            let soon = std::time::Instant::now() + Duration::from_millis(50);
            if process.say(&line, soon).is_ok() {
                process.ends_within(Duration::from_millis(200));
            }
        }
    }
}
