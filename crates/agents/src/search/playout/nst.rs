//! NST, the N-gram selection technique: sequences that did well in other simulations are played
//! more often.

use super::{Policy, best};
use crate::search::tree::actions::{Act, Actions, Mean};
use ludex_core::Rng;
use ludex_core::random::mix;
use rustc_hash::FxHashMap;

/// Keeps the mean payoff of single actions and of sequences of two and three (Tak, Winands,
/// Björnsson 2012, "N-Grams and the Last-Good-Reply Policy Applied in General Game Playing"). An action's score is the mean over the sequences that it would end; longer ones
/// count once they were seen [`Nst::SEEN`] times. The best is taken, and with the chance
/// `epsilon` any. Actions never seen count as 1.
#[derive(Debug, Clone)]
pub struct Nst {
    epsilon: f32,
    keep: f32,
    single: Vec<Mean>,
    longer: FxHashMap<u64, Mean>,
}

impl Nst {
    /// How often a sequence must have been seen before it counts (there, `k` = 7).
    pub const SEEN: f32 = 7.0;
    /// The longest sequence.
    const LONGEST: usize = 3;
    /// More sequences than this are not kept.
    const MOST: usize = 1 << 20;

    /// With the share of random choices, and the share of the statistics that is kept from move
    /// to move.
    pub fn new(epsilon: f32, keep: f32, actions: &Actions) -> Self {
        let single = vec![Mean::default(); actions.count()];
        Nst { epsilon, keep, single, longer: FxHashMap::default() }
    }

    /// The key of a sequence that ends with `action`; `before` is the key of the rest.
    fn key(before: u64, action: u32) -> u64 {
        mix(before ^ u64::from(action).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    /// The keys of the one and the two actions before.
    fn contexts(acts: &[Act]) -> [Option<u64>; Self::LONGEST - 1] {
        let one = acts.last().map(|last| Self::key(1, last.action));
        let two = match acts {
            [.., a, b] => Some(Self::key(Self::key(2, a.action), b.action)),
            _ => None,
        };
        [one, two]
    }
}

impl Policy for Nst {
    const LEARNS: bool = true;

    #[inline]
    fn any(&mut self, rng: &mut Rng) -> bool {
        (rng.unit() as f32) < self.epsilon
    }

    fn choose(
        &mut self,
        choices: impl ExactSizeIterator<Item = u32>,
        acts: &[Act],
        rng: &mut Rng,
    ) -> usize {
        let contexts = Self::contexts(acts);
        let score = |action: u32| {
            let mut sum = self.single[action as usize].or(1.0);
            let mut count = 1.0;
            for before in contexts.into_iter().flatten() {
                let known = self.longer.get(&Self::key(before, action));
                if let Some(known) = known.filter(|known| known.count >= Self::SEEN) {
                    sum += known.or(0.0);
                    count += 1.0;
                }
            }
            sum / count
        };
        best(choices.map(score), rng)
    }

    fn learn(&mut self, acts: &[Act], payoffs: &[f32]) {
        for (i, act) in acts.iter().enumerate() {
            let payoff = payoffs[act.player as usize];
            self.single[act.action as usize].add(payoff);
            for before in Self::contexts(&acts[..i]).into_iter().flatten() {
                let key = Self::key(before, act.action);
                if let Some(known) = self.longer.get_mut(&key) {
                    known.add(payoff);
                } else if self.longer.len() < Self::MOST {
                    self.longer.entry(key).or_default().add(payoff);
                }
            }
        }
    }

    fn fade(&mut self) {
        self.single.iter_mut().for_each(|mean| mean.fade(self.keep));
        self.longer.retain(|_, mean| {
            mean.fade(self.keep);
            mean.count > 0.0
        });
    }
}
