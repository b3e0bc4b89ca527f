//! Instructions that a portable program may use only where the processor has them.
//!
//! A program that is built for x86-64-v2 runs on every machine of the last fifteen years, but its bit tricks are compiled
//! without BMI and AVX2. So the loops that matter are compiled twice: for what the program was [`Built`] for, and, behind a
//! check at run time, for [`Modern`] processors. Code asks by a type parameter `C: Cpu` which of the two it is in. The check
//! costs about a nanosecond, so it stands outside of playouts and batches. Where the program is built for a modern
//! processor anyway (`target-cpu=native`), and on other architectures, [`Modern::here`] is `None` and there is one copy.

/// A kind of processor that code is compiled for.
pub trait Cpu: Copy {
    /// The `k`-th set bit of `mask` (counted from 0, from the lowest), still as a one-bit mask; 0 where `mask` has no more
    /// than `k` bits.
    fn nth_bit(self, mask: u64, k: u32) -> u64;
}

/// The processor that the program was built for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Built;

impl Cpu for Built {
    #[inline(always)]
    fn nth_bit(self, mask: u64, k: u32) -> u64 {
        #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
        {
            // SAFETY: the program is compiled for a processor with BMI2, says the `cfg` above.
            unsafe { std::arch::x86_64::_pdep_u64(1u64.unbounded_shl(k), mask) }
        }
        #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
        plain(mask, k)
    }
}

/// A proof that this machine has the instructions of x86-64-v3, among them BMI2 and AVX2.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Modern(());

impl Modern {
    /// The proof, if the program gains by a second copy of its loops on this machine.
    #[inline(always)]
    pub fn here() -> Option<Modern> {
        #[cfg(all(target_arch = "x86_64", not(target_feature = "avx2")))]
        {
            found().then_some(Modern(()))
        }
        #[cfg(not(all(target_arch = "x86_64", not(target_feature = "avx2"))))]
        None
    }

    /// Runs `work` in a function that is compiled for modern processors. The compiler must be able to inline what the work
    /// calls: a function that is not inlined stays as it is in the rest of the program.
    #[inline(always)]
    pub fn run<R>(self, work: impl FnOnce() -> R) -> R {
        #[cfg(target_arch = "x86_64")]
        {
            #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,movbe,popcnt")]
            fn modern<R>(work: impl FnOnce() -> R) -> R {
                work()
            }
            // SAFETY: the processor has the instructions; `self` is the proof.
            unsafe { modern(work) }
        }
        #[cfg(not(target_arch = "x86_64"))]
        work()
    }
}

impl Cpu for Modern {
    #[inline(always)]
    fn nth_bit(self, mask: u64, k: u32) -> u64 {
        #[cfg(target_arch = "x86_64")]
        {
            let bit: u64;
            // The instruction itself and not its function in `std`, which is inlined only inside of `run`.
            // SAFETY: the processor has BMI2; `self` is the proof. Only registers are read and written.
            unsafe {
                std::arch::asm!(
                    "pdep {bit}, {one}, {mask}",
                    bit = lateout(reg) bit,
                    one = in(reg) 1u64.unbounded_shl(k),
                    mask = in(reg) mask,
                    options(pure, nomem, nostack, preserves_flags),
                );
            }
            bit
        }
        #[cfg(not(target_arch = "x86_64"))]
        plain(mask, k)
    }
}

/// [`Cpu::nth_bit`] outside of playouts: the check is made at every call.
#[inline]
pub fn nth_bit(mask: u64, k: u32) -> u64 {
    match Modern::here() {
        Some(cpu) => cpu.nth_bit(mask, k),
        None => Built.nth_bit(mask, k),
    }
}

/// [`Cpu::nth_bit`] in plain arithmetic.
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "bmi2"))))]
fn plain(mut mask: u64, k: u32) -> u64 {
    for _ in 0..k.min(64) {
        mask &= mask.wrapping_sub(1);
    }
    mask & mask.wrapping_neg()
}

/// Has this machine the instructions of x86-64-v3? Looked up once.
#[cfg(all(target_arch = "x86_64", not(target_feature = "avx2")))]
#[inline(always)]
fn found() -> bool {
    use std::sync::atomic::{AtomicU8, Ordering};
    static KNOWN: AtomicU8 = AtomicU8::new(0);
    const NO: u8 = 1;
    const YES: u8 = 2;
    #[cold]
    fn look() -> bool {
        let found = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("fma")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("movbe")
            && is_x86_feature_detected!("popcnt");
        KNOWN.store(if found { YES } else { NO }, Ordering::Relaxed);
        found
    }
    match KNOWN.load(Ordering::Relaxed) {
        YES => true,
        NO => false,
        _ => look(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn all_ways_pick_the_same_bit(mask: u64, k in 0u32..70) {
            prop_assert_eq!(Built.nth_bit(mask, k), plain(mask, k));
            prop_assert_eq!(nth_bit(mask, k), plain(mask, k));
            #[cfg(target_arch = "x86_64")]
            if is_x86_feature_detected!("bmi2") {
                // The proof is made here, because a program that is built for BMI2 never needs it.
                prop_assert_eq!(Modern(()).nth_bit(mask, k), plain(mask, k));
            }
        }
    }
}
