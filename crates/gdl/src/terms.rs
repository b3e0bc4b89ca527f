//! Terms that describe a position to a heuristic, computed from any rule sheet.
//!
//! | term | a player's part of it |
//! |---|---|
//! | `material` | pieces by their value: 1 and the moves that such a piece has in random play, on average |
//! | `score` | the goal value that the rules give in the position, though the game is not over |
//! | `centre`, `corners`, `sides` | how near the pieces are to these parts of the board, on average |
//! | `advance` | how far the pieces are up the board for the first player, down for the others, on average |
//! | `line` | rows of three neighbouring squares without enemy pieces, by the square of the own pieces in them |
//! | `mobility` | the moves that the player has; players who are not to move have none |
//!
//! The names are those of ludeme descriptions. The value of a term is the player's part less the mean of the others' parts,
//! divided by the sum of both. Sheets in whose facts no board is found, and sheets that are not grounded, have `score` and
//! `mobility` alone.

use crate::scene::Layout;
use ludex_core::scene::Site;
use ludex_core::terms::{Geometry, Point, balance};
use std::cell::RefCell;

/// The names of the terms of a sheet with a board.
pub(crate) const NAMES: [&str; 8] =
    ["material", "score", "centre", "corners", "sides", "advance", "line", "mobility"];
/// The names of the terms of other sheets.
pub(crate) const PLAIN: [&str; 2] = ["score", "mobility"];

const MATERIAL: usize = 0;
const CENTRE: usize = 2;
const CORNERS: usize = 3;
const SIDES: usize = 4;
const ADVANCE: usize = 5;
const LINE: usize = 6;

/// A piece that a fact puts on the board.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Standing {
    /// The seat that it belongs to.
    pub(crate) seat: u8,
    /// The kind of the piece, which decides its value.
    pub(crate) kind: usize,
    /// The square.
    pub(crate) site: usize,
}

/// The board of a sheet, as terms see it.
#[derive(Debug)]
pub(crate) struct Board {
    /// By fact: the piece that it puts on the board.
    pieces: Vec<Option<Standing>>,
    geometry: Geometry,
    /// By kind of piece: its value.
    values: Vec<f32>,
}

