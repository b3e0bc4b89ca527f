//! Reversi on boards of 4, 6 or 8 squares a side: `reversi(size=8)`. Four discs lie in the middle; x begins.
//! A disc is placed so that discs of the other lie in an unbroken straight line between it and another own
//! disc; all discs enclosed so are turned over. Who cannot place a disc passes. When neither can, the player
//! with more discs wins; as many are a draw.
//!
//! Moves are squares, `c4`, and `pass`. A position is the rows from the top, parted by `/`, of `x`, `o` and
//! `.` or numbers of empty squares, then who moves: `8/8/8/3ox3/3xo3/8/8/8 x`.

use crate::bits::{hash, indices};
use crate::catalog::Entry;
use crate::grid::{Grid, bad_position};
use ludex_core::cpu::Cpu;
use ludex_core::encode::{self, ActionSpace, Encoding};
use ludex_core::scene::{self, MoveSites, Painter, Piece, Scene};
use ludex_core::schema::Schema;
use ludex_core::{AnyGame, Game, Info, Move, Player, Result, Rng, Spec, Turn, View};

/// The move of a player who cannot place a disc.
const PASS: Move = Move(0);

/// The rules. A [`Move`] is the one-bit set of the square that the disc takes, or no bit for a pass.
#[derive(Debug, Clone)]
pub struct Reversi {
    info: Info,
    grid: Grid,
    board: u64,
    corners: u64,
    /// A line runs along a row, a column or a diagonal, by a shift of so many bits. Discs that a sideways line turns over
    /// lie neither in the first nor in the last column, so a line never runs over the edge of a row.
    lines: [(u32, u64); 4],
    /// The first and the last column.
    columns: [u64; 2],
    /// By line: the squares at which it ends.
    ends: [u64; 4],
}

/// A position: bit `row * size + column` of a set is a square.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct State {
    /// The discs of the player to move and of the other.
    own: u64,
    other: u64,
    /// The squares that the player to move can take.
    open: u64,
    mover: u8,
    over: bool,
}

