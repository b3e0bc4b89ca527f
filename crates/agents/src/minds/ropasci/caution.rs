//! How far the other's throws are to be feared. Many players keep their throws for the end, and an agent that fears them all the same
//! hides its tokens at home and draws a won game, because it never dares to hunt.
//!
//! Turns count in which the other had a target, a token where it can throw, and could have moved a token instead. The share of
//! throws among them, with some imagined throws before the first turn, is how much of its strategy the other may give to throws.

use ludex_core::Move;
use rustc_hash::FxHashMap;

/// How often the other threw when it had a target.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Caution {
    chances: f64,
    throws: f64,
    /// Had it a target in the turn before?
    pub(super) open: bool,
}

impl Caution {
    /// The other's move in the turn before was a throw, or was none.
    pub(super) fn learn(&mut self, is_throw: bool) {
        if std::mem::take(&mut self.open) {
            self.chances += 1.0;
            self.throws += f64::from(u8::from(is_throw));
        }
    }

    /// The share of its strategy that the other may give to throws, 1 at first: `wary` throws are imagined before the first turn.
    pub(super) fn share(&self, wary: f64) -> f64 {
        if wary > 0.0 { (wary + self.throws) / (wary + self.chances) } else { 1.0 }
    }
}

/// One turn against a player who throws rarely: a throw counts with that chance; else the player makes its best other move.
#[derive(Debug)]
pub(super) struct Calm {
    share: f64,
    /// The player for whom the agent chooses.
    pub(super) me: usize,
    /// The other's best moves that are no throws.
    replies: Vec<Move>,
    /// By my move: upper's payoff after the best of these replies.
    known: FxHashMap<Move, f64>,
}

/// Replies that a throw is compared with.
const REPLIES: usize = 6;

impl Calm {
    /// `None` where throws count in full, or the other can do nothing else. `moves` are the other's moves that are no throws, the
    /// best first.
    pub(super) fn new(share: f64, me: usize, moves: impl Iterator<Item = Move>) -> Option<Self> {
        let replies: Vec<Move> = moves.take(REPLIES).collect();
        let known = FxHashMap::default();
        (share < 1.0 && !replies.is_empty()).then_some(Calm { share, me, replies, known })
    }

    /// Upper's payoff after my move and a throw that is worth `value`; `plain` gives the payoff of any two moves.
    pub(super) fn mixed(
        &mut self,
        mine: Move,
        value: f64,
        mut plain: impl FnMut([Move; 2]) -> f64,
    ) -> f64 {
        let (me, replies) = (self.me, &self.replies);
        let best = self.known.entry(mine).or_insert_with(|| {
            let values = replies
                .iter()
                .map(|&reply| plain(if me == 0 { [mine, reply] } else { [reply, mine] }));
            match me {
                0 => values.fold(f64::INFINITY, f64::min),
                _ => values.fold(f64::NEG_INFINITY, f64::max),
            }
        });
        *best + self.share * (value - *best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_turns_with_a_target_count() {
        let mut caution = Caution::default();
        caution.learn(false);
        assert_eq!(caution.share(8.0), 1.0);
        for _ in 0..8 {
            caution.open = true;
            caution.learn(false);
        }
        assert_eq!((caution.share(8.0), caution.share(0.0)), (0.5, 1.0));
        caution.open = true;
        caution.learn(true);
        assert_eq!(caution.share(8.0), 9.0 / 17.0);
    }

    #[test]
    fn a_throw_counts_in_part_beside_the_best_other_reply() {
        let moves = || [Move(1), Move(2)].into_iter();
        assert!(Calm::new(1.0, 0, moves()).is_none());
        assert!(Calm::new(0.5, 0, [].into_iter()).is_none());
        // For upper the worst reply is the one worth 0.4; for lower, who chooses second, the one worth 0.6.
        let value = |reply: Move| if reply == Move(1) { 0.6 } else { 0.4 };
        let mut upper = Calm::new(0.25, 0, moves()).unwrap();
        assert!((upper.mixed(Move(9), 0.0, |joint| value(joint[1])) - 0.3).abs() < 1e-9);
        let mut lower = Calm::new(0.25, 1, moves()).unwrap();
        assert!((lower.mixed(Move(9), 1.0, |joint| value(joint[0])) - 0.7).abs() < 1e-9);
    }
}
