//! The sums of many games: how often each agent came first, and its mean payoff.

use crate::{Interval, Z95, wilson};
use serde::Serialize;

/// The sums of games. The order in which games are added does not matter.
#[derive(Debug, Clone, PartialEq)]
pub struct Tally {
    /// Games played.
    pub games: u64,
    /// Games without a single winner.
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
    /// Seats that the agent filled, over all games.
    pub seats: u64,
    /// Games that it won: it came first alone.
    pub wins: u64,
    /// Games that another agent won.
    pub losses: u64,
    /// Games that it forfeited.
    pub forfeits: u64,
    /// The agent's mean payoff.
    pub score: f64,
    /// The 95 % interval of its mean payoff.
    pub interval: Interval,
}

const PAYOFF_UNIT: f64 = (1u64 << 24) as f64;

/// The winner of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Winner {
    /// This seat came first alone.
    Seat(usize),
    /// Two or more seats share the first place.
    Draw,
    /// A game of one player was lost: the player got a payoff of 0.
    Nobody,
}

/// The winner of a game with these payoffs. The only player of a puzzle wins with a payoff of 1, loses with 0, and draws
/// with anything between.
pub fn winner(payoffs: &[f32]) -> Winner {
    if let [alone] = payoffs {
        return match *alone {
            1.0 => Winner::Seat(0),
            0.0 => Winner::Nobody,
            _ => Winner::Draw,
        };
    }
    let best = payoffs.iter().copied().fold(0.0, f32::max);
    let mut firsts = (0..payoffs.len()).filter(|&seat| payoffs[seat] == best);
    match (firsts.next(), firsts.next()) {
        (Some(seat), None) => Winner::Seat(seat),
        _ => Winner::Draw,
    }
}

impl Tally {
    /// An empty tally for this number of agents.
    pub fn new(agents: usize) -> Self {
        Tally { games: 0, draws: 0, forfeits: 0, agents: vec![Sums::default(); agents] }
    }

    /// Adds a game. `seats` gives the agent at each seat, `forfeit` the seat that forfeited.
    pub fn add(&mut self, seats: &[usize], payoffs: &[f32], forfeit: Option<u8>) {
        self.games += 1;
        let winner = winner(payoffs);
        self.draws += u64::from(winner == Winner::Draw);
        self.forfeits += u64::from(forfeit.is_some());
        for (seat, (&agent, &payoff)) in seats.iter().zip(payoffs).enumerate() {
            let Some(sums) = self.agents.get_mut(agent) else { continue };
            let won = winner == Winner::Seat(seat);
            sums.seats += 1;
            sums.wins += u64::from(won);
            sums.losses += u64::from(!won && winner != Winner::Draw);
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
        self.agents.iter().map(Sums::standing).collect()
    }
}

impl Sums {
    fn standing(&self) -> Standing {
        let score = self.payoff as f64 / PAYOFF_UNIT / self.seats.max(1) as f64;
        Standing {
            seats: self.seats,
            wins: self.wins,
            losses: self.losses,
            forfeits: self.forfeits,
            score,
            interval: wilson(score, self.seats, Z95),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_only_player_of_a_puzzle_can_lose() {
        assert_eq!(winner(&[1.0]), Winner::Seat(0));
        assert_eq!(winner(&[0.0]), Winner::Nobody);
        assert_eq!(winner(&[0.4]), Winner::Draw);
        let mut tally = Tally::new(1);
        tally.add(&[0], &[0.0], None);
        assert_eq!((tally.draws, tally.standings()[0].losses), (0, 1));
    }

    #[test]
    fn a_shared_first_place_is_a_draw() {
        assert_eq!(winner(&[0.5, 0.5, 0.0]), Winner::Draw);
        assert_eq!(winner(&[0.0, 0.0]), Winner::Draw);
        assert_eq!(winner(&[0.2, 0.5, 0.3]), Winner::Seat(1));
    }

    #[test]
    fn the_order_of_games_does_not_matter() {
        let games = [[0.1, 0.9], [0.7, 0.3], [0.3, 0.7]];
        let (mut forward, mut backward) = (Tally::new(2), Tally::new(2));
        games.iter().for_each(|payoffs| forward.add(&[0, 1], payoffs, None));
        games.iter().rev().for_each(|payoffs| backward.add(&[0, 1], payoffs, None));
        assert_eq!(forward, backward);
    }
}
