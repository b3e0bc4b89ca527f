//! Netlists as straight code over slots, for evaluators that hold one value block per slot.

use crate::levels::{Levels, NO_LOOP};
use crate::net::{Kind, Lit, Net, node};

/// A run of gates with the same numbers of plain and negated wires; their results go to
/// consecutive slots.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// Plain wires of each gate.
    pub plain: u32,
    /// Negated wires of each gate.
    pub negated: u32,
    /// How many gates.
    pub gates: u32,
    /// The first gate's slot.
    pub out: u32,
    /// Where the first gate's wires begin.
    pub from: u32,
}

/// One step of a loop's sweep.
#[derive(Clone, Debug)]
pub enum Sweep {
    /// Evaluate a gate.
    Gate {
        /// Where the result goes.
        out: u32,
        /// Slots of plain wires.
        plain: Vec<u32>,
        /// Slots of negated wires.
        negated: Vec<u32>,
    },
    /// The latch grows by its definition.
    Grow {
        /// The latch's slot.
        latch: u32,
        /// Slot times two plus sign.
        def: u32,
    },
}

/// A step of code.
#[derive(Clone, Debug)]
pub enum Op {
    /// Gates.
    Run(Run),
    /// Clear the latches, then sweep until nothing grows.
    Loop(Vec<Sweep>),
}

/// Straight code. Whoever runs it may trust that all slots and wires lie inside.
#[derive(Clone, Debug, Default)]
pub struct Code {
    ops: Vec<Op>,
    wires: Vec<u32>,
    slots: usize,
}

impl Code {
    /// Code from its steps and wires; `slots` is one more than the largest slot.
    ///
    /// # Panics
    /// If a slot or a wire lies outside: the evaluators trust them.
    fn new(ops: Vec<Op>, wires: Vec<u32>, slots: usize) -> Code {
        let inside = |slot: u32| assert!((slot as usize) < slots, "slot out of range");
        wires.iter().for_each(|&slot| inside(slot));
        for op in &ops {
            match op {
                Op::Run(run) => {
                    inside(run.out + run.gates - 1);
                    let all = (run.plain + run.negated) * run.gates;
                    assert!((run.from + all) as usize <= wires.len(), "wire out of range");
                }
                Op::Loop(sweeps) => sweeps.iter().for_each(|sweep| match sweep {
                    Sweep::Gate { out, plain, negated } => {
                        [*out].iter().chain(plain).chain(negated).for_each(|&s| inside(s));
                    }
                    Sweep::Grow { latch, def } => {
                        inside(*latch);
                        inside(def >> 1);
                    }
                }),
            }
        }
        Code { ops, wires, slots }
    }

    /// The steps.
    #[inline(always)]
    pub fn ops(&self) -> &[Op] {
        &self.ops
    }

    /// The wires' slots, gate by gate, plain ones first.
    #[inline(always)]
    pub fn wires(&self) -> &[u32] {
        &self.wires
    }

    /// All slots are below this.
    #[inline(always)]
    pub fn slots(&self) -> usize {
        self.slots
    }
}

/// Gives nodes slots and makes code for parts of a net, one part after the other; what an
/// earlier part computed is there for the later ones.
pub struct Compiler<'a> {
    net: &'a Net,
    levels: Levels,
    /// By node; `u32::MAX` while it has none.
    slot: Vec<u32>,
    next_slot: u32,
}

