//! MAST, the move-average sampling technique: actions that did well in other simulations are
//! played more often.

use super::{Policy, best};
use crate::search::tree::actions::{Act, Actions, Mean};
use ludex_core::Rng;

/// Keeps the mean payoff `Q(a)` of each action over all simulations, in the tree and below
/// (Finnsson and Björnsson 2008, "Simulation-Based Approach to General Game Playing").
///
/// With `tau` > 0 an action is drawn in proportion to `exp(Q(a) / tau)` (Gibbs sampling as there,
/// for payoffs from 0 to 1). With `tau` = 0 the best is taken, and with the chance `epsilon` any
/// (Tak, Winands, Björnsson 2012, who found that better). Actions
/// never seen count as 1.
#[derive(Debug, Clone)]
pub struct Mast {
    epsilon: f32,
    tau: f32,
    keep: f32,
    table: Vec<Mean>,
    /// By action: `exp(Q(a) / tau)`, where it is used.
    gibbs: Vec<f32>,
    shares: Vec<f32>,
}

impl Mast {
    /// With the share of random choices, the temperature, and the share of the statistics that
    /// is kept from move to move.
    pub fn new(epsilon: f32, tau: f32, keep: f32, actions: &Actions) -> Self {
        let count = if tau > 0.0 { actions.count() } else { 0 };
        Mast {
            epsilon,
            tau,
            keep,
            table: vec![Mean::default(); actions.count()],
            gibbs: vec![(1.0 / tau).exp(); count],
            shares: Vec::new(),
        }
    }

    fn warm(&mut self, action: usize) {
        if let Some(weight) = self.gibbs.get_mut(action) {
            *weight = (self.table[action].or(1.0) / self.tau).exp();
        }
    }
}

impl Policy for Mast {
    const LEARNS: bool = true;

    #[inline]
    fn any(&mut self, rng: &mut Rng) -> bool {
        self.tau <= 0.0 && (rng.unit() as f32) < self.epsilon
    }

    fn choose(
        &mut self,
        choices: impl ExactSizeIterator<Item = u32>,
        _: &[Act],
        rng: &mut Rng,
    ) -> usize {
        if self.tau <= 0.0 {
            return best(choices.map(|action| self.table[action as usize].or(1.0)), rng);
        }
        self.shares.clear();
        self.shares.extend(choices.map(|action| self.gibbs[action as usize]));
        crate::search::tree::joint::draw(&self.shares, rng)
    }

    fn learn(&mut self, acts: &[Act], payoffs: &[f32]) {
        for act in acts {
            self.table[act.action as usize].add(payoffs[act.player as usize]);
            if self.tau > 0.0 {
                self.warm(act.action as usize);
            }
        }
    }

    fn fade(&mut self) {
        for action in 0..self.table.len() {
            self.table[action].fade(self.keep);
            self.warm(action);
        }
    }
}
