//! Connect Four on any board of up to 64 bits: `connect4(columns=7,rows=6,line=4)`. Stones fall
//! to the lowest empty square of a column; who first has `line` in a row wins.
//!
//! Moves are columns, `a`, `b`, ... A position is the rows from the top, parted by `/`, of `x`,
//! `o` and `.` or numbers of empty squares; who moves follows from the number of stones.
//!
//! A column is `rows` + 1 bits, the lowest square first; the bit on top is never set and keeps
//! lines from running over the edge.

use crate::bits::{hash, indices};
use crate::catalog::Entry;
use crate::grid::{Grid, bad_position, letter};
use ludex_core::cpu::Cpu;
use ludex_core::encode::{self, ActionSpace, Encoding};
use ludex_core::scene::{self, MoveSites, Painter, Piece, Scene};
use ludex_core::schema::Schema;
use ludex_core::{AnyGame, Game, Info, Move, Player, Result, Rng, Spec, Turn, View};
use std::collections::HashSet;

/// A shift that makes every board empty: bit 63 is never a stone.
const NOWHERE: u32 = 63;

/// The weight of an open row that lacks one stone; one that lacks two has weight 1.
const ONE_GAP: f32 = 4.0;
/// The difference in open rows at which the heuristic reaches its bound.
const MOST_ROWS: f32 = 40.0;

/// The rules. A [`Move`] is the one-bit set of the square that the stone takes. So statistics about
/// moves are kept by square, which works better than by column. The text of a move is its column.
#[derive(Debug, Clone)]
pub struct Connect4 {
    info: Info,
    grid: Grid,
    line: u32,
    /// The lowest square of each column.
    bottom: u64,
    /// All squares.
    board: u64,
    /// Shifts for the four directions, one row a step: a run of n stones becomes one of 2n (or
    /// the full line) by and-ing the set with its shifted self.
    steps: [[u32; 4]; 6],
    /// By bit: the column of the square, and its place in a plane of an observation.
    columns: [u8; 64],
    places: [u8; 64],
}

/// A position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct State {
    /// The stones of the player to move.
    mover: u64,
    all: u64,
    end: End,
}

/// How a game stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
enum End {
    Not,
    /// The last stone made a line.
    Won,
    Full,
}

impl State {
    #[inline]
    fn player(self) -> u8 {
        (self.all.count_ones() & 1) as u8
    }

    /// The stones of x and o.
    fn sides(self) -> [u64; 2] {
        let sides = [self.mover, self.all ^ self.mover];
        if self.player() == 0 { sides } else { [sides[1], sides[0]] }
    }
}

pub(crate) const ENTRY: Entry = Entry {
    name: "connect4",
    title: "Connect Four: drop stones, four in a row wins",
    params: || Params::default().describe(),
    examples: &["connect4", "connect4(5,4)", "connect4(columns=8,rows=7,line=5)"],
    position: "7/7/7/3o3/3x3/2oxx2",
    open: |spec| Connect4::new(spec).map(AnyGame::new),
};

ludex_core::params! {
    /// The parameters of `connect4`.
    struct Params {
        /// Columns; columns x (rows + 1) at most 64.
        columns: u32 = 7, 1..=26;
        /// Rows.
        rows: u32 = 6, 1..=63;
        /// Stones in a row that win.
        line: u32 = 4, 2..=63;
    }
    places = 3;
    check = Params::check;
}

impl Params {
    fn check(&self) -> Result<(), String> {
        let Params { columns, rows, line } = *self;
        match columns * (rows + 1) {
            bits if bits > 64 => {
                Err(format!("columns x (rows + 1) must be at most 64, not {bits}"))
            }
            _ if line > columns.max(rows) => {
                Err(format!("no line of {line} fits {columns} x {rows}"))
            }
            _ => Ok(()),
        }
    }
}

impl Connect4 {
    /// The game with the parameters `columns`, `rows` and `line`.
    pub fn new(spec: &Spec) -> Result<Self> {
        let params = Params::default().read(spec)?;
        let name = params.call("connect4", &Params::default()).to_string();
        let Params { columns, rows, line } = params;
        let title = format!("Connect Four, {line} in a row on {columns}x{rows}");
        let mut info = Info::new(name, title, &["x", "o"]);
        info.longest = Some(columns * rows);
        info.action_keys = Some(2 * columns * (rows + 1));
        let bottom = (0..columns).fold(0, |set, c| set | 1u64 << (c * (rows + 1)));
        let board = (0..rows).fold(0, |set, r| set | bottom << r);
        let mut steps = [[0; 4]; 6];
        let mut run = 1;
        for step in &mut steps {
            let by = run.min(line - run);
            for (shift, d) in step.iter_mut().zip([1, rows, rows + 1, rows + 2]) {
                *shift = if (line - 1) * d < NOWHERE { by * d } else { NOWHERE };
            }
            run += by;
        }
        let grid = Grid { columns, rows };
        let (mut column_of, mut places) = ([0; 64], [0; 64]);
        for bit in 0..columns * (rows + 1) {
            let (column, row) = (bit / (rows + 1), bit % (rows + 1));
            // Both are below 64.
            column_of[bit as usize] = column as u8;
            places[bit as usize] = (row * columns + column) as u8;
        }
        Ok(Connect4 { info, grid, line, bottom, board, steps, columns: column_of, places })
    }