impl State {
    /// The discs of x and o.
    fn sides(self) -> [u64; 2] {
        if self.mover == 0 { [self.own, self.other] } else { [self.other, self.own] }
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

/// The weights of a corner, of a disc that is safe for good, and of an empty square beside a disc of the other player. A square that can
/// be taken has weight 1.
const CORNER: f32 = 6.0;
const STABLE: f32 = 0.5;
const OPENING: f32 = 0.6;
/// The sum of weights at which the term reaches its bound.
const MOST_STANDING: f32 = 80.0;

pub(crate) const ENTRY: Entry = Entry {
    name: "reversi",
    title: "Reversi: enclose the other's discs, have more of them",
    params: || Params::default().describe(),
    examples: &["reversi", "reversi(6)", "reversi(4)"],
    position: "8/8/8/3ox3/3xx3/3x4/8/8 o",
    open: |spec| Reversi::new(spec).map(AnyGame::new),
};

ludex_core::params! {
    /// The parameters of `reversi`.
    struct Params {
        /// Squares of a side: 4, 6 or 8.
        size: u32 = 8, 4..=8;
    }
    places = 1;
    check = |params| match params.size % 2 {
        0 => Ok(()),
        _ => Err(format!("size must be even, not {}", params.size)),
    };
}

impl Reversi {
    /// The game with the parameter `size`.
    pub fn new(spec: &Spec) -> Result<Self> {
        let params = Params::default().read(spec)?;
        let name = params.call("reversi", &Params::default()).to_string();
        let size = params.size;
        let mut info = Info::new(name, format!("Reversi on {size}x{size}"), &["x", "o"]);
        // At most one pass stands between two discs.
        info.longest = Some(2 * (size * size - 4));
        info.action_keys = Some(2 * (size * size + 1));
        let board = u64::MAX >> (64 - size * size);
        let first = (0..size).fold(0, |set, row| set | 1u64 << (row * size));
        let last = first << (size - 1);
        let inner = board & !(first | last);
        let ends = first | last;
        let rows = (1u64 << size) - 1;
        let corners = ends & (rows | rows << (size * (size - 1)));
        let lines = [(1, inner), (size, board), (size + 1, inner), (size - 1, inner)];
        let rims = rows | rows << (size * (size - 1));
        let edge = ends | rims;
        let ends = [ends, rims, edge, edge];
        let grid = Grid { columns: size, rows: size };
        Ok(Reversi { info, grid, board, corners, lines, columns: [first, last], ends })
    }

    /// The squares on which `own` encloses discs of `other`.
    #[inline]
    fn open(&self, own: u64, other: u64) -> u64 {
        let mut open = 0;
        for (by, inner) in self.lines {
            let between = other & inner;
            let (mut up, mut down) = (own << by & between, own >> by & between);
            for _ in 0..self.grid.columns - 3 {
                up |= up << by & between;
                down |= down >> by & between;
            }
            open |= up << by | down >> by;
        }
        open & self.board & !(own | other)
    }

    /// The discs of `other` that a disc of `own` on the square `bit` encloses.
    #[inline]
    fn enclosed(&self, own: u64, other: u64, bit: u64) -> u64 {
        let mut all = 0;
        for (by, inner) in self.lines {
            let between = other & inner;
            let (mut up, mut down) = (bit << by & between, bit >> by & between);
            for _ in 0..self.grid.columns - 3 {
                up |= up << by & between;
                down |= down >> by & between;
            }
            all |= if up << by & own != 0 { up } else { 0 };
            all |= if down >> by & own != 0 { down } else { 0 };
        }
        all
    }

    /// Discs of a side that can never be turned over: along each line they lie at its end or beside another such disc.
    fn stable(&self, own: u64) -> u64 {
        let mut stable = own & self.corners;
        loop {
            let sides = self.lines.iter().zip(self.ends);
            let held = sides.fold(own, |held, (&(by, _), ends)| {
                // A sideways shift runs over the edge of a row only onto squares at its ends, which count anyway.
                held & (ends | stable << by | stable >> by)
            });
            if stable == 0 || held == stable {
                return stable;
            }
            stable = held;
        }
    }

    /// The squares beside a set, diagonally too.
    #[inline]
    fn around(&self, set: u64) -> u64 {
        let [first, last] = self.columns;
        let row = set | (set & !last) << 1 | (set & !first) >> 1;
        (row | row << self.grid.columns | row >> self.grid.columns) & self.board & !set
    }

    /// The position with these discs.
    #[inline]
    fn with(&self, own: u64, other: u64, mover: u8) -> State {
        let open = self.open(own, other);
        State { own, other, open, mover, over: open == 0 && self.open(other, own) == 0 }
    }
}

/// The kinds of pieces, with their characters in positions.
fn pieces() -> [(char, Piece); 2] {
    [('x', Piece::new("x", "disc", "X", Some(0))), ('o', Piece::new("o", "disc", "O", Some(1)))]
}

impl Game for Reversi {
    type State = State;

    fn info(&self) -> &Info {
        &self.info
    }

    fn start(&self) -> State {
        let size = self.grid.columns;
        let low = 1u64 << ((size / 2 - 1) * (size + 1));
        let high = low << (size + 1);
        self.with(low | high, low << 1 | low << size, 0)
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        if state.over { Turn::Over } else { Turn::One(Player(state.mover)) }
    }

    fn moves(&self, state: &State, _: Player, out: &mut Vec<Move>) {
        match state.open {
            0 => out.push(PASS),
            open => out.extend(indices(open).map(|square| Move(1 << square))),
        }
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
        // With nothing to choose from, the first of no bits is the pass.
        Move(cpu.nth_bit(state.open, rng.below(state.open.count_ones().max(1))))
    }

    #[inline]
    fn apply(&self, state: &mut State, joint: &[Move]) {
        let bit = joint[0].0 & state.open;
        let turned = self.enclosed(state.own, state.other, bit);
        let (own, other) = (state.own | bit | turned, state.other & !turned);
        *state = self.with(other, own, state.mover ^ 1);
    }

    #[inline]
    fn payoffs(&self, state: &State, out: &mut [f32]) {
        let sides = state.sides().map(u64::count_ones);
        let first = match sides[0].cmp(&sides[1]) {
            std::cmp::Ordering::Less => 0.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Greater => 1.0,
        };
        (out[0], out[1]) = (first, 1.0 - first);
    }

    fn hash(&self, state: &State) -> u64 {
        hash([state.own, state.other, state.mover.into()])
    }

    fn move_text(&self, mv: Move) -> String {
        match mv {
            PASS => "pass".into(),
            mv => self.grid.square(mv.0.trailing_zeros()),
        }
    }

    fn position(&self, state: &State) -> String {
        let mover = self.info.player(Player(state.mover));
        format!("{} {mover}", self.grid.write(|square| state.at(square)))
    }

    fn parse_position(&self, text: &str) -> Result<State> {
        let (sides, mover) = self.grid.read_turn(text, "xo")?;
        let [x, o] = self.start().sides();
        if (sides[0] | sides[1]) & (x | o) != x | o {
            return bad_position(text, "discs never leave the four squares in the middle");
        }
        Ok(self.with(sides[mover], sides[mover ^ 1], mover as u8))
    }

    /// The last key of each player is the pass.
    #[inline]
    fn action_key(&self, _: &State, player: Player, mv: Move) -> u64 {
        let squares = self.board.count_ones();
        u64::from(mv.0.trailing_zeros().min(squares) * 2 + u32::from(player.0 & 1))
    }

    fn scene(&self) -> Scene {
        self.grid.scene(self, Painter::Cells, &pieces())
    }

    fn view(&self, state: &State, _: Option<Player>) -> scene::View {
        self.grid.view(self, state, &pieces(), |square| state.at(square))
    }

    fn move_sites(&self, mv: Move) -> MoveSites {
        let to = (mv != PASS).then(|| mv.0.trailing_zeros() as usize);
        MoveSites { from: None, to }
    }

    fn action_space(&self) -> ActionSpace {
        ActionSpace::dense(self.board.count_ones() + 1)
    }

    /// The number of an action is its square; the last one is the pass.
    #[inline]
    fn actions(&self, legal: &[Move], out: &mut Vec<u32>) {
        let squares = self.board.count_ones();
        out.extend(legal.iter().map(|mv| mv.0.trailing_zeros().min(squares)));
    }

    fn encoding(&self) -> Encoding {
        self.grid.encoding(&["own", "other"])
    }

    #[inline]
    fn encode(&self, view: &View<'_, Self>, out: &mut encode::Features) {
        let Some(state) = view.state() else { return };
        let (sides, seat) = (state.sides(), view.seat().index() & 1);
        self.grid.plane(0, sides[seat], out);
        self.grid.plane(1, sides[seat ^ 1], out);
    }

    fn draw(&self, state: &State, _: Option<Player>) -> String {
        let what = match state.over {
            true => "the game is over".to_string(),
            false => format!("{} to move", self.info.player(Player(state.mover))),
        };
        format!("{}{what}\n", self.grid.draw(|square| state.at(square)))
    }

    fn terms(&self) -> &[&'static str] {
        &["standing", "corners", "mobility", "discs", "stable", "openings"]
    }

    /// `corners`: discs on corners; `mobility`: squares that can be taken; `discs`: discs, which say little before the end;
    /// `stable`: discs that can never be turned over; `openings`: empty squares beside discs of the other, where moves may open up;
    /// `standing`: all but `discs`.
    fn evaluate(&self, state: &State, player: Player, out: &mut [f32]) {
        let sides = state.sides();
        let p = usize::from(player.0 & 1);
        let (own, other) = (sides[p], sides[p ^ 1]);
        let gap = |own: u64, other: u64| own.count_ones() as f32 - other.count_ones() as f32;
        let squares = self.board.count_ones() as f32;
        let empty = self.board & !(own | other);
        if let [standing, corners, mobility, discs, stable, openings, ..] = out {
            let held = gap(own & self.corners, other & self.corners);
            let moves = gap(self.open(own, other), self.open(other, own));
            let safe = gap(self.stable(own), self.stable(other));
            let room = gap(self.around(other) & empty, self.around(own) & empty);
            *corners = held / 4.0;
            *mobility = (moves / 16.0).clamp(-1.0, 1.0);
            *discs = gap(own, other) / squares;
            *stable = safe / squares;
            *openings = (room / 32.0).clamp(-1.0, 1.0);
            let sum = CORNER * held + moves + STABLE * safe + OPENING * room;
            *standing = (sum / MOST_STANDING).clamp(-1.0, 1.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_core::testkit::conform;

    fn game(name: &str) -> Reversi {
        Reversi::new(&name.parse().unwrap()).unwrap()
    }

    #[test]
    fn conforms_on_boards_of_any_size() {
        for name in ["reversi", "reversi(6)", "reversi(4)"] {
            conform(&game(name));
        }
    }

    /// The slow, obvious rule: walk from the square over discs of the other to an own one.
    fn enclosed_by_walking(game: &Reversi, own: u64, other: u64, square: u32) -> u64 {
        let size = game.grid.columns as i32;
        let bit = |column: i32, row: i32| {
            let inside = (0..size).contains(&column) && (0..size).contains(&row);
            if inside { 1u64 << (row * size + column) } else { 0 }
        };
        let (column, row) = (square as i32 % size, square as i32 / size);
        let mut all = 0;
        for (dx, dy) in [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)] {
            let (mut x, mut y, mut run) = (column + dx, row + dy, 0);
            while bit(x, y) & other != 0 {
                run |= bit(x, y);
                (x, y) = (x + dx, y + dy);
            }
            if bit(x, y) & own != 0 {
                all |= run;
            }
        }
        all
    }

    #[test]
    fn discs_are_turned_as_by_walking() {
        let mut rng = ludex_core::Seed(5).rng();
        for name in ["reversi", "reversi(6)", "reversi(4)"] {
            let game = game(name);
            let mut found = 0;
            for _ in 0..2_000 {
                let (full, whose) = (rng.bits() | rng.bits(), rng.bits());
                let full = full & game.board;
                let (own, other) = (full & whose, full & !whose);
                let open = game.open(own, other);
                for square in indices(game.board & !full) {
                    let turned = enclosed_by_walking(&game, own, other, square);
                    assert_eq!(game.enclosed(own, other, 1 << square), turned, "{name}");
                    assert_eq!(open >> square & 1 == 1, turned != 0, "{name}");
                    found += u32::from(turned != 0);
                }
            }
            assert!(found > 1_000, "{name}: {found} squares test nothing");
        }
    }

    #[test]
    fn a_player_without_a_square_passes_and_the_game_ends_when_neither_has_one() {
        let game = game("reversi(4)");
        let text = |state: &State| {
            let mut out = Vec::new();
            game.moves(state, Player(state.mover), &mut out);
            out.iter().map(|&mv| game.move_text(mv)).collect::<Vec<_>>()
        };
        // o has no disc of x to enclose from any free square; x can still take a4.
        let mut state = game.parse_position("1oxx/xxxx/xxxx/xxxx o").unwrap();
        assert_eq!(text(&state), ["pass"]);
        game.apply(&mut state, &[PASS]);
        assert_eq!(text(&state), ["a4"]);
        let a4 = game.parse_move(&state, Player(0), "a4").unwrap();
        game.apply(&mut state, &[a4]);
        assert_eq!(game.turn(&state), Turn::Over);
        let mut payoffs = [0.0; 2];
        game.payoffs(&state, &mut payoffs);
        assert_eq!(payoffs, [1.0, 0.0]);
    }

    #[test]
    fn positions_that_are_none_are_refused() {
        let game = game("reversi");
        for (text, reason) in [
            ("8/8/8/3ox3/3xo3/8/8/8 x", "ok"),
            ("8/8/8/3ox3/3xo3/8/8/8", "expected"),
            ("8/8/8/3o4/3xo3/8/8/8 x", "in the middle"),
            ("8/8/8/3ox3/3xo3/8/8 x", "8 rows"),
            ("8/8/8/3ox3/3xz3/8/8/8 x", "`z` in row 4"),
        ] {
            match game.parse_position(text) {
                Ok(_) => assert_eq!(reason, "ok", "{text}"),
                Err(error) => assert!(error.to_string().contains(reason), "{text}: {error}"),
            }
        }
        for name in ["reversi(5)", "reversi(10)", "reversi(2)"] {
            assert!(Reversi::new(&name.parse().unwrap()).is_err(), "{name}");
        }
    }

    #[test]
    fn terms_count_corners_safe_discs_moves_and_openings() {
        let game = game("reversi(6)");
        let mut values = [0.0; 6];
        let mut of = |text: &str, player: u8| {
            let state = game.parse_position(text).unwrap();
            game.evaluate(&state, Player(player), &mut values);
            values
        };
        // At the start either side can take four squares, and all twelve squares around are beside both.
        assert_eq!(of("6/6/2ox2/2xo2/6/6 x", 0), [0.0; 6]);
        // Each holds a corner; safe are a6, b6 and c6 against e6 and f6. x can take b4, c5 and b5, o e4, c2 and e2. Eight empty
        // squares are beside o, fourteen beside x.
        let [standing, corners, mobility, discs, stable, openings] =
            of("xxx1oo/6/2ox2/2xx2/6/6 o", 0);
        assert_eq!((corners, discs, stable), (0.0, 3.0 / 36.0, 1.0 / 36.0));
        assert_eq!((mobility, openings), (0.0, -6.0 / 32.0));
        assert!((standing - (0.5 - 0.6 * 6.0) / 80.0).abs() < 1e-6, "{standing}");
        // x can take b4, c5 and d2, o e4, d5, c2, b3 and f3.
        assert_eq!(of("6/6/2ox2/2xox1/6/6 o", 0)[2], -2.0 / 16.0);
        assert_eq!(of("6/6/2ox2/2xox1/6/6 o", 1)[2], 2.0 / 16.0);
        // Only x holds a corner, for itself a safe disc.
        assert_eq!(of("x5/6/2ox2/2xo2/6/6 o", 1)[1], -1.0 / 4.0);
    }
}
