//! Numbers for actions, by which statistics about them are kept in arrays.

use ludex_core::Game;
use ludex_core::random::mix;

/// Maps [`Game::action_key`] to a small number: the same for the same action in other states.
///
/// Where the game's keys are dense ([`action_keys`](ludex_core::Info::action_keys)) the key is
/// the number. Else it is a hash into a table of fixed size, so that threads agree on it without
/// talking; two of a thousand actions share a number with a chance of about one in 130 each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Actions {
    dense: bool,
    count: u32,
}

impl Actions {
    /// The largest number of dense keys that gets an array of its own.
    const MOST: u32 = 1 << 20;
    /// The size of the table of other games.
    const HASHED: u32 = 1 << 16;

    /// For a game.
    pub fn new<G: Game>(game: &G) -> Self {
        match game.info().action_keys {
            Some(count) if count <= Self::MOST => Actions { dense: true, count },
            _ => Actions { dense: false, count: Self::HASHED },
        }
    }

    /// The number of actions: every number is below it.
    pub fn count(&self) -> usize {
        self.count as usize
    }

    /// The number of a key.
    #[inline]
    pub fn id(&self, key: u64) -> u32 {
        if self.dense {
            (key as u32).min(self.count.saturating_sub(1))
        } else {
            mix(key) as u32 & (Self::HASHED - 1)
        }
    }
}

/// One action of a game, and the player who made it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Act {
    /// The player.
    pub player: u8,
    /// The action, as [`Actions::id`] numbers it.
    pub action: u32,
}

/// The mean payoff of something that was tried.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Mean {
    /// The sum of the payoffs.
    pub sum: f32,
    /// How often it was tried; a fraction after fading.
    pub count: f32,
}

impl Mean {
    /// One more payoff.
    #[inline]
    pub fn add(&mut self, payoff: f32) {
        self.sum += payoff;
        self.count += 1.0;
    }

    /// The mean, or `unseen` where nothing is known.
    #[inline]
    pub fn or(self, unseen: f32) -> f32 {
        if self.count > 0.0 { self.sum / self.count } else { unseen }
    }

    /// Forgets all but the share `keep`, and everything once less than one try is left.
    pub fn fade(&mut self, keep: f32) {
        self.sum *= keep;
        self.count *= keep;
        if self.count < 1.0 {
            *self = Mean::default();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_core::testkit::Coins;

    #[test]
    fn dense_keys_are_their_own_numbers_and_others_stay_in_the_table() {
        let actions = Actions::new(&Coins::default());
        assert_eq!((actions.id(3), actions.count()), (3, 8));
        let hashed = Actions { dense: false, count: Actions::HASHED };
        assert!((0..10_000).all(|key| (hashed.id(key << 40) as usize) < hashed.count()));
        assert_eq!(hashed.id(77), hashed.id(77));
    }

    #[test]
    fn what_fades_away_is_forgotten() {
        let mut mean = Mean::default();
        (0..3).for_each(|_| mean.add(0.5));
        mean.fade(0.5);
        assert_eq!(mean.or(9.0), 0.5);
        mean.fade(0.5);
        assert_eq!(mean.or(9.0), 9.0);
    }
}