    /// Is there a line in this set?
    #[inline]
    fn lined(&self, set: u64) -> bool {
        let mut runs = [set; 4];
        let mut join = |step: &[u32; 4]| {
            for (run, shift) in runs.iter_mut().zip(step) {
                *run &= *run >> (shift & 63);
            }
        };
        // Two doubling steps find a line of four. Steps that are not needed shift by 0 and change nothing.
        let [first, second, more @ ..] = &self.steps;
        join(first);
        join(second);
        if self.line > 4 {
            more.iter().for_each(join);
        }
        runs[0] | runs[1] | runs[2] | runs[3] != 0
    }

    /// The squares that a stone can take now.
    #[inline]
    fn open(&self, all: u64) -> u64 {
        (all + self.bottom) & self.board
    }

    /// The bit of a square of the grid.
    fn bit(&self, square: u32) -> u64 {
        let (column, row) = (square % self.grid.columns, square / self.grid.columns);
        1 << (column * (self.grid.rows + 1) + row)
    }

    fn at(&self, state: &State, square: u32) -> char {
        let bit = self.bit(square);
        let [x, o] = state.sides();
        if x & bit != 0 {
            'x'
        } else if o & bit != 0 {
            'o'
        } else {
            '.'
        }
    }

    /// The empty squares that would complete a line of `side`.
    fn threats(&self, side: u64, all: u64) -> u32 {
        indices(self.board & !all).filter(|&i| self.lined(side | 1 << i)).count() as u32
    }

    /// What a side's open rows are worth: rows as long as a line that hold no stone of the other. One with a single gap counts
    /// [`ONE_GAP`], one with two gaps 1.
    fn open_rows(&self, own: u64, other: u64) -> f32 {
        let free = self.board & !other;
        let (mut nearly, mut half) = (0, 0);
        for step in [1, self.grid.rows, self.grid.rows + 1, self.grid.rows + 2] {
            // Bit by bit over all rows at once: is the row open, does it hold at most one or two gaps?
            let (mut open, mut none, mut one, mut two) = (u64::MAX, u64::MAX, 0, 0);
            for i in 0..self.line {
                let shift = i * step;
                let at = |set: u64| set.checked_shr(shift).unwrap_or(0);
                open &= at(free);
                let stone = at(own);
                two = two & stone | one & !stone;
                one = one & stone | none & !stone;
                none &= stone;
            }
            nearly += (open & one).count_ones();
            half += (open & two).count_ones();
        }
        ONE_GAP * nearly as f32 + half as f32
    }

    /// Can this position come up in a game? Searches for an order in which the stones can be taken off
    /// from the top, beginning with `last`. Gives up after many tries, and then says yes.
    fn in_turn(&self, mover: u64, last: u64, known: &mut HashSet<u64>) -> bool {
        const TRIES: usize = 20_000;
        let all = mover | last;
        if all == 0 || known.len() > TRIES {
            return true;
        }
        let tops = all + self.bottom;
        known.insert(all)
            && indices(tops >> 1 & last).any(|i| self.in_turn(last & !(1 << i), mover, known))
    }

    #[inline]
    fn end(&self, last: u64, all: u64) -> End {
        if self.lined(last) {
            End::Won
        } else if all == self.board {
            End::Full
        } else {
            End::Not
        }
    }
}

/// The kinds of pieces, with their characters in positions.
fn pieces() -> [(char, Piece); 2] {
    [('x', Piece::new("x", "disc", "X", Some(0))), ('o', Piece::new("o", "disc", "O", Some(1)))]
}

impl Game for Connect4 {
    type State = State;

    fn info(&self) -> &Info {
        &self.info
    }

    fn start(&self) -> State {
        State { mover: 0, all: 0, end: End::Not }
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        match state.end {
            End::Not => Turn::One(Player(state.player())),
            _ => Turn::Over,
        }
    }

    fn moves(&self, state: &State, _: Player, out: &mut Vec<Move>) {
        out.extend(indices(self.open(state.all)).map(|i| Move(1 << i)));
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
        let open = self.open(state.all);
        Move(cpu.nth_bit(open, rng.below(open.count_ones())))
    }

    #[inline]
    fn apply(&self, state: &mut State, joint: &[Move]) {
        let bit = joint[0].0 & self.board;
        let stones = state.mover | bit;
        state.mover ^= state.all;
        state.all |= bit;
        state.end = self.end(stones, state.all);
    }

