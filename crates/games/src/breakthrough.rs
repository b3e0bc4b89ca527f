//! Breakthrough on any board of up to 64 squares: `breakthrough(columns=8,rows=8)`. Each side
//! has two full rows; a piece steps one row forward, straight or diagonally, and captures
//! diagonally only. Who reaches the last row, or takes the other's last piece, wins; white begins.
//!
//! Moves are the two squares, `a2b3`. A position is the rows from the top, parted by `/`, of `w`,
//! `b` and `.` or numbers of empty squares, then who moves: `2b5/8/... w`.
//!
//! There is always a move: the front piece of a side has no own piece before it, and at least one
//! diagonal (there are two columns or more).

use crate::bits::{hash, indices};
use crate::catalog::Entry;
use crate::grid::{Grid, bad_position};
use ludex_core::cpu::Cpu;
use ludex_core::encode::{self, ActionSpace, Encoding};
use ludex_core::scene::{self, MoveSites, Painter, Piece, Scene};
use ludex_core::schema::Schema;
use ludex_core::{AnyGame, Game, Info, Move, Player, Result, Rng, Spec, Turn, View};
use std::hint::select_unpredictable;

/// The rules. A [`Move`] is `from | to << 8`.
#[derive(Debug, Clone)]
pub struct Breakthrough {
    info: Info,
    grid: Grid,
    /// All squares but the first column; all but the last.
    not_first: u64,
    not_last: u64,
    sides: [Side; 2],
}

/// How one side moves: rotations to the left that make a step, and the row to reach. A step never runs
/// over the edge, because a piece on the last row ends the game.
#[derive(Debug, Clone, Copy)]
struct Side {
    ahead: u32,
    left: u32,
    right: u32,
    goal: u64,
}

/// A position: bit `row * columns + column` of a set is a square.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct State {
    /// The pieces of the player to move and of the other.
    own: u64,
    other: u64,
    mover: u8,
    /// Did the last move win?
    won: bool,
}

impl State {
    fn sides(self) -> [u64; 2] {
        if self.mover == 0 { [self.own, self.other] } else { [self.other, self.own] }
    }

    fn at(self, square: u32) -> char {
        let [white, black] = self.sides();
        match (white >> square & 1, black >> square & 1) {
            (1, _) => 'w',
            (_, 1) => 'b',
            _ => '.',
        }
    }
}

/// The extra weights of a piece before the goal row, of a piece on the home row, and of a guarded piece.
const NEAR: f32 = 1.5;
const HOME: f32 = 1.0;
const GUARDED: f32 = 0.2;

/// The targets of the moves in each direction.
struct Targets {
    ahead: u64,
    left: u64,
    right: u64,
}

pub(crate) const ENTRY: Entry = Entry {
    name: "breakthrough",
    title: "Breakthrough: bring a piece to the last row",
    params: || Params::default().describe(),
    examples: &["breakthrough", "breakthrough(6,6)"],
    position: "bbbbbbbb/bb1bbbbb/2b5/8/8/1w6/w1wwwwww/wwwwwwww w",
    open: |spec| Breakthrough::new(spec).map(AnyGame::new),
};

ludex_core::params! {
    /// The parameters of `breakthrough`.
    struct Params {
        /// Columns; columns x rows at most 64.
        columns: u32 = 8, 2..=16;
        /// Rows.
        rows: u32 = 8, 4..=32;
    }
    places = 2;
    check = |params| match params.columns * params.rows {
        sites if sites > 64 => Err(format!("columns x rows must be at most 64, not {sites}")),
        _ => Ok(()),
    };
}

