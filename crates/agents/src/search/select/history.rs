//! Progressive History: a move with few visits borrows the mean value of its action over the whole game.

use super::{Lesson, Select, Ucb1, best_by};
use crate::search::tree::actions::{Actions, Mean};
use crate::search::tree::{Family, Id, Tree};

/// Chooses the child with the largest
/// `mean + c * sqrt(ln N / n) + history * W / ((1 - mean) * n + 1)`, where `history` is the mean
/// payoff of the action in all simulations (Nijssen and Winands 2011, "Enhancements for
/// Multi-Player Monte-Carlo Tree Search", the section on Progressive History). The bonus fades
/// with the losses of a child, not with its visits.
#[derive(Debug, Clone)]
pub struct History {
    ucb: Ucb1,
    weight: f32,
    keep: f32,
    table: Vec<Mean>,
}

impl History {
    /// With the exploration constant, the weight `W`, and the share of the history that is kept
    /// from move to move.
    pub fn new(c: f32, weight: f32, keep: f32, actions: &Actions) -> Self {
        History { ucb: Ucb1::new(c), weight, keep, table: vec![Mean::default(); actions.count()] }
    }
}

impl Select for History {
    const KEYED: bool = true;

    fn best(&mut self, tree: &Tree, id: Id, family: Family) -> Id {
        let scale = self.ucb.scale(tree.urge(id));
        best_by(tree, family, |child| {
            let history = self.table.get(tree.link(child).action as usize);
            let history = history.map_or(0.5, |mean| mean.or(0.5));
            let (mean, visits) = (tree.mean(child), tree.visits(child));
            if visits == 0 {
                // Moves that were never tried come first, the most promising one at their head.
                return mean.min(1e6) + self.weight * history;
            }
            let losses = (1.0 - mean) * visits as f32;
            mean + scale * tree.urge(child) + history * self.weight / (losses + 1.0)
        })
    }

    fn learn(&mut self, _: &Tree, lesson: Lesson<'_>) {
        for act in lesson.acts {
            if let Some(mean) = self.table.get_mut(act.action as usize) {
                mean.add(lesson.payoffs[act.player as usize]);
            }
        }
    }

    fn fade(&mut self) {
        self.table.iter_mut().for_each(|mean| mean.fade(self.keep));
    }
}
