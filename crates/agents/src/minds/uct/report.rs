//! The statistics of the root, and the move that follows from them.

use super::params::Final;
use crate::agent::{Candidate, Thought};
use crate::search::tree::joint;
use ludex_core::{Move, Rng};

/// The statistics of the root for one seat.
#[derive(Debug, Clone, Default)]
pub(super) struct Report {
    pub(super) moves: Vec<RootMove>,
    /// Do several players choose here at once?
    pub(super) joint: bool,
    /// The seat's payoff, where it is certain.
    pub(super) proof: Option<f32>,
    pub(super) nodes: u64,
    pub(super) depth: u32,
}

/// One of the seat's moves.
#[derive(Debug, Clone)]
pub(super) struct RootMove {
    pub(super) mv: Move,
    pub(super) visits: u64,
    pub(super) value: f32,
    pub(super) proven: bool,
    pub(super) cut: bool,
    /// At a joint root: its weight in the strategy.
    pub(super) share: f32,
    pub(super) line: Vec<Move>,
}

impl Report {
    /// Adds the findings of another search: visits add up, and a proof stays a proof.
    pub(super) fn add(&mut self, other: Report) {
        self.joint |= other.joint;
        self.proof = self.proof.or(other.proof);
        self.nodes += other.nodes;
        self.depth = self.depth.max(other.depth);
        for theirs in other.moves {
            let Some(mine) = self.moves.iter_mut().find(|mine| mine.mv == theirs.mv) else {
                self.moves.push(theirs);
                continue;
            };
            let total = mine.visits + theirs.visits;
            mine.value = match (mine.proven, theirs.proven) {
                (true, _) => mine.value,
                (_, true) => theirs.value,
                _ if total == 0 => 0.0,
                _ => {
                    let sum = f64::from(mine.value) * mine.visits as f64
                        + f64::from(theirs.value) * theirs.visits as f64;
                    (sum / total as f64) as f32
                }
            };
            if theirs.proven && !mine.proven || theirs.visits > mine.visits {
                mine.line = theirs.line;
            }
            mine.visits = total;
            mine.proven |= theirs.proven;
            mine.cut |= theirs.cut;
            mine.share += theirs.share;
        }
    }

    /// Puts the moves into order, the one to play first.
    ///
    /// A proven result is certain, so the best proven move is left only for one that seems worth
    /// more and was tried more often (or for any that is not lost yet, where it is lost itself).
    /// Where all is lost it is the most visited: it took the longest to refute. At a joint turn a
    /// fixed choice could be read by the others, so it is drawn from the strategy, *purified*: arms
    /// with less than a tenth of the weight of the first are left out (after Ganzfried, Sandholm,
    /// Waugh 2012, "Strategy purification and thresholding").
    pub(super) fn rank(&mut self, last: Final, rng: &mut Rng) {
        let moves = &mut self.moves;
        let secure = |m: &RootMove| f64::from(m.value) - 1.0 / (m.visits as f64).sqrt();
        // The sort is stable and siblings stand in random order: ties are broken at random.
        moves.sort_by(|a, b| {
            let by_visits = b.visits.cmp(&a.visits);
            let by_value = b.value.total_cmp(&a.value);
            let open = a.cut.cmp(&b.cut).then((a.visits == 0).cmp(&(b.visits == 0)));
            open.then(match last {
                Final::Robust => by_visits.then(by_value),
                Final::Max => by_value.then(by_visits),
                Final::Secure => secure(b).total_cmp(&secure(a)).then(by_visits),
            })
        });
        let front = if self.joint {
            let most = moves.iter().map(|m| m.share).fold(0.0, f32::max);
            let pure = |share: f32| if share * 10.0 >= most { share } else { 0.0 };
            let shares: Vec<f32> = moves.iter().map(|m| pure(m.share)).collect();
            Some(joint::draw(&shares, rng))
        } else {
            let open = moves.iter().position(|m| !m.proven && !m.cut && m.visits > 0);
            let mut sure: Option<usize> = None;
            for (i, m) in moves.iter().enumerate().filter(|(_, m)| m.proven) {
                if sure.is_none_or(|best| m.value > moves[best].value) {
                    sure = Some(i);
                }
            }
            match (sure, open) {
                (Some(sure), Some(open)) => {
                    let (a, b) = (&moves[sure], &moves[open]);
                    let known = b.visits > a.visits || a.value <= 0.0;
                    let better = known && b.value > a.value;
                    Some(if better && self.proof.is_none() { open } else { sure })
                }
                (sure, open) => sure.or(open),
            }
        };
        if let Some(front) = front.filter(|&front| front < moves.len()) {
            moves[..=front].rotate_right(1);
        }
    }

    /// The report as a thought about so many simulations.
    pub(super) fn thought(self, sims: u64) -> Thought {
        let value = self.proof.or(self.moves.first().map(|first| first.value));
        Thought {
            sims,
            nodes: self.nodes,
            depth: self.depth,
            value,
            proven: self.proof.is_some(),
            notes: Vec::new(),
            candidates: self
                .moves
                .into_iter()
                .map(|m| Candidate {
                    mv: m.mv,
                    visits: m.visits,
                    value: m.value,
                    proven: m.proven,
                    line: m.line,
                    ..Candidate::default()
                })
                .collect(),
        }
    }
}
