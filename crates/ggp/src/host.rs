//! The host's side: a referee that plays a match between players on the network.
//!
//! By the custom of the field a player that answers late, illegally or not at all does not lose
//! at once: a random legal move is made for it and the error is recorded. With
//! [`Host::forfeit`] the first such error ends the match.

use crate::client::Remote;
use crate::http::HttpError;
use crate::message::{Message, News, short};
use crate::scramble::Scramble;
use crate::table::Table;
use ludex_agents::{Agent, AgentSpec, Budget};
use ludex_arena::{Ending, Fault, GameRecord};
use ludex_core::{AnyGame, Game, Match, Move, Player, Rng, Seed};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;
use std::time::{Duration, Instant};

/// How GDL-II players are told what they perceive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Dialect {
    /// `(PLAY id (percept ...))`
    #[default]
    Percepts,
    /// `(PLAY id turn lastmove (percept ...))`
    Turns,
}

/// The player of a role.
#[derive(Debug, Clone)]
pub enum Side {
    /// A player on the network.
    Remote(Remote),
    /// An agent of our own.
    Local(AgentSpec),
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Side::Remote(remote) => write!(f, "ggp:{remote}"),
            Side::Local(spec) => spec.fmt(f),
        }
    }
}

/// How a match is conducted.
#[derive(Clone)]
pub struct Host {
    /// The game.
    pub table: Table,
    /// The rules, as they are sent.
    pub rules: String,
    /// The name of the match.
    pub id: String,
    /// Seconds to prepare.
    pub startclock: u32,
    /// Seconds a move.
    pub playclock: u32,
    /// How long after the clock an answer still counts.
    pub grace: Duration,
    /// How percepts are told.
    pub dialect: Dialect,
    /// Does each player get words of its own?
    pub scramble: bool,
    /// Does an error end the match?
    pub forfeit: bool,
    /// The match is a draw after so many steps.
    pub longest: u32,
    /// Where the moves of `random`, replacements and scrambled words come from.
    pub seed: Seed,
}

/// A fault of a player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake {
    /// After so many steps.
    pub step: u32,
    /// The role of the player.
    pub role: String,
    /// The kind of mistake.
    pub fault: Fault,
    /// The details, for people.
    pub reason: String,
}

/// How a match went.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// Everything that is needed to replay it.
    pub record: GameRecord,
    /// The goal values by seat.
    pub goals: Vec<u32>,
    /// The steps: all roles' moves.
    pub steps: Vec<Vec<String>>,
    /// The faults of players, in order.
    pub mistakes: Vec<Mistake>,
}

/// A role with the player that plays it.
struct Chair {
    role: usize,
    seat: Player,
    player: Playing,
    last: Option<Move>,
}

/// The program that plays a role.
enum Playing {
    Remote { remote: Remote, words: Scramble, present: bool },
    Local { agent: Box<dyn Agent<AnyGame>>, budget: Budget },
}

/// The match so far.
struct Course<'g> {
    play: Match<'g, AnyGame>,
    /// How many records were told to the players before the last step.
    told: usize,
}

/// Why there is no move.
type Failure = (Fault, String);

impl Host {
    fn chairs(&self, sides: &[Side]) -> ludex_core::Result<Vec<Chair>> {
        let game = self.table.game();
        let roles = (0..self.table.roles().len())
            .filter_map(|role| self.table.seat(role).map(|seat| (role, seat)));
        let clock = Budget::time(Duration::from_secs(self.playclock.max(1).into()));
        roles
            .zip(sides)
            .map(|((role, seat), side)| {
                let player = match side {
                    Side::Remote(remote) => {
                        let seed = self.seed.named("words").child(role as u64);
                        let words = match self.scramble {
                            true => Scramble::new(&self.rules, seed),
                            false => Scramble::default(),
                        };
                        Playing::Remote { remote: remote.clone(), words, present: true }
                    }
                    Side::Local(spec) => {
                        let seed = self.seed.named("agent").child(seat.0.into());
                        let agent = spec.build(game, seat, seed)?;
                        Playing::Local { agent, budget: spec.budget().or(&clock) }
                    }
                };
                Ok(Chair { role, seat, player, last: None })
            })
            .collect()
    }

    /// Plays the match; `sides` by seat. `watch` is told every step: all roles' moves.
    ///
    /// # Errors
    /// Sides that can't play this game. What players do wrong is in the outcome.
    pub fn play(
        &self,
        sides: &[Side],
        mut watch: impl FnMut(&[String]),
    ) -> ludex_core::Result<Outcome> {
        let game = self.table.game();
        let seats = game.info().seats();
        if sides.len() != seats {
            let text = format!("{} sides for {seats} roles", sides.len());
            return Err(ludex_core::Error::Unsupported(text));
        }
        let mut chairs = self.chairs(sides)?;
        let mut outcome = Outcome {
            record: GameRecord::new(game, sides.iter().map(Side::to_string).collect(), self.seed),
            goals: Vec::new(),
            steps: Vec::new(),
            mistakes: Vec::new(),
        };
        self.start(&mut chairs, &mut outcome);
        let mut course = Course { play: Match::new(game), told: 0 };
        if outcome.record.forfeit.is_none() {
            self.run(&mut course, &mut chairs, &mut outcome, &mut watch);
        }
        self.end(&course, &mut chairs, &mut outcome);
        outcome.record.moves = course.play.moves_text();
        outcome.goals = outcome.record.payoffs.iter().map(|p| (p * 100.0).round() as u32).collect();
        Ok(outcome)
    }

