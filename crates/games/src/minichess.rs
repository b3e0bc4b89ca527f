//! Minichess on 5 rows and 4 columns: `minichess(quiet=50,promotion=queen)`. Castle, queen, king,
//! castle behind four pawns on each side, one empty row between; white (below) begins. Pieces move
//! as in chess; there is no check: who takes the king wins.
//!
//! Choices:
//! - a pawn steps one square ahead (no double step, no en passant), captures diagonally, and on
//!   the last row becomes a queen; with `promotion=none` it stays there as a pawn that can't move;
//! - there is no castling;
//! - a player without a move: the game is a draw;
//! - `quiet` half-moves in a row without a capture or a pawn's move: the game is a draw.
//!
//! Moves are the two squares, `a2b3`. A position is as in FEN: the rows from the top with `P R Q
//! K` for white and `p r q k` for black (`C`, `c` are read as castles too), who moves, and the
//! quiet half-moves so far: `rqkr/pppp/4/PPPP/RQKR w 0`. Without a king a side has lost.

use crate::bits::{hash, indices};
use crate::catalog::Entry;
use crate::grid::{Grid, bad_position};
use ludex_core::cpu::Cpu;
use ludex_core::encode::{self, ActionSpace, Encoding};
use ludex_core::scene::{self, MoveSites, Painter, Piece, Scene};
use ludex_core::schema::Schema;
use ludex_core::{AnyGame, Game, Info, Move, Player, Result, Rng, Spec, Turn, View};

const GRID: Grid = Grid { columns: 4, rows: 5 };
const SQUARES: usize = 20;
/// The most pieces of a side.
const MOST_PIECES: usize = 8;
const START: &str = "rqkr/pppp/4/PPPP/RQKR w 0";
/// Kinds of pieces, as indices into [`State::kinds`].
const PAWN: usize = 0;
const ROOK: usize = 1;
const QUEEN: usize = 2;
const KING: usize = 3;
const LETTERS: [char; 4] = ['P', 'R', 'Q', 'K'];
/// The worth of each kind in pawns.
const WORTH: [f32; 4] = [1.0, 5.0, 9.0, 0.0];
/// All pieces of a side at the start.
const MOST_WORTH: f32 = 23.0;
/// The worth of a move in pawns.
const MOVE: f32 = 0.1;
const FIRST_ROW: u32 = 0xf;
const LAST_ROW: u32 = 0xf << 16;
const BOARD: u32 = 0xfffff;

/// Columns and rows of the eight directions; the first four go up in index, the others down.
const DIRECTIONS: [(i32, i32); 8] =
    [(1, 0), (0, 1), (1, 1), (-1, 1), (-1, 0), (0, -1), (-1, -1), (1, -1)];
/// The directions of a castle.
const STRAIGHT: [usize; 4] = [0, 1, 4, 5];

/// For every direction and square the squares up to the edge.
static RAYS: [[u32; SQUARES]; 8] = {
    let mut rays = [[0; SQUARES]; 8];
    let mut d = 0;
    while d < 8 {
        let mut square = 0;
        while square < SQUARES {
            let (dc, dr) = DIRECTIONS[d];
            let (mut c, mut r) = (square as i32 % 4 + dc, square as i32 / 4 + dr);
            while c >= 0 && c < 4 && r >= 0 && r < 5 {
                rays[d][square] |= 1 << (r * 4 + c);
                (c, r) = (c + dc, r + dr);
            }
            square += 1;
        }
        d += 1;
    }
    rays
};

/// For either side and every square the diagonal squares ahead, where a pawn captures.
static CAPTURES: [[u32; SQUARES]; 2] = {
    let mut captures = [[0; SQUARES]; 2];
    let mut square = 0;
    while square < SQUARES {
        captures[0][square] = NEIGHBOURS[square] & (RAYS[2][square] | RAYS[3][square]);
        captures[1][square] = NEIGHBOURS[square] & (RAYS[6][square] | RAYS[7][square]);
        square += 1;
    }
    captures
};