impl Breakthrough {
    /// The game with the parameters `columns` and `rows`.
    pub fn new(spec: &Spec) -> Result<Self> {
        let params = Params::default().read(spec)?;
        let name = params.call("breakthrough", &Params::default()).to_string();
        let Params { columns, rows } = params;
        let title = format!("Breakthrough on {columns}x{rows}");
        let mut info = Info::new(name, title, &["white", "black"]);
        // Every move brings a piece one row forward, so this bounds the length of a game.
        info.longest = Some(4 * columns * (rows - 1));
        info.action_keys = Some(columns * rows * 6);
        let row = (1u64 << columns) - 1;
        let first = (0..rows).fold(0, |set, r| set | 1u64 << (r * columns));
        let top = row << ((rows - 1) * columns);
        let sides = [
            Side { ahead: columns, left: columns - 1, right: columns + 1, goal: top },
            Side { ahead: 64 - columns, left: 63 - columns, right: 65 - columns, goal: row },
        ];
        Ok(Breakthrough {
            info,
            grid: Grid { columns, rows },
            not_first: !first,
            not_last: !(first << (columns - 1)),
            sides,
        })
    }

    #[inline]
    fn side(&self, mover: u8) -> &Side {
        &self.sides[usize::from(mover & 1)]
    }

    #[inline]
    fn targets(&self, state: &State, side: &Side) -> Targets {
        let State { own, other, .. } = *state;
        Targets {
            ahead: own.rotate_left(side.ahead) & !(own | other),
            left: (own & self.not_first).rotate_left(side.left) & !own,
            right: (own & self.not_last).rotate_left(side.right) & !own,
        }
    }

    fn row(&self, r: u32) -> u64 {
        ((1 << self.grid.columns) - 1) << (r * self.grid.columns)
    }

    /// What a side's pieces are worth: 1 each, more the nearer they are to the goal, something on the home row, which they guard,
    /// and something where a friend guards them.
    fn worth(&self, set: u64, side: usize) -> f32 {
        let rows = self.grid.rows;
        let mut sum = 0.0;
        for r in 0..rows {
            let done = if side == 0 { r } else { rows - 1 - r };
            let pieces = (set & self.row(r)).count_ones() as f32;
            let part = done as f32 / (rows - 1) as f32;
            sum += pieces * (1.0 + NEAR * part * part + if done == 0 { HOME } else { 0.0 });
        }
        let Side { left, right, .. } = self.sides[side & 1];
        let guarded =
            (set & self.not_first).rotate_left(left) | (set & self.not_last).rotate_left(right);
        sum + GUARDED * (set & guarded).count_ones() as f32
    }
}

/// The move to square `to` by a rotation of `by`.
#[inline]
fn step(to: u32, by: u32) -> Move {
    Move(u64::from(to.wrapping_sub(by) & 63 | to << 8))
}

fn squares(mv: Move) -> (u32, u32) {
    (mv.0 as u32 & 63, (mv.0 >> 8) as u32 & 63)
}

/// The kinds of pieces, with their characters in positions.
fn pieces() -> [(char, Piece); 2] {
    [
        ('w', Piece::new("white pawn", "pawn", "P", Some(0))),
        ('b', Piece::new("black pawn", "pawn", "P", Some(1))),
    ]
}

impl Game for Breakthrough {
    type State = State;

    fn info(&self) -> &Info {
        &self.info
    }

    fn start(&self) -> State {
        let (last, before) = (self.grid.rows - 1, self.grid.rows - 2);
        State {
            own: self.row(0) | self.row(1),
            other: self.row(before) | self.row(last),
            mover: 0,
            won: false,
        }
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        if state.won { Turn::Over } else { Turn::One(Player(state.mover)) }
    }

    fn moves(&self, state: &State, _: Player, out: &mut Vec<Move>) {
        let side = self.side(state.mover);
        let targets = self.targets(state, side);
        out.extend(indices(targets.left).map(|to| step(to, side.left)));
        out.extend(indices(targets.ahead).map(|to| step(to, side.ahead)));
        out.extend(indices(targets.right).map(|to| step(to, side.right)));
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
        let side = self.side(state.mover);
        let Targets { ahead, left, right } = self.targets(state, side);
        let (a, l) = (ahead.count_ones(), left.count_ones());
        let k = rng.below(a + l + right.count_ones());
        // The direction is random, so a branch would be mispredicted often: choose without a branch.
        let (first, second) = (k < a, k < a + l);
        let set = select_unpredictable(second, left, right);
        let set = select_unpredictable(first, ahead, set);
        let skip = select_unpredictable(second, a, a + l);
        let skip = select_unpredictable(first, 0, skip);
        let by = select_unpredictable(second, side.left, side.right);
        let by = select_unpredictable(first, side.ahead, by);
        step(cpu.nth_bit(set, k - skip).trailing_zeros(), by)
    }

