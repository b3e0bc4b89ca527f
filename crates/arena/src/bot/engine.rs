//! `uci:COMMAND` and `gtp:COMMAND`: engines that speak the protocols of chess and Go programs, as agents.

use super::exec::failure;
use super::process::{Limits, Process, Trouble};
use super::squares::Squares;
use crate::contender::Contender;
use ludex_agents::budget::Time;
use ludex_agents::{Agent, Budget, Choice, Failure};
use ludex_core::schema::Schema;
use ludex_core::{AnyGame, Error, Game, Info, Move, Player, Result, Seed, Spec, View};
use std::time::{Duration, Instant};

/// The protocol of an engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Protocol {
    Uci,
    Gtp,
}

/// An engine by its command: `uci:stockfish@time=100ms`, `gtp:"gnugo --mode gtp"(komi=7.5)`.
///
/// ```
/// use ludex_arena::{Contender, bot::Engine};
/// let engine: Engine = "uci:stockfish(options=\"Skill Level=3;Hash=16\")@time=100ms".parse().unwrap();
/// assert_eq!(engine.command(), ["stockfish"]);
/// assert!("uci:".parse::<Engine>().is_err());
/// ```
#[derive(Debug, Clone)]
pub struct Engine {
    spec: Spec,
    protocol: Protocol,
    command: Vec<String>,
    params: Params,
    budget: Budget,
}

ludex_core::params! {
    /// The parameters of `uci:` and `gtp:`.
    struct Params {
        /// Options of a UCI engine, as Name=Value with `;` between them.
        options: String = String::new();
        /// The komi that a GTP engine is told, in half points.
        komi: u32 = 15, 0..=400;
        /// Does GTP leave out the letter I? Go does, Hex does not.
        skip_i: bool = true;
        /// Time to get ready.
        start: Time = Time(Duration::from_secs(30));
        /// Time for an answer where the budget gives none.
        time: Time = Time(Duration::from_secs(60));
    }
}

impl Engine {
    /// Does this name mean such an engine?
    pub fn is_named(name: &str) -> bool {
        name.starts_with("uci:") || name.starts_with("gtp:")
    }

    /// The program and its arguments.
    pub fn command(&self) -> &[String] {
        &self.command
    }
}

impl std::str::FromStr for Engine {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let spec: Spec = text.parse()?;
        let bad =
            |reason: &str| Error::BadParameter { name: spec.name.clone(), reason: reason.into() };
        let (protocol, line) =
            match (spec.name.strip_prefix("uci:"), spec.name.strip_prefix("gtp:")) {
                (Some(line), _) => (Protocol::Uci, line),
                (_, Some(line)) => (Protocol::Gtp, line),
                _ => return Err(bad("expected uci:COMMAND or gtp:COMMAND")),
            };
        let command = shlex::split(line).filter(|words| !words.is_empty());
        let command = command.ok_or_else(|| bad("the command is missing, as in uci:stockfish"))?;
        let params = Params::default().read(&spec)?;
        Ok(Engine { protocol, command, params, budget: Budget::read(&spec)?, spec })
    }
}

impl Contender for Engine {
    fn name(&self) -> String {
        self.spec.to_string()
    }

    fn budget(&self) -> &Budget {
        &self.budget
    }

    fn supports(&self, info: &Info) -> Result<()> {
        if info.hidden || info.chance || info.simultaneous || info.seats() != 2 {
            let text = format!(
                "{} plays games of two players in turn, without chance and hidden information",
                self.name()
            );
            return Err(Error::Unsupported(text));
        }
        Ok(())
    }

    fn build(
        &self,
        game: &AnyGame,
        _: Player,
        _: Seed,
        grace: Duration,
    ) -> Result<Box<dyn Agent<AnyGame>>, Failure> {
        let squares = Squares::of(game)?;
        let limits =
            Limits { start: self.params.start.0, time: self.params.time.0, ..Limits::default() };
        let name = self.name();
        let process = Process::start(&self.command, &limits)
            .map_err(|trouble| failure(&name, trouble, None))?;
        let time = self.params.time.0;
        let mut link = Link { name, process: Some(process), squares, time, grace };
        link.greet(self.protocol, &self.params)?;
        Ok(match self.protocol {
            Protocol::Uci => Box::new(Uci { link, promotion: None }),
            Protocol::Gtp => Box::new(Gtp { link, skip_i: self.params.skip_i, told: 0 }),
        })
    }
}

