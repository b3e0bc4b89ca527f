//! Rock-Paper-Scissors over some rounds: `rps(rounds=1)`. Both choose at once; the payoff is the
//! mean over the rounds of 1 for a win, 1/2 for a tie and 0 for a loss.
//!
//! Moves are `rock`, `paper` and `scissors`. A position is the rounds played and how many more
//! of them the first player won than the second: `3 -1`.

use crate::bits::hash;
use crate::catalog::Entry;
use crate::grid::bad_position;
use crate::table;
use ludex_core::cpu::Cpu;
use ludex_core::encode::{self, ActionSpace, Encoding};
use ludex_core::scene::{self, MoveSites, Piece, Placed, Scene};
use ludex_core::schema::Schema;
use ludex_core::{AnyGame, Game, Info, Move, Player, Players, Result, Rng, Spec, Turn, View};

const NAMES: [&str; 3] = ["rock", "paper", "scissors"];

/// The rules. A [`Move`] is 0, 1 or 2; each beats the one before it.
#[derive(Debug, Clone)]
pub struct Rps {
    info: Info,
    rounds: u32,
}

/// A position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct State {
    played: u32,
    lead: i32,
}

pub(crate) const ENTRY: Entry = Entry {
    name: "rps",
    title: "Rock-Paper-Scissors: both choose at once",
    params: || Params::default().describe(),
    examples: &["rps", "rps(rounds=10)"],
    position: "0 0",
    open: |spec| Rps::new(spec).map(AnyGame::new),
};

ludex_core::params! {
    /// The parameters of `rps`.
    struct Params {
        /// Rounds.
        rounds: u32 = 1, 1..=10_000;
    }
    places = 1;
}

impl Rps {
    /// The game with the parameter `rounds`.
    pub fn new(spec: &Spec) -> Result<Self> {
        let params = Params::default().read(spec)?;
        let name = params.call("rps", &Params::default()).to_string();
        let Params { rounds } = params;
        let mut info = Info::new(name, "Rock-Paper-Scissors", &["first", "second"]);
        info.simultaneous = true;
        info.longest = Some(rounds);
        info.action_keys = Some(6);
        Ok(Rps { info, rounds })
    }
}

impl Game for Rps {
    type State = State;

    fn info(&self) -> &Info {
        &self.info
    }

    fn start(&self) -> State {
        State { played: 0, lead: 0 }
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        if state.played >= self.rounds { Turn::Over } else { Turn::Joint(Players::all(2)) }
    }

    fn moves(&self, _: &State, _: Player, out: &mut Vec<Move>) {
        out.extend((0..3).map(Move));
    }

    fn action_space(&self) -> ActionSpace {
        ActionSpace::dense(3)
    }

    fn actions(&self, legal: &[Move], out: &mut Vec<u32>) {
        out.extend(legal.iter().map(|mv| mv.0 as u32));
    }

    fn encoding(&self) -> Encoding {
        Encoding::flat(2, &["rounds played", "own lead"])
    }

    fn encode(&self, view: &View<'_, Self>, out: &mut encode::Features) {
        let Some(state) = view.state() else { return };
        let rounds = self.rounds as f32;
        let sign = if view.seat().0 == 0 { 1.0 } else { -1.0 };
        out.extend([(0, state.played as f32 / rounds), (1, sign * state.lead as f32 / rounds)]);
    }

    #[inline]
    fn sample_on<C: Cpu>(
        &self,
        _: C,
        _: &State,
        _: Player,
        rng: &mut Rng,
        _: &mut Vec<Move>,
    ) -> Move {
        Move(rng.below(3).into())
    }

    #[inline]
    fn apply(&self, state: &mut State, joint: &[Move]) {
        state.lead += match (joint[0].0 % 3 + 3 - joint[1].0 % 3) % 3 {
            0 => 0,
            1 => 1,
            _ => -1,
        };
        state.played += 1;
    }

    fn payoffs(&self, state: &State, out: &mut [f32]) {
        out[0] = 0.5 + state.lead as f32 / (2 * self.rounds) as f32;
        out[1] = 1.0 - out[0];
    }

    fn hash(&self, state: &State) -> u64 {
        hash([u64::from(state.played) << 32 | u64::from(state.lead as u32)])
    }

