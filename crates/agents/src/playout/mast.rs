//! MAST, the move-average sampling technique: actions that did well in other simulations are
//! played more often.

use super::{Policy, Scene};
use crate::tree::actions::{Act, Actions, Mean};
use ludex_core::{Game, Move, Rng};

/// Keeps the mean payoff `Q(a)` of each action over all simulations, in the tree and below
/// (Finnsson and Björnsson 2008, "Simulation-Based Approach to General Game Playing").
///
/// With `tau` > 0 an action is drawn in proportion to `exp(Q(a) / tau)` (Gibbs sampling, there
/// equation 2; for payoffs from 0 to 1). With `tau` = 0 the best is taken, and with the chance
/// `epsilon` any (Tak, Winands, Björnsson 2012, section III-B, who found that better). Actions
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

    fn choose<G: Game>(
        &mut self,
        scene: &Scene<'_, G>,
        rng: &mut Rng,
        pad: &mut Vec<Move>,
    ) -> (Move, u32) {
        if self.tau <= 0.0 {
            if (rng.unit() as f32) < self.epsilon {
                return scene.any(rng, pad);
            }
            return scene.best(rng, pad, |action| self.table[action as usize].or(1.0));
        }
        pad.clear();
        scene.game.moves(scene.state, scene.player, pad);
        self.shares.clear();
        self.shares.extend(pad.iter().map(|&mv| self.gibbs[scene.action(mv) as usize]));
        let mv = pad.get(crate::tree::joint::draw(&self.shares, rng)).copied().unwrap_or_default();
        (mv, scene.action(mv))
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
