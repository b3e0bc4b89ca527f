//! Tic-Tac-Toe: three in a row on a 3x3 board; x begins.
//!
//! Moves are squares, `a1` (lower left) to `c3`. A position is the rows from the top, parted by
//! `/`, of `x`, `o` and `.` or numbers of empty squares: `x1o/1x1/2o`. Who moves follows from
//! the number of stones.

use crate::bits::{hash, indices};
use crate::catalog::Entry;
use crate::grid::{Grid, bad_position};
use ludex_core::cpu::Cpu;
use ludex_core::encode::{self, ActionSpace, Encoding};
use ludex_core::scene::{self, MoveSites, Painter, Piece, Scene};
use ludex_core::schema::Schema;
use ludex_core::{AnyGame, Game, Info, Move, Player, Result, Rng, Spec, Turn, View};

const GRID: Grid = Grid { columns: 3, rows: 3 };
const FULL: u16 = 0b111_111_111;
const LINES: [u16; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

/// For every set of squares whether it holds a line.
static WON: [bool; 512] = {
    let mut won = [false; 512];
    let mut set = 0;
    while set < 512 {
        let mut i = 0;
        while i < 8 {
            won[set] |= set as u16 & LINES[i] == LINES[i];
            i += 1;
        }
        set += 1;
    }
    won
};

/// The rules. A [`Move`] is the one-bit set of the square.
#[derive(Debug, Clone)]
pub struct TicTacToe {
    info: Info,
}

/// A position: bit `3 * row + column` of a set is a square.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct State {
    /// The stones of the player to move.
    mover: u16,
    all: u16,
    /// Did the last stone make a line?
    won: bool,
}

impl State {
    fn player(self) -> u8 {
        (self.all.count_ones() & 1) as u8
    }

    /// The stones of x and o.
    fn sides(self) -> [u16; 2] {
        let sides = [self.mover, self.all ^ self.mover];
        if self.player() == 0 { sides } else { [sides[1], sides[0]] }
    }

    fn at(self, square: u32) -> char {
        let [x, o] = self.sides();
        match (x >> square & 1, o >> square & 1) {
            (1, _) => 'x',
            (_, 1) => 'o',
            _ => '.',
        }
    }
}

pub(crate) const ENTRY: Entry = Entry {
    name: "tictactoe",
    title: "Tic-Tac-Toe: three in a row",
    params: || Params::default().describe(),
    examples: &["tictactoe"],
    position: "2x/1o1/3",
    open: |spec| TicTacToe::new(spec).map(AnyGame::new),
};

ludex_core::params! {
    /// The parameters of `tictactoe`.
    struct Params {}
}

impl TicTacToe {
    /// The game; it takes no parameters.
    pub fn new(spec: &Spec) -> Result<Self> {
        Params::default().read(spec)?;
        Ok(TicTacToe::default())
    }
}

impl Default for TicTacToe {
    fn default() -> Self {
        let mut info = Info::new("tictactoe", "Tic-Tac-Toe", &["x", "o"]);
        info.longest = Some(9);
        info.action_keys = Some(18);
        TicTacToe { info }
    }
}

/// The kinds of pieces, with their characters in positions.
fn pieces() -> [(char, Piece); 2] {
    [
        ('x', Piece::new("cross", "cross", "X", Some(0))),
        ('o', Piece::new("nought", "ring", "O", Some(1))),
    ]
}

impl Game for TicTacToe {
    type State = State;

    fn info(&self) -> &Info {
        &self.info
    }

    fn start(&self) -> State {
        State { mover: 0, all: 0, won: false }
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        if state.won | (state.all == FULL) { Turn::Over } else { Turn::One(Player(state.player())) }
    }

    fn moves(&self, state: &State, _: Player, out: &mut Vec<Move>) {
        out.extend(indices((FULL & !state.all).into()).map(|square| Move(1 << square)));
    }

    #[inline]
    fn sample_on<C: Cpu>(
        &self,
        cpu: C,
        state: &State,
        _: Player,
        rng: &mut Rng,
        _: &mut Vec<Move>,
    ) -> Move {
        let empty = FULL & !state.all;
        Move(cpu.nth_bit(empty.into(), rng.below(empty.count_ones())))
    }

    #[inline]
    fn apply(&self, state: &mut State, joint: &[Move]) {
        let bit = joint[0].0 as u16 & FULL;
        let stones = state.mover | bit;
        state.mover ^= state.all;
        state.all |= bit;
        state.won = WON[usize::from(stones & FULL)];
    }

    #[inline]
    fn payoffs(&self, state: &State, out: &mut [f32]) {
        let mover = if state.won { 0.0 } else { 0.5 };
        let player = usize::from(state.player());
        out[player] = mover;
        out[player ^ 1] = 1.0 - mover;
    }

    fn hash(&self, state: &State) -> u64 {
        hash([u64::from(state.mover) << 16 | u64::from(state.all)])
    }

