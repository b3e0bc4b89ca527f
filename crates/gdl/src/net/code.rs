//! Netlists as straight code over slots, for evaluators that hold one value block per slot.

use crate::net::levels::{Levels, NO_LOOP};
use crate::net::{Kind, Lit, Net, node};

/// A run of gates with the same numbers of plain and negated wires.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run {
    /// Plain wires of each gate.
    pub plain: u32,
    /// Negated wires of each gate.
    pub negated: u32,
    /// How many gates.
    pub gates: u32,
    /// Where the first gate's slot and wires begin.
    pub from: u32,
}

/// One step of a loop's sweep.
#[derive(Clone, Debug)]
pub(crate) enum Sweep {
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
pub(crate) enum Op {
    /// A run of gates.
    Run(Run),
    /// Clear the latches, then sweep until nothing grows.
    Loop(Vec<Sweep>),
}

/// Straight code. Whoever runs it may trust that all slots and wires lie inside.
#[derive(Clone, Debug, Default)]
pub(crate) struct Code {
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
                    let all = (1 + run.plain + run.negated) * run.gates;
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
    pub(crate) fn ops(&self) -> &[Op] {
        &self.ops
    }

    /// Gate by gate: the slot of its value, then those of its wires, plain ones first.
    #[inline(always)]
    pub(crate) fn wires(&self) -> &[u32] {
        &self.wires
    }

    /// Wires into gates outside loops: what running it costs.
    pub(crate) fn literals(&self) -> usize {
        let gates = |op: &Op| match op {
            Op::Run(run) => run.gates as usize,
            Op::Loop(_) => 0,
        };
        self.wires.len() - self.ops.iter().map(gates).sum::<usize>()
    }

    /// All slots are below this.
    #[inline(always)]
    pub(crate) fn slots(&self) -> usize {
        self.slots
    }
}

/// Gates in a row are ordered by shape among so many: enough for long runs, few enough that what
/// they compute is still in the cache when it is used.
const WINDOW: usize = 2048;

/// No slot.
const NONE: u32 = u32::MAX;

/// Gives nodes slots and makes code for parts of a net, one part after the other.
///
/// A slot is given to another node after its last use: a large net lives in few slots, which
/// stay in the cache.
#[derive(Clone)]
pub(crate) struct Compiler<'a> {
    net: &'a Net,
    levels: &'a Levels,
    /// By node; [`NONE`] while it has none.
    slot: Vec<u32>,
    /// Slots without a node.
    free: Vec<u32>,
    /// All slots are below this.
    slots: u32,
}

