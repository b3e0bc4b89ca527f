//! The player's side of the protocol, without a network: a message in, an answer out.
//!
//! One match at a time. Each match has a thread of its own. So the answer is never later than the clock allows,
//! whatever the agent does, and a host can ask for the status or call the match off while the agent thinks.

use crate::message::{BadMessage, Message, News, short};
use crate::seat::Seat;
use crate::turn::{Lateness, Turn};
use ludex_agents::{Agent, AgentSpec};
use ludex_core::{AnyGame, Seed};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How long before the answer must go out the agent stops.
const HANDING_OVER: Duration = Duration::from_millis(20);

/// How often the thread that answers looks at the clock.
const NAP: Duration = Duration::from_millis(50);

/// Takes remarks for people.
pub type Log = Arc<dyn Fn(&str) + Send + Sync>;

/// Makes the agent of a match.
pub type Maker =
    Arc<dyn Fn(&AnyGame, ludex_core::Player, Seed) -> Box<dyn Agent<AnyGame>> + Send + Sync>;

/// The stack of a match: rule engines may go deep.
const STACK: usize = 64 << 20;

/// How a player plays.
#[derive(Clone)]
pub struct Config {
    /// The name it gives.
    pub name: String,
    /// The agent. Where none is given, or it can't play the game: the usual agent for such a game.
    pub agent: Option<AgentSpec>,
    /// Makes the agent instead.
    pub maker: Option<Maker>,
    /// How long before the end of the clock it answers; on a busy machine earlier.
    pub margin: Duration,
    /// Where luck comes from; each match and role gets its own.
    pub seed: Seed,
    /// Where remarks for people go.
    pub log: Log,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            name: "ludex".into(),
            agent: None,
            maker: None,
            margin: Duration::from_millis(500),
            seed: Seed(1),
            log: Arc::new(|_| {}),
        }
    }
}

/// A player of one match at a time.
///
/// ```
/// use ludex_ggp::{Config, Player};
/// use std::time::Instant;
/// let player = Player::new(Config::default());
/// let rules = "(role a) (init s) (legal a go) (<= terminal (not (true s))) (goal a 100)";
/// let start = format!("(START m1 a ({rules}) 10 2)");
/// assert_eq!(player.handle(&start, Instant::now()).unwrap().text, "ready");
/// assert_eq!(player.handle("(PLAY m1 NIL)", Instant::now()).unwrap().text, "go");
/// assert_eq!(player.handle("(STOP m1 (go))", Instant::now()).unwrap().text, "done");
/// ```
pub struct Player {
    config: Config,
    current: Mutex<State>,
}

#[derive(Default)]
struct State {
    started: u64,
    running: Option<Running>,
    late: Lateness,
}

/// The match that is on.
struct Running {
    ticket: u64,
    id: String,
    playclock: Duration,
    requests: Sender<Request>,
    /// The move that is thought about.
    turn: Turn,
}

enum Request {
    Play { news: News, until: Instant, turn: Turn, answers: Sender<String> },
    Stop { news: News },
}

/// A player's answer to a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The text.
    pub text: String,
    /// Has a match ended with this message?
    pub over: bool,
}

impl From<&str> for Answer {
    fn from(text: &str) -> Self {
        Answer { text: text.to_string(), over: false }
    }
}

