//! Functions on 64-bit words: the indices of set bits, and hashing. The n-th set bit, which draws a random move on a
//! bitboard, is [`ludex_core::cpu::Cpu::nth_bit`].

use ludex_core::random::mix;

/// A hash of some words. The order of the words matters, and words of zeros don't hash to zero.
#[inline]
pub(crate) fn hash<const N: usize>(words: [u64; N]) -> u64 {
    words
        .into_iter()
        .fold(0, |hash: u64, word| mix(hash.wrapping_add(0x9e37_79b9_7f4a_7c15) ^ word))
}

/// The indices of the set bits, lowest first.
#[inline]
pub(crate) fn indices(mut mask: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let index = mask.trailing_zeros();
        mask &= mask.wrapping_sub(1);
        (index < 64).then_some(index)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_core::cpu;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn picks_follow_the_order_of_indices(mask: u64) {
            for (k, index) in indices(mask).enumerate() {
                prop_assert_eq!(cpu::nth_bit(mask, k as u32), 1 << index);
            }
            prop_assert_eq!(cpu::nth_bit(mask, mask.count_ones()), 0);
        }
    }
}
