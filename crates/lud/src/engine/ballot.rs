//! How votes are counted.

use super::state::{Layout, State};

/// A player votes. When all have, what more than half voted for is decided, and what was proposed
/// is settled.
pub(crate) fn vote(layout: Layout, s: &mut State, player: u16, word: u16) {
    s.numbers[layout.vote(player.into())] = word.into();
    let players = || (1..=layout.players).filter(|&p| s.s.active >> p & 1 == 1);
    let votes: Vec<i32> = players().map(|p| s.numbers[layout.vote(p)]).collect();
    if votes.contains(&0) {
        return;
    }
    let most = votes.iter().find(|v| votes.iter().filter(|w| w == v).count() * 2 > votes.len());
    s.s.decided = most.map_or(0, |&word| word as u16);
    s.s.proposed = 0;
    (1..=layout.players).for_each(|p| s.numbers[layout.vote(p)] = 0);
}
