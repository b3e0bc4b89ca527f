//! Moves in the words of other protocols: `e7e8q` for UCI, `D4` and `pass` for GTP. The words follow from the game's own
//! drawing: the labels of its sites, and the sites of its moves.

use ludex_core::scene::{ContainerKind, Scene};
use ludex_core::{AnyGame, AnyState, Error, Game, Move, Player, Result};

/// The labels of a board of squares or crossings.
#[derive(Debug, Clone)]
pub struct Squares {
    labels: Vec<String>,
    columns: usize,
    rows: usize,
}

/// A move in parts.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Word {
    /// From a square to a square.
    Go(String),
    /// A stone on a square.
    Place(String),
    /// The piece that a pawn becomes, as a letter.
    Become(char),
    Pass,
    Other,
}

impl Squares {
    /// The squares of a game.
    ///
    /// # Errors
    /// The board is no grid with a letter for each column and a number for each row.
    pub fn of(game: &AnyGame) -> Result<Squares> {
        let scene = game.scene();
        let places = scene.sites.iter().filter(|site| on_board(&scene, site.container));
        let parsed: Option<Vec<(usize, usize)>> = places.map(|site| place(&site.label)).collect();
        let fault = || {
            let name = &game.info().name;
            Error::Unsupported(format!("{name} has no board of squares such as a1"))
        };
        let parsed = parsed.filter(|list| !list.is_empty()).ok_or_else(fault)?;
        let columns = parsed.iter().map(|place| place.0).max().unwrap_or(0) + 1;
        let rows = parsed.iter().map(|place| place.1).max().unwrap_or(0) + 1;
        if parsed.len() != columns * rows || columns > 25 {
            return Err(fault());
        }
        let labels = scene.sites.iter().map(|site| site.label.to_lowercase()).collect();
        Ok(Squares { labels, columns, rows })
    }

    /// The number of columns and rows.
    pub fn size(&self) -> (usize, usize) {
        (self.columns, self.rows)
    }

    fn word(&self, game: &AnyGame, mv: Move) -> Word {
        let sites = game.move_sites(mv);
        let label = |site: Option<usize>| site.and_then(|site| self.labels.get(site)).cloned();
        let text = game.move_text(mv).to_lowercase();
        match (label(sites.from), label(sites.to)) {
            (Some(from), Some(to)) => Word::Go(format!("{from}{to}")),
            (None, Some(to)) => match text.split_once('=') {
                Some((_, piece)) => Word::Become(letter(piece)),
                None => Word::Place(to),
            },
            _ if text == "pass" => Word::Pass,
            _ => Word::Other,
        }
    }

    /// A game so far in the words of UCI. A pawn's promotion is a step of its own with us, and a letter there.
    pub fn uci_line(&self, game: &AnyGame, moves: &[Move]) -> Vec<String> {
        let mut line: Vec<String> = Vec::new();
        for &mv in moves {
            match self.word(game, mv) {
                Word::Go(text) | Word::Place(text) => line.push(text),
                Word::Become(letter) => {
                    line.iter_mut().next_back().into_iter().for_each(|l| l.push(letter))
                }
                Word::Pass => line.push("0000".into()),
                Word::Other => line.push("?".into()),
            }
        }
        line
    }

    /// The legal move that a word of UCI means, and the letter of a promotion that has to follow.
    pub fn from_uci(
        &self,
        game: &AnyGame,
        legal: &[Move],
        text: &str,
    ) -> Option<(Move, Option<char>)> {
        let text = text.trim().to_lowercase();
        let find = |wanted: &str| {
            let same = |mv: &&Move| match self.word(game, **mv) {
                Word::Go(text) | Word::Place(text) => text == wanted,
                Word::Pass => wanted == "0000",
                Word::Become(_) | Word::Other => false,
            };
            legal.iter().find(same).copied()
        };
        find(&text).map(|mv| (mv, None)).or_else(|| {
            let promotion = text.chars().last().filter(char::is_ascii_alphabetic)?;
            let shorter = text.strip_suffix(promotion)?;
            find(shorter).map(|mv| (mv, Some(promotion)))
        })
    }