impl Player {
    /// A player without a match.
    pub fn new(config: Config) -> Player {
        Player { config, current: Mutex::default() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A remark for people.
    pub(crate) fn say(&self, text: &str) {
        (self.config.log)(text);
    }

    /// Answers a message whose clock runs since `received`.
    ///
    /// # Errors
    /// Text that is no message.
    pub fn handle(&self, text: &str, received: Instant) -> Result<Answer, BadMessage> {
        Ok(match Message::parse(text)? {
            Message::Info => {
                let busy = self.state().running.is_some();
                let status = if busy { "busy" } else { "available" };
                let name = word(&self.config.name);
                let text = format!("((name {name}) (status {status}) (species machine))");
                Answer { text, over: false }
            }
            Message::Preview { .. } if self.state().running.is_some() => "busy".into(),
            Message::Preview { .. } => "ready".into(),
            Message::Start { id, role, rules, startclock, playclock } => {
                self.start(id, role, rules, [startclock, playclock], received)
            }
            Message::Play { id, news } => self.play(&id, news, received),
            Message::Stop { id, news } => self.end(&id, Some(news)),
            Message::Abort { id } => self.end(&id, None),
        })
    }

    fn start(
        &self,
        id: String,
        role: String,
        rules: String,
        clocks: [u32; 2],
        received: Instant,
    ) -> Answer {
        let [startclock, playclock] = clocks.map(|s| Duration::from_secs(s.into()));
        let margin = self.config.margin.min(startclock / 2);
        let until = received + (startclock - margin);
        let (requests, inbox) = channel();
        let (ready, loaded) = channel();
        let ticket = {
            let mut state = self.state();
            if let Some(running) = &state.running {
                self.say(&format!("busy with {}, {} refused", running.id, short(&id)));
                return "busy".into();
            }
            state.started += 1;
            let ticket = state.started;
            let turn = Turn::default();
            state.running = Some(Running { ticket, id: id.clone(), playclock, requests, turn });
            ticket
        };
        let config = self.config.clone();
        let time = until.saturating_duration_since(Instant::now()).max(Duration::from_secs(1));
        let seed = self.config.seed.named(&id).named(&role).child(ticket);
        let name = id.clone();
        let live = move || {
            let log = config.log.clone();
            let agent = config.agent.as_ref();
            match Seat::load(&rules, &role, agent, time, seed, log.clone()) {
                Ok(mut seat) => {
                    seat.sit_down(config.maker.clone());
                    log(&format!("match {name}: {}", seat.summary()));
                    let _ = ready.send(Ok(()));
                    live(seat, &inbox, &name, &log);
                }
                Err(error) => {
                    let _ = ready.send(Err(error));
                }
            }
        };
        let spawned = thread::Builder::new().name("match".into()).stack_size(STACK).spawn(live);
        let failed = match spawned {
            Err(error) => Some(error.to_string()),
            Ok(_) => match loaded.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(Ok(())) => None,
                Ok(Err(error)) => Some(error),
                Err(RecvTimeoutError::Disconnected) => Some("loading the rules panicked".into()),
                Err(RecvTimeoutError::Timeout) => {
                    self.say(&format!("match {id}: the rules take longer than the start clock"));
                    None
                }
            },
        };
        match failed {
            None => "ready".into(),
            Some(error) => {
                self.say(&format!("match {} refused: {error}", short(&id)));
                self.forget(ticket);
                "busy".into()
            }
        }
    }

    /// Ends the match with this ticket, if it is still on.
    fn forget(&self, ticket: u64) {
        let mut state = self.state();
        if state.running.as_ref().is_some_and(|running| running.ticket == ticket) {
            state.running = None;
        }
    }

    fn play(&self, id: &str, news: News, received: Instant) -> Answer {
        let turn = Turn::default();
        let (ticket, playclock, requests, late) = {
            let mut state = self.state();
            let late = state.late;
            match &mut state.running {
                Some(r) if r.id.eq_ignore_ascii_case(id) => {
                    r.turn = turn.clone();
                    (r.ticket, r.playclock, r.requests.clone(), late)
                }
                _ => return "busy".into(),
            }
        };
        let margin = self.config.margin.min(playclock / 2);
        // When the answer goes out, whatever the agent does.
        let end = |late: Lateness| {
            let reserve = late.reserve().min((playclock - margin) / 2);
            received + (playclock - margin - reserve)
        };
        // The agent has its choice ready a little before.
        let until = end(late).checked_sub(HANDING_OVER).unwrap_or(received);
        let (answers, inbox) = channel();
        let request = Request::Play { news, until, turn: turn.clone(), answers };
        if requests.send(request).is_err() {
            self.say(&format!("match {id} can't be played: its rules did not load"));
            self.forget(ticket);
            return "busy".into();
        }
        let mut late = late;
        loop {
            // While no legal move is known at all, a part of the margin is worth spending.
            let end = if turn.has_offer() { end(late) } else { end(late) + margin / 2 };
            let nap = end.saturating_duration_since(Instant::now()).min(NAP);
            let asleep = Instant::now();
            let answer = inbox.recv_timeout(nap);
            match answer {
                Ok(text) => {
                    self.note(Instant::now().saturating_duration_since(until));
                    return Answer { text, over: false };
                }
                Err(RecvTimeoutError::Timeout) => {
                    late = self.note(asleep.elapsed().saturating_sub(nap));
                    if Instant::now() < end {
                        continue;
                    }
                    self.say("the time is up while the agent thinks: sending its best move so far");
                }
                Err(RecvTimeoutError::Disconnected) => {}
            }
            turn.stop.set();
            let text = turn.make_best().unwrap_or_else(|| "nil".into());
            return Answer { text, over: false };
        }
    }

    /// Notes that something came later than it should.
    fn note(&self, late: Duration) -> Lateness {
        let mut state = self.state();
        state.late.note(late);
        state.late
    }

    fn end(&self, id: &str, news: Option<News>) -> Answer {
        let mut state = self.state();
        let Some(running) = state.running.take_if(|r| r.id.eq_ignore_ascii_case(id)) else {
            return "busy".into();
        };
        // The host does not wait for a move any more.
        running.turn.stop.set();
        let text = match news {
            Some(news) => {
                // Where the rules did not load, the match has no thread that could be told.
                let _ = running.requests.send(Request::Stop { news });
                "done"
            }
            None => "aborted",
        };
        Answer { text: text.into(), over: true }
    }
}

/// The thread of a match: answers requests until the player forgets the match.
fn live(mut seat: Seat, inbox: &Receiver<Request>, id: &str, log: &Log) {
    for request in inbox {
        let done = catch_unwind(AssertUnwindSafe(|| match request {
            Request::Play { news, until, turn, answers } => {
                // The thread that asked may have answered without waiting; the error is harmless then.
                let _ = answers.send(seat.play(&news, until, &turn));
            }
            Request::Stop { news } => match seat.stop(&news) {
                Some(payoff) => log(&format!("match {id} is over: goal {:.0}", payoff * 100.0)),
                None => log(&format!("match {id} is over")),
            },
        }));
        if done.is_err() {
            log(&format!("match {id}: an internal error (panic); going on"));
        }
    }
}

/// A name as one KIF word.
fn word(name: &str) -> String {
    let plain = |c: char| if c.is_whitespace() || "();".contains(c) { '_' } else { c };
    let word: String = name.trim().chars().map(plain).collect();
    if word.is_empty() { "ludex".into() } else { word }
}