/// For every square the king's targets.
static NEIGHBOURS: [u32; SQUARES] = {
    let mut near = [0; SQUARES];
    let mut square = 0;
    while square < SQUARES {
        let mut other = 0;
        while other < SQUARES {
            let dc = square as i32 % 4 - other as i32 % 4;
            let dr = square as i32 / 4 - other as i32 / 4;
            if dc.abs() <= 1 && dr.abs() <= 1 && square != other {
                near[square] |= 1 << other;
            }
            other += 1;
        }
        square += 1;
    }
    near
};

/// The rules. A [`Move`] is `from | to << 8`.
#[derive(Debug, Clone)]
pub struct Minichess {
    info: Info,
    quiet: u16,
    promotion: bool,
}

/// A position: bit `row * 4 + column` of a set is a square.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct State {
    /// Pawns, castles, queens and kings of both sides.
    kinds: [u32; 4],
    /// The pieces of white and of black.
    sides: [u32; 2],
    /// Half-moves since the last capture or pawn's move.
    quiet: u16,
    mover: u8,
    end: End,
}

/// How a game stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Not,
    /// The mover's king is taken.
    Lost,
    Draw,
}

impl State {
    fn at(&self, square: u32) -> char {
        let kind = self.kinds.iter().position(|set| set >> square & 1 == 1);
        match kind.and_then(|kind| LETTERS.get(kind)) {
            Some(letter) if self.sides[1] >> square & 1 == 1 => letter.to_ascii_lowercase(),
            Some(letter) => *letter,
            None => '.',
        }
    }
}

/// The squares that a slider reaches in some directions, the first blocker included.
#[inline]
fn slide(square: usize, all: u32, directions: impl IntoIterator<Item = usize>) -> u32 {
    let mut reached = 0;
    for d in directions {
        let ray = RAYS[d][square];
        let blockers = ray & all;
        reached |= match blockers {
            0 => ray,
            _ if d < 4 => ray & !RAYS[d][blockers.trailing_zeros() as usize],
            _ => ray & !RAYS[d][blockers.ilog2() as usize],
        };
    }
    reached
}

#[inline]
fn go(from: u32, to: u32) -> Move {
    Move(u64::from(from | to << 8))
}

/// The two squares of a move, within the board.
#[inline]
fn squares(mv: Move) -> (u32, u32) {
    ((mv.0 as u32 & 31).min(19), ((mv.0 >> 8) as u32 & 31).min(19))
}

pub(crate) const ENTRY: Entry = Entry {
    name: "minichess",
    title: "Minichess on 5 rows and 4 columns: take the king",
    params: || Params::default().describe(),
    examples: &["minichess", "minichess(quiet=20)", "minichess(promotion=none)"],
    position: "k2r/p2p/P1pP/2PR/3K b 0",
    open: |spec| Minichess::new(spec).map(AnyGame::new),
};

ludex_core::params! {
    /// The parameters of `minichess`.
    struct Params {
        /// Half-moves without capture or pawn move that draw.
        quiet: u32 = 50, 1..=400;
        /// The piece that a pawn becomes on the last row.
        promotion: bool = true, ["none", "queen"];
    }
    places = 2;
}

impl Minichess {
    /// The game with the parameters `quiet` and `promotion`.
    pub fn new(spec: &Spec) -> Result<Self> {
        let params = Params::default().read(spec)?;
        let name = params.call("minichess", &Params::default()).to_string();
        let Params { quiet, promotion } = params;
        let mut info = Info::new(name, "Minichess on 5 rows and 4 columns", &["white", "black"]);
        // At most 24 pawn moves and 15 captures each end a quiet stretch.
        info.longest = Some(40 * quiet);
        info.action_keys = Some(2 * (SQUARES * SQUARES) as u32);
        Ok(Minichess { info, quiet: quiet as u16, promotion })
    }

    /// The squares to which the piece of `mover` on `from` can go.
    #[inline]
    fn targets(&self, state: &State, mover: usize, from: u32) -> u32 {
        let (own, other) = (state.sides[mover], state.sides[mover ^ 1]);
        let (all, square, bit) = (own | other, from as usize, 1u32 << from);
        if bit & state.kinds[PAWN] != 0 {
            // Without promotion a pawn may stand on the last row, where it has no square ahead.
            let ahead = if mover == 0 { bit << 4 & BOARD } else { bit >> 4 };
            ahead & !all | CAPTURES[mover][square] & other
        } else if bit & state.kinds[KING] != 0 {
            NEIGHBOURS[square] & !own
        } else if bit & state.kinds[ROOK] != 0 {
            slide(square, all, STRAIGHT) & !own
        } else {
            slide(square, all, 0..8) & !own
        }
    }

