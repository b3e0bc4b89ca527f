//! Blocks of bit lanes and their operations.
//!
//! Everything is plain arrays and loops that the compiler turns into vector instructions.

/// `64 * W` lanes, one bit each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(32))]
pub(crate) struct Block<const W: usize>(pub [u64; W]);

impl<const W: usize> Block<W> {
    /// No lane.
    pub(crate) const NONE: Block<W> = Block([0; W]);
    /// Every lane.
    pub(crate) const ALL: Block<W> = Block([!0; W]);

    /// Lanes in both.
    #[inline(always)]
    pub(crate) fn and(self, other: Block<W>) -> Block<W> {
        self.zip(other, |a, b| a & b)
    }

    /// Lanes in this and not in the other.
    #[inline(always)]
    pub(crate) fn and_not(self, other: Block<W>) -> Block<W> {
        self.zip(other, |a, b| a & !b)
    }

    /// Lanes in either.
    #[inline(always)]
    pub(crate) fn or(self, other: Block<W>) -> Block<W> {
        self.zip(other, |a, b| a | b)
    }

    /// Lanes in one of both.
    #[inline(always)]
    pub(crate) fn xor(self, other: Block<W>) -> Block<W> {
        self.zip(other, |a, b| a ^ b)
    }

    #[inline(always)]
    fn zip(self, other: Block<W>, f: impl Fn(u64, u64) -> u64) -> Block<W> {
        let mut out = [0; W];
        for (out, (a, b)) in out.iter_mut().zip(self.0.into_iter().zip(other.0)) {
            *out = f(a, b);
        }
        Block(out)
    }

    /// [`Block::and`] for loops over blocks. There the compiler, left to itself, takes the vectors
    /// across the blocks instead of along the lanes, word by word, which is several times slower;
    /// it leaves loops alone in which there are vectors already.
    #[inline(always)]
    pub(crate) fn and_wide(self, other: &Block<W>) -> Block<W> {
        #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
        {
            use std::arch::x86_64::_mm256_and_si256;
            // SAFETY: the target has the instruction.
            self.by_vectors(other, |a, b| unsafe { _mm256_and_si256(a, b) })
        }
        #[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
        self.and(*other)
    }

    /// [`Block::and_not`] for loops over blocks; see [`Block::and_wide`].
    #[inline(always)]
    pub(crate) fn and_not_wide(self, other: &Block<W>) -> Block<W> {
        #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
        {
            use std::arch::x86_64::_mm256_andnot_si256;
            // SAFETY: the target has the instruction.
            self.by_vectors(other, |a, b| unsafe { _mm256_andnot_si256(b, a) })
        }
        #[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
        self.and_not(*other)
    }

    #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
    #[inline(always)]
    fn by_vectors(
        mut self,
        other: &Block<W>,
        f: impl Fn(std::arch::x86_64::__m256i, std::arch::x86_64::__m256i) -> std::arch::x86_64::__m256i,
    ) -> Block<W> {
        use std::arch::x86_64::{__m256i, _mm256_loadu_si256, _mm256_storeu_si256};
        let mut lanes = self.0.chunks_exact_mut(4).zip(other.0.chunks_exact(4));
        for (a, b) in &mut lanes {
            let (a, b) = (a.as_mut_ptr().cast::<__m256i>(), b.as_ptr().cast::<__m256i>());
            // SAFETY: both point to four words, and the target has the instructions.
            unsafe { _mm256_storeu_si256(a, f(_mm256_loadu_si256(a), _mm256_loadu_si256(b))) }
        }
        debug_assert!(W.is_multiple_of(4));
        self
    }

    /// Is any lane in?
    #[inline(always)]
    pub(crate) fn any(self) -> bool {
        self.0.iter().fold(0, |all, &word| all | word) != 0
    }

    /// How many lanes are in.
    #[inline]
    pub(crate) fn count(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Calls `f` with each lane that is in, ascending.
    #[inline]
    pub(crate) fn each(self, mut f: impl FnMut(usize)) {
        for (w, mut bits) in self.0.into_iter().enumerate() {
            while bits != 0 {
                f(w * 64 + bits.trailing_zeros() as usize);
                bits &= bits - 1;
            }
        }
    }

    /// Puts a lane in.
    #[inline]
    pub(crate) fn insert(&mut self, lane: usize) {
        self.0[lane / 64] |= 1 << (lane % 64);
    }
}

/// 256 random bits at a time: four interleaved streams of xoshiro256++ (Blackman and Vigna 2018).
#[derive(Clone, Debug)]
pub(super) struct Streams([Block<4>; 4]);

impl Streams {
    /// Streams from a seed.
    pub(super) fn new(seed: ludex_core::Seed) -> Streams {
        let mut rng = seed.rng();
        Streams([(); 4].map(|()| Block([(); 4].map(|()| rng.bits()))))
    }

    /// The next 256 bits.
    #[inline(always)]
    pub(super) fn bits(&mut self) -> Block<4> {
        let [s0, s1, s2, s3] = &mut self.0;
        let mut out = [0; 4];
        for (w, out) in out.iter_mut().enumerate() {
            let (a, b, c, d) = (s0.0[w], s1.0[w], s2.0[w], s3.0[w]);
            *out = a.wrapping_add(d).rotate_left(23).wrapping_add(a);
            let (c2, d2) = (c ^ a, d ^ b);
            s1.0[w] = b ^ c2;
            s0.0[w] = a ^ d2;
            s2.0[w] = c2 ^ (b << 17);
            s3.0[w] = d2.rotate_left(45);
        }
        Block(out)
    }
}

/// Transposes a square of 64 x 64 bits: bit `j` of word `i` becomes bit `i` of word `j`.
pub(super) fn transpose(square: &mut [u64; 64]) {
    let mut width = 32;
    let mut mask: u64 = 0x0000_0000_ffff_ffff;
    while width != 0 {
        let mut i = 0;
        while i < 64 {
            let swap = ((square[i] >> width) ^ square[i + width]) & mask;
            square[i] ^= swap << width;
            square[i + width] ^= swap;
            i = (i + width + 1) & !width;
        }
        width >>= 1;
        mask ^= mask << width;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_core::Seed;

    #[test]
    fn transposing_moves_each_bit_to_its_mirror() {
        let mut rng = Seed(3).rng();
        let square: [u64; 64] = [(); 64].map(|()| rng.bits());
        let mut turned = square;
        transpose(&mut turned);
        for (i, row) in square.iter().enumerate() {
            for (j, column) in turned.iter().enumerate() {
                assert_eq!(row >> j & 1, column >> i & 1);
            }
        }
    }

    #[test]
    fn the_streams_are_those_of_the_generator_with_their_states() {
        use rand_xoshiro::rand_core::{Rng as _, SeedableRng};
        let mut streams = Streams::new(Seed(9));
        let mut one = [0u8; 32];
        for (i, state) in streams.0.iter().enumerate() {
            one[i * 8..i * 8 + 8].copy_from_slice(&state.0[2].to_le_bytes());
        }
        let mut rng = rand_xoshiro::Xoshiro256PlusPlus::from_seed(one);
        for _ in 0..100 {
            assert_eq!(streams.bits().0[2], rng.next_u64());
        }
    }
}
