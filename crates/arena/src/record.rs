//! What is kept of a game: everything that is needed to replay it.

use ludex_core::{AnyGame, AnyState, Error, Game, Move, Player, Result, Seed, Turn};
use serde::{Deserialize, Serialize};
use std::fmt;

/// One game, finished or forfeited.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// The string that opens the game.
    pub game: String,
    /// The position in which it began, where that is not the usual start.
    pub position: Option<String>,
    /// The minds by seat, as strings that make them again.
    pub agents: Vec<String>,
    /// Where all luck of this game comes from.
    pub seed: u64,
    /// So many of the first steps were dealt as an opening; the minds chose the rest.
    #[serde(default)]
    pub opening: u32,
    /// The steps: one text a mover (or chance) each.
    pub moves: Vec<Vec<String>>,
    /// The result by seat.
    pub payoffs: Vec<f32>,
    /// How it ended.
    #[serde(default)]
    pub ending: Ending,
    /// Who broke the rules of play, if anybody did.
    pub forfeit: Option<Forfeit>,
    /// Thinking time by seat, milliseconds.
    pub think_ms: Vec<f64>,
    /// How often each seat thought longer than its budget.
    pub overruns: Vec<u32>,
    /// What minds said of themselves, such as which members of an ensemble they dropped; each once.
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
    /// It was too long: half for everybody.
    Cap,
    /// A mind proved the result.
    Proven,
    /// Somebody forfeited.
    Forfeit,
    /// It was stopped on the way. Such a game has no result and is never kept.
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
    /// Which seat.
    pub seat: u8,
    /// What it did.
    pub fault: Fault,
    /// The details, for people.
    pub reason: String,
}

/// The ways to lose a game off the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Fault {
    /// A move that is not legal.
    Illegal,
    /// A move long after the time was up.
    Late,
    /// The mind broke down.
    Crash,
    /// The mind gave up or reported an error.
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
    /// The record of a game that has not begun: half for everybody.
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

    /// Keeps what a mind said of itself, once.
    pub fn note(&mut self, seat: Player, notes: &[String]) {
        const MOST: usize = 64;
        for note in notes {
            let line = format!("{seat}: {note}");
            if self.notes.len() < MOST && !self.notes.contains(&line) {
                self.notes.push(line);
            }
        }
    }

    /// The game is lost for one seat: nothing for it, an equal share of the win for the others.
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
        let mut state = match &self.position {
            Some(text) => game.parse_position(text)?,
            None => game.start(),
        };
        let mut states = vec![state.clone()];
        for texts in &self.moves {
            let joint = read_joint(game, &state, texts)?;
            game.try_apply(&mut state, &joint)?;
            states.push(state.clone());
        }
        if self.ending == Ending::Rules {
            if !game.is_over(&state) {
                let text = "the record ends before the game is over";
                return Err(Error::Contradiction(text.into()));
            }
            let mut payoffs = vec![0.0; game.info().seats()];
            game.payoffs(&state, &mut payoffs);
            if payoffs != self.payoffs {
                return Err(Error::Contradiction(format!(
                    "the replay ends with {payoffs:?}, the record says {:?}",
                    self.payoffs
                )));
            }
        }
        Ok(states)
    }

    /// The Seed of the game.
    pub fn seed(&self) -> Seed {
        Seed(self.seed)
    }
}

/// Reads one step's texts: an outcome of chance, or a move per mover.
fn read_joint(game: &AnyGame, state: &AnyState, texts: &[String]) -> Result<Vec<Move>> {
    let turn = game.turn(state);
    if turn == Turn::Chance {
        let mut outcomes = Vec::new();
        game.chances(state, &mut outcomes);
        let wanted = texts.first().map_or("", |text| text.as_str());
        return outcomes
            .iter()
            .find(|(mv, _)| game.move_text(*mv) == wanted)
            .map(|&(mv, _)| vec![mv])
            .ok_or_else(|| Error::IllegalMove {
                text: wanted.to_string(),
                player: "chance".into(),
                hint: "not a possible outcome here".into(),
            });
    }
    let movers: Vec<Player> = turn.movers().iter().collect();
    if movers.len() != texts.len() {
        return Err(Error::Contradiction(format!(
            "{} moves are recorded where {} are due",
            texts.len(),
            movers.len()
        )));
    }
    movers.iter().zip(texts).map(|(&player, text)| game.parse_move(state, player, text)).collect()
}
