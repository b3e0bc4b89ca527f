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
    /// The steps: one text a mover (or chance) each.
    pub moves: Vec<Vec<String>>,
    /// The result by seat.
    pub payoffs: Vec<f32>,
    /// Who broke the rules of play, if anybody did.
    pub forfeit: Option<Forfeit>,
    /// Thinking time by seat, milliseconds.
    pub think_ms: Vec<f64>,
    /// How often each seat thought longer than its budget.
    pub overruns: Vec<u32>,
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
    /// Plays the record again and returns every state, the first one included.
    ///
    /// # Errors
    /// A move that the rules don't allow, or a result other than the recorded one.
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
        if self.forfeit.is_none() && game.is_over(&state) {
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