    fn stuck(&self, state: &State) -> bool {
        let mover = usize::from(state.mover & 1);
        indices(state.sides[mover].into()).all(|from| self.targets(state, mover, from) == 0)
    }

    fn end(&self, state: &State) -> End {
        if state.kinds[KING] & state.sides[usize::from(state.mover & 1)] == 0 {
            End::Lost
        } else if state.quiet >= self.quiet || self.stuck(state) {
            End::Draw
        } else {
            End::Not
        }
    }

    /// The reason why this position can't come up in a game, if there is one.
    fn fault(&self, state: &State) -> Option<String> {
        let mover = usize::from(state.mover);
        for (side, name) in self.info.players.iter().enumerate() {
            let count = |kind: usize| (state.kinds[kind] & state.sides[side]).count_ones();
            let home = if side == 0 { FIRST_ROW } else { LAST_ROW };
            let goal = if side == 0 { LAST_ROW } else { FIRST_ROW };
            let pawns = state.kinds[PAWN] & state.sides[side];
            // Without promotion pawns stay pawns, so a side never has more pieces than at the start.
            let queens = if self.promotion { 1 + 4u32.saturating_sub(count(PAWN)) } else { 1 };
            if count(KING) > 1 {
                return Some(format!("{name} has {} kings", count(KING)));
            }
            if count(KING) == 0 && side != mover {
                return Some(format!("{name} has no king, so the other can't be to move"));
            }
            if count(PAWN) > 4 || count(ROOK) > 2 || count(QUEEN) > queens {
                return Some(format!("{name} has more pieces than the start and promotion give"));
            }
            if pawns & home != 0 {
                return Some(format!("a pawn of {name} stands behind where pawns start"));
            }
            if self.promotion && pawns & goal != 0 {
                return Some(format!("a pawn of {name} on the last row would be a queen"));
            }
        }
        (state.quiet > self.quiet)
            .then(|| format!("the game is a draw after {} quiet half-moves", self.quiet))
    }
}

/// The kinds of pieces, with their characters in positions.
fn pieces() -> Vec<(char, Piece)> {
    let names = ["pawn", "rook", "queen", "king"];
    let of = |owner: u8| {
        LETTERS.iter().zip(names).map(move |(&letter, name)| {
            let (side, letter_here) = match owner {
                0 => ("white", letter),
                _ => ("black", letter.to_ascii_lowercase()),
            };
            let piece =
                Piece::new(&format!("{side} {name}"), name, &letter.to_string(), Some(owner));
            (letter_here, piece)
        })
    };
    of(0).chain(of(1)).collect()
}

impl Game for Minichess {
    type State = State;

    fn info(&self) -> &Info {
        &self.info
    }

    fn start(&self) -> State {
        State {
            kinds: [0x0f0f0, 0x90009, 0x20002, 0x40004],
            sides: [0x000ff, 0xff000],
            quiet: 0,
            mover: 0,
            end: End::Not,
        }
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        match state.end {
            End::Not => Turn::One(Player(state.mover)),
            _ => Turn::Over,
        }
    }