    #[inline]
    fn apply(&self, state: &mut State, joint: &[Move]) {
        let (from, to) = squares(joint[0]);
        let target = 1u64 << to;
        let own = state.own ^ (1 << from | target);
        let other = state.other & !target;
        state.won = (target & self.side(state.mover).goal != 0) | (other == 0);
        (state.own, state.other) = (other, own);
        state.mover ^= 1;
    }

    #[inline]
    fn payoffs(&self, state: &State, out: &mut [f32]) {
        let mover = usize::from(state.mover);
        out[mover] = 0.0;
        out[mover ^ 1] = 1.0;
    }

    fn hash(&self, state: &State) -> u64 {
        hash([state.own, state.other, state.mover.into()])
    }

    fn move_text(&self, mv: Move) -> String {
        let (from, to) = squares(mv);
        format!("{}{}", self.grid.square(from), self.grid.square(to))
    }

    fn position(&self, state: &State) -> String {
        let mover = if state.mover == 0 { 'w' } else { 'b' };
        format!("{} {mover}", self.grid.write(|square| state.at(square)))
    }

    fn parse_position(&self, text: &str) -> Result<State> {
        let (pieces, mover) = self.grid.read_turn(text, "wb")?;
        for (name, pieces) in self.info.players.iter().zip(pieces) {
            let n = pieces.count_ones();
            if n > 2 * self.grid.columns {
                return bad_position(
                    text,
                    format!("{name} has {n} pieces, more than at the start"),
                );
            }
        }
        let (own, other) = (pieces[mover], pieces[mover ^ 1]);
        if own & self.sides[mover].goal != 0 || other == 0 {
            return bad_position(text, "the player to move has won already: the other can't move");
        }
        let there = other & self.sides[mover ^ 1].goal;
        if there.count_ones() > 1 || (there != 0 && own == 0) {
            return bad_position(text, "the game was over before the last move");
        }
        let won = there != 0 || own == 0;
        Ok(State { own, other, mover: mover as u8, won })
    }

    #[inline]
    fn action_key(&self, _: &State, player: Player, mv: Move) -> u64 {
        let (from, to) = squares(mv);
        // The three targets of a piece lie in three columns next to each other.
        let columns = self.grid.columns;
        let direction = (to % columns + 1).wrapping_sub(from % columns).min(2);
        u64::from((from * 3 + direction) * 2 + u32::from(player.0 & 1))
    }

    fn scene(&self) -> Scene {
        self.grid.scene(self, Painter::Checkered, &pieces())
    }

    fn view(&self, state: &State, _: Option<Player>) -> scene::View {
        self.grid.view(self, state, &pieces(), |square| state.at(square))
    }

    fn move_sites(&self, mv: Move) -> MoveSites {
        let (from, to) = squares(mv);
        MoveSites { from: Some(from as usize), to: Some(to as usize) }
    }

    fn action_space(&self) -> ActionSpace {
        ActionSpace::dense(6 * self.grid.columns * self.grid.rows)
    }

    /// Six numbers for each square that a piece leaves: three steps of white, three of black.
    #[inline]
    fn actions(&self, legal: &[Move], out: &mut Vec<u32>) {
        let columns = self.grid.columns;
        out.extend(legal.iter().map(|mv| {
            let (from, to) = (mv.0 as u32 & 63, (mv.0 >> 8) as u32 & 63);
            let step =
                if to > from { to + 1 - from - columns } else { 3 + to + columns + 1 - from };
            from * 6 + step.min(5)
        }));
    }

    fn encoding(&self) -> Encoding {
        self.grid.encoding(&["own", "other", "own pieces are white", "to move"])
    }

