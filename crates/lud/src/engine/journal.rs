//! Look-ahead by apply and undo: what a change of the state replaces is written down, and written back in reverse.
//!
//! Sites, stacks, places on tracks and levels are many and few of them change, so each change is written down. Scalars,
//! numbers and short lists are copied when a look-ahead begins, and so is all of a small board: a copy costs less than
//! a few changes that are written down and back.

use super::context::Context;
use super::equipment::Equipment;
use super::rules::Rules;
use super::state::{Cell, Scalars, State};

/// The old value of a part of the state that a change replaced.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Undo {
    /// The top of a site, and its number in [`State::order`].
    Cell { site: usize, cell: Cell, order: u32 },
    /// A piece was put under the top of a stack, on the highest level there.
    Pushed(usize),
    /// The highest level under the top of a stack was taken.
    Popped(usize, Cell),
    /// A piece was put on a level under the top.
    Inserted(usize, usize),
    /// A piece was taken from a level under the top.
    Removed(usize, usize, Cell),
    /// A piece on a level under the top was another.
    Level(usize, usize, Cell),
    /// The stacks under the tops of two sites changed places.
    Swapped(usize, usize),
    /// The number of pieces on a place of a track, see [`State::places`].
    Place(usize, i16),
    /// A value that a piece left behind, see [`State::left_values`].
    LeftValue(usize, i16),
    /// How many times more a site is listed, see [`State::relisted`].
    Relisted(usize, u8),
}

/// The changes since the outermost look-ahead began, oldest first. Outside of look-aheads nothing is written down.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Journal {
    /// How deep one look-ahead is inside another.
    depth: usize,
    /// Are changes written down?
    notes: bool,
    changes: Vec<Undo>,
}

impl Journal {
    /// Writes a change down if it may be taken back.
    #[inline]
    pub(crate) fn note(&mut self, change: impl FnOnce() -> Undo) {
        if self.notes {
            self.changes.push(change());
        }
    }
}

/// The parts of a state that are copied when a look-ahead begins.
#[derive(Debug, Default)]
pub(crate) struct Mark {
    /// The length of the journal.
    changes: usize,
    /// The number of the state, see [`Known`](super::once::Known).
    now: u64,
    /// The board, where it is small.
    cells: Vec<Cell>,
    scalars: Scalars,
    key: u64,
    waits: u64,
    numbers: Vec<i32>,
    rank: Vec<f32>,
    /// The bits, where the board is small or large pieces cover sites.
    bits: Vec<u64>,
    pending: Vec<i32>,
    visited: Vec<i32>,
    to_clear: Vec<i32>,
    tape: Vec<i32>,
    touched: [Vec<i32>; 3],
    remembered: Vec<Vec<i32>>,
    hidden: Vec<u64>,
    /// The numbers of earlier positions. They only grow, unless those of a turn are forgotten after it.
    known: (usize, usize),
    /// The earlier positions, where they may be forgotten.
    history: super::past::Set,
}

/// Copies a list that is nearly always empty.
#[inline]
fn copy<T: Clone>(to: &mut Vec<T>, from: &Vec<T>) {
    if !(from.is_empty() && to.is_empty()) {
        to.clone_from(from);
    }
}

/// Copies a list that nearly always has the same length.
#[inline]
fn copy_all<T: Copy>(to: &mut Vec<T>, from: &[T]) {
    if to.len() == from.len() {
        to.copy_from_slice(from);
    } else {
        to.clear();
        to.extend_from_slice(from);
    }
}

/// The most sites of a board that is copied.
const SMALL: usize = 64;

/// Is a whole board copied when a look-ahead begins?
#[inline]
fn is_small(state: &State) -> bool {
    let flat = state.under.is_empty() && state.places.is_empty() && state.order.is_empty();
    state.cells.len() <= SMALL && flat && state.left_values.is_empty()
}

impl Mark {
    fn save(&mut self, equipment: &Equipment, rules: &Rules, state: &State) {
        self.changes = state.journal.changes.len();
        self.scalars = state.s;
        (self.key, self.waits) = (state.key, state.waits);
        copy_all(&mut self.numbers, &state.numbers);
        copy_all(&mut self.rank, &state.rank);
        let small = is_small(state);
        if small {
            copy_all(&mut self.cells, &state.cells);
        }
        if small || equipment.large.is_some() {
            copy_all(&mut self.bits, &state.bits);
        }
        copy(&mut self.pending, &state.pending);
        copy(&mut self.visited, &state.visited);
        copy(&mut self.to_clear, &state.to_clear);
        copy(&mut self.tape, &state.tape);
        for (mine, theirs) in self.touched.iter_mut().zip(&state.touched) {
            copy(mine, theirs);
        }
        copy(&mut self.remembered, &state.remembered);
        copy(&mut self.hidden, &state.hidden);
        self.known = (state.history.len(), state.trail.len());
        if rules.forgets() {
            self.history.clone_from(&state.history);
        }
    }

