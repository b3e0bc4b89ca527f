//! `ropasci-rollouts`: the report's Monte Carlo tree search (section 1.1) with the number of
//! rollouts that its time allowed: five. UCT visits every move once before any twice, so that five
//! visits among a hundred moves are five random moves, each with one random game behind it, and
//! the best mean is played.

use super::{Judge, NEEDS, Seat, ranked, seat};
use crate::agent::Agent;
use crate::catalog::{Entry, Recipe, recipe};
use ludex_core::deadline;
use ludex_core::{AnyGame, Game, Move, Player, Result, Rng, Seed};
use ludex_games::Ropasci360;
use ludex_games::ropasci::State;

pub(crate) const ENTRY: Entry = Entry {
    name: "ropasci-rollouts",
    summary: "the RoPaSci report's Monte Carlo search: a few random games in all",
    needs: NEEDS,
    usual: || recipe(Params::default()),
};

ludex_core::params! {
    /// The parameters of `ropasci-rollouts`.
    pub struct Params {
        /// Random games a move, over all moves.
        pub rollouts: u32 = 5, 1..=1_000_000;
    }
}

impl Recipe for Params {
    fn build(&self, _: &AnyGame, _: Player, seed: Seed) -> Result<Box<dyn Agent<AnyGame>>> {
        Ok(seat(ENTRY.name, Rollouts { n: self.rollouts, rng: seed.rng() }))
    }
}

/// The agent.
pub(crate) struct Rollouts {
    n: u32,
    rng: Rng,
}

/// UCB1's constant in the report's program.
const C: f64 = 1.0;

impl Judge for Rollouts {
    fn judge(&mut self, game: &Ropasci360, state: &State, seat: Seat<'_>) -> Vec<(Move, f64)> {
        let other = Player(1 - seat.player.0.min(1));
        let mut arms: Vec<(Move, f64, f64)> = seat.legal.iter().map(|&mv| (mv, 0.0, 0.0)).collect();
        self.rng.shuffle(&mut arms);
        let mut pad = Vec::new();
        let mut next = state.clone();
        let mut payoffs = [0.0; 2];
        for n in 0..self.n {
            let all = f64::from(n.max(1)).ln();
            let urge = |&(_, sum, visits): &(Move, f64, f64)| match visits > 0.0 {
                true => sum / visits + C * (2.0 * all / visits).sqrt(),
                false => f64::INFINITY,
            };
            let best = (0..arms.len()).max_by(|&a, &b| {
                // The first of equals, which are in random order.
                urge(&arms[a]).total_cmp(&urge(&arms[b])).then(b.cmp(&a))
            });
            let Some(arm) = best.and_then(|i| arms.get_mut(i)) else { break };
            let reply = game.sample(state, other, &mut self.rng, &mut pad);
            let joint = if seat.player == Player(0) { [arm.0, reply] } else { [reply, arm.0] };
            next.clone_from(state);
            game.apply(&mut next, &joint);
            game.playout(&mut next, &mut self.rng, &mut pad, u32::MAX);
            // One game at least, or there would be no answer.
            if n > 0 && deadline::look() {
                break;
            }
            game.payoffs(&next, &mut payoffs);
            arm.1 += f64::from(payoffs[seat.player.index() & 1]);
            arm.2 += 1.0;
        }
        let tried: Vec<(Move, f64)> = arms
            .iter()
            .filter(|arm| arm.2 > 0.0)
            .map(|&(mv, sum, visits)| (mv, sum / visits))
            .collect();
        ranked(tried, &mut self.rng)
    }
}