thread_local! {
    /// By square: the seat whose piece stands on it, from 1; 0 where none does.
    static SEATS: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

impl Board {
    /// The board of a layout. `facts` are all facts that can hold, in the order of the bits of a state. Without pieces of at
    /// least two players there is nothing to compare.
    pub(crate) fn new(layout: &Layout, facts: &[String]) -> Option<Board> {
        let pieces: Vec<Option<Standing>> =
            facts.iter().map(|fact| layout.standing(fact)).collect();
        let owned = |seat: u8| pieces.iter().flatten().any(|piece| piece.seat == seat);
        if !(owned(0) && owned(1)) {
            return None;
        }
        let kinds = pieces.iter().flatten().map(|piece| piece.kind + 1).max().unwrap_or(0);
        let geometry = geometry(&layout.scene().sites);
        Some(Board { pieces, geometry, values: vec![1.0; kinds] })
    }

    /// The number of kinds of pieces.
    pub(crate) fn kinds(&self) -> usize {
        self.values.len()
    }

    /// Sets the value of every kind of piece.
    pub(crate) fn set_values(&mut self, values: impl Fn(usize) -> f32) {
        for (kind, value) in self.values.iter_mut().enumerate() {
            *value = values(kind);
        }
    }

    /// The pieces of a position, given as bits.
    pub(crate) fn standing<'a>(&'a self, state: &'a [u64]) -> impl Iterator<Item = Standing> + 'a {
        state.iter().enumerate().flat_map(move |(word, &bits)| {
            let mut rest = bits;
            std::iter::from_fn(move || {
                (rest != 0).then(|| {
                    let fact = word * 64 + rest.trailing_zeros() as usize;
                    rest &= rest - 1;
                    self.pieces.get(fact).copied().flatten()
                })
            })
            .flatten()
        })
    }

    /// The values of the wanted terms for a seat; `score` and `mobility` are not touched.
    pub(crate) fn evaluate(
        &self,
        state: &[u64],
        seat: usize,
        seats: usize,
        wanted: &[bool],
        out: &mut [f32],
    ) {
        let rivals = (seats as f32 - 1.0).max(1.0);
        let terms = [MATERIAL, CENTRE, CORNERS, SIDES, ADVANCE];
        for term in terms.into_iter().filter(|&term| wanted.get(term).is_some_and(|w| *w)) {
            let (mut own, mut own_pieces) = (0.0, 0.0f32);
            let (mut others, mut other_pieces) = (0.0, 0.0f32);
            for piece in self.standing(state) {
                let part = self.part(term, piece);
                let mine = usize::from(piece.seat) == seat;
                let (sum, count) = if mine {
                    (&mut own, &mut own_pieces)
                } else {
                    (&mut others, &mut other_pieces)
                };
                *sum += part;
                *count += 1.0;
            }
            // Means of places, not sums: a sum would tell the number of pieces once more.
            let value = match term {
                MATERIAL => balance(own, others / rivals),
                _ => balance(own / own_pieces.max(1.0), others / other_pieces.max(1.0)),
            };
            out.get_mut(term).into_iter().for_each(|slot| *slot = value);
        }
        if wanted.get(LINE).is_some_and(|wanted| *wanted) {
            let value = self.lines(state, seat, seats);
            out.get_mut(LINE).into_iter().for_each(|slot| *slot = value);
        }
    }

    /// The part of one piece in its player's term.
    fn part(&self, term: usize, piece: Standing) -> f32 {
        let of = |table: &[f32]| table.get(piece.site).copied().unwrap_or(0.0);
        match term {
            MATERIAL => self.values.get(piece.kind).copied().unwrap_or(1.0),
            CENTRE => of(&self.geometry.centre),
            CORNERS => of(&self.geometry.corners),
            SIDES => of(&self.geometry.sides),
            _ => self.geometry.advance(piece.site, piece.seat == 0),
        }
    }

    fn lines(&self, state: &[u64], seat: usize, seats: usize) -> f32 {
        SEATS.with_borrow_mut(|board| {
            board.clear();
            board.resize(self.geometry.height.len(), 0);
            for piece in self.standing(state) {
                board.get_mut(piece.site).into_iter().for_each(|slot| *slot = piece.seat + 1);
            }
            let part = |player: usize| {
                self.geometry.lines(|site| match board.get(site).copied().unwrap_or(0) {
                    0 => None,
                    owner => Some(usize::from(owner) == player + 1),
                })
            };
            let others: f32 = (0..seats).filter(|&other| other != seat).map(part).sum();
            balance(part(seat), others / (seats as f32 - 1.0).max(1.0))
        })
    }
}

/// The geometry of the squares of a drawing: squares at most a king's step apart are neighbours.
fn geometry(sites: &[Site]) -> Geometry {
    let points: Vec<Point> = sites.iter().map(|s| [f64::from(s.x), f64::from(s.y), 0.0]).collect();
    let near = |a: &Point, b: &Point| (a[0] - b[0]).abs() < 1.1 && (a[1] - b[1]).abs() < 1.1;
    let around: Vec<Vec<usize>> = points
        .iter()
        .enumerate()
        .map(|(i, point)| {
            let others = points.iter().enumerate();
            others.filter(|(j, other)| *j != i && near(point, other)).map(|(j, _)| j).collect()
        })
        .collect();
    let least = around.iter().map(Vec::len).min().unwrap_or(0);
    let most = around.iter().map(Vec::len).max().unwrap_or(0);
    let with = |fits: &dyn Fn(usize) -> bool| -> Vec<usize> {
        (0..points.len()).filter(|&site| fits(around[site].len())).collect()
    };
    let bound = |axis: usize, pick: fn(f64, f64) -> f64, from: f64| {
        points.iter().map(|point| point[axis]).fold(from, pick)
    };
    let middle = [0, 1, 2].map(|axis| {
        (bound(axis, f64::min, f64::INFINITY) + bound(axis, f64::max, f64::NEG_INFINITY)) / 2.0
    });
    let (corners, border) = (with(&|n| n == least), with(&|n| n < most));
    Geometry::new(&points, middle, &corners, &border, |site| &around[site])
}
