//! The roles of a rule sheet and its whole steps.
//!
//! The protocol speaks of steps in which every role moves, `random` included. A [`Game`] has
//! turns: only who has a choice moves, and chance after the players. This is the bridge.

use ludex_core::{AnyGame, AnyState, Game, Move, Percept, Player, Record, Turn};
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

    /// The game as minds see it.
    pub fn game(&self) -> &AnyGame {
        &self.game
    }

    /// The rules themselves.
    pub fn reasoner(&self) -> &dyn Reasoner {
        self.gdl.reasoner()
    }

    /// The roles' names.
    pub fn roles(&self) -> &[String] {
        &self.roles
    }

    /// The role with this name.
    pub fn role(&self, name: &str) -> Option<usize> {
        self.roles.iter().position(|role| role.eq_ignore_ascii_case(name))
    }

    /// A role's seat; `random` has none.
    pub fn seat(&self, role: usize) -> Option<Player> {
        self.seats.get(role).copied().flatten()
    }

    /// The role's legal moves in a state, whether it has a choice or not.
    pub fn legal(&self, state: &AnyState, role: usize) -> Vec<Move> {
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
    pub fn find(&self, state: &AnyState, role: usize, term: &str) -> Option<Move> {
        let wanted = normal_text(term);
        let legal = self.legal(state, role);
        legal.into_iter().find(|&mv| normal_text(&self.game.move_text(mv)) == wanted)
    }

    /// Makes a whole step with one legal move a role. For each turn in it, `tell` gets the state
    /// before, the turn, its joint move and the state after.
    pub fn step(
        &self,
        state: &mut AnyState,
        all: &[Move],
        mut tell: impl FnMut(&AnyState, Turn, &[Move], &AnyState),
    ) {
        let moves = |seat: Option<Player>| {
            let role = self.seats.iter().position(|s| *s == seat);
            role.and_then(|r| all.get(r)).copied().unwrap_or_default()
        };
        let mut turn = self.game.turn(state);
        loop {
            let joint: Vec<Move> = match turn {
                Turn::Over => return,
                Turn::Chance => vec![moves(None)],
                Turn::One(_) | Turn::Joint(_) => {
                    turn.movers().iter().map(|seat| moves(Some(seat))).collect()
                }
            };
            let before = state.clone();
            self.game.apply(state, &joint);
            tell(&before, turn, &joint, state);
            let sheet = self.game.get::<GdlGame>().zip(state.get::<GdlState>());
            if !sheet.is_some_and(|(game, state)| game.is_within_step(state)) {
                return;
            }
            // The players have chosen; chance completes the step.
            turn = Turn::Chance;
        }
    }

    /// What a seat keeps of a turn.
    pub fn record(
        &self,
        seat: Player,
        before: &AnyState,
        turn: Turn,
        joint: &[Move],
        after: &AnyState,
    ) -> Record {
        let movers = turn.movers();
        let own = movers.contains(seat).then(|| joint.get(movers.position(seat)).copied());
        let mut percept = Percept::default();
        self.game.percept(before, joint, after, seat, &mut percept.0);
        Record { own: own.flatten(), percept }
    }
}
