//! Nim with any piles: `nim(2,3,2)`, `nim(1,3,5,7,misere=true)`. A player takes any number of
//! counters, at least one, from one pile. Who takes the last counter wins; in the misere version
//! loses.
//!
//! Moves name the pile and how many to take: `b3` takes three from the second pile. A position
//! is the piles and who moves: `2,0,2 second`.

use crate::bits::hash;
use crate::catalog::Entry;
use crate::grid::{bad_position, letter};
use ludex_core::cpu::Cpu;
use ludex_core::encode::{self, ActionSpace, Encoding};
use ludex_core::scene::{Container, MoveSites, Painter, Piece, Placed, Scene, Site, View, movers};
use ludex_core::schema::Schema;
use ludex_core::{AnyGame, Game, Info, Move, Player, Result, Rng, Spec, Turn};

/// The most piles of a game.
const MOST_PILES: usize = 16;

/// The rules. A [`Move`] is `pile << 16 | taken`.
#[derive(Debug, Clone)]
pub struct Nim {
    info: Info,
    start: State,
    /// How many piles there are.
    piles: usize,
    /// The largest pile.
    most: u16,
    misere: bool,
}

/// A position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct State {
    piles: [u16; MOST_PILES],
    /// The number of all counters, which is also the number of legal moves.
    left: u16,
    mover: u8,
}

pub(crate) const ENTRY: Entry = Entry {
    name: "nim",
    title: "Nim: take counters from one pile, who takes the last wins",
    params: || Params::default().describe(),
    examples: &["nim", "nim(2,3,2)", "nim(1,3,5,7,misere=true)"],
    position: "3,1,5 second",
    open: |spec| Nim::new(spec).map(AnyGame::new),
};

ludex_core::params! {
    /// The parameters of `nim`.
    struct Params {
        /// Piles, as plain arguments: up to 16.
        piles: Vec<u32> = vec![3, 4, 5], 0..=1000;
        /// Does the player who takes the last counter lose?
        misere: bool = false;
    }

    check = Params::check;
}

impl Params {
    fn check(&self) -> Result<(), String> {
        match self.piles.len() {
            piles if piles > MOST_PILES => Err(format!("at most {MOST_PILES} piles, not {piles}")),
            _ if self.piles.iter().sum::<u32>() == 0 => {
                Err("there must be at least one counter".into())
            }
            _ => Ok(()),
        }
    }
}

impl Nim {
    /// The game with the piles given as plain arguments (`3,4,5` where there are none) and the
    /// parameter `misere`.
    pub fn new(spec: &Spec) -> Result<Self> {
        let params = Params::default().read(spec)?;
        // The name of a game always tells its piles.
        let name =
            params.call("nim", &Params { piles: Vec::new(), ..Params::default() }).to_string();
        let misere = params.misere;
        let n = params.piles.len();
        let mut piles = [0; MOST_PILES];
        for (place, &pile) in piles.iter_mut().zip(&params.piles) {
            // At most 1000: the schema says so.
            *place = pile as u16;
        }
        let left: u16 = piles.iter().sum();
        let most = piles.iter().copied().max().unwrap_or(0);
        let title = if misere { "Nim, who takes last loses" } else { "Nim, who takes last wins" };
        let mut info = Info::new(name, title, &["first", "second"]);
        info.longest = Some(left.into());
        info.action_keys = Some(2 * n as u32 * u32::from(most));
        Ok(Nim { info, start: State { piles, left, mover: 0 }, piles: n, most, misere })
    }
}

fn list(piles: &[u16]) -> String {
    piles.iter().map(u16::to_string).collect::<Vec<_>>().join(",")
}

fn take(pile: usize, taken: u16) -> Move {
    Move((pile as u64) << 16 | u64::from(taken))
}

/// Pile and number of counters taken.
#[inline]
fn parts(mv: Move) -> (usize, u16) {
    ((mv.0 >> 16) as usize & (MOST_PILES - 1), mv.0 as u16)
}

impl Game for Nim {
    type State = State;

    fn info(&self) -> &Info {
        &self.info
    }

    fn start(&self) -> State {
        self.start
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        if state.left == 0 { Turn::Over } else { Turn::One(Player(state.mover)) }
    }

    fn moves(&self, state: &State, _: Player, out: &mut Vec<Move>) {
        for (pile, &counters) in state.piles.iter().enumerate() {
            out.extend((1..=counters).map(|taken| take(pile, taken)));
        }
    }

