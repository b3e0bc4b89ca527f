//! One block of lanes per slot, and how code runs over them: the inner loop of the batch engine.

use crate::engines::lanes::block::{Block, transpose};
use crate::engines::reasoner::State;
use crate::net::code::{Code, Op, Run, Sweep};

/// Slot of the constant.
pub(crate) const ON: u32 = 0;

/// The values of all slots in all lanes.
#[derive(Clone, Debug)]
pub(crate) struct Values<const W: usize>(Vec<Block<W>>);

impl<const W: usize> Values<W> {
    /// A number of slots, all off but the constant.
    pub(crate) fn new(slots: usize) -> Values<W> {
        let mut values = vec![Block::NONE; slots.max(1)];
        values[ON as usize] = Block::ALL;
        Values(values)
    }

    /// All blocks, by slot.
    #[inline(always)]
    pub(crate) fn blocks(&mut self) -> &mut [Block<W>] {
        &mut self.0
    }

    /// A slot's lanes.
    #[inline(always)]
    pub(crate) fn get(&self, slot: u32) -> Block<W> {
        self.0[slot as usize]
    }

    /// Sets a slot's lanes.
    #[inline(always)]
    pub(crate) fn set(&mut self, slot: u32, value: Block<W>) {
        self.0[slot as usize] = value;
    }

    /// The lanes in which a wire (slot times two plus sign) is on.
    #[inline(always)]
    pub(crate) fn wire(&self, wire: u32) -> Block<W> {
        // Without a branch: the signs of wires are as good as random.
        self.0[(wire >> 1) as usize].xor(Block([u64::from(wire & 1).wrapping_neg(); W]))
    }

    /// Puts one state into the lanes of a mask; fluent `bases[i]` is in slot `1 + i`.
    pub(crate) fn fill(&mut self, bases: &[u32], state: &State, mask: Block<W>) {
        for (slot, &base) in self.0[1..].iter_mut().zip(bases) {
            let holds = state[base as usize / 64] >> (base % 64) & 1 == 1;
            *slot = if holds { slot.or(mask) } else { slot.and_not(mask) };
        }
    }

    /// Puts a state into each lane of a list that ascends by lane, 64 lanes at a time, through bit
    /// transposes; fluent `bases[i]` (ascending) is in slot `1 + i`.
    pub(crate) fn load(&mut self, bases: &[u32], lanes: &[(usize, &State)]) {
        for group in lanes.chunk_by(|a, b| a.0 / 64 == b.0 / 64) {
            let word = group[0].0 / 64;
            let keep = !group.iter().fold(0u64, |mask, (lane, _)| mask | 1 << (lane % 64));
            let mut square = [0u64; 64];
            let mut slot = 1;
            for run in bases.chunk_by(|a, b| a / 64 == b / 64) {
                let w = run[0] as usize / 64;
                square.fill(0);
                for (lane, state) in group {
                    square[lane % 64] = state[w];
                }
                transpose(&mut square);
                for &base in run {
                    let value = &mut self.0[slot].0[word];
                    *value = *value & keep | square[base as usize % 64];
                    slot += 1;
                }
            }
        }
    }

    /// Runs code.
    ///
    /// # Panics
    /// If the code was made for more slots than there are.
    #[inline(always)]
    pub(crate) fn evaluate(&mut self, code: &Code) {
        // All that the unsafe code below relies on: `Code` has seen to its own slots and wires.
        assert!(code.slots() <= self.0.len(), "code for more slots");
        for op in code.ops() {
            match op {
                Op::Run(run) => self.run(run, code.wires()),
                Op::Loop(sweeps) => self.sweep(sweeps),
            }
        }
    }

    #[inline(always)]
    fn run(&mut self, run: &Run, wires: &[u32]) {
        macro_rules! by_shape {
            ($(($p:literal, $n:literal))*) => {
                match (run.plain, run.negated) {
                    $(($p, $n) => self.run_fixed::<$p, $n>(run, wires),)*
                    _ => self.run_any(run, wires),
                }
            };
        }
        by_shape!((2, 0)(1, 1)(0, 2)(3, 0)(2, 1)(1, 2)(0, 3)(4, 0)(3, 1)(2, 2)(1, 3)(0, 4));
    }

