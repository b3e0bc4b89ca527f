//! UCB1-Tuned: exploration by the variance of the payoffs.

use super::{Column, Lesson, Select, best_by};
use crate::search::tree::{Family, Id, Tree};

/// Chooses the child with the largest `mean + c * sqrt(ln N / n * min(1/4, V))`, where
/// `V = mean of squares - square of mean + sqrt(2 ln N / n)` bounds the variance (Auer,
/// Cesa-Bianchi, Fischer 2002, section 4; `c` is 1 there).
#[derive(Debug, Clone)]
pub struct Tuned {
    c: f32,
    /// By slot: the mean of the squared payoffs.
    squares: Column<f32>,
}

impl Tuned {
    /// With the exploration constant `c`.
    pub fn new(c: f32) -> Self {
        Tuned { c, squares: Column::new(0.0) }
    }
}

impl Select for Tuned {
    const KEYED: bool = false;

    fn best(&mut self, tree: &Tree, id: Id, family: Family) -> Id {
        let log = (tree.visits(id).max(1) as f32).ln();
        best_by(tree, family, |child| {
            let (mean, visits) = (tree.mean(child), tree.visits(child));
            if visits == 0 {
                return mean;
            }
            let rate = log / visits as f32;
            let variance = (self.squares.get(child) - mean * mean).max(0.0) + (2.0 * rate).sqrt();
            mean + self.c * (rate * variance.min(0.25)).sqrt()
        })
    }

    fn learn(&mut self, tree: &Tree, lesson: Lesson<'_>) {
        for step in lesson.path {
            let payoff = lesson.payoffs[step.chooser as usize];
            let share = lesson.weight as f32 / tree.visits(step.slot).max(1) as f32;
            let square = self.squares.at(tree, step.slot);
            *square += (payoff * payoff - *square) * share.min(1.0);
        }
    }

    fn moved(&mut self, tree: &Tree, new_of: &[(Id, Id)]) {
        self.squares.moved(tree, new_of);
    }
}