    fn move_text(&self, mv: Move) -> String {
        GRID.square(mv.0.trailing_zeros())
    }

    fn position(&self, state: &State) -> String {
        GRID.write(|square| state.at(square))
    }

    fn parse_position(&self, text: &str) -> Result<State> {
        let squares = match GRID.read(text.trim(), "xo") {
            Ok(squares) => squares,
            Err(reason) => return bad_position(text, reason),
        };
        let side = |stone| {
            (0..9).fold(0u16, |set, i| set | u16::from(squares.get(i) == Some(&stone)) << i)
        };
        let (x, o) = (side('x'), side('o'));
        let (xs, os) = (x.count_ones(), o.count_ones());
        if xs != os && xs != os + 1 {
            return bad_position(text, format!("x begins, so {xs} x and {os} o can't be"));
        }
        let (mover, last) = if xs == os { (x, o) } else { (o, x) };
        let won = WON[usize::from(last)];
        if WON[usize::from(mover)] {
            return bad_position(text, "a line stood already before the last stone");
        }
        // Two lines of at most five stones always share one: some stone made both.
        Ok(State { mover, all: x | o, won })
    }

    #[inline]
    fn action_key(&self, _: &State, player: Player, mv: Move) -> u64 {
        u64::from(mv.0.trailing_zeros()) * 2 + u64::from(player.0)
    }

    fn scene(&self) -> Scene {
        GRID.scene(self, Painter::Cells, &pieces())
    }

    fn view(&self, state: &State, _: Option<Player>) -> scene::View {
        GRID.view(self, state, &pieces(), |square| state.at(square))
    }

    fn move_sites(&self, mv: Move) -> MoveSites {
        MoveSites { from: None, to: Some(mv.0.trailing_zeros() as usize) }
    }

    fn action_space(&self) -> ActionSpace {
        ActionSpace::dense(9)
    }

    fn actions(&self, legal: &[Move], out: &mut Vec<u32>) {
        out.extend(legal.iter().map(|mv| mv.0.trailing_zeros()));
    }

    fn encoding(&self) -> Encoding {
        GRID.encoding(&["own", "other"])
    }

    fn encode(&self, view: &View<'_, Self>, out: &mut encode::Features) {
        let Some(state) = view.state() else { return };
        let sides = state.sides();
        let seat = view.seat().index() & 1;
        GRID.plane(0, sides[seat].into(), out);
        GRID.plane(1, sides[seat ^ 1].into(), out);
    }

    fn draw(&self, state: &State, _: Option<Player>) -> String {
        GRID.draw(|square| state.at(square))
    }

    fn terms(&self) -> &[&'static str] {
        &["lines"]
    }

    /// `lines`: lines still open to the player less those open to the other.
    fn evaluate(&self, state: &State, player: Player, out: &mut [f32]) {
        let sides = state.sides();
        let open = |side: u16| LINES.iter().filter(|&&line| line & side == 0).count() as f32;
        let p = usize::from(player.0 & 1);
        if let [lines, ..] = out {
            *lines = (open(sides[p ^ 1]) - open(sides[p])) / 8.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_core::testkit::conform;

    #[test]
    fn conforms() {
        conform(&TicTacToe::default());
    }

    #[test]
    fn impossible_positions_are_refused() {
        let game = TicTacToe::default();
        for (text, reason) in [
            ("xx1/3/3", "x begins"),
            ("xxx/ooo/3", "before the last stone"),
            ("xxx/3/oo1", "ok"),
            ("xxx/oo1/xxo", "x begins"),
            ("xxx/oxo/oox", "ok"),
            ("xxo/xox/o1o", "ok"),
            ("xox/oxo/xox", "ok"),
            ("xxx/xoo/xoo", "ok"),
            ("3/3", "3 rows"),
        ] {
            match game.parse_position(text) {
                Ok(_) => assert_eq!(reason, "ok", "{text}"),
                Err(error) => assert!(error.to_string().contains(reason), "{text}: {error}"),
            }
        }
    }

    #[test]
    fn random_play_has_the_exact_odds() {
        // x wins 737/1260, o 121/420, draws 8/63 of random games.
        let game = TicTacToe::default();
        let n = 200_000;
        let mut out = ludex_core::Outcomes::new(2);
        game.playouts(&[game.start()], n, ludex_core::Seed(9), &mut out);
        let share = |x: f32| out.rows().filter(|row| row[0] == x).count() as f64 / n as f64;
        for (payoff, odds) in [(1.0, 737.0 / 1260.0), (0.0, 121.0 / 420.0), (0.5, 8.0 / 63.0)] {
            // Five standard deviations.
            let bound = 5.0 * (odds * (1.0 - odds) / n as f64).sqrt();
            assert!((share(payoff) - odds).abs() < bound, "{payoff}: {}", share(payoff));
        }
    }
}