    fn role_name(&self, chair: &Chair) -> String {
        self.table.roles().get(chair.role).cloned().unwrap_or_default()
    }

    fn note(&self, outcome: &mut Outcome, chair: &Chair, (fault, reason): Failure) {
        let step = outcome.steps.len() as u32;
        outcome.mistakes.push(Mistake { step, role: self.role_name(chair), fault, reason });
    }

    fn start(&self, chairs: &mut [Chair], outcome: &mut Outcome) {
        let limit = Duration::from_secs(self.startclock.into()) + self.grace;
        let answers = together(chairs, |chair| {
            let Playing::Remote { remote, words, present } = &mut chair.player else {
                return Ok(());
            };
            let message = Message::Start {
                id: self.id.clone(),
                role: words.scramble(&self.table.roles()[chair.role]),
                rules: words.scramble(&self.rules),
                startclock: self.startclock,
                playclock: self.playclock,
            };
            match remote.ask(&message, limit) {
                Ok(text) if text.trim().eq_ignore_ascii_case("ready") => Ok(()),
                Ok(text) => {
                    *present = false;
                    Err((Fault::Error, format!("answered START with `{}`", short(text.trim()))))
                }
                // A slow player may still play.
                Err(HttpError::Slow) => Err((Fault::Late, "not ready in time".to_string())),
                Err(error) => {
                    *present = false;
                    Err((Fault::Crash, error.to_string()))
                }
            }
        });
        for (chair, (answer, _)) in chairs.iter().zip(answers) {
            if let Err(failure) = answer {
                self.fail(outcome, chair, failure);
            }
        }
    }

    /// Notes an error that, where players forfeit, decides the match.
    fn fail(&self, outcome: &mut Outcome, chair: &Chair, failure: Failure) {
        self.note(outcome, chair, failure.clone());
        if self.forfeit && outcome.record.forfeit.is_none() {
            let (fault, reason) = failure;
            outcome.record.lose(chair.seat, fault, reason);
        }
    }

    fn run(
        &self,
        course: &mut Course<'_>,
        chairs: &mut [Chair],
        outcome: &mut Outcome,
        watch: &mut impl FnMut(&[String]),
    ) {
        let game = self.table.game();
        let mut dice = self.seed.named("dice").rng();
        let mut spare = self.seed.named("replacements").rng();
        while (outcome.steps.len() as u32) < self.longest && !course.play.is_over() {
            let all = self.ask_all(course, chairs, outcome, &mut dice, &mut spare);
            if outcome.record.forfeit.is_some() {
                return;
            }
            course.told = course.play.len();
            self.table.step(&mut course.play, &all);
            let texts: Vec<String> = all.iter().map(|&mv| game.move_text(mv)).collect();
            watch(&texts);
            outcome.steps.push(texts);
        }
        if let Some(payoffs) = course.play.payoffs() {
            outcome.record.payoffs = payoffs;
            outcome.record.ending = Ending::Rules;
        }
    }

    /// A legal move for each role: chance draws its own from `dice`, and a player without a legal answer gets one
    /// from `spare`.
    fn ask_all(
        &self,
        course: &Course<'_>,
        chairs: &mut [Chair],
        outcome: &mut Outcome,
        dice: &mut Rng,
        spare: &mut Rng,
    ) -> Vec<Move> {
        let play = &course.play;
        let news: Vec<News> =
            chairs.iter().map(|chair| self.news(course, chair, outcome)).collect();
        let mut asked: Vec<(&mut Chair, News)> = chairs.iter_mut().zip(news).collect();
        let answers = together(&mut asked, |(chair, news)| self.ask(chair, news, play));
        let mut all: Vec<Move> = (0..self.table.roles().len())
            .map(|role| match self.table.seat(role) {
                Some(_) => Move::default(),
                None => draw(&self.table.legal(play.state(), role), dice),
            })
            .collect();
        for (chair, (answer, spent)) in chairs.iter_mut().zip(answers) {
            let seat = chair.seat.index();
            outcome.record.think_ms[seat] += spent.as_secs_f64() * 1e3;
            let late = spent > Duration::from_secs(self.playclock.into());
            outcome.record.overruns[seat] += u32::from(late);
            let answer = answer.unwrap_or_else(|failure| {
                self.fail(outcome, chair, failure);
                None
            });
            let mv =
                answer.unwrap_or_else(|| draw(&self.table.legal(play.state(), chair.role), spare));
            all[chair.role] = mv;
            chair.last = Some(mv);
        }
        all
    }

