//! The sums of many games: who came first how often, and the mean payoffs.

use crate::stats::{Interval, Z95, wilson};
use serde::Serialize;

/// The sums of games; the order in which games are added does not matter.
#[derive(Debug, Clone, PartialEq)]
pub struct Tally {
    /// Games played.
    pub games: u64,
    /// Games in which nobody alone came first.
    pub draws: u64,
    /// Games that ended by forfeit.
    pub forfeits: u64,
    agents: Vec<Sums>,
}

#[derive(Debug, Clone, PartialEq, Default)]
struct Sums {
    seats: u64,
    wins: u64,
    losses: u64,
    forfeits: u64,
    // In 2^-24 of a payoff, so that the sum does not depend on the order of the games.
    payoff: u64,
}

/// How one agent did.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Standing {
    /// Seats it filled.
    pub seats: u64,
    /// Times it came first alone.
    pub wins: u64,
    /// Times another came first alone.
    pub losses: u64,
    /// Times it forfeited.
    pub forfeits: u64,
    /// Mean payoff.
    pub score: f64,
    /// 95 % interval of the mean payoff.
    pub interval: Interval,
}

const PAYOFF_UNIT: f64 = (1u64 << 24) as f64;

/// Who came first alone: `Some(seat)`. Alone at the table, one wins by the full payoff and loses
/// by none (`Err`: lost alone).
pub(crate) fn winner(payoffs: &[f32]) -> Option<Result<usize, ()>> {
    if let [alone] = payoffs {
        return match *alone {
            1.0 => Some(Ok(0)),
            0.0 => Some(Err(())),
            _ => None,
        };
    }
    let best = payoffs.iter().copied().fold(0.0, f32::max);
    let mut firsts = payoffs.iter().enumerate().filter(|(_, payoff)| **payoff == best);
    let first = firsts.next().map(|(seat, _)| seat)?;
    firsts.next().is_none().then_some(Ok(first))
}

impl Tally {
    /// Nothing yet, for so many agents.
    pub fn new(agents: usize) -> Self {
        Tally { games: 0, draws: 0, forfeits: 0, agents: vec![Sums::default(); agents] }
    }

    /// Adds a game in which the agents sat as `seats` says; `forfeit` is the seat that did.
    pub fn add(&mut self, seats: &[usize], payoffs: &[f32], forfeit: Option<u8>) {
        self.games += 1;
        let winner = winner(payoffs);
        self.draws += u64::from(winner.is_none());
        self.forfeits += u64::from(forfeit.is_some());
        for (seat, (&agent, &payoff)) in seats.iter().zip(payoffs).enumerate() {
            let Some(sums) = self.agents.get_mut(agent) else { continue };
            sums.seats += 1;
            sums.wins += u64::from(winner == Some(Ok(seat)));
            sums.losses += u64::from(winner.is_some_and(|w| w != Ok(seat)));
            sums.forfeits += u64::from(forfeit.is_some_and(|f| usize::from(f) == seat));
            sums.payoff += (f64::from(payoff) * PAYOFF_UNIT).round() as u64;
        }
    }

    /// Adds the games of another tally of the same agents.
    pub fn merge(&mut self, other: &Tally) {
        self.games += other.games;
        self.draws += other.draws;
        self.forfeits += other.forfeits;
        for (sums, more) in self.agents.iter_mut().zip(&other.agents) {
            sums.seats += more.seats;
            sums.wins += more.wins;
            sums.losses += more.losses;
            sums.forfeits += more.forfeits;
            sums.payoff += more.payoff;
        }
    }

    /// How each agent did, in the order of the agents.
    pub fn standings(&self) -> Vec<Standing> {
        self.agents
            .iter()
            .map(|sums| {
                let score = sums.payoff as f64 / PAYOFF_UNIT / sums.seats.max(1) as f64;
                Standing {
                    seats: sums.seats,
                    wins: sums.wins,
                    losses: sums.losses,
                    forfeits: sums.forfeits,
                    score,
                    interval: wilson(score, sums.seats, Z95),
                }
            })
            .collect()
    }
}
