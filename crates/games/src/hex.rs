//! Hex on boards of up to 11 by 11 cells: `hex(size=11)`. Players take turns to fill an empty cell; red joins
//! the bottom and the top of the rhombus, blue its left and its right side. Who does so with an unbroken chain
//! wins; there is no draw. Red begins.
//!
//! Moves are cells, `a1` to `k11`. A position is the rows from the top, parted by `/`, of `r`, `b` and `.` or
//! numbers of empty cells; who moves follows from the number of stones. There is no swap (`lud:hex` has one).
//!
//! Row r + 1 lies half a cell to the right of row r, so a cell touches the two beside it, two above and two below.

use crate::bits::hash;
use crate::catalog::Entry;
use crate::grid::{Grid, bad_position};
use ludex_core::cpu::Cpu;
use ludex_core::encode::{self, ActionSpace, Encoding};
use ludex_core::scene::{self, MoveSites, Painter, Piece, Scene};
use ludex_core::schema::Schema;
use ludex_core::{AnyGame, Game, Info, Move, Player, Result, Rng, Spec, Turn, View};
use std::fmt::Write;

/// The rules. A [`Move`] is the number of a cell.
#[derive(Debug, Clone)]
pub struct Hex {
    info: Info,
    grid: Grid,
    board: u128,
    /// All cells but the first column; all but the last.
    not_first: u128,
    not_last: u128,
    /// By player: the side from which its chain begins, and the side that it must reach.
    sides: [[u128; 2]; 2],
}

/// A position: bit `row * size + column` of a set is a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct State {
    /// The stones of red and blue.
    stones: [u128; 2],
    /// The stones that are joined to the player's first side.
    joined: [u128; 2],
    mover: u8,
    /// Did the last move win?
    won: bool,
}

impl State {
    #[inline]
    fn all(&self) -> u128 {
        self.stones[0] | self.stones[1]
    }

    fn at(&self, cell: u32) -> char {
        match (self.stones[0] >> cell & 1, self.stones[1] >> cell & 1) {
            (1, _) => 'r',
            (_, 1) => 'b',
            _ => '.',
        }
    }
}

/// The part of `linked` in `standing`.
const LINKED: f32 = 0.75;

pub(crate) const ENTRY: Entry = Entry {
    name: "hex",
    title: "Hex: join your two sides of the board",
    params: || Params::default().describe(),
    examples: &["hex", "hex(5)", "hex(8)"],
    position: "11/11/11/5r5/11/4b6/11/11/6r4/11/11",
    open: |spec| Hex::new(spec).map(AnyGame::new),
};

ludex_core::params! {
    /// The parameters of `hex`.
    struct Params {
        /// Cells of a side.
        size: u32 = 11, 2..=11;
    }
    places = 1;
}

/// The set bits of a word, lowest first.
fn cells(set: u128) -> impl Iterator<Item = u32> {
    let low = crate::bits::indices(set as u64);
    low.chain(crate::bits::indices((set >> 64) as u64).map(|cell| cell + 64))
}

impl Hex {
    /// The game with the parameter `size`.
    pub fn new(spec: &Spec) -> Result<Self> {
        let params = Params::default().read(spec)?;
        let name = params.call("hex", &Params::default()).to_string();
        let size = params.size;
        let mut info = Info::new(name, format!("Hex on {size}x{size}"), &["red", "blue"]);
        info.longest = Some(size * size);
        info.action_keys = Some(2 * size * size);
        let board = u128::MAX >> (128 - size * size);
        let row = (1u128 << size) - 1;
        let first = (0..size).fold(0, |set, r| set | 1u128 << (r * size));
        let last = first << (size - 1);
        Ok(Hex {
            info,
            grid: Grid { columns: size, rows: size },
            board,
            not_first: board & !first,
            not_last: board & !last,
            sides: [[row, row << (size * (size - 1))], [first, last]],
        })
    }