    fn moves(&self, state: &State, _: Player, out: &mut Vec<Move>) {
        let mover = usize::from(state.mover & 1);
        for from in indices(state.sides[mover].into()) {
            let targets = self.targets(state, mover, from);
            out.extend(indices(targets.into()).map(|to| go(from, to)));
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
        let mover = usize::from(state.mover & 1);
        let mut pieces = [(0, 0u32); MOST_PIECES];
        let mut total = 0;
        for (piece, from) in pieces.iter_mut().zip(indices(state.sides[mover].into())) {
            let targets = self.targets(state, mover, from);
            *piece = (from, targets);
            total += targets.count_ones();
        }
        let mut k = rng.below(total);
        for (from, targets) in pieces {
            let n = targets.count_ones();
            if k < n {
                return go(from, cpu.nth_bit(targets.into(), k).trailing_zeros());
            }
            k -= n;
        }
        Move::default()
    }

    fn apply(&self, state: &mut State, joint: &[Move]) {
        let (from, to) = squares(joint[0]);
        let (source, target) = (1u32 << from, 1u32 << to);
        let mover = usize::from(state.mover & 1);
        let pawn = state.kinds[PAWN] & source != 0;
        let capture = state.sides[mover ^ 1] & target != 0;
        for set in &mut state.kinds {
            *set = *set & !target | if *set & source != 0 { target } else { 0 };
            *set &= !source;
        }
        state.sides[mover] = state.sides[mover] & !source | target;
        state.sides[mover ^ 1] &= !target;
        if pawn && self.promotion && target & (FIRST_ROW | LAST_ROW) != 0 {
            state.kinds[PAWN] &= !target;
            state.kinds[QUEEN] |= target;
        }
        state.quiet = if pawn || capture { 0 } else { state.quiet + 1 };
        state.mover ^= 1;
        state.end = self.end(state);
    }

    fn payoffs(&self, state: &State, out: &mut [f32]) {
        let mover = usize::from(state.mover & 1);
        out[mover] = if state.end == End::Lost { 0.0 } else { 0.5 };
        out[mover ^ 1] = 1.0 - out[mover];
    }

    fn hash(&self, state: &State) -> u64 {
        let [pawns, rooks, queens, kings] = state.kinds.map(u64::from);
        let side = u64::from(state.sides[0]) << 32;
        let rest = side | u64::from(state.quiet) << 8 | u64::from(state.mover);
        hash([pawns << 32 | rooks, queens << 32 | kings, rest])
    }

    fn move_text(&self, mv: Move) -> String {
        let (from, to) = squares(mv);
        format!("{}{}", GRID.square(from), GRID.square(to))
    }

    fn position(&self, state: &State) -> String {
        let mover = if state.mover == 0 { 'w' } else { 'b' };
        format!("{} {mover} {}", GRID.write(|square| state.at(square)), state.quiet)
    }

    fn parse_position(&self, text: &str) -> Result<State> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let (board, mover, quiet) = match words[..] {
            [board, mover] => (board, mover, "0"),
            [board, mover, quiet] => (board, mover, quiet),
            _ => return bad_position(text, format!("expected the form `{START}`")),
        };
        let board = match GRID.read(board, "PRCQKprcqk") {
            Ok(board) => board,
            Err(reason) => return bad_position(text, reason),
        };
        let mover = match mover {
            "w" => 0,
            "b" => 1,
            _ => return bad_position(text, format!("w or b is to move, not `{mover}`")),
        };
        let Ok(quiet) = quiet.parse() else {
            return bad_position(text, format!("`{quiet}` is no number of half-moves"));
        };
        let mut state = State { kinds: [0; 4], sides: [0; 2], quiet, mover, end: End::Not };
        for (square, &c) in board.iter().enumerate() {
            let upper = if c.eq_ignore_ascii_case(&'c') { 'R' } else { c.to_ascii_uppercase() };
            if let Some(kind) = LETTERS.iter().position(|&letter| letter == upper) {
                state.kinds[kind] |= 1 << square;
                state.sides[usize::from(c.is_ascii_lowercase())] |= 1 << square;
            }
        }
        if let Some(fault) = self.fault(&state) {
            return bad_position(text, fault);
        }
        state.end = self.end(&state);
        Ok(state)
    }

    #[inline]
    fn action_key(&self, _: &State, player: Player, mv: Move) -> u64 {
        let (from, to) = squares(mv);
        u64::from((from * SQUARES as u32 + to) * 2 + u32::from(player.0 & 1))
    }

    fn scene(&self) -> Scene {
        GRID.scene(self, Painter::Checkered, &pieces())
    }

    fn view(&self, state: &State, _: Option<Player>) -> scene::View {
        GRID.view(self, state, &pieces(), |square| state.at(square))
    }

    fn move_sites(&self, mv: Move) -> MoveSites {
        let (from, to) = squares(mv);
        MoveSites { from: Some(from as usize), to: Some(to as usize) }
    }

    fn action_space(&self) -> ActionSpace {
        ActionSpace::dense((SQUARES * SQUARES) as u32)
    }

    fn actions(&self, legal: &[Move], out: &mut Vec<u32>) {
        out.extend(legal.iter().map(|&mv| {
            let (from, to) = squares(mv);
            from * SQUARES as u32 + to
        }));
    }

