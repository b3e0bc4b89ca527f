//! How the way down the tree is chosen, one rule a file.

mod grave;
mod history;
mod tuned;
mod ucb1;

pub use grave::Grave;
pub use history::History;
pub use tuned::Tuned;
pub use ucb1::Ucb1;

use crate::search::tree::actions::Act;
use crate::search::tree::{Family, Id, Tree};

/// One step of the way down: a slot whose statistics will learn, and who chose it.
#[derive(Debug, Clone, Copy)]
pub struct Step {
    /// The slot.
    pub slot: Id,
    /// The player who chose it.
    pub chooser: u8,
    /// An arm of a joint node is no node: it has no proof.
    pub arm: bool,
}

/// One simulation, as selection rules learn from it.
#[derive(Debug, Clone, Copy)]
pub struct Lesson<'a> {
    /// The way down.
    pub path: &'a [Step],
    /// The moves of the players, first in the tree, then in the playout; empty where no part of the search reads them.
    pub acts: &'a [Act],
    /// The payoffs.
    pub payoffs: &'a [f32],
    /// How many simulations it stands for.
    pub weight: u32,
}

/// A rule that chooses a child where one player is to move.
pub trait Select: Send + 'static {
    /// Does it learn from what was done after a node, so that actions must be numbered and
    /// playouts traced?
    const KEYED: bool;

    /// A way down begins.
    fn start(&mut self) {}

    /// The child of `id` to go to.
    fn best(&mut self, tree: &Tree, id: Id, family: Family) -> Id;

    /// A simulation is over; the tree has learned from it.
    fn learn(&mut self, tree: &Tree, lesson: Lesson<'_>) {
        let _ = (tree, lesson);
    }

    /// The tree was cleared, or copied: slots got the numbers `new_of`, the rest is gone.
    fn moved(&mut self, tree: &Tree, new_of: &[(Id, Id)]) {
        let _ = (tree, new_of);
    }

    /// A move was played in the match: what was learned about other positions counts less.
    fn fade(&mut self) {}
}

/// The open child of a family with the highest score. Among equal scores the first child counts; the order of children
/// is random.
#[inline]
fn best_by(tree: &Tree, family: Family, mut score: impl FnMut(Id) -> f32) -> Id {
    let mut best = family.first();
    let mut top = f32::NEG_INFINITY;
    for child in family.ids() {
        let score = if tree.cut(child) {
            -1.0
        } else if tree.proven(child) {
            tree.mean(child)
        } else {
            score(child)
        };
        if score > top {
            (best, top) = (child, score);
        }
    }
    best
}

/// A number a slot beside the tree.
#[derive(Debug, Clone)]
struct Column<T> {
    values: Vec<T>,
    blank: T,
}

impl<T: Copy> Column<T> {
    fn new(blank: T) -> Self {
        Column { values: Vec::new(), blank }
    }

    fn get(&self, id: Id) -> T {
        self.values.get(id as usize).copied().unwrap_or(self.blank)
    }

    fn at(&mut self, tree: &Tree, id: Id) -> &mut T {
        if id as usize >= self.values.len() {
            self.values.resize(tree.len().max(id as usize + 1), self.blank);
        }
        &mut self.values[id as usize]
    }

    fn moved(&mut self, tree: &Tree, new_of: &[(Id, Id)]) {
        let mut values = vec![self.blank; tree.len()];
        for &(old, new) in new_of {
            values[new as usize] = self.get(old);
        }
        self.values = values;
    }
}