    /// The report on the last step that a player gets.
    fn news(&self, course: &Course<'_>, chair: &Chair, outcome: &Outcome) -> News {
        let Playing::Remote { words, .. } = &chair.player else { return News::default() };
        let game = self.table.game();
        let steps = outcome.steps.len() as u32;
        let last = chair.last.map(|mv| words.scramble(&game.move_text(mv)));
        let own = (game.info().hidden && self.dialect == Dialect::Turns).then_some((steps, last));
        let told = outcome.steps.last().map(|moves| {
            let texts: Vec<String> = if game.info().hidden {
                let records = course.play.records(chair.seat);
                let news = records.get(course.told..).unwrap_or(&[]);
                let percepts = news.iter().flat_map(|record| &record.percept.0);
                percepts.map(|&word| game.percept_text(&[word])).collect()
            } else {
                moves.clone()
            };
            texts.iter().map(|text| words.scramble(text)).collect()
        });
        News { own, seen: told }
    }

    /// Asks for a move. `Ok(None)`: the player was not ready at the start, and is not asked.
    fn ask(
        &self,
        chair: &mut Chair,
        news: &News,
        play: &Match<'_, AnyGame>,
    ) -> Result<Option<Move>, Failure> {
        match &mut chair.player {
            Playing::Remote { present: false, .. } => Ok(None),
            Playing::Remote { remote, words, .. } => {
                let message = Message::Play { id: self.id.clone(), news: news.clone() };
                let limit = Duration::from_secs(self.playclock.into()) + self.grace;
                let text = remote.ask(&message, limit).map_err(|error| match error {
                    HttpError::Slow => {
                        (Fault::Late, format!("no answer within {:.1} s", limit.as_secs_f64()))
                    }
                    HttpError::Io(_) => (Fault::Crash, error.to_string()),
                    _ => (Fault::Error, error.to_string()),
                })?;
                let term = words.restore(&text);
                let mv = term.and_then(|term| self.table.find(play.state(), chair.role, &term));
                let refuse =
                    || (Fault::Illegal, format!("`{}` is no legal move", short(text.trim())));
                mv.map(Some).ok_or_else(refuse)
            }
            Playing::Local { agent, budget } => {
                if let [only] = self.table.legal(play.state(), chair.role).as_slice() {
                    return Ok(Some(*only));
                }
                let mut pad = Vec::new();
                let view = match agent.cheats() {
                    true => play.cheating_view(chair.seat, &mut pad),
                    false => play.view(chair.seat, &mut pad),
                };
                let game = play.game();
                match catch_unwind(AssertUnwindSafe(|| agent.choose(game, &view, budget))) {
                    Ok(Ok(choice)) if view.legal().contains(&choice.mv) => Ok(Some(choice.mv)),
                    Ok(Ok(_)) => Err((Fault::Illegal, "an illegal move".into())),
                    Ok(Err(error)) => Err((Fault::Error, error.to_string())),
                    Err(_) => Err((Fault::Crash, "the agent panicked".into())),
                }
            }
        }
    }

    /// Says STOP, or ABORT where the match was not played to its end.
    fn end(&self, course: &Course<'_>, chairs: &mut [Chair], outcome: &mut Outcome) {
        let over = outcome.record.forfeit.is_none();
        let news: Vec<News> =
            chairs.iter().map(|chair| self.news(course, chair, outcome)).collect();
        let mut told: Vec<(&mut Chair, News)> = chairs.iter_mut().zip(news).collect();
        let answers = together(&mut told, |(chair, news)| {
            let Playing::Remote { remote, present: true, .. } = &chair.player else {
                return Ok(());
            };
            let message = match over {
                true => Message::Stop { id: self.id.clone(), news: news.clone() },
                false => Message::Abort { id: self.id.clone() },
            };
            let sent = remote.ask(&message, self.grace + Duration::from_secs(1));
            sent.map(|_| ()).map_err(|error| (Fault::Error, format!("at the end: {error}")))
        });
        for (chair, (answer, _)) in chairs.iter().zip(answers) {
            if let Err(failure) = answer {
                self.note(outcome, chair, failure);
            }
        }
    }
}

/// Does `work` for all at the same time; each answer with the time that it took.
fn together<T: Send, A: Send>(
    items: &mut [T],
    work: impl Fn(&mut T) -> Result<A, Failure> + Sync,
) -> Vec<(Result<A, Failure>, Duration)> {
    let work = &work;
    thread::scope(|scope| {
        let threads: Vec<_> = items
            .iter_mut()
            .map(|item| {
                scope.spawn(move || {
                    let begun = Instant::now();
                    (work(item), begun.elapsed())
                })
            })
            .collect();
        let broken =
            || (Err((Fault::Crash, "the referee's thread panicked".into())), Duration::ZERO);
        threads.into_iter().map(|thread| thread.join().unwrap_or_else(|_| broken())).collect()
    })
}

fn draw(legal: &[Move], rng: &mut Rng) -> Move {
    debug_assert!(!legal.is_empty(), "every role has a legal move in every step");
    legal.get(rng.index(legal.len())).copied().unwrap_or_default()
}
