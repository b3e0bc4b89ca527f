//! The roles of a rule sheet, and its whole steps as turns of a game.
//!
//! In the protocol every role moves in every step, `random` included. A [`Game`] has turns: first the players that have
//! a choice, then chance. [`Table`] maps one to the other.

use ludex_core::{AnyGame, AnyState, Game, Match, Move, Player, Turn};
use ludex_gdl::game::{GdlGame, GdlState};
use ludex_gdl::reasoner::{Reasoner, normal_text};

/// A game with its roles in the order of the rules.
#[derive(Clone)]
pub struct Table {
    gdl: GdlGame,
    game: AnyGame,
    roles: Vec<String>,
    /// By role: its seat; `random` has none.
    seats: Vec<Option<Player>>,
}

impl Table {
    /// The table of a loaded rule sheet.
    pub fn new(gdl: GdlGame) -> Table {
        let roles = gdl.reasoner().roles().to_vec();
        let mut next = 0;
        let seats = roles
            .iter()
            .map(|role| {
                (!role.eq_ignore_ascii_case("random")).then(|| {
                    next += 1;
                    Player(next - 1)
                })
            })
            .collect();
        Table { game: AnyGame::new(gdl.clone()), gdl, roles, seats }
    }

    /// The game as agents see it.
    pub(crate) fn game(&self) -> &AnyGame {
        &self.game
    }

    /// The rules themselves.
    pub(crate) fn reasoner(&self) -> &dyn Reasoner {
        self.gdl.reasoner()
    }

    /// The roles' names.
    pub(crate) fn roles(&self) -> &[String] {
        &self.roles
    }

    /// The role with this name.
    pub(crate) fn role(&self, name: &str) -> Option<usize> {
        self.roles.iter().position(|role| role.eq_ignore_ascii_case(name))
    }

    /// A role's seat; `random` has none.
    pub(crate) fn seat(&self, role: usize) -> Option<Player> {
        self.seats.get(role).copied().flatten()
    }

    /// The role's legal moves in a state, whether it has a choice or not.
    pub(crate) fn legal(&self, state: &AnyState, role: usize) -> Vec<Move> {
        match self.seat(role) {
            Some(seat) => {
                let mut moves = Vec::new();
                self.game.moves(state, seat, &mut moves);
                moves
            }
            None => {
                let mut outcomes = Vec::new();
                self.game.chances(state, &mut outcomes);
                outcomes.into_iter().map(|(mv, _)| mv).collect()
            }
        }
    }

    /// The role's legal move with this term.
    pub(crate) fn find(&self, state: &AnyState, role: usize, term: &str) -> Option<Move> {
        self.find_in(&self.legal(state, role), term)
    }

    /// The move of `legal` with this term.
    pub(crate) fn find_in(&self, legal: &[Move], term: &str) -> Option<Move> {
        let wanted = normal_text(term);
        let is_wanted = |mv: &Move| normal_text(&self.game.move_text(*mv)) == wanted;
        legal.iter().copied().find(is_wanted)
    }

    /// Makes a whole step with one legal move a role: the turn of the players who have a choice, and then, where
    /// chance has one, the turn of chance.
    pub(crate) fn step(&self, play: &mut Match<'_, AnyGame>, all: &[Move]) {
        let move_of = |seat: Option<Player>| {
            let role = self.seats.iter().position(|s| *s == seat);
            role.and_then(|role| all.get(role)).copied().unwrap_or_default()
        };
        loop {
            let joint: Vec<Move> = match play.turn() {
                Turn::Over => return,
                Turn::Chance => vec![move_of(None)],
                turn => turn.movers().iter().map(|seat| move_of(Some(seat))).collect(),
            };
            play.apply(&joint);
            let state = play.state().get::<GdlState>();
            if !state.is_some_and(|state| self.gdl.is_within_step(state)) {
                return;
            }
        }
    }
}