impl<'a> Compiler<'a> {
    /// Slot 0 is always on; `leaf` gives the slots of leaves, all below `first_free`.
    pub(crate) fn new(
        net: &'a Net,
        levels: &'a Levels,
        first_free: u32,
        leaf: impl Fn(Kind) -> u32,
    ) -> Compiler<'a> {
        let slot = (0..net.len())
            .map(|n| match net.kind(n) {
                Kind::And | Kind::Latch(_) => NONE,
                Kind::True => 0,
                kind => leaf(kind),
            })
            .collect();
        Compiler { net, levels, slot, free: Vec::new(), slots: first_free }
    }

    /// A wire as slot times two plus sign; only for leaves, roots of compiled parts, and what
    /// was kept for later.
    pub(crate) fn wire(&self, lit: Lit) -> u32 {
        self.slot[node(lit)] << 1 | (lit & 1)
    }

    /// How many slots are in use.
    pub(crate) fn slots(&self) -> usize {
        self.slots as usize
    }

    /// Code for everything under the roots that is not there yet. The values of the roots, and
    /// of all that code for the roots `later` will need, keep their slots.
    pub(crate) fn compile(&mut self, roots: &[Lit], later: &[Lit]) -> Code {
        let order = self.order(roots);
        let kept = self.kept(roots, later);
        let mut last_use = vec![0u32; self.net.len()];
        for (at, unit) in order.iter().enumerate() {
            unit.inputs(self, |n| last_use[n] = at as u32);
            unit.each(self, |n| last_use[n] = at as u32);
        }
        // By place in the order: the nodes used there for the last time.
        let mut ends: Vec<Vec<u32>> = vec![Vec::new(); order.len()];
        for unit in &order {
            unit.each(self, |n| {
                if !kept[n] {
                    ends[last_use[n] as usize].push(n as u32);
                }
            });
        }
        let mut ops: Vec<Op> = Vec::new();
        let mut wires: Vec<u32> = Vec::new();
        for (at, unit) in order.iter().enumerate() {
            let Unit { plain, negated, id, .. } = *unit;
            if plain == LOOP {
                ops.push(Op::Loop(self.compile_loop(id as usize)));
            } else {
                let from = wires.len() as u32;
                wires.push(self.take(id));
                let inputs = self.net.wires(id as usize);
                for sign in 0..2 {
                    let of_sign = inputs.iter().filter(|&&w| w & 1 == sign);
                    wires.extend(of_sign.map(|&w| self.slot[node(w)]));
                }
                match ops.last_mut() {
                    Some(Op::Run(run)) if (run.plain, run.negated) == (plain, negated) => {
                        run.gates += 1;
                    }
                    _ => ops.push(Op::Run(Run { plain, negated, gates: 1, from })),
                }
            }
            for &n in &ends[at] {
                self.free.push(std::mem::replace(&mut self.slot[n as usize], NONE));
            }
        }
        Code::new(ops, wires, self.slots as usize)
    }

    fn take(&mut self, n: u32) -> u32 {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots += 1;
            self.slots - 1
        });
        self.slot[n as usize] = slot;
        slot
    }

    /// By node: is it a root, or an input of a gate that lies only under the later roots?
    fn kept(&self, roots: &[Lit], later: &[Lit]) -> Vec<bool> {
        let now = self.net.cone(roots.iter().copied());
        let then = self.net.cone(later.iter().copied());
        let mut kept = vec![false; self.net.len()];
        roots.iter().chain(later).for_each(|&root| kept[node(root)] = true);
        for n in (0..self.net.len()).filter(|&n| then[n] && !now[n]) {
            self.net.wires(n).iter().for_each(|&w| kept[node(w)] = true);
            if let Kind::Latch(l) = self.net.kind(n) {
                let latches = &self.net.loops[l as usize].latches;
                latches.iter().for_each(|&(_, def)| kept[node(def)] = true);
            }
        }
        kept
    }

    /// The order of computation: depth first from the roots, and by level and shape within a window.
    fn order(&self, roots: &[Lit]) -> Vec<Unit> {
        let mut order: Vec<Unit> = Vec::new();
        let mut done: Vec<bool> = self.slot.iter().map(|&slot| slot != NONE).collect();
        // A loop's members need each other: once it is begun, none of them begins it again.
        let mut begun = done.clone();
        let mut stack: Vec<(usize, bool)> = Vec::new();
        for &root in roots {
            stack.push((node(root), false));
            while let Some((n, ready)) = stack.pop() {
                if done[n] || !ready && begun[n] {
                    continue;
                }
                let unit = Unit::of(self, n);
                if ready {
                    unit.each(self, |n| done[n] = true);
                    order.push(unit);
                } else {
                    unit.each(self, |n| begun[n] = true);
                    stack.push((n, true));
                    unit.inputs(self, |input| {
                        if !begun[input] {
                            stack.push((input, false));
                        }
                    });
                }
            }
        }
        order.chunks_mut(WINDOW).for_each(<[Unit]>::sort_unstable);
        order
    }

    fn compile_loop(&mut self, l: usize) -> Vec<Sweep> {
        let levels = self.levels;
        let members = &levels.members[l];
        for &n in members {
            self.take(n);
        }
        let mut sweep = Vec::new();
        // Each latch grows right after the gates of its definition (members are in such order
        // that a gate follows the gates it needs).
        let latches: Vec<(u32, Lit)> = self.net.loops[l].latches.clone();
        let mut emitted = vec![false; members.len()];
        for &(latch, def) in &latches {
            self.emit(def >> 1, members, &mut emitted, &mut sweep);
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

/// A unit of computation: a gate or a loop. Units are ordered as they are evaluated: by level, and in a level gates of
/// the same shape together, loops last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Unit {
    level: u32,
    /// Plain wires of a gate; [`LOOP`] in a loop.
    plain: u32,
    negated: u32,
    /// The gate's node, or the loop's number.
    id: u32,
}

/// Marks loops.
const LOOP: u32 = u32::MAX;

impl Unit {
    /// The unit that computes a node.
    fn of(compiler: &Compiler<'_>, n: usize) -> Unit {
        let level = compiler.levels.level[n];
        match compiler.levels.in_loop[n] {
            NO_LOOP => {
                let wires = compiler.net.wires(n);
                let negated = wires.iter().filter(|&&w| w & 1 == 1).count() as u32;
                Unit { level, plain: wires.len() as u32 - negated, negated, id: n as u32 }
            }
            l => Unit { level, plain: LOOP, negated: LOOP, id: l },
        }
    }

    /// The nodes that are computed.
    fn each(self, compiler: &Compiler<'_>, mut f: impl FnMut(usize)) {
        if self.plain == LOOP {
            compiler.levels.members[self.id as usize].iter().for_each(|&n| f(n as usize));
        } else {
            f(self.id as usize);
        }
    }

    /// The nodes that this needs, those of a loop itself among them.
    fn inputs(self, compiler: &Compiler<'_>, mut f: impl FnMut(usize)) {
        let net = compiler.net;
        self.each(compiler, |n| net.wires(n).iter().for_each(|&w| f(node(w))));
        if self.plain == LOOP {
            net.loops[self.id as usize].latches.iter().for_each(|&(_, def)| f(node(def)));
        }
    }
}