/// The connection to an engine.
struct Link {
    name: String,
    /// `None` once it has failed.
    process: Option<Process>,
    squares: Squares,
    time: Duration,
    grace: Duration,
}

impl Link {
    /// Sends a line and waits for the first line that `take` accepts. Trouble ends the process.
    fn ask<T>(
        &mut self,
        line: &str,
        limit: Duration,
        take: impl FnMut(&str) -> std::result::Result<Option<T>, Trouble>,
    ) -> Result<T, Failure> {
        let Some(process) = &mut self.process else {
            return Err(Failure::Crashed(format!("{} has ended", self.name)));
        };
        match process.ask(line, limit, take) {
            Ok(answer) => Ok(answer),
            Err(trouble) => {
                let words = process.last_words();
                self.process = None;
                Err(failure(&self.name, trouble, Some(words)))
            }
        }
    }

    fn say(&mut self, line: &str) -> Result<(), Failure> {
        let Some(process) = &mut self.process else {
            return Err(Failure::Crashed(format!("{} has ended", self.name)));
        };
        let deadline = Instant::now() + Duration::from_secs(5);
        process.say(line, deadline).map_err(|trouble| failure(&self.name, trouble, None))
    }

    /// A command of GTP and its answer, without the mark in front. The answer ends with an empty line.
    fn command(&mut self, line: &str, limit: Duration) -> Result<String, Failure> {
        let mut answer: Option<String> = None;
        self.ask(line, limit, |heard| match (&answer, heard) {
            (Some(_), "") => Ok(answer.take()),
            (None, "") => Ok(None),
            (Some(text), more) => {
                answer = Some(format!("{text}\n{more}"));
                Ok(None)
            }
            (None, first) => match (first.strip_prefix('='), first.strip_prefix('?')) {
                (Some(text), _) => {
                    answer = Some(text.trim().to_owned());
                    Ok(None)
                }
                (_, Some(text)) => {
                    Err(Trouble::Garbage(format!("`{line}` failed: {}", text.trim())))
                }
                // A line of the game's chatter.
                _ => Ok(None),
            },
        })
    }

    /// Gets the engine ready for a new game.
    fn greet(&mut self, protocol: Protocol, params: &Params) -> Result<(), Failure> {
        let wait = params.start.0;
        match protocol {
            Protocol::Uci => {
                self.ask("uci", wait, |line| Ok((line == "uciok").then_some(())))?;
                for option in params.options.split(';').filter_map(|o| o.split_once('=')) {
                    self.say(&format!(
                        "setoption name {} value {}",
                        option.0.trim(),
                        option.1.trim()
                    ))?;
                }
                self.say("ucinewgame")?;
                self.ask("isready", wait, |line| Ok((line == "readyok").then_some(())))
            }
            Protocol::Gtp => {
                let (columns, _) = self.squares.size();
                self.command(&format!("boardsize {columns}"), wait)?;
                self.command("clear_board", wait)?;
                // Games without komi need not know the command.
                let komi = f64::from(params.komi) / 2.0;
                if self.command("known_command komi", wait)? == "true" {
                    self.command(&format!("komi {komi}"), wait)?;
                }
                Ok(())
            }
        }
    }

    fn illegal(&self, game: &AnyGame, view: &View<'_, AnyGame>, text: &str) -> Failure {
        let player = game.info().player(view.seat()).to_string();
        let text: String = text.chars().take(80).collect();
        Error::IllegalMove { text, player, hint: format!("{} said so", self.name) }.into()
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        if let Some(process) = &mut self.process {
            let soon = Instant::now() + Duration::from_millis(50);
            if process.say("quit", soon).is_ok() {
                process.ends_within(Duration::from_millis(200));
            }
        }
    }
}

/// The moves of a game so far: with perfect information every record tells them.
fn moves_so_far(view: &View<'_, AnyGame>) -> Vec<Move> {
    view.records()
        .iter()
        .flat_map(|record| record.percept.0.iter().map(|&word| Move(word)))
        .collect()
}