    /// The cells that touch a set.
    #[inline]
    fn around(&self, set: u128) -> u128 {
        let size = self.grid.columns;
        let (inner, outer) = (set & self.not_first, set & self.not_last);
        inner >> 1
            | outer << 1
            | set << size
            | set >> size
            | inner << (size - 1)
            | outer >> (size - 1)
    }

    /// The cells of `own` that a chain of `own` joins to `from`, which is a part of `own`.
    #[inline]
    fn chain(&self, own: u128, from: u128) -> u128 {
        let (mut chain, mut front) = (from, from);
        while front != 0 {
            front = self.around(front) & own & !chain;
            chain |= front;
        }
        chain
    }

    /// Puts a stone of the mover on a cell.
    #[inline]
    fn place(&self, state: &mut State, bit: u128) {
        let mover = usize::from(state.mover & 1);
        let [begin, end] = self.sides[mover];
        state.stones[mover] |= bit;
        let joined = state.joined[mover];
        if bit & begin != 0 || self.around(bit) & joined != 0 {
            let loose = state.stones[mover] & !joined;
            state.joined[mover] = joined | self.chain(loose, bit);
        }
        state.won = state.joined[mover] & end != 0;
        state.mover ^= 1;
    }
}

/// The kinds of pieces, with their characters in positions.
fn pieces() -> [(char, Piece); 2] {
    [
        ('r', Piece::new("red", "disc", "R", Some(0))),
        ('b', Piece::new("blue", "disc", "B", Some(1))),
    ]
}

impl Game for Hex {
    type State = State;

    fn info(&self) -> &Info {
        &self.info
    }

    fn start(&self) -> State {
        State { stones: [0; 2], joined: [0; 2], mover: 0, won: false }
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        if state.won { Turn::Over } else { Turn::One(Player(state.mover)) }
    }

    fn moves(&self, state: &State, _: Player, out: &mut Vec<Move>) {
        out.extend(cells(self.board & !state.all()).map(|cell| Move(cell.into())));
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
        let empty = self.board & !state.all();
        let (low, high) = (empty as u64, (empty >> 64) as u64);
        let fewer = low.count_ones();
        let k = rng.below(empty.count_ones());
        let cell = match k < fewer {
            true => cpu.nth_bit(low, k).trailing_zeros(),
            false => 64 + cpu.nth_bit(high, k - fewer).trailing_zeros(),
        };
        Move(cell.into())
    }

    #[inline]
    fn apply(&self, state: &mut State, joint: &[Move]) {
        self.place(state, 1u128.unbounded_shl(joint[0].0 as u32) & self.board);
    }

    #[inline]
    fn payoffs(&self, state: &State, out: &mut [f32]) {
        let mover = usize::from(state.mover & 1);
        out[mover] = 0.0;
        out[mover ^ 1] = 1.0;
    }

    fn hash(&self, state: &State) -> u64 {
        let [red, blue] = state.stones;
        let words = [red as u64, (red >> 64) as u64, blue as u64, (blue >> 64) as u64];
        hash([hash(words), state.mover.into()])
    }

    fn move_text(&self, mv: Move) -> String {
        self.grid.square(mv.0 as u32)
    }

    fn position(&self, state: &State) -> String {
        self.grid.write(|cell| state.at(cell))
    }

    fn parse_position(&self, text: &str) -> Result<State> {
        let squares = match self.grid.read(text.trim(), "rb") {
            Ok(squares) => squares,
            Err(reason) => return bad_position(text, reason),
        };
        let set = |stone| {
            let squares = squares.iter().zip(0..).filter(|&(&c, _)| c == stone);
            squares.fold(0u128, |set, (_, cell)| set | 1 << cell)
        };
        let stones = [set('r'), set('b')];
        let [red, blue] = stones.map(u128::count_ones);
        if red != blue && red != blue + 1 {
            return bad_position(text, format!("red begins, so {red} r and {blue} b can't be"));
        }
        let mover = u8::from(red == blue + 1);
        let joined = [0, 1].map(|p| self.chain(stones[p], stones[p] & self.sides[p][0]));
        let wins = [0, 1].map(|p| joined[p] & self.sides[p][1] != 0);
        if wins[usize::from(mover)] {
            return bad_position(text, "the player to move has won already: the other can't move");
        }
        Ok(State { stones, joined, mover, won: wins[0] || wins[1] })
    }

