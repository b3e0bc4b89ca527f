//! Players and sets of players.

use std::fmt;

/// A seat of a game, counted from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Player(pub u8);

impl Player {
    /// The seat as an index into per-player arrays.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "player {}", self.0 + 1)
    }
}

/// A set of players (at most 64), iterated in seat order.
///
/// ```
/// use ludex_core::{Player, Players};
/// let set = Players::all(3).without(Player(1));
/// assert_eq!(set.iter().map(|p| p.0).collect::<Vec<_>>(), [0, 2]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Players(pub u64);

impl Players {
    /// The most players a game may have.
    pub const MOST: usize = 64;

    /// The first `n` seats.
    #[inline]
    pub fn all(n: usize) -> Self {
        Players(if n >= 64 { u64::MAX } else { (1 << n) - 1 })
    }

    /// The set of one seat.
    #[inline]
    pub fn one(player: Player) -> Self {
        Players(1 << player.0)
    }

    /// This set and `player`.
    #[inline]
    pub fn with(self, player: Player) -> Self {
        Players(self.0 | 1 << player.0)
    }

    /// This set less `player`.
    #[inline]
    pub fn without(self, player: Player) -> Self {
        Players(self.0 & !(1 << player.0))
    }

    /// Is `player` in the set?
    #[inline]
    pub fn contains(self, player: Player) -> bool {
        self.0 >> player.0 & 1 == 1
    }

    /// How many players.
    #[inline]
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Is the set empty?
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Where `player`'s move stands in a joint move of this set.
    #[inline]
    pub fn position(self, player: Player) -> usize {
        (self.0 & ((1 << player.0) - 1)).count_ones() as usize
    }

    /// The players in seat order.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Player> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            if rest == 0 {
                return None;
            }
            let player = Player(rest.trailing_zeros() as u8);
            rest &= rest - 1;
            Some(player)
        })
    }
}
