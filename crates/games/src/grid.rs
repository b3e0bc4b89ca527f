//! Boards of squares as text: names of squares, rows of a position, a drawing for people.

use crate::bits::indices;
use ludex_core::encode::{Encoding, Features};
use ludex_core::scene::{Painter, Piece, Placed, Scene, View};
use ludex_core::{Error, Game, Result, Turn};
use std::fmt::Write;

/// A position error of the text that a person gave.
pub(crate) fn bad_position<T>(text: &str, reason: impl Into<String>) -> Result<T> {
    Err(Error::BadPosition { text: text.to_string(), reason: reason.into() })
}

/// The letter of a column: 0 is `a`; `?` behind `z`.
pub(crate) fn letter(column: u32) -> char {
    u8::try_from(column).ok().filter(|&c| c < 26).map_or('?', |c| char::from(b'a' + c))
}

/// A rectangle of squares; the square in column `c` and row `r` (both from 0, row 0 at the
/// bottom) has the index `r * columns + c`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Grid {
    pub(crate) columns: u32,
    pub(crate) rows: u32,
}

impl Grid {
    /// A square's name: `a1` is the one at the lower left.
    pub(crate) fn square(self, index: u32) -> String {
        format!("{}{}", letter(index % self.columns), index / self.columns + 1)
    }

    /// Reads rows from the top down, parted by `/`; a number stands for so many empty squares,
    /// `.` for one. Gives the character of each square by its index, `.` where it is empty; only
    /// `pieces` may stand on the others.
    pub(crate) fn read(self, text: &str, pieces: &str) -> Result<Vec<char>, String> {
        let lines: Vec<&str> = text.split('/').collect();
        if lines.len() != self.rows as usize {
            return Err(format!("{} rows parted by `/`, not {}", self.rows, lines.len()));
        }
        let mut squares = Vec::new();
        for (i, line) in lines.iter().enumerate().rev() {
            let from = squares.len();
            let mut run: Option<u32> = None;
            for c in line.chars() {
                if let Some(digit) = c.to_digit(10) {
                    // Runs longer than a row are refused below; saturate rather than overflow.
                    let longer = run.unwrap_or(0).saturating_mul(10).saturating_add(digit);
                    run = Some(longer.min(self.columns + 1));
                    continue;
                }
                squares.extend((0..run.take().unwrap_or(0)).map(|_| '.'));
                if c != '.' && !pieces.contains(c) {
                    return Err(format!(
                        "`{c}` in row {} is none of {} . and numbers",
                        self.rows as usize - i,
                        pieces.chars().map(|p| p.to_string()).collect::<Vec<_>>().join(" ")
                    ));
                }
                squares.push(c);
            }
            squares.extend((0..run.unwrap_or(0)).map(|_| '.'));
            let width = squares.len() - from;
            if width != self.columns as usize {
                let row = self.rows as usize - i;
                let columns = self.columns;
                return Err(if width > columns as usize {
                    format!("row {row} has more than {columns} squares")
                } else {
                    format!("row {row} has {width} squares, not {columns}")
                });
            }
        }
        Ok(squares)
    }

    /// Reads `ROWS MOVER`: the squares of each of two kinds of pieces (bit `row * columns + column`), and the number of the
    /// player to move. `pieces` has the letter of each player's pieces, which also names the mover.
    pub(crate) fn read_turn(self, text: &str, pieces: &str) -> Result<([u64; 2], usize)> {
        let mut words = text.split_whitespace();
        let (board, mover) = match (words.next(), words.next(), words.next()) {
            (Some(board), Some(mover), None) => (board, mover),
            _ => ("", ""),
        };
        let players: Vec<char> = pieces.chars().collect();
        let [first, second] = players[..] else { return bad_position(text, "no pieces") };
        let Some(mover) = players.iter().position(|player| mover == player.to_string()) else {
            let reason = format!("expected `ROWS MOVER`, MOVER {first} or {second}");
            return bad_position(text, reason);
        };
        let squares = match self.read(board, pieces) {
            Ok(squares) => squares,
            Err(reason) => return bad_position(text, reason),
        };
        let set = |piece| {
            let squares = squares.iter().zip(0..).filter(|&(&c, _)| c == piece);
            squares.fold(0u64, |set, (_, square)| set | 1 << square)
        };
        Ok(([set(first), set(second)], mover))
    }