    #[inline]
    fn action_key(&self, _: &State, player: Player, mv: Move) -> u64 {
        mv.0 * 2 + u64::from(player.0 & 1)
    }

    fn scene(&self) -> Scene {
        let size = self.grid.columns;
        let mut scene = self.grid.scene(self, Painter::Cells, &pieces());
        scene.colours = vec!["#c0392b".into(), "#2874a6".into()];
        for (cell, site) in (0..).zip(&mut scene.sites) {
            let (column, row) = (cell % size, cell / size);
            let half = 3f32.sqrt() / 2.0;
            (site.x, site.y) = (column as f32 + row as f32 / 2.0, row as f32 * half);
            site.corners = (0..6)
                .map(|corner| {
                    let (sine, cosine) = (std::f32::consts::FRAC_PI_3 * corner as f32).sin_cos();
                    let radius = 0.5 / half;
                    [site.x + radius * sine, site.y + radius * cosine]
                })
                .collect();
            site.phase = 0;
            site.region = match (row == 0 || row == size - 1, column == 0 || column == size - 1) {
                (true, false) => Some(0),
                (false, true) => Some(1),
                _ => None,
            };
            // The row above is shifted to the right, so the cell above in the same column lies to the upper right.
            let near = std::mem::take(&mut site.neighbours);
            let names =
                [("E", "E"), ("N", "NE"), ("NW", "NW"), ("W", "W"), ("S", "SW"), ("SE", "SE")];
            let named = |(square, hexagon): (&str, &str)| {
                near.get(square).map(|&cell| (hexagon.to_string(), cell))
            };
            site.neighbours = names.into_iter().filter_map(named).collect();
        }
        scene
    }

    fn view(&self, state: &State, _: Option<Player>) -> scene::View {
        self.grid.view(self, state, &pieces(), |cell| state.at(cell))
    }

    fn move_sites(&self, mv: Move) -> MoveSites {
        MoveSites { from: None, to: Some(mv.0 as usize) }
    }

    fn action_space(&self) -> ActionSpace {
        ActionSpace::dense(self.board.count_ones())
    }

    /// The number of an action is its cell.
    #[inline]
    fn actions(&self, legal: &[Move], out: &mut Vec<u32>) {
        out.extend(legal.iter().map(|mv| mv.0 as u32));
    }

    fn encoding(&self) -> Encoding {
        self.grid.encoding(&["own", "other", "own stones are red"])
    }

    #[inline]
    fn encode(&self, view: &View<'_, Self>, out: &mut encode::Features) {
        let Some(state) = view.state() else { return };
        let seat = view.seat().index() & 1;
        let all = self.board.count_ones();
        out.extend(cells(state.stones[seat]).map(|cell| (cell, 1.0)));
        out.extend(cells(state.stones[seat ^ 1]).map(|cell| (all + cell, 1.0)));
        if seat == 0 {
            out.extend((2 * all..3 * all).map(|place| (place, 1.0)));
        }
    }

    fn draw(&self, state: &State, _: Option<Player>) -> String {
        let size = self.grid.columns;
        let mut text = String::new();
        for row in (0..size).rev() {
            let _ = write!(text, "{:>2} {}", row + 1, " ".repeat(row as usize));
            for column in 0..size {
                let _ = write!(text, " {}", state.at(row * size + column));
            }
            text.push('\n');
        }
        text.push_str("  ");
        for column in 0..size {
            let _ = write!(text, " {}", crate::grid::letter(column));
        }
        text.push('\n');
        text
    }

