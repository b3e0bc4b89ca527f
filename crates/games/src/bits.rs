//! Functions on 64-bit words: picking the n-th set bit, which draws a random move on a bitboard, and
//! hashing.

use ludex_core::random::mix;

/// A hash of some words. The order of the words matters, and words of zeros don't hash to zero.
#[inline]
pub(crate) fn hash<const N: usize>(words: [u64; N]) -> u64 {
    words
        .into_iter()
        .fold(0, |hash: u64, word| mix(hash.wrapping_add(0x9e37_79b9_7f4a_7c15) ^ word))
}

/// The `k`-th set bit of `mask` (counted from 0, from the lowest), still as a one-bit mask; 0
/// where `mask` has no more than `k` bits.
///
/// One `pdep` instruction where the processor has BMI2. A loop over `k` bits would cost a mispredicted
/// branch on almost every move.
#[inline]
pub(crate) fn nth_bit(mask: u64, k: u32) -> u64 {
    #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
    {
        // SAFETY: the whole crate is compiled for a CPU with BMI2, says the `cfg` above.
        unsafe { std::arch::x86_64::_pdep_u64(1u64.unbounded_shl(k), mask) }
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
    nth_bit_portable(mask, k)
}

/// [`nth_bit`] in plain arithmetic.
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "bmi2"))))]
fn nth_bit_portable(mut mask: u64, k: u32) -> u64 {
    for _ in 0..k.min(64) {
        mask &= mask.wrapping_sub(1);
    }
    mask & mask.wrapping_neg()
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
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn both_ways_pick_the_same_bit(mask: u64, k in 0u32..70) {
            prop_assert_eq!(nth_bit(mask, k), nth_bit_portable(mask, k));
        }

        #[test]
        fn picks_follow_the_order_of_indices(mask: u64) {
            for (k, index) in indices(mask).enumerate() {
                prop_assert_eq!(nth_bit(mask, k as u32), 1 << index);
            }
            prop_assert_eq!(nth_bit(mask, mask.count_ones()), 0);
        }
    }
}
