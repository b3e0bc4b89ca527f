//! The messages of the GGP protocol: one s-expression each, in KIF.
//!
//! | host says | player answers |
//! |---|---|
//! | `(INFO)` | `((name N) (status available))` or `busy` |
//! | `(PREVIEW (rule ...) clock)` | `ready` |
//! | `(START id role (rule ...) startclock playclock)` | `ready` or `busy` |
//! | `(PLAY id NIL)`, `(PLAY id (move ...))` | a move |
//! | `(STOP id (move ...))` | `done` |
//! | `(ABORT id)` | `aborted` |
//!
//! With GDL-II the list holds percepts instead of moves; a later dialect says
//! `(PLAY id turn lastmove (percept ...))`. The two are told apart by their length.

use ludex_gdl::kif::{self, Sexp};
use std::fmt;

/// The messages of a host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Message {
    /// `info`: the host asks for the player's name and state.
    Info,
    /// Rules to look at before a match.
    Preview {
        /// The rules.
        rules: String,
        /// Seconds to look at them.
        clock: u32,
    },
    /// A match begins.
    Start {
        /// The name of the match.
        id: String,
        /// The player's role.
        role: String,
        /// The rules.
        rules: String,
        /// Seconds to prepare.
        startclock: u32,
        /// Seconds a move.
        playclock: u32,
    },
    /// Make a move.
    Play {
        /// The match.
        id: String,
        /// The news of the last step.
        news: News,
    },
    /// The match is over.
    Stop {
        /// The match.
        id: String,
        /// The news of the last step.
        news: News,
    },
    /// The match is called off.
    Abort {
        /// The match.
        id: String,
    },
}

/// The news of the last step, as a host sends them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct News {
    /// How many steps were made, and the player's own last move; only the second GDL-II dialect
    /// says so.
    pub own: Option<(u32, Option<String>)>,
    /// The moves of all roles or, with GDL-II, the percepts; `None` for `NIL`.
    pub seen: Option<Vec<String>>,
}

/// A message that makes no sense.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadMessage(pub String);

impl Message {
    /// Reads a message. Upper and lower case are the same.
    ///
    /// ```
    /// use ludex_ggp::{Message, News};
    /// let news = News { own: None, seen: Some(vec!["(mark 1 1)".into(), "noop".into()]) };
    /// let play = Message::Play { id: "m1".into(), news };
    /// assert_eq!(Message::parse("(play m1 ((mark 1 1) noop))"), Ok(play));
    /// ```
    ///
    /// # Errors
    /// Text that is no s-expression, an unknown command, arguments that are missing.
    pub fn parse(text: &str) -> Result<Message, BadMessage> {
        let (tree, found) = kif::read(text);
        if let Some(finding) = found.first() {
            return Err(BadMessage(format!("not KIF: {}", finding.message)));
        }
        let items = match tree.as_slice() {
            [Sexp::List(items, _)] => items.as_slice(),
            [word @ Sexp::Word(..)] => std::slice::from_ref(word),
            [] => return Err(BadMessage("an empty message".into())),
            _ => return Err(BadMessage("more than one s-expression".into())),
        };
        let command = items.first().and_then(Sexp::word).unwrap_or("");
        let args = items.get(1..).unwrap_or(&[]);
        match (command.to_ascii_lowercase().as_str(), args) {
            ("info", _) => Ok(Message::Info),
            ("preview", [rules, clock, ..]) => {
                Ok(Message::Preview { rules: rules_text(rules)?, clock: seconds(clock)? })
            }
            ("start", [id, role, rules, startclock, playclock, ..]) => Ok(Message::Start {
                id: id.to_string(),
                role: role.to_string(),
                rules: rules_text(rules)?,
                startclock: seconds(startclock)?,
                playclock: seconds(playclock)?,
            }),
            ("play", [id, news @ ..]) => {
                Ok(Message::Play { id: id.to_string(), news: News::read(news)? })
            }
            ("stop", [id]) => Ok(Message::Stop { id: id.to_string(), news: News::default() }),
            ("stop", [id, news @ ..]) => {
                Ok(Message::Stop { id: id.to_string(), news: News::read(news)? })
            }
            ("abort", [id, ..]) => Ok(Message::Abort { id: id.to_string() }),
            (known @ ("preview" | "start" | "play" | "stop" | "abort"), args) => {
                Err(BadMessage(format!("`{known}` with {} arguments", args.len())))
            }
            (other, _) => Err(BadMessage(format!("unknown command `{other}`"))),
        }
    }
}

impl News {
    fn read(args: &[Sexp]) -> Result<News, BadMessage> {
        match args {
            [seen] => Ok(News { own: None, seen: list(seen) }),
            [turn, last, seen] => {
                let steps = number(turn, "a number of steps")?;
                let last = Some(last.to_string()).filter(|_| !is_nil(last));
                Ok(News { own: Some((steps, last)), seen: list(seen) })
            }
            _ => Err(BadMessage(format!(
                "after the match, expected moves or percepts, or a turn, a move and percepts; \
                 got {} arguments",
                args.len()
            ))),
        }
    }
}

fn is_nil(sexp: &Sexp) -> bool {
    match sexp {
        Sexp::Word(word, _) => word.eq_ignore_ascii_case("nil"),
        Sexp::List(items, _) => items.is_empty(),
    }
}

/// A list of terms; `NIL` is none, and `()` an empty one.
fn list(sexp: &Sexp) -> Option<Vec<String>> {
    match sexp {
        Sexp::Word(word, _) if word.eq_ignore_ascii_case("nil") => None,
        Sexp::Word(word, _) => Some(vec![word.clone()]),
        Sexp::List(items, _) => Some(items.iter().map(Sexp::to_string).collect()),
    }
}

fn rules_text(sexp: &Sexp) -> Result<String, BadMessage> {
    match sexp {
        Sexp::List(items, _) => {
            Ok(items.iter().map(Sexp::to_string).collect::<Vec<_>>().join("\n"))
        }
        Sexp::Word(word, _) => {
            Err(BadMessage(format!("expected a list of rules, not `{}`", short(word))))
        }
    }
}

fn number(sexp: &Sexp, what: &str) -> Result<u32, BadMessage> {
    let number = sexp.word().and_then(|word| word.parse().ok());
    number.ok_or_else(|| BadMessage(format!("expected {what}, not `{}`", short(&sexp.to_string()))))
}

/// A clock; no match gives more than a day.
fn seconds(sexp: &Sexp) -> Result<u32, BadMessage> {
    Ok(number(sexp, "seconds")?.min(86_400))
}

/// The beginning of a text, for messages about it.
pub(crate) fn short(text: &str) -> String {
    let mut begin: String = text.chars().take(60).collect();
    if begin.len() < text.len() {
        begin.push_str("...");
    }
    begin
}

impl fmt::Display for News {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((turn, last)) = &self.own {
            write!(f, "{turn} {} ", last.as_deref().unwrap_or("NIL"))?;
        }
        match &self.seen {
            None => f.write_str("NIL"),
            Some(terms) => write!(f, "({})", terms.join(" ")),
        }
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Message::Info => f.write_str("(INFO)"),
            Message::Preview { rules, clock } => write!(f, "(PREVIEW ({rules}) {clock})"),
            Message::Start { id, role, rules, startclock, playclock } => {
                write!(f, "(START {id} {role} ({rules}) {startclock} {playclock})")
            }
            Message::Play { id, news } => write!(f, "(PLAY {id} {news})"),
            Message::Stop { id, news } => write!(f, "(STOP {id} {news})"),
            Message::Abort { id } => write!(f, "(ABORT {id})"),
        }
    }
}