    fn terms(&self) -> &[&'static str] {
        &["standing", "linked", "distance"]
    }

    /// `distance`: how many stones fewer than the other the player still needs to join its sides; `linked`: the same where bridges
    /// count as chains; `standing`: both, `linked` first.
    fn evaluate(&self, state: &State, player: Player, out: &mut [f32]) {
        self.evaluate_some(state, player, &[true; 3], out);
    }

    fn evaluate_some(&self, state: &State, player: Player, wanted: &[bool], out: &mut [f32]) {
        let p = usize::from(player.0 & 1);
        let [standing, linked, distance, ..] = out else { return };
        let wants = |term: usize| wanted.get(term).copied().unwrap_or(false);
        let gap = |bridges: bool| {
            let needs = |side: usize| self.needs(state, side, bridges) as f32;
            ((needs(p ^ 1) - needs(p)) / self.grid.columns as f32).clamp(-1.0, 1.0)
        };
        *linked = if wants(0) || wants(1) { gap(true) } else { 0.0 };
        *distance = if wants(0) || wants(2) { gap(false) } else { 0.0 };
        *standing = LINKED * *linked + (1.0 - LINKED) * *distance;
    }
}

impl Hex {
    /// The least number of stones with which a player would join its sides, if the other did not move. A player who
    /// is cut off needs one stone more than a side has cells. With `bridges`, two cells with two free cells between them are joined. A
    /// side is joined to a cell that two free cells of the side touch. If the other takes one of the two, the player takes the other.
    fn needs(&self, state: &State, player: usize, bridges: bool) -> u32 {
        let size = self.grid.columns;
        let [begin, end] = self.sides[player];
        let (own, free) = (state.stones[player], self.board & !state.all());
        let beside = |side: u128| match bridges {
            true => side | self.touched_twice(free & side) & !side,
            false => side,
        };
        let near = |set: u128| match bridges {
            true => self.around(set) | self.bridged(set, free),
            false => self.around(set),
        };
        let joined = |mut set: u128| {
            let mut front = set;
            while front != 0 {
                front = near(front) & own & !set;
                set |= front;
            }
            set
        };
        let (mut edge, end) = (beside(begin), beside(end));
        let mut reached = joined(own & edge);
        let mut stones = 0;
        while reached & end == 0 {
            let next = (edge | near(reached)) & free & !reached;
            edge = 0;
            stones += 1;
            if next == 0 || stones > size * size {
                return size + 1;
            }
            reached = joined(reached | next);
        }
        stones.min(size + 1)
    }

    /// A set moved by one cell in the direction with this number; neighbours in the list touch each other.
    #[inline]
    fn step(&self, set: u128, direction: usize) -> u128 {
        let size = self.grid.columns;
        match direction % 6 {
            0 => (set & self.not_last) << 1,
            1 => set << size & self.board,
            2 => (set & self.not_first) << (size - 1) & self.board,
            3 => (set & self.not_first) >> 1,
            4 => set >> size,
            _ => (set & self.not_last) >> (size - 1),
        }
    }

    /// The cells to which a bridge leads: both cells between are free.
    #[inline]
    fn bridged(&self, set: u128, free: u128) -> u128 {
        let over = |a: usize, b: usize| self.step(self.step(set, a) & free, b);
        (0..6).fold(0, |all, d| all | over(d, d + 1) & over(d + 1, d))
    }