    #[inline]
    fn encode(&self, view: &View<'_, Self>, out: &mut encode::Features) {
        let Some(state) = view.state() else { return };
        let seat = view.seat().index() & 1;
        let sides = state.sides();
        let squares = self.grid.columns * self.grid.rows;
        let all = u64::MAX >> (64 - squares);
        self.grid.plane(0, sides[seat], out);
        self.grid.plane(1, sides[seat ^ 1], out);
        if seat == 0 {
            self.grid.plane(2, all, out);
        }
        if usize::from(state.mover) == seat {
            self.grid.plane(3, all, out);
        }
    }

    fn draw(&self, state: &State, _: Option<Player>) -> String {
        let mover = self.info.player(Player(state.mover));
        let what = if state.won { "has lost" } else { "to move" };
        format!("{}{mover} {what}\n", self.grid.draw(|square| state.at(square)))
    }

    fn terms(&self) -> &[&'static str] {
        &["standing", "material", "advance"]
    }

    /// `material`: pieces; `advance`: how far the foremost piece has come; `standing`: pieces by the worth of their rows, and
    /// pieces with a friend that would take back.
    fn evaluate(&self, state: &State, player: Player, out: &mut [f32]) {
        let sides = state.sides();
        let p = usize::from(player.0 & 1);
        let (columns, rows) = (self.grid.columns, self.grid.rows);
        let count = |side: usize| sides[side].count_ones() as f32;
        let front = |side: usize| match sides[side] {
            0 => 0.0,
            set if side == 0 => (set.ilog2() / columns) as f32,
            set => (rows - 1 - set.trailing_zeros() / columns) as f32,
        };
        if let [standing, material, advance, ..] = out {
            *standing = self.worth(sides[p], p) - self.worth(sides[p ^ 1], p ^ 1);
            *standing = (*standing / (6 * columns) as f32).clamp(-1.0, 1.0);
            *material = (count(p) - count(p ^ 1)) / (2 * columns) as f32;
            *advance = (front(p) - front(p ^ 1)) / (rows - 1) as f32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_core::testkit::conform;

    fn game(name: &str) -> Breakthrough {
        Breakthrough::new(&name.parse().unwrap()).unwrap()
    }

    #[test]
    fn conforms_on_boards_of_any_size() {
        for name in [
            "breakthrough",
            "breakthrough(6,6)",
            "breakthrough(5,4)",
            "breakthrough(2,32)",
            "breakthrough(16,4)",
            "breakthrough(columns=7,rows=9)",
        ] {
            conform(&game(name));
        }
    }

    #[test]
    fn straight_ahead_does_not_capture_and_edges_hold() {
        let game = game("breakthrough(4,5)");
        let state = game.parse_position("2b1/b3/w2b/3w/4 w").unwrap();
        let mut out = Vec::new();
        game.moves(&state, Player(0), &mut out);
        let texts: Vec<String> = out.iter().map(|&mv| game.move_text(mv)).collect();
        assert_eq!(texts, ["d2c3", "a3b4"]);
    }

    #[test]
    fn impossible_positions_are_refused() {
        let game = game("breakthrough(3,4)");
        for (text, reason) in [
            ("bbb/bbb/www/www w", "ok"),
            ("bbb/bbb/www/www", "expected"),
            ("bbb/bbb/www/www x", "expected"),
            ("bbb/bbb/bww/www w", "7 pieces"),
            ("bwb/1bb/3/3 b", "ok"),
            ("bwb/1bb/3/3 w", "won already"),
            ("wwb/1bb/3/3 b", "over before"),
            ("bbb/3/3/3 w", "ok"),
            ("bbb/3/3/3 b", "won already"),
            ("bbb/3/3/b2 w", "over before"),
            ("3/3/3/3 w", "won already"),
        ] {
            match game.parse_position(text) {
                Ok(_) => assert_eq!(reason, "ok", "{text}"),
                Err(error) => assert!(error.to_string().contains(reason), "{text}: {error}"),
            }
        }
    }
}