    /// Writes what [`read`](Grid::read) reads; `at` gives each square's character, `.` for empty.
    pub(crate) fn write(self, at: impl Fn(u32) -> char) -> String {
        let mut text = String::new();
        for row in (0..self.rows).rev() {
            let mut run = 0;
            for column in 0..self.columns {
                match at(row * self.columns + column) {
                    '.' => run += 1,
                    c => {
                        if run > 0 {
                            let _ = write!(text, "{run}");
                        }
                        run = 0;
                        text.push(c);
                    }
                }
            }
            if run > 0 {
                let _ = write!(text, "{run}");
            }
            if row > 0 {
                text.push('/');
            }
        }
        text
    }

    /// The scene of a game on this board. `pieces` lists the kinds of pieces with the characters that [`view`](Grid::view)
    /// finds on the squares.
    pub(crate) fn scene(
        self,
        game: &impl Game,
        painter: Painter,
        pieces: &[(char, Piece)],
    ) -> Scene {
        Scene {
            pieces: pieces.iter().map(|(_, piece)| piece.clone()).collect(),
            ..Scene::grid(self.columns, self.rows, painter).with_players(&game.info().players)
        }
    }

    /// Writes the squares of a set (bit `row * columns + column`) into a plane of an observation.
    #[inline]
    pub(crate) fn plane(self, plane: u32, set: u64, out: &mut Features) {
        let first = plane * self.columns * self.rows;
        out.extend(indices(set).map(|square| (first + square, 1.0)));
    }

    /// The layout of an observation of planes over this board.
    pub(crate) fn encoding(self, planes: &[&str]) -> Encoding {
        Encoding::planes(self.rows as usize, self.columns as usize, planes)
    }

    /// A position in the pieces of [`scene`](Grid::scene); `at` gives each square's character.
    pub(crate) fn view<G: Game>(
        self,
        game: &G,
        state: &G::State,
        pieces: &[(char, Piece)],
        at: impl Fn(u32) -> char,
    ) -> View {
        let kind = |square: u32| pieces.iter().position(|(letter, _)| *letter == at(square));
        let placed = |square| kind(square).map(|kind| Placed::new(square as usize, kind));
        let turn = game.turn(state);
        View {
            pieces: (0..self.columns * self.rows).filter_map(placed).collect(),
            movers: turn.movers().iter().map(|player| player.0).collect(),
            over: turn == Turn::Over,
            ..View::default()
        }
    }

    /// The board with the names of rows and columns.
    pub(crate) fn draw(self, at: impl Fn(u32) -> char) -> String {
        let mut text = String::new();
        for row in (0..self.rows).rev() {
            let _ = write!(text, "{:>2} ", row + 1);
            for column in 0..self.columns {
                let _ = write!(text, " {}", at(row * self.columns + column));
            }
            text.push('\n');
        }
        text.push_str("   ");
        for column in 0..self.columns {
            let _ = write!(text, " {}", letter(column));
        }
        text.push('\n');
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRID: Grid = Grid { columns: 12, rows: 2 };

    #[test]
    fn rows_read_back() {
        let squares = GRID.read("x10o/..9x", "xo").unwrap();
        assert_eq!(squares.len(), 24);
        assert_eq!((squares[11], squares[12], squares[23]), ('x', 'x', 'o'));
        assert_eq!(GRID.write(|i| squares[i as usize]), "x10o/11x");
    }

    #[test]
    fn bad_rows_are_refused_with_the_row() {
        for (text, reason) in [
            ("12", "2 rows"),
            ("12/12/12", "2 rows"),
            ("11/12", "row 2 has 11 squares"),
            ("12/99999999999999999999", "row 1 has more than 12"),
            ("12/11z", "`z` in row 1"),
            ("12/١1", "`١` in row 1"),
        ] {
            let error = GRID.read(text, "xo").unwrap_err();
            assert!(error.contains(reason), "{text}: {error}");
        }
    }
}