    #[inline]
    fn payoffs(&self, state: &State, out: &mut [f32]) {
        let mover = if state.end == End::Won { 0.0 } else { 0.5 };
        let player = usize::from(state.player());
        out[player] = mover;
        out[player ^ 1] = 1.0 - mover;
    }

    fn hash(&self, state: &State) -> u64 {
        hash([state.mover, state.all])
    }

    fn move_text(&self, mv: Move) -> String {
        letter(mv.0.trailing_zeros() / (self.grid.rows + 1)).to_string()
    }

    fn position(&self, state: &State) -> String {
        self.grid.write(|square| self.at(state, square))
    }

    fn parse_position(&self, text: &str) -> Result<State> {
        let squares = match self.grid.read(text.trim(), "xo") {
            Ok(squares) => squares,
            Err(reason) => return bad_position(text, reason),
        };
        let side = |stone| {
            let squares = squares.iter().zip(0..).filter(|&(&c, _)| c == stone);
            squares.fold(0, |set, (_, square)| set | self.bit(square))
        };
        let (x, o): (u64, u64) = (side('x'), side('o'));
        let (xs, os) = (x.count_ones(), o.count_ones());
        if xs != os && xs != os + 1 {
            return bad_position(text, format!("x begins, so {xs} x and {os} o can't be"));
        }
        let all = x | o;
        // In a column without gaps, adding 1 at the bottom carries just past the stones.
        let tops = all + self.bottom;
        if all & tops != 0 {
            let gap = indices(all & tops).next().unwrap_or(0) / (self.grid.rows + 1);
            return bad_position(text, format!("a stone floats in column {}", letter(gap)));
        }
        let (mover, last) = if xs == os { (x, o) } else { (o, x) };
        if self.lined(mover) {
            return bad_position(text, "a line stood already before the last stone");
        }
        // Before the last stone no line may exist: it would have ended the game.
        let mut before: Vec<u64> = indices(tops >> 1 & last).map(|i| last & !(1 << i)).collect();
        before.retain(|&before| !self.lined(before));
        if before.is_empty() && self.lined(last) {
            return bad_position(text, "no last stone made all these lines");
        }
        let mut known = HashSet::new();
        if all != 0 && !before.iter().any(|&before| self.in_turn(before, mover, &mut known)) {
            return bad_position(text, "x and o can't have dropped these stones in turn");
        }
        Ok(State { mover, all, end: self.end(last, all) })
    }

    #[inline]
    fn action_key(&self, _: &State, player: Player, mv: Move) -> u64 {
        u64::from(mv.0.trailing_zeros()) * 2 + u64::from(player.0)
    }

    fn scene(&self) -> Scene {
        self.grid.scene(self, Painter::Cells, &pieces())
    }

    fn view(&self, state: &State, _: Option<Player>) -> scene::View {
        self.grid.view(self, state, &pieces(), |square| self.at(state, square))
    }

    fn move_sites(&self, mv: Move) -> MoveSites {
        let (column, row) = {
            let bit = mv.0.trailing_zeros();
            (bit / (self.grid.rows + 1), bit % (self.grid.rows + 1))
        };
        let to = (row * self.grid.columns + column) as usize;
        MoveSites { from: None, to: Some(to) }
    }

    fn action_space(&self) -> ActionSpace {
        ActionSpace::dense(self.grid.columns)
    }

    /// The number of an action is its column.
    #[inline]
    fn actions(&self, legal: &[Move], out: &mut Vec<u32>) {
        let column = |bit: u32| self.columns.get(bit as usize).copied().unwrap_or(0);
        out.extend(legal.iter().map(|mv| u32::from(column(mv.0.trailing_zeros()))));
    }

    fn encoding(&self) -> Encoding {
        self.grid.encoding(&["own", "other"])
    }

    #[inline]
    fn encode(&self, view: &View<'_, Self>, out: &mut encode::Features) {
        let Some(state) = view.state() else { return };
        let sides = state.sides();
        let seat = view.seat().index() & 1;
        for (plane, side) in [sides[seat], sides[seat ^ 1]].into_iter().enumerate() {
            let first = plane as u32 * self.grid.columns * self.grid.rows;
            let place = |bit: u32| self.places.get(bit as usize).copied().unwrap_or(0);
            out.extend(indices(side).map(|bit| (first + u32::from(place(bit)), 1.0)));
        }
    }

    fn draw(&self, state: &State, _: Option<Player>) -> String {
        self.grid.draw(|square| self.at(state, square))
    }

    fn terms(&self) -> &[&'static str] {
        &["rows", "threats", "centre"]
    }