    /// The legal move that makes a pawn into the piece of a letter.
    pub fn promotion(&self, game: &AnyGame, legal: &[Move], letter: char) -> Option<Move> {
        legal.iter().find(|&&mv| self.word(game, mv) == Word::Become(letter)).copied()
    }

    /// A move in the words of GTP. Go leaves out the letter I; other games may not.
    pub fn to_gtp(&self, game: &AnyGame, mv: Move, skip_i: bool) -> Option<String> {
        match self.word(game, mv) {
            Word::Pass => Some("pass".into()),
            Word::Place(label) => {
                let (column, row) = place(&label)?;
                let column = column as u8;
                let letter = b'A' + column + u8::from(skip_i && column >= b'I' - b'A');
                Some(format!("{}{}", char::from(letter), row + 1))
            }
            Word::Go(_) | Word::Become(_) | Word::Other => None,
        }
    }

    /// The legal move that a word of GTP means.
    pub fn from_gtp(
        &self,
        game: &AnyGame,
        legal: &[Move],
        text: &str,
        skip_i: bool,
    ) -> Option<Move> {
        let same = |mv: &&Move| {
            self.to_gtp(game, **mv, skip_i)
                .is_some_and(|word| word.eq_ignore_ascii_case(text.trim()))
        };
        legal.iter().find(same).copied()
    }

    /// A position of chess pieces in Forsyth-Edwards notation. Rights to castle and to take in passing are not part of a
    /// drawing: the notation says that there are none.
    pub fn fen(&self, game: &AnyGame, state: &AnyState) -> Option<String> {
        let (scene, view) = (game.scene(), game.view(state, None));
        let mut rows = vec![vec![None; self.columns]; self.rows];
        for placed in &view.pieces {
            let (column, row) = place(self.labels.get(placed.site)?)?;
            let kind = scene.pieces.get(placed.piece?)?;
            let letter = letter(kind.glyph.split(' ').next_back()?);
            let white = placed.owner.or(kind.owner) == Some(0);
            let letter = if white { letter.to_ascii_uppercase() } else { letter };
            *rows.get_mut(row)?.get_mut(column)? = Some(letter);
        }
        let rows: Vec<String> = rows.iter().rev().map(|row| fen_row(row)).collect();
        let mover = if game.turn(state).includes(Player(1)) { 'b' } else { 'w' };
        Some(format!("{} {mover} - - 0 1", rows.join("/")))
    }
}

/// A row of a board: letters, and numbers for empty squares.
fn fen_row(row: &[Option<char>]) -> String {
    let mut text = String::new();
    let mut empty = 0;
    for square in row {
        match square {
            None => empty += 1,
            Some(letter) => {
                if empty > 0 {
                    text.push_str(&empty.to_string());
                }
                empty = 0;
                text.push(*letter);
            }
        }
    }
    if empty > 0 {
        text.push_str(&empty.to_string());
    }
    text
}

fn on_board(scene: &Scene, container: usize) -> bool {
    scene.containers.get(container).is_none_or(|c| c.kind == ContainerKind::Board)
}

/// The letter of a chess piece: N for knights, else the first of its name.
fn letter(name: &str) -> char {
    match name {
        knight if knight.starts_with("knight") => 'n',
        other => other.chars().next().unwrap_or('?').to_ascii_lowercase(),
    }
}

/// The column and row of a label such as `c4`, counted from 0.
fn place(label: &str) -> Option<(usize, usize)> {
    let mut chars = label.chars();
    let column = chars.next().map(|c| c.to_ascii_lowercase()).filter(char::is_ascii_lowercase)?;
    let row: usize = chars.as_str().parse().ok()?;
    Some((column as usize - 'a' as usize, row.checked_sub(1)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_columns_and_rows() {
        assert_eq!(place("a1"), Some((0, 0)));
        assert_eq!(place("H12"), Some((7, 11)));
        assert_eq!(place("4,2"), None);
        assert_eq!(fen_row(&[None, None, Some('k'), None]), "2k1");
        assert_eq!((letter("knight"), letter("king")), ('n', 'k'));
    }
}