    fn action_space(&self) -> ActionSpace {
        ActionSpace::dense(self.piles as u32 * u32::from(self.most))
    }

    fn actions(&self, legal: &[Move], out: &mut Vec<u32>) {
        out.extend(legal.iter().map(|&mv| {
            let (pile, taken) = parts(mv);
            pile as u32 * u32::from(self.most) + u32::from(taken).saturating_sub(1)
        }));
    }

    fn encoding(&self) -> Encoding {
        Encoding::flat(self.piles * (usize::from(self.most) + 1) + 1, &["piles", "to move"])
    }

    /// The size of each pile as one of `most + 1` features.
    fn encode(&self, view: &ludex_core::View<'_, Self>, out: &mut encode::Features) {
        let Some(state) = view.state() else { return };
        let sizes = u32::from(self.most) + 1;
        let piles = state.piles.iter().take(self.piles);
        out.extend((0..).zip(piles).map(|(pile, &size)| (pile * sizes + u32::from(size), 1.0)));
        if view.seat().0 == state.mover {
            out.push((self.piles as u32 * sizes, 1.0));
        }
    }

    #[inline]
    fn sample_on<C: Cpu>(
        &self,
        _: C,
        state: &State,
        _: Player,
        rng: &mut Rng,
        _: &mut Vec<Move>,
    ) -> Move {
        // Each counter stands for one move: take this counter and all above it from the pile.
        let mut k = rng.below(state.left.into()) as u16;
        for (pile, &counters) in state.piles.iter().enumerate() {
            if k < counters {
                return take(pile, k + 1);
            }
            k -= counters;
        }
        Move::default()
    }

    #[inline]
    fn apply(&self, state: &mut State, joint: &[Move]) {
        let (pile, taken) = parts(joint[0]);
        state.piles[pile] = state.piles[pile].saturating_sub(taken);
        state.left = state.left.saturating_sub(taken);
        state.mover ^= 1;
    }

    fn payoffs(&self, state: &State, out: &mut [f32]) {
        // The mover finds nothing left: the other took the last counter.
        let mover = usize::from(state.mover);
        out[mover] = if self.misere { 1.0 } else { 0.0 };
        out[mover ^ 1] = 1.0 - out[mover];
    }

    fn hash(&self, state: &State) -> u64 {
        let piles = state.piles.iter().take(self.piles);
        piles.fold(hash([state.mover.into()]), |sum, &pile| hash([sum, pile.into()]))
    }

    fn move_text(&self, mv: Move) -> String {
        let (pile, taken) = parts(mv);
        format!("{}{taken}", letter(pile as u32))
    }

    fn position(&self, state: &State) -> String {
        let mover = self.info.player(Player(state.mover));
        format!("{} {mover}", list(&state.piles[..self.piles]))
    }

    fn parse_position(&self, text: &str) -> Result<State> {
        let mut words = text.split_whitespace();
        let (list, mover) = match (words.next(), words.next(), words.next()) {
            (Some(list), None | Some("first"), None) => (list, 0),
            (Some(list), Some("second"), None) => (list, 1),
            _ => return bad_position(text, "expected `PILES MOVER`, as in `2,0,2 second`"),
        };
        let found = list.split(',').count();
        if found != self.piles {
            return bad_position(text, format!("{} piles, not {found}", self.piles));
        }
        let mut piles = [0; MOST_PILES];
        for ((place, &most), pile) in piles.iter_mut().zip(&self.start.piles).zip(list.split(',')) {
            match pile.parse() {
                Ok(counters) if counters <= most => *place = counters,
                _ => {
                    let reason = format!("a pile of 0 to {most} can't have `{pile}` counters");
                    return bad_position(text, reason);
                }
            }
        }
        let left: u16 = piles.iter().sum();
        // The number of moves so far is unknown: at least one for each touched pile, at most one for each taken counter.
        let taken = self.start.left - left;
        let touched = piles.iter().zip(&self.start.piles).filter(|(now, then)| now < then).count();
        if usize::from(taken) == touched && touched % 2 != usize::from(mover) {
            let due = self.info.player(Player(1 - mover));
            return bad_position(text, format!("after {touched} moves the {due} player moves"));
        }
        Ok(State { piles, left, mover })
    }