    fn move_text(&self, mv: Move) -> String {
        NAMES.get(mv.0 as usize).unwrap_or(&"?").to_string()
    }

    fn position(&self, state: &State) -> String {
        format!("{} {}", state.played, state.lead)
    }

    fn parse_position(&self, text: &str) -> Result<State> {
        let mut words = text.split_whitespace();
        let (played, lead): (u32, i32) = match (words.next(), words.next(), words.next()) {
            (Some(played), Some(lead), None) => match (played.parse(), lead.parse()) {
                (Ok(played), Ok(lead)) => (played, lead),
                _ => return bad_position(text, "expected two numbers, as in `3 -1`"),
            },
            _ => return bad_position(text, "expected `PLAYED LEAD`, as in `3 -1`"),
        };
        if played > self.rounds {
            return bad_position(text, format!("there are only {} rounds", self.rounds));
        }
        if lead.unsigned_abs() > played {
            return bad_position(text, format!("no lead of {lead} after {played} rounds"));
        }
        Ok(State { played, lead })
    }

    #[inline]
    fn action_key(&self, _: &State, player: Player, mv: Move) -> u64 {
        mv.0 % 3 * 2 + u64::from(player.0 & 1)
    }

    fn scene(&self) -> Scene {
        let sites =
            NAMES.iter().enumerate().map(|(i, name)| table::site(*name, i as f32 * 1.3, 0.0));
        let pieces = NAMES.map(|name| Piece::new(name, name, &name[..1], None));
        table::scene(self, sites.collect(), pieces.into())
    }

    /// The three shapes lie on the table, to be chosen by a click.
    fn view(&self, state: &State, viewer: Option<Player>) -> scene::View {
        let shapes = (0..NAMES.len()).map(|shape| Placed::new(shape, shape));
        table::view(self, state, viewer, shapes.collect())
    }

    fn move_sites(&self, mv: Move) -> MoveSites {
        MoveSites { from: None, to: Some(mv.0 as usize).filter(|&shape| shape < NAMES.len()) }
    }

    fn draw(&self, state: &State, _: Option<Player>) -> String {
        format!("{} of {} rounds, lead {:+}\n", state.played, self.rounds, state.lead)
    }

    fn terms(&self) -> &[&'static str] {
        &["lead"]
    }

    /// `lead`: rounds won more than the other.
    fn evaluate(&self, state: &State, player: Player, out: &mut [f32]) {
        if let [lead, ..] = out {
            let sign = if player.0 == 0 { 1.0 } else { -1.0 };
            *lead = sign * state.lead as f32 / self.rounds as f32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_core::testkit::conform;

    fn game(name: &str) -> Rps {
        Rps::new(&name.parse().unwrap()).unwrap()
    }

    #[test]
    fn conforms() {
        for name in ["rps", "rps(3)", "rps(rounds=100)"] {
            conform(&game(name));
        }
    }

    #[test]
    fn paper_beats_rock_beats_scissors_beats_paper() {
        let game = game("rps");
        let payoff = |a: &str, b: &str| {
            let mut state = game.start();
            let a = game.parse_move(&state, Player(0), a).unwrap();
            let b = game.parse_move(&state, Player(1), b).unwrap();
            game.try_apply(&mut state, &[a, b]).unwrap();
            let mut out = [0.0; 2];
            game.payoffs(&state, &mut out);
            out
        };
        for (winner, loser) in [("paper", "rock"), ("rock", "scissors"), ("scissors", "paper")] {
            assert_eq!(payoff(winner, loser), [1.0, 0.0]);
            assert_eq!(payoff(loser, winner), [0.0, 1.0]);
            assert_eq!(payoff(winner, winner), [0.5, 0.5]);
        }
    }

    #[test]
    fn the_payoff_is_the_mean_of_the_rounds() {
        let game = game("rps(4)");
        let mut out = [0.0; 2];
        game.payoffs(&game.parse_position("4 1").unwrap(), &mut out);
        assert_eq!(out, [0.625, 0.375]);
        assert!(game.parse_position("5 0").is_err());
        assert!(game.parse_position("2 -3").is_err());
    }
}
