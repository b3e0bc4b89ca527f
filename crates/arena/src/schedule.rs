//! Who sits where: rotated seats and paired seeds.

use ludex_core::Seed;

/// One game to be played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pairing {
    /// The number of the game in its contest.
    pub number: u64,
    /// Which agent (by its place in the list) sits at each seat.
    pub seats: Vec<usize>,
    /// The games of one round share a seed: the same dice for every order of seats.
    pub seed: Seed,
}

/// `games` games among `agents` agents at `seats` seats.
///
/// With as many agents as seats, they rotate. Fewer agents share the seats in turn (two agents
/// at four seats sit 2:2). More agents meet in every combination, as evenly as `games` allows.
/// Games with the same agents in another order of seats come together and share their seed.
///
/// ```
/// use ludex_arena::schedule;
/// use ludex_core::Seed;
/// let games = schedule(2, 2, 4, Seed(1));
/// assert_eq!(games[0].seats, [0, 1]);
/// assert_eq!(games[1].seats, [1, 0]);
/// assert_eq!(games[0].seed, games[1].seed);
/// assert_ne!(games[1].seed, games[2].seed);
/// ```
pub fn schedule(agents: usize, seats: usize, games: u64, seed: Seed) -> Vec<Pairing> {
    if agents == 0 || seats == 0 {
        return Vec::new();
    }
    let groups =
        if agents > seats { combinations(agents, seats) } else { vec![(0..agents).collect()] };
    // A group of g agents at s seats: rotating by one seat gives another order g times.
    let turns = groups[0].len() as u64;
    (0..games)
        .map(|number| {
            let round = number / turns;
            let group = &groups[(round % groups.len() as u64) as usize];
            let shift = (number % turns) as usize;
            let seats = (0..seats).map(|seat| group[(seat + shift) % group.len()]).collect();
            Pairing { number, seats, seed: seed.named("round").child(round) }
        })
        .collect()
}

/// All ways to choose `k` of `0..n`, in order.
fn combinations(n: usize, k: usize) -> Vec<Vec<usize>> {
    fn extend(from: usize, n: usize, k: usize, chosen: &mut Vec<usize>, out: &mut Vec<Vec<usize>>) {
        if chosen.len() == k {
            out.push(chosen.clone());
            return;
        }
        for next in from..n {
            chosen.push(next);
            extend(next + 1, n, k, chosen, out);
            chosen.pop();
        }
    }
    let mut out = Vec::new();
    extend(0, n, k, &mut Vec::new(), &mut out);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_meets_in_both_orders() {
        let games = schedule(4, 2, 12, Seed(3));
        let mut orders: Vec<_> = games.iter().map(|g| g.seats.clone()).collect();
        orders.sort();
        orders.dedup();
        assert_eq!(orders.len(), 12);
    }

    #[test]
    fn two_agents_share_four_seats() {
        let games = schedule(2, 4, 2, Seed(3));
        assert_eq!(games[0].seats, [0, 1, 0, 1]);
        assert_eq!(games[1].seats, [1, 0, 1, 0]);
    }

    #[test]
    fn one_agent_plays_itself() {
        assert_eq!(schedule(1, 2, 1, Seed(3))[0].seats, [0, 0]);
    }
}