    /// `rows`: rows that can still become lines and lack one or two stones; `threats`: empty squares that would complete a line;
    /// `centre`: nearness of the stones to the middle column.
    fn evaluate(&self, state: &State, player: Player, out: &mut [f32]) {
        self.evaluate_some(state, player, &[true; 3], out);
    }

    fn evaluate_some(&self, state: &State, player: Player, wanted: &[bool], out: &mut [f32]) {
        let sides = state.sides();
        let p = usize::from(player.0 & 1);
        let (own, other) = (sides[p], sides[p ^ 1]);
        let wants = |term: usize| wanted.get(term).copied().unwrap_or(false);
        out.fill(0.0);
        let [rows, threats, centre, ..] = out else { return };
        if wants(0) {
            let gap = self.open_rows(own, other) - self.open_rows(other, own);
            *rows = (gap / MOST_ROWS).clamp(-1.0, 1.0);
        }
        if wants(1) {
            let gap = self.threats(own, state.all) as f32 - self.threats(other, state.all) as f32;
            *threats = (gap / self.line as f32).clamp(-1.0, 1.0);
        }
        if !wants(2) {
            return;
        }
        let middle = (self.grid.columns - 1) as f32 / 2.0;
        let near = |side: u64| -> f32 {
            indices(side)
                .map(|i| middle - ((i / (self.grid.rows + 1)) as f32 - middle).abs())
                .sum::<f32>()
        };
        let most = (middle * self.board.count_ones() as f32 / 2.0).max(1.0);
        *centre = ((near(own) - near(other)) / most).clamp(-1.0, 1.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_core::testkit::conform;

    fn game(name: &str) -> Connect4 {
        Connect4::new(&name.parse().unwrap()).unwrap()
    }

    #[test]
    fn conforms_on_boards_of_any_size() {
        for name in [
            "connect4",
            "connect4(4,4)",
            "connect4(5,4,3)",
            "connect4(8,7,5)",
            "connect4(26,1,6)",
            "connect4(1,63,63)",
            "connect4(2,20,10)",
            "connect4(9,6,2)",
        ] {
            conform(&game(name));
        }
    }

    /// The slow, obvious test for a line.
    fn lined_by_walking(game: &Connect4, set: u64) -> bool {
        let (columns, rows) = (game.grid.columns as i32, game.grid.rows as i32);
        let has = |c: i32, r: i32| {
            (0..columns).contains(&c)
                && (0..rows).contains(&r)
                && set >> (c * (rows + 1) + r) & 1 == 1
        };
        (0..columns).any(|c| {
            (0..rows).any(|r| {
                [(1, 0), (0, 1), (1, 1), (1, -1)]
                    .iter()
                    .any(|(dc, dr)| (0..game.line as i32).all(|i| has(c + i * dc, r + i * dr)))
            })
        })
    }

    #[test]
    fn lines_are_found_on_every_board() {
        let mut rng = ludex_core::Seed(4).rng();
        for name in ["connect4", "connect4(8,7,3)", "connect4(6,5,5)", "connect4(3,9,7)"] {
            let game = game(name);
            let mut found = 0;
            for i in 0..20_000 {
                let thin = if i % 2 == 0 { u64::MAX } else { rng.bits() };
                let set = (rng.bits() | rng.bits()) & thin & game.board;
                assert_eq!(game.lined(set), lined_by_walking(&game, set), "{name} {set:x}");
                found += u32::from(game.lined(set));
            }
            assert!(found > 50 && found < 19_950, "{name}: {found} lines test nothing");
        }
    }

    #[test]
    fn impossible_positions_are_refused() {
        let game = game("connect4");
        for (text, reason) in [
            ("7/7/7/7/7/x6", "ok"),
            ("7/7/7/7/7/o6", "x begins"),
            ("7/7/7/7/x6/7", "floats in column a"),
            ("7/7/7/7/x6/1o5", "floats in column a"),
            ("7/7/7/7/ooo4/xxxx3", "ok"),
            ("7/7/7/7/oooo3/xxxx3", "before the last stone"),
            ("7/7/7/7/ooxo3/xxxxo2", "no last stone"),
            ("7/7/7/7/x6/o6", "in turn"),
            ("7/7/7/7/7", "6 rows"),
        ] {
            match game.parse_position(text) {
                Ok(_) => assert_eq!(reason, "ok", "{text}"),
                Err(error) => assert!(error.to_string().contains(reason), "{text}: {error}"),
            }
        }
    }

    #[test]
    fn sizes_that_do_not_fit_are_refused() {
        for name in [
            "connect4(10,6)",
            "connect4(0,6)",
            "connect4(7,6,8)",
            "connect4(7,6,1)",
            "connect4(-7)",
            "connect4(7,columns=7)",
            "connect4(99999999999)",
        ] {
            assert!(Connect4::new(&name.parse().unwrap()).is_err(), "{name}");
        }
    }
}