    fn encoding(&self) -> Encoding {
        GRID.encoding(&[
            "own pawns",
            "own rooks",
            "own queens",
            "own king",
            "other pawns",
            "other rooks",
            "other queens",
            "other king",
            "own pieces are white",
            "to move",
            "quiet half-moves",
        ])
    }

    fn encode(&self, view: &View<'_, Self>, out: &mut encode::Features) {
        let Some(state) = view.state() else { return };
        let seat = view.seat().index() & 1;
        for (block, side) in [state.sides[seat], state.sides[seat ^ 1]].into_iter().enumerate() {
            for (kind, set) in state.kinds.iter().enumerate() {
                GRID.plane((block * 4 + kind) as u32, (set & side).into(), out);
            }
        }
        if seat == 0 {
            GRID.plane(8, BOARD.into(), out);
        }
        if usize::from(state.mover) == seat {
            GRID.plane(9, BOARD.into(), out);
        }
        let quiet = f32::from(state.quiet) / f32::from(self.quiet);
        out.extend((0..SQUARES as u32).map(|square| (10 * SQUARES as u32 + square, quiet)));
    }

    fn draw(&self, state: &State, _: Option<Player>) -> String {
        let mover = self.info.player(Player(state.mover));
        let what = match state.end {
            End::Not => "to move",
            End::Lost => "has lost its king",
            End::Draw => "to move, but the game is a draw",
        };
        format!("{}{mover} {what}\n", GRID.draw(|square| state.at(square)))
    }

    fn terms(&self) -> &[&'static str] {
        &["standing", "material", "mobility"]
    }

    /// `material`: pieces in pawns' worth, of all at the start; `mobility`: moves, were it the
    /// player's turn; `standing`: both, a move worth a tenth of a pawn.
    fn evaluate(&self, state: &State, player: Player, out: &mut [f32]) {
        self.evaluate_some(state, player, &[true; 3], out);
    }