    #[inline(always)]
    fn run_fixed<const P: usize, const N: usize>(&mut self, run: &Run, wires: &[u32]) {
        let values = self.0.as_mut_ptr();
        let mut from = run.from as usize;
        for _ in 0..run.gates {
            // SAFETY: all slots and wire indices of a `Code` lie below its `slots`, and
            // `evaluate` has seen that there are as many values.
            unsafe {
                let wire = wires.as_ptr().add(from);
                let mut all = Block::<W>::ALL;
                for i in 1..=P {
                    all = all.and(*values.add(*wire.add(i) as usize));
                }
                for i in P + 1..=P + N {
                    all = all.and_not(*values.add(*wire.add(i) as usize));
                }
                *values.add(*wire as usize) = all;
            }
            from += 1 + P + N;
        }
    }

    #[inline(always)]
    fn run_any(&mut self, run: &Run, wires: &[u32]) {
        let values = self.0.as_mut_ptr();
        let (plain, all_wires) = (run.plain as usize, (run.plain + run.negated) as usize);
        let mut from = run.from as usize;
        for _ in 0..run.gates {
            // SAFETY: as in `run_fixed`.
            unsafe {
                let wire = wires.as_ptr().add(from);
                let mut all = Block::<W>::ALL;
                for i in 1..=plain {
                    all = all.and_wide(&*values.add(*wire.add(i) as usize));
                }
                for i in plain + 1..=all_wires {
                    all = all.and_not_wide(&*values.add(*wire.add(i) as usize));
                }
                *values.add(*wire as usize) = all;
            }
            from += 1 + all_wires;
        }
    }

    /// A loop's least fixpoint in all lanes.
    fn sweep(&mut self, sweeps: &[Sweep]) {
        for sweep in sweeps {
            if let Sweep::Grow { latch, .. } = sweep {
                self.0[*latch as usize] = Block::NONE;
            }
        }
        loop {
            let mut grew = Block::NONE;
            for sweep in sweeps {
                match sweep {
                    Sweep::Gate { out, plain, negated } => {
                        let mut all = Block::ALL;
                        for &slot in plain {
                            all = all.and(self.0[slot as usize]);
                        }
                        for &slot in negated {
                            all = all.and_not(self.0[slot as usize]);
                        }
                        self.0[*out as usize] = all;
                    }
                    Sweep::Grow { latch, def } => {
                        let old = self.0[*latch as usize];
                        let new = old.or(self.wire(*def));
                        grew = grew.or(new.and_not(old));
                        self.0[*latch as usize] = new;
                    }
                }
            }
            if !grew.any() {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_core::Seed;

    #[test]
    fn loading_changes_the_lanes_of_the_list_and_no_others() {
        let bases: Vec<u32> = (0..200).filter(|b| b % 7 != 3).collect();
        let mut rng = Seed(4).rng();
        let states: Vec<State> = (0..90).map(|_| (0..4).map(|_| rng.bits()).collect()).collect();
        let mut values = Values::<4>::new(1 + bases.len());
        values.fill(&bases, &states[0], Block::ALL);
        let lanes: Vec<usize> = (0..256).filter(|lane| lane % 3 == 1).collect();
        let list: Vec<(usize, &State)> = lanes.iter().copied().zip(&states[1..]).collect();
        values.load(&bases, &list);
        for lane in 0..256 {
            let at = lanes.iter().position(|&l| l == lane).map_or(0, |i| 1 + i);
            for (i, &base) in bases.iter().enumerate() {
                let holds = states[at][base as usize / 64] >> (base % 64) & 1;
                assert_eq!(values.get(1 + i as u32).0[lane / 64] >> (lane % 64) & 1, holds);
            }
        }
    }
}
