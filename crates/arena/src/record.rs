//! The record of a game: everything that is needed to replay it.

use ludex_core::{AnyGame, AnyState, Error, Game, Match, Player, Result, Seed};
use serde::{Deserialize, Serialize};
use std::fmt;

/// One game, finished or forfeited.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// The string that opens the game.
    pub game: String,
    /// The position in which it began, where that is not the usual start.
    pub position: Option<String>,
    /// The agents by seat, as strings that make them again.
    pub agents: Vec<String>,
    /// The seed of this game.
    pub seed: u64,
    /// How many of the first steps were an opening. The agents chose the rest.
    #[serde(default)]
    pub opening: u32,
    /// The steps: one text a mover (or chance) each.
    pub moves: Vec<Vec<String>>,
    /// The result by seat.
    pub payoffs: Vec<f32>,
    /// How it ended.
    #[serde(default)]
    pub ending: Ending,
    /// The seat that forfeited, if one did.
    pub forfeit: Option<Forfeit>,
    /// Thinking time by seat, milliseconds.
    pub think_ms: Vec<f64>,
    /// How often each seat thought longer than its budget.
    pub overruns: Vec<u32>,
    /// Remarks of the agents about themselves, such as members that an ensemble dropped; each once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// How a game came to its result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ending {
    /// By the rules of the game.
    #[default]
    Rules,
    /// The game was too long: 0.5 for each seat.
    Cap,
    /// An agent proved the result.
    Proven,
    /// A seat forfeited.
    Forfeit,
    /// The game was stopped before its end. It has no result and is never stored.
    Abandoned,
}

impl Ending {
    /// The word that is stored.
    pub fn name(self) -> &'static str {
        match self {
            Ending::Rules => "rules",
            Ending::Cap => "cap",
            Ending::Proven => "proven",
            Ending::Forfeit => "forfeit",
            Ending::Abandoned => "abandoned",
        }
    }
}

/// A seat that broke the rules of play.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Forfeit {
    /// The seat that failed.
    pub seat: u8,
    /// The fault of the seat.
    pub fault: Fault,
    /// The details, for people.
    pub reason: String,
}

/// The reasons to forfeit a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Fault {
    /// A move that is not legal.
    Illegal,
    /// A move long after the time was up.
    Late,
    /// The agent panicked, or its process ended.
    Crash,
    /// The agent gave up or reported an error.
    Error,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Fault::Illegal => "illegal move",
            Fault::Late => "too late",
            Fault::Crash => "crash",
            Fault::Error => "error",
        })
    }
}

impl GameRecord {
    /// The record of a game that has not begun: 0.5 for each seat.
    pub fn new(game: &AnyGame, agents: Vec<String>, seed: Seed) -> Self {
        let seats = game.info().seats();
        GameRecord {
            game: game.info().name.clone(),
            position: None,
            agents,
            seed: seed.0,
            opening: 0,
            moves: Vec::new(),
            payoffs: vec![0.5; seats],
            ending: Ending::Cap,
            forfeit: None,
            think_ms: vec![0.0; seats],
            overruns: vec![0; seats],
            notes: Vec::new(),
        }
    }

    /// Keeps an agent's remarks about itself, each once.
    pub fn note(&mut self, seat: Player, notes: &[String]) {
        const MOST: usize = 64;
        for note in notes {
            let line = format!("{seat}: {note}");
            if self.notes.len() < MOST && !self.notes.contains(&line) {
                self.notes.push(line);
            }
        }
    }

    /// The game is lost for one seat: 0 for that seat, an equal share of the win for the others.
    pub fn lose(&mut self, seat: Player, fault: Fault, reason: String) {
        let others = self.payoffs.len().saturating_sub(1).max(1) as f32;
        self.payoffs.fill(1.0 / others);
        if let Some(payoff) = self.payoffs.get_mut(seat.index()) {
            *payoff = 0.0;
        }
        self.ending = Ending::Forfeit;
        self.forfeit = Some(Forfeit { seat: seat.0, fault, reason });
    }

    /// Plays the record again and returns every state, the first one included.
    ///
    /// # Errors
    /// A move that the rules don't allow, or a result or an end other than the recorded one.
    pub fn replay(&self, game: &AnyGame) -> Result<Vec<AnyState>> {
        let origin = match &self.position {
            Some(text) => game.parse_position(text)?,
            None => game.start(),
        };
        let mut play = Match::at(game, origin);
        let mut states = vec![play.state().clone()];
        for (index, texts) in self.moves.iter().enumerate() {
            play.try_apply_text(texts).map_err(|error| Error::BadStep {
                step: index + 1,
                text: texts.join(" | "),
                error: Box::new(error),
            })?;
            states.push(play.state().clone());
        }
        if self.ending == Ending::Rules {
            self.check_result(play.payoffs())?;
        }
        Ok(states)
    }

    /// Compares the result of a replay with the record.
    fn check_result(&self, payoffs: Option<Vec<f32>>) -> Result<()> {
        match payoffs {
            Some(payoffs) if payoffs == self.payoffs => Ok(()),
            Some(payoffs) => Err(Error::Contradiction(format!(
                "the replay ends with {payoffs:?}, the record says {:?}",
                self.payoffs
            ))),
            None => {
                let text = "the record ends before the game is over";
                Err(Error::Contradiction(text.into()))
            }
        }
    }

    /// The seed of the game.
    pub fn seed(&self) -> Seed {
        Seed(self.seed)
    }
}
