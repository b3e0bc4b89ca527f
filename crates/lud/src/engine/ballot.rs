//! How votes are counted.

use super::state::{Layout, State};

/// A player votes. When all have, what more than half voted for is decided, and what was proposed
/// is settled.
pub(crate) fn vote(layout: Layout, s: &mut State, player: u16, word: u16) {
    s.numbers[layout.vote(player.into())] = word.into();
    let votes = || {
        let players = (1..=layout.players).filter(|&p| s.s.active >> p & 1 == 1);
        players.map(|p| s.numbers[layout.vote(p)])
    };
    if votes().any(|vote| vote == 0) {
        return;
    }
    let count = votes().count();
    let most = votes().find(|vote| votes().filter(|other| other == vote).count() * 2 > count);
    s.s.decided = most.map_or(0, |word| word as u16);
    s.s.proposed = 0;
    (1..=layout.players).for_each(|p| s.numbers[layout.vote(p)] = 0);
}