impl<'a> Compiler<'a> {
    /// Slot 0 is always on; `leaf` gives the slots of leaves, all below `first_free`.
    pub fn new(net: &'a Net, first_free: u32, leaf: impl Fn(Kind) -> u32) -> Compiler<'a> {
        let slot = (0..net.len())
            .map(|n| match net.kind(n) {
                Kind::And | Kind::Latch(_) => u32::MAX,
                Kind::True => 0,
                kind => leaf(kind),
            })
            .collect();
        Compiler { net, levels: Levels::new(net), slot, next_slot: first_free }
    }

    /// A wire as slot times two plus sign; only for compiled nodes and leaves.
    pub fn wire(&self, lit: Lit) -> u32 {
        self.slot[node(lit)] << 1 | (lit & 1)
    }

    /// How many slots are in use.
    pub fn slots(&self) -> usize {
        self.next_slot as usize
    }

    /// Code for everything under the roots that has not been compiled yet.
    pub fn compile(&mut self, roots: impl IntoIterator<Item = Lit>) -> Code {
        let mark = self.net.cone(roots);
        let new = |n: usize| mark[n] && self.slot[n] == u32::MAX;
        let mut items: Vec<(u32, u32, u32, u32)> = Vec::new();
        let mut loops: Vec<u32> = Vec::new();
        for n in 0..self.net.len() {
            if !new(n) {
                continue;
            }
            let l = self.levels.in_loop[n];
            if l == NO_LOOP {
                let negated = self.net.wires(n).iter().filter(|&&w| w & 1 == 1).count() as u32;
                let plain = self.net.wires(n).len() as u32 - negated;
                items.push((self.levels.level[n], plain, negated, n as u32));
            } else if !loops.contains(&l) {
                loops.push(l);
                // Sorts after the gates of its level: they do not depend on each other.
                items.push((self.levels.level[n], u32::MAX, u32::MAX, l));
            }
        }
        items.sort_unstable();
        let (mut ops, mut all_wires): (Vec<Op>, Vec<u32>) = (Vec::new(), Vec::new());
        let mut at = 0;
        while at < items.len() {
            let (level, plain, negated, first) = items[at];
            if plain == u32::MAX {
                let sweep = self.compile_loop(first as usize);
                ops.push(Op::Loop(sweep));
                at += 1;
                continue;
            }
            let (out, from) = (self.next_slot, all_wires.len() as u32);
            let mut gates = 0;
            while let Some(&(l, p, g, n)) = items.get(at)
                && (l, p, g) == (level, plain, negated)
            {
                let wires = self.net.wires(n as usize);
                for sign in 0..2 {
                    let of_sign = wires.iter().filter(|&&w| w & 1 == sign);
                    all_wires.extend(of_sign.map(|&w| self.slot[node(w)]));
                }
                self.slot[n as usize] = self.next_slot;
                self.next_slot += 1;
                gates += 1;
                at += 1;
            }
            ops.push(Op::Run(Run { plain, negated, gates, out, from }));
        }
        Code::new(ops, all_wires, self.next_slot as usize)
    }

    fn compile_loop(&mut self, l: usize) -> Vec<Sweep> {
        let members = self.levels.members[l].clone();
        for &n in &members {
            self.slot[n as usize] = self.next_slot;
            self.next_slot += 1;
        }
        let mut sweep = Vec::new();
        // Each latch grows right after the gates of its definition (members are in such order
        // that a gate follows the gates it needs).
        let latches: Vec<(u32, Lit)> = self.net.loops[l].latches.clone();
        let mut emitted = vec![false; members.len()];
        for &(latch, def) in &latches {
            self.emit(def >> 1, &members, &mut emitted, &mut sweep);
            sweep.push(Sweep::Grow { latch: self.slot[latch as usize], def: self.wire(def) });
        }
        sweep
    }

    fn emit(&self, n: u32, members: &[u32], emitted: &mut [bool], sweep: &mut Vec<Sweep>) {
        // An explicit stack: post-order over the loop's inner gates.
        let mut stack = vec![(n, false)];
        while let Some((n, ready)) = stack.pop() {
            let Ok(i) = members.binary_search(&n) else { continue };
            if emitted[i] || self.net.kind(n as usize) != Kind::And {
                continue;
            }
            if !ready {
                stack.push((n, true));
                stack.extend(self.net.wires(n as usize).iter().map(|&w| (w >> 1, false)));
                continue;
            }
            emitted[i] = true;
            let of_sign = |sign: u32| {
                let wires = self.net.wires(n as usize).iter();
                wires.filter(|&&w| w & 1 == sign).map(|&w| self.slot[node(w)]).collect()
            };
            let (plain, negated) = (of_sign(0), of_sign(1));
            sweep.push(Sweep::Gate { out: self.slot[n as usize], plain, negated });
        }
    }
}