/// A UCI engine at its seat.
struct Uci {
    link: Link,
    /// The piece that its pawn becomes by its next move.
    promotion: Option<char>,
}

impl Agent<AnyGame> for Uci {
    fn name(&self) -> String {
        self.link.name.clone()
    }

    fn choose(
        &mut self,
        game: &AnyGame,
        view: &View<'_, AnyGame>,
        budget: &Budget,
    ) -> Result<Choice, Failure> {
        let squares = self.link.squares.clone();
        if let Some(letter) = self.promotion.take() {
            let found = squares.promotion(game, view.legal(), letter);
            return found
                .map(Choice::plain)
                .ok_or_else(|| self.link.illegal(game, view, &letter.to_string()));
        }
        let line = squares.uci_line(game, &moves_so_far(view)).join(" ");
        let origin = view.origin();
        let start = match game.hash(origin) == game.hash(&game.start()) {
            true => "startpos".to_owned(),
            false => {
                let fen = game.forsyth(origin).or_else(|| squares.fen(game, origin));
                format!("fen {}", fen.unwrap_or_default())
            }
        };
        let moves = if line.is_empty() { String::new() } else { format!(" moves {line}") };
        self.link.say(&format!("position {start}{moves}"))?;
        let limit = budget.time.unwrap_or(self.link.time) + self.link.grace;
        let answer = self.link.ask(&go(budget), limit, |line| {
            let best = line.strip_prefix("bestmove ");
            Ok(best.map(|best| best.split(' ').next().unwrap_or_default().to_owned()))
        })?;
        match squares.from_uci(game, view.legal(), &answer) {
            Some((mv, promotion)) => {
                self.promotion = promotion;
                Ok(Choice::plain(mv))
            }
            None => Err(self.link.illegal(game, view, &answer)),
        }
    }
}

/// The command that starts a search of UCI.
fn go(budget: &Budget) -> String {
    let mut text = String::from("go");
    if let Some(time) = budget.time {
        // A little less than the budget: the answer has to arrive within it.
        let millis = time.as_millis().saturating_sub(10).max(1);
        text.push_str(&format!(" movetime {millis}"));
    }
    if let Some(nodes) = budget.nodes.or(budget.sims) {
        text.push_str(&format!(" nodes {nodes}"));
    }
    if let Some(depth) = budget.depth {
        text.push_str(&format!(" depth {depth}"));
    }
    if text == "go" {
        text.push_str(&format!(" movetime {}", Budget::DEFAULT_TIME.as_millis()));
    }
    text
}

/// A GTP engine at its seat.
struct Gtp {
    link: Link,
    skip_i: bool,
    /// Moves that the engine knows.
    told: usize,
}

/// The colour of a seat: the first player is Black in Go, Hex and Othello.
fn colour(seat: usize) -> &'static str {
    if seat == 0 { "black" } else { "white" }
}

impl Agent<AnyGame> for Gtp {
    fn name(&self) -> String {
        self.link.name.clone()
    }

    fn choose(
        &mut self,
        game: &AnyGame,
        view: &View<'_, AnyGame>,
        budget: &Budget,
    ) -> Result<Choice, Failure> {
        let limit = budget.time.unwrap_or(self.link.time) + self.link.grace;
        let moves = moves_so_far(view);
        for (number, &mv) in moves.iter().enumerate().skip(self.told) {
            let Some(word) = self.link.squares.to_gtp(game, mv, self.skip_i) else {
                let text = format!("{} has no word for {}", self.link.name, game.move_text(mv));
                return Err(Error::Unsupported(text).into());
            };
            self.link.command(&format!("play {} {word}", colour(number % 2)), limit)?;
        }
        let seat = view.seat().index();
        let answer = self.link.command(&format!("genmove {}", colour(seat)), limit)?;
        if answer.eq_ignore_ascii_case("resign") {
            return Err(Failure::Left(self.link.name.clone()));
        }
        // The engine has made its own move.
        self.told = moves.len() + 1;
        let found = self.link.squares.from_gtp(game, view.legal(), &answer, self.skip_i);
        found.map(Choice::plain).ok_or_else(|| self.link.illegal(game, view, &answer))
    }
}
