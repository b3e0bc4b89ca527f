//! Seeds that split into independent streams, and the one random generator of Ludex.
//!
//! Everything with luck takes a [`Seed`]. A seed never changes: parts that need streams of their
//! own take children ([`Seed::child`], [`Seed::named`]), so that what one part draws never shifts
//! what another part gets.

use rand_core::{Rng as _, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::fmt;
use std::str::FromStr;

/// Where a random stream starts.
///
/// ```
/// use ludex_core::Seed;
/// let games = Seed(1).named("games");
/// assert_eq!(games.child(3), Seed(1).named("games").child(3));
/// assert_ne!(games.child(3), games.child(4));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Seed(pub u64);

impl Seed {
    /// The `n`-th child of this seed.
    #[inline]
    pub fn child(self, n: u64) -> Seed {
        Seed(mix(mix(self.0 ^ 0x9e37_79b9_7f4a_7c15).wrapping_add(n)))
    }

    /// The child with this name.
    pub fn named(self, name: &str) -> Seed {
        name.bytes().fold(self.child(0x6e61_6d65), |seed, byte| seed.child(byte.into()))
    }

    /// The stream that starts here.
    #[inline]
    pub fn rng(self) -> Rng {
        Rng(Xoshiro256PlusPlus::seed_from_u64(self.0))
    }
}

impl fmt::Display for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Seed {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Seed)
    }
}

/// The finaliser of SplitMix64: spreads every input bit over the whole word.
#[inline]
pub fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The random generator: xoshiro256++, the same stream for the same seed on every machine.
#[derive(Debug, Clone)]
pub struct Rng(Xoshiro256PlusPlus);

impl Rng {
    /// 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number below `n`, uniform to within 2^-32 (multiply and shift, no division);
    /// 0 for `n` = 0.
    #[inline]
    pub fn below(&mut self, n: u32) -> u32 {
        (((self.bits() >> 32) * u64::from(n)) >> 32) as u32
    }

    /// An index into something of length `n`; 0 for `n` = 0.
    #[inline]
    pub fn index(&mut self, n: usize) -> usize {
        ((u128::from(self.bits()) * n as u128) >> 64) as usize
    }

    /// A number in [0, 1).
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// A seed for a part that wants its own stream.
    pub fn seed(&mut self) -> Seed {
        Seed(self.bits())
    }

    /// Puts `items` into random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.index(i + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_of_sibling_seeds_do_not_correlate() {
        let (mut a, mut b) = (Seed(1).child(0).rng(), Seed(1).child(1).rng());
        let agree: u32 = (0..1000).map(|_| (a.bits() ^ b.bits()).count_zeros()).sum();
        // 64,000 fair coins: sd 126.5; five sigma.
        assert!((i64::from(agree) - 32_000).abs() < 633, "{agree}");
    }

    #[test]
    fn below_is_uniform() {
        let mut rng = Seed(5).rng();
        let mut count = [0u32; 7];
        for _ in 0..70_000 {
            count[rng.below(7) as usize] += 1;
        }
        let chi2: f64 = count.iter().map(|&c| (f64::from(c) - 1e4).powi(2) / 1e4).sum();
        assert!(chi2 < 22.5, "{chi2}"); // df 6, p = 0.001
    }

    #[test]
    fn the_stream_of_a_seed_is_fixed_for_ever() {
        let mut rng = Seed(42).named("x").child(1).rng();
        let first: Vec<u64> = (0..2).map(|_| rng.bits()).collect();
        assert_eq!(first, [8_445_646_344_009_379_113, 1_057_405_311_832_636_002]);
    }
}