    #[inline]
    fn action_key(&self, _: &State, player: Player, mv: Move) -> u64 {
        let (pile, taken) = parts(mv);
        let cell = pile as u64 * u64::from(self.most) + u64::from(taken.saturating_sub(1));
        cell * 2 + u64::from(player.0 & 1)
    }

    fn scene(&self) -> Scene {
        let site = |pile: usize| Site {
            x: pile as f32,
            label: letter(pile as u32).to_string(),
            ..Site::default()
        };
        Scene {
            painter: Painter::Mancala,
            containers: vec![Container { name: "piles".into(), ..Container::default() }],
            sites: (0..self.piles).map(site).collect(),
            pieces: vec![Piece::new("counter", "seed", "o", None)],
            ..Scene::default()
        }
        .with_players(&self.info.players)
    }

    fn view(&self, state: &State, viewer: Option<Player>) -> View {
        let turn = self.turn(state);
        let piles = state.piles.iter().take(self.piles).enumerate();
        let placed =
            |(pile, &count): (usize, &u16)| Placed { count: count.into(), ..Placed::new(pile, 0) };
        View {
            pieces: piles.filter(|(_, count)| **count > 0).map(placed).collect(),
            movers: movers(&self.info, turn, viewer),
            over: turn == Turn::Over,
            ..View::default()
        }
    }

    fn move_sites(&self, mv: Move) -> MoveSites {
        MoveSites { from: None, to: Some(parts(mv).0) }
    }

    fn draw(&self, state: &State, _: Option<Player>) -> String {
        let mut text = String::new();
        for (pile, &counters) in state.piles.iter().take(self.piles).enumerate() {
            let stones = "o".repeat(counters.min(60).into());
            let more = if counters > 60 { "..." } else { "" };
            text += &format!("{} {counters:>4} {stones}{more}\n", letter(pile as u32));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_core::testkit::conform;
    use std::collections::HashMap;

    fn game(name: &str) -> Nim {
        Nim::new(&name.parse().unwrap()).unwrap()
    }

    #[test]
    fn conforms() {
        for name in ["nim", "nim(2,3,2)", "nim(1,2,3,2,misere=true)", "nim(1)", "nim(0,1000,7)"] {
            conform(&game(name));
        }
    }

    /// Does the mover win? By full search.
    fn wins(game: &Nim, state: &State, known: &mut HashMap<(u64, u8), bool>) -> bool {
        let key = (game.hash(state), state.mover);
        if let Some(&value) = known.get(&key) {
            return value;
        }
        let mut out = Vec::new();
        game.moves(state, Player(state.mover), &mut out);
        let value = if out.is_empty() {
            let mut payoffs = [0.0; 2];
            game.payoffs(state, &mut payoffs);
            payoffs[usize::from(state.mover)] == 1.0
        } else {
            out.iter().any(|&mv| {
                let mut next = *state;
                game.apply(&mut next, &[mv]);
                !wins(game, &next, known)
            })
        };
        known.insert(key, value);
        value
    }

    #[test]
    fn the_xor_rule_holds_for_all_small_piles() {
        for misere in ["", ",misere=true"] {
            for (a, b, c) in (0..64).map(|i| (i / 16, i / 4 % 4, i % 4)).filter(|t| *t != (0, 0, 0))
            {
                let game = game(&format!("nim({a},{b},{c}{misere})"));
                let nimsum = a ^ b ^ c;
                let small = a.max(b).max(c) <= 1;
                // Bouton: in misere play the rule turns round when only single counters are left.
                let expected = if misere.is_empty() || !small { nimsum != 0 } else { nimsum == 0 };
                assert_eq!(
                    wins(&game, &game.start(), &mut HashMap::new()),
                    expected,
                    "{}",
                    game.info().name
                );
            }
        }
    }

    #[test]
    fn bad_piles_and_positions_are_refused() {
        for name in
            ["nim(-1)", "nim(0,0)", "nim(1001)", "nim(x)", "nim(1,misere=maybe)", "nim(3(4))"]
        {
            assert!(Nim::new(&name.parse().unwrap()).is_err(), "{name}");
        }
        let game = game("nim(2,3,2)");
        for text in
            ["2,3 first", "2,4,2 first", "2,3,2 second", "2,2,2 first", "2,,2", "1,1,1 third"]
        {
            assert!(game.parse_position(text).is_err(), "{text}");
        }
        assert!(game.parse_position("2,0,2 second").is_ok());
        assert!(game.parse_position("0,0,0 second").is_ok());
    }
}
