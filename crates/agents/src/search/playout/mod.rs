//! How a simulation goes on below the tree, one policy a file.

mod mast;
mod nst;

pub use mast::Mast;
pub use nst::Nst;

use crate::search::tree::actions::{Act, Actions};
use ludex_core::playout::Guide;
use ludex_core::{Player, Rng};

/// A way to choose moves in playouts.
pub trait Policy: Clone + Send + 'static {
    /// Does it learn from simulations, so that they must be traced?
    const LEARNS: bool;

    /// Will any move do now?
    fn any(&mut self, rng: &mut Rng) -> bool;

    /// Chooses one of the mover's actions: its index. `acts` is what was done before in this
    /// playout.
    fn choose(
        &mut self,
        choices: impl ExactSizeIterator<Item = u32>,
        acts: &[Act],
        rng: &mut Rng,
    ) -> usize;

    /// A simulation is over.
    fn learn(&mut self, acts: &[Act], payoffs: &[f32]) {
        let _ = (acts, payoffs);
    }

    /// A move was played in the match: what was learned before counts less.
    fn fade(&mut self) {}
}

/// Any move, each as likely as the others.
#[derive(Debug, Clone, Copy, Default)]
pub struct Uniform;

impl Policy for Uniform {
    const LEARNS: bool = false;

    fn any(&mut self, _: &mut Rng) -> bool {
        true
    }

    fn choose(
        &mut self,
        choices: impl ExactSizeIterator<Item = u32>,
        _: &[Act],
        rng: &mut Rng,
    ) -> usize {
        rng.index(choices.len())
    }
}

/// A policy that guides a playout and records its actions.
pub(crate) struct Tracer<'a, P> {
    policy: &'a mut P,
    actions: &'a Actions,
    acts: &'a mut Vec<Act>,
    /// Where this playout's acts begin.
    begun: usize,
}

impl<'a, P: Policy> Tracer<'a, P> {
    pub(crate) fn new(policy: &'a mut P, actions: &'a Actions, acts: &'a mut Vec<Act>) -> Self {
        let begun = acts.len();
        Tracer { policy, actions, acts, begun }
    }
}

impl<P: Policy> Guide for Tracer<'_, P> {
    #[inline]
    fn any(&mut self, rng: &mut Rng) -> bool {
        self.policy.any(rng)
    }

    #[inline]
    fn choose(&mut self, keys: &[u64], rng: &mut Rng) -> usize {
        let choices = keys.iter().map(|&key| self.actions.id(key));
        self.policy.choose(choices, &self.acts[self.begun..], rng)
    }

    #[inline]
    fn made(&mut self, player: Player, key: u64) {
        self.acts.push(Act { player: player.0, action: self.actions.id(key) });
    }
}

/// The index of the best score, a random one of equals.
#[inline]
fn best(scores: impl Iterator<Item = f32>, rng: &mut Rng) -> usize {
    let (mut best, mut top, mut equals) = (0, f32::NEG_INFINITY, 0);
    for (i, score) in scores.enumerate() {
        if score > top {
            (best, top, equals) = (i, score, 1);
        } else if score == top {
            equals += 1;
            if rng.below(equals) == 0 {
                best = i;
            }
        }
    }
    best
}