    /// The cells that at least two cells of a set touch.
    #[inline]
    fn touched_twice(&self, set: u128) -> u128 {
        let mut once = 0;
        (0..6).fold(0, |twice, direction| {
            let step = self.step(set, direction);
            let more = twice | once & step;
            once |= step;
            more
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_core::testkit::conform;

    fn game(name: &str) -> Hex {
        Hex::new(&name.parse().unwrap()).unwrap()
    }

    #[test]
    fn conforms_on_boards_of_any_size() {
        for name in ["hex", "hex(2)", "hex(5)", "hex(8)"] {
            conform(&game(name));
        }
    }

    /// The slow, obvious search: from each cell of a player's first side, cell by cell.
    fn joined_by_walking(game: &Hex, state: &State, player: usize) -> bool {
        let size = game.grid.columns as i32;
        let own = |column: i32, row: i32| {
            (0..size).contains(&column)
                && (0..size).contains(&row)
                && state.stones[player] >> (row * size + column) & 1 == 1
        };
        let along = |k: i32, last: bool| {
            let edge = if last { size - 1 } else { 0 };
            if player == 0 { (k, edge) } else { (edge, k) }
        };
        let mut seen: Vec<(i32, i32)> =
            (0..size).map(|k| along(k, false)).filter(|&(c, r)| own(c, r)).collect();
        let mut next = 0;
        while let Some(&(c, r)) = seen.get(next) {
            for (dc, dr) in [(1, 0), (-1, 0), (0, 1), (0, -1), (-1, 1), (1, -1)] {
                let cell = (c + dc, r + dr);
                if own(cell.0, cell.1) && !seen.contains(&cell) {
                    seen.push(cell);
                }
            }
            next += 1;
        }
        (0..size).any(|k| seen.contains(&along(k, true)))
    }

    #[test]
    fn chains_are_found_as_by_walking_and_every_game_has_a_winner() {
        let mut rng = ludex_core::Seed(6).rng();
        let mut pad = Vec::new();
        for name in ["hex", "hex(2)", "hex(3)", "hex(7)"] {
            let game = game(name);
            let mut wins = [0; 2];
            for _ in 0..200 {
                let mut state = game.start();
                while let Turn::One(player) = game.turn(&state) {
                    assert!(!(0..2).any(|p| joined_by_walking(&game, &state, p)));
                    let mv = game.sample(&state, player, &mut rng, &mut pad);
                    game.apply(&mut state, &[mv]);
                }
                let winner = usize::from(state.mover ^ 1);
                assert!(joined_by_walking(&game, &state, winner), "{}", game.position(&state));
                wins[winner] += 1;
                let read = game.parse_position(&game.position(&state)).unwrap();
                assert_eq!(read, state);
            }
            assert!(wins[0] > 40 && wins[1] > 20, "{name}: {wins:?}");
        }
    }

    #[test]
    fn distances_count_the_missing_stones_and_bridges_save_some() {
        let game = game("hex(4)");
        for (text, needs, linked) in [
            ("4/4/4/4", [4, 4], [2, 2]),
            ("4/4/1r2/4", [3, 4], [1, 2]),
            ("1r2/1r2/4/4", [2, 4], [1, 2]),
            // A cell of the last column touches one cell of the bottom only: no bridge to the side.
            ("bbbr/3r/3r/b3", [1, 3], [1, 2]),
            // c1 and b3 with b2 and c2 free between them; b4 and a4 are free above.
            ("4/1r2/4/2r1", [2, 4], [0, 2]),
            ("4/1r2/1b2/2r1", [2, 3], [1, 1]),
        ] {
            let squares = game.grid.read(text, "rb").unwrap();
            let set = |stone| {
                let squares = squares.iter().zip(0..).filter(|&(&c, _)| c == stone);
                squares.fold(0u128, |set, (_, cell)| set | 1 << cell)
            };
            let stones = [set('r'), set('b')];
            let joined = [0, 1].map(|p| game.chain(stones[p], stones[p] & game.sides[p][0]));
            let state = State { stones, joined, mover: 0, won: false };
            let found = |bridges| [0, 1].map(|player| game.needs(&state, player, bridges));
            assert_eq!(found(false), needs, "{text}");
            assert_eq!(found(true), linked, "{text} with bridges");
        }
    }
}
