//! Positions, and the buffers in which a thread lists their moves.

use std::cell::RefCell;
use std::sync::atomic::{AtomicU64, Ordering};

use ludex_core::deadline;

use crate::code;
use crate::engine::{Head, Lud, Moves, Pad, State};

/// A position of a [`LudGame`](super::LudGame).
#[derive(Debug)]
pub struct Position {
    /// The state of the engine.
    pub state: State,
    /// Must dice be thrown?
    pub(super) roll: bool,
    /// The range of the number that chance has to draw before the move that waits can be made.
    pub(super) draw: Option<(i32, i32)>,
    /// A number that no other position has, unless it is a copy.
    pub(super) stamp: u64,
}

impl Clone for Position {
    fn clone(&self) -> Position {
        Position { state: self.state.clone(), ..*self }
    }

    // A derived one would take new memory.
    fn clone_from(&mut self, other: &Position) {
        self.state.clone_from(&other.state);
        (self.roll, self.draw, self.stamp) = (other.roll, other.draw, other.stamp);
    }
}

/// The buffers that a thread needs to list moves, used again and again.
#[derive(Default)]
pub(super) struct Desk {
    pub(super) pad: Pad,
    pub(super) scratch: State,
    pub(super) lists: Vec<List>,
    /// Moves while they are packed.
    sorted: Vec<(u64, u32)>,
    /// The large list: there is one at most, because a list may have a hundred thousand moves.
    large: usize,
    /// The moves of a playout.
    pub(super) moves: Moves,
    /// The moves of a turn, one of each player.
    pub(super) joint: Vec<Head>,
    /// Stamps that this thread may give out.
    stamps: std::ops::Range<u64>,
}

/// The legal moves of a position.
#[derive(Default)]
pub(super) struct List {
    stamp: u64,
    pub(super) moves: Moves,
    pub(super) codes: Vec<u64>,
    pub(super) places: Vec<u32>,
}

impl List {
    /// The moves of a player where all players choose at the same time, with their codes. Where there is no other, it is a pass.
    pub(super) fn codes_of(&self, player: usize) -> impl Iterator<Item = (u64, Head)> {
        let heads = self
            .codes
            .iter()
            .zip(&self.places)
            .filter_map(|(&code, &place)| Some((code, *self.moves.heads.get(place as usize)?)));
        heads.filter(move |(_, head)| usize::from(head.mover) == player)
    }
}

/// Lists that a thread remembers.
pub(super) const LISTS: usize = 64;

/// A list with more moves is large.
const LARGE: usize = 4096;

static STAMPS: AtomicU64 = AtomicU64::new(1);

thread_local! {
    pub(super) static DESK: RefCell<Desk> = RefCell::default();
}

impl Desk {
    pub(super) fn stamp(&mut self) -> u64 {
        if self.stamps.is_empty() {
            let first = STAMPS.fetch_add(1 << 20, Ordering::Relaxed);
            self.stamps = first..first + (1 << 20);
        }
        self.stamps.next().unwrap_or(0)
    }

    /// The legal moves of a position, worked out where they are not remembered. False where dice
    /// must be thrown first.
    pub(super) fn list(&mut self, lud: &Lud, position: &Position) -> bool {
        self.lists.resize_with(LISTS, List::default);
        let at = (position.stamp as usize) % LISTS;
        let list = &mut self.lists[at];
        if list.stamp == position.stamp {
            return true;
        }
        self.scratch.clone_from(&position.state);
        list.stamp = 0;
        if lud.legal(&mut self.scratch, &mut self.pad, &mut list.moves) {
            return false;
        }
        code::encode(&list.moves, &mut self.sorted, &mut list.codes, &mut list.places);
        // Questions that the deadline cut short make a list that must not be remembered.
        if !deadline::expired() {
            list.stamp = position.stamp;
        }
        if list.moves.heads.len() > LARGE {
            let before = std::mem::replace(&mut self.large, at);
            if before != at {
                self.lists[before] = List::default();
            }
        }
        true
    }
}