    fn evaluate_some(&self, state: &State, player: Player, wanted: &[bool], out: &mut [f32]) {
        let p = usize::from(player.0 & 1);
        let [standing, material, mobility, ..] = out else { return };
        let wants = |term: usize| wanted.get(term).copied().unwrap_or(false);
        let worth = |side: usize| -> f32 {
            let count = |kind: &u32| (kind & state.sides[side]).count_ones() as f32;
            state.kinds.iter().zip(WORTH).map(|(kind, worth)| count(kind) * worth).sum()
        };
        let reach = |side: usize| {
            let each = indices(state.sides[side].into());
            each.map(|from| self.targets(state, side, from).count_ones()).sum::<u32>() as f32
        };
        let pawns = worth(p) - worth(p ^ 1);
        let moves = if wants(0) || wants(2) { reach(p) - reach(p ^ 1) } else { 0.0 };
        *material = (pawns / MOST_WORTH).clamp(-1.0, 1.0);
        *mobility = (moves / 40.0).clamp(-1.0, 1.0);
        *standing = ((pawns + MOVE * moves) / (MOST_WORTH + MOVE * 40.0)).clamp(-1.0, 1.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_core::testkit::conform;

    fn game(name: &str) -> Minichess {
        Minichess::new(&name.parse().unwrap()).unwrap()
    }

    #[test]
    fn conforms() {
        for name in ["minichess", "minichess(quiet=8)", "minichess(promotion=none)"] {
            conform(&game(name));
        }
    }

    #[test]
    fn the_start_is_the_text_at_the_top() {
        let game = game("minichess");
        assert_eq!(game.position(&game.start()), START);
        assert_eq!(game.parse_position(START).unwrap(), game.start());
        assert_eq!(game.parse_position("cqkc/pppp/4/PPPP/CQKC w").unwrap(), game.start());
    }

    fn moves(game: &Minichess, position: &str) -> Vec<String> {
        let state = game.parse_position(position).unwrap();
        let mut out = Vec::new();
        game.moves(&state, Player(state.mover), &mut out);
        let mut texts: Vec<_> = out.iter().map(|&mv| game.move_text(mv)).collect();
        texts.sort();
        texts
    }

    #[test]
    fn pieces_move_as_in_chess() {
        let game = game("minichess");
        assert_eq!(
            moves(&game, "3k/4/1Q2/4/K3 w"),
            [
                "a1a2", "a1b1", "a1b2", "b3a2", "b3a3", "b3a4", "b3b1", "b3b2", "b3b4", "b3b5",
                "b3c2", "b3c3", "b3c4", "b3d1", "b3d3", "b3d5"
            ]
        );
        assert_eq!(
            moves(&game, "3k/4/1p2/P1P1/2KR w"),
            [
                "a2a3", "a2b3", "c1b1", "c1b2", "c1d2", "c2b3", "c2c3", "d1d2", "d1d3", "d1d4",
                "d1d5"
            ]
        );
        assert_eq!(moves(&game, "k3/p3/P3/4/K3 b"), ["a5b4", "a5b5"]);
    }

    #[test]
    fn a_pawn_becomes_a_queen_or_stays() {
        for (name, after) in
            [("minichess", "Q3/4/4/4/K2k b 0"), ("minichess(promotion=none)", "P3/4/4/4/K2k b 0")]
        {
            let game = game(name);
            let mut state = game.parse_position("4/P3/4/4/K2k w 3").unwrap();
            let mv = game.parse_move(&state, Player(0), "a4a5").unwrap();
            game.apply(&mut state, &[mv]);
            assert_eq!(game.position(&state), after);
        }
    }

    #[test]
    fn stuck_and_quiet_games_are_draws_and_a_taken_king_is_lost() {
        let game = game("minichess");
        let result = |position: &str| {
            let state = game.parse_position(position).unwrap();
            let mut out = [0.0; 2];
            game.payoffs(&state, &mut out);
            (game.is_over(&state), out)
        };
        assert_eq!(result("k3/4/4/4/K3 w 50"), (true, [0.5, 0.5]));
        assert!(!result("k3/4/4/4/K3 w 49").0);
        let stuck = self::game("minichess(promotion=none)");
        let state = stuck.parse_position("4/4/4/pp2/kp1K b 0").unwrap();
        assert_eq!(stuck.turn(&state), Turn::Over);
        assert_eq!(result("4/4/4/4/K3 b 0"), (true, [1.0, 0.0]));
        assert_eq!(result("k3/4/4/4/4 w 0"), (true, [0.0, 1.0]));
    }

    #[test]
    fn impossible_positions_are_refused() {
        let game = game("minichess");
        for (text, reason) in [
            ("rqkr/pppp/4/PPPP/RQKR", "expected the form"),
            ("rqkr/pppp/4/PPPP/RQKR x", "w or b"),
            ("rqkr/pppp/4/PPPP/RQKR w -1", "half-moves"),
            ("rqkr/pppp/4/PPPP/RQKR w 51", "draw after 50"),
            ("rqkk/pppp/4/PPPP/RQKR w", "2 kings"),
            ("rqkr/pppp/4/PPPP/RQ1R b", "no king"),
            ("4/4/4/4/4 w", "no king"),
            ("rqkr/pppp/p3/PPPP/RQKR w", "more pieces"),
            ("qqkr/pppp/4/PPPP/RQKR w", "more pieces"),
            ("rqkr/pppp/4/1PPP/PQKR w", "behind"),
            ("Pqkr/pppp/4/1PPP/RQKR w", "would be a queen"),
            ("rqkr/ppp1/4/PPPP/RQKRR w", "more than 4 squares"),
        ] {
            let error = game.parse_position(text).unwrap_err().to_string();
            assert!(error.contains(reason), "{text}: {error}");
        }
    }

    #[test]
    fn terms_count_pawns_and_moves() {
        let game = game("minichess");
        // White: a castle with seven moves, a king with three. Black: a king with three, a pawn with one.
        let state = game.parse_position("3k/p3/4/1R2/3K w 0").unwrap();
        let mut values = [0.0; 3];
        game.evaluate(&state, Player(0), &mut values);
        let close = |found: f32, wanted: f32| assert!((found - wanted).abs() < 1e-6, "{values:?}");
        close(values[1], 4.0 / 23.0);
        close(values[2], (7.0 + 3.0 - 3.0 - 1.0) / 40.0);
        close(values[0], (4.0 + 0.6) / 27.0);
    }
}