    fn restore(&mut self, equipment: &Equipment, rules: &Rules, state: &mut State) {
        while state.journal.changes.len() > self.changes
            && let Some(change) = state.journal.changes.pop()
        {
            take_back(equipment, rules, state, change);
        }
        state.s = self.scalars;
        (state.key, state.waits) = (self.key, self.waits);
        std::mem::swap(&mut state.numbers, &mut self.numbers);
        std::mem::swap(&mut state.rank, &mut self.rank);
        let small = is_small(state);
        if small {
            std::mem::swap(&mut state.cells, &mut self.cells);
        }
        if small || equipment.large.is_some() {
            std::mem::swap(&mut state.bits, &mut self.bits);
        }
        copy(&mut state.pending, &self.pending);
        copy(&mut state.visited, &self.visited);
        copy(&mut state.to_clear, &self.to_clear);
        copy(&mut state.tape, &self.tape);
        for (theirs, mine) in state.touched.iter_mut().zip(&self.touched) {
            copy(theirs, mine);
        }
        copy(&mut state.remembered, &self.remembered);
        copy(&mut state.hidden, &self.hidden);
        if rules.forgets() {
            std::mem::swap(&mut state.history, &mut self.history);
        }
        state.history.truncate(self.known.0);
        state.trail.truncate(self.known.1);
    }
}

/// Begins a look-ahead.
pub(crate) fn begin(c: &mut Context<'_>) {
    let depth = c.state.journal.depth;
    let marks = &mut c.pad.marks;
    if marks.len() <= depth {
        marks.resize_with(depth + 1, Mark::default);
    }
    if let Some(mark) = marks.get_mut(depth) {
        mark.now = c.pad.known.now();
        mark.save(c.equipment, c.rules, c.state);
    }
    c.state.journal.depth += 1;
    c.state.journal.notes = !is_small(c.state);
}

/// Ends a look-ahead and takes its changes back.
pub(crate) fn roll_back(c: &mut Context<'_>) {
    let depth = c.state.journal.depth.saturating_sub(1);
    c.state.journal.depth = depth;
    c.state.journal.notes &= depth > 0;
    if let Some(mark) = c.pad.marks.get_mut(depth) {
        mark.restore(c.equipment, c.rules, c.state);
        c.pad.known.back(mark.now);
    }
}

/// Ends a look-ahead whose changes stay.
pub(crate) fn keep(c: &mut Context<'_>) {
    let journal = &mut c.state.journal;
    journal.depth = journal.depth.saturating_sub(1);
    if journal.depth == 0 {
        journal.notes = false;
        journal.changes.clear();
    }
}

fn take_back(equipment: &Equipment, rules: &Rules, state: &mut State, change: Undo) {
    match change {
        Undo::Cell { site, cell, order } => {
            let block = |what: u16| match what {
                0 => 0,
                what => {
                    1 + equipment.owners.get(usize::from(what)).map_or(0, |&owner| owner.into())
                }
            };
            let now = std::mem::replace(&mut state.cells[site], cell);
            if now.what != cell.what {
                let (words, bit) = (rules.layout.words, 1u64 << (site & 63));
                state.bits[words * block(now.what) + (site >> 6)] &= !bit;
                state.bits[words * block(cell.what) + (site >> 6)] |= bit;
            }
            if let Some(number) = state.order.get_mut(site) {
                *number = order;
            }
        }
        Undo::Pushed(site) => drop(state.under[site].pop()),
        Undo::Popped(site, cell) => state.under[site].push(cell),
        Undo::Inserted(site, level) => drop(state.under[site].remove(level)),
        Undo::Removed(site, level, cell) => state.under[site].insert(level, cell),
        Undo::Level(site, level, cell) => state.under[site][level] = cell,
        Undo::Swapped(one, other) => state.under.swap(one, other),
        Undo::Place(at, many) => state.places[at] = many,
        Undo::LeftValue(at, value) => state.left_values[at] = value,
        Undo::Relisted(at, times) => state.relisted[at] = times,
    }
}
