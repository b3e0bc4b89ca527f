//! The netlist: a hash-consed graph of AND gates with negation on the wires.
//!
//! OR is AND with all wires negated (de Morgan), so equal logic in either form is found equal.
//! Positive recursion over ground atoms is held in [`Loop`]s: latches that start false and grow
//! until nothing changes (least fixpoint).

pub(crate) mod chance_alone;
pub(crate) mod code;
pub(crate) mod factor;
pub(crate) mod levels;
pub(crate) mod phases;
pub(crate) mod propnet;

use std::hash::Hasher;

use hashbrown::HashTable;
use rustc_hash::FxHasher;

/// A wire: twice a node's number, plus one if negated.
pub(crate) type Lit = u32;
/// The wire that is always on.
pub(crate) const TRUE: Lit = 0;
/// The wire that is always off.
pub(crate) const FALSE: Lit = 1;

/// The node of a wire.
#[inline]
pub(crate) fn node(lit: Lit) -> usize {
    (lit >> 1) as usize
}

/// The kinds of nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Always on (node 0).
    True,
    /// A fluent of the state.
    Base(u32),
    /// A move.
    Does(u32),
    /// One of a loop's growing values.
    Latch(u32),
    /// All of its wires are on.
    And,
}

/// Latches that depend on each other: `latch` becomes true when `def` is, until nothing changes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Loop {
    /// The latches' nodes and their definitions.
    pub latches: Vec<(u32, Lit)>,
}

/// A netlist. Every gate's wires come from nodes with smaller numbers.
#[derive(Clone, Debug)]
pub(crate) struct Net {
    kinds: Vec<Kind>,
    /// Extent of each node's wires.
    wires_from: Vec<u32>,
    wires: Vec<Lit>,
    table: HashTable<u32>,
    /// The loops, each after those it depends on.
    pub loops: Vec<Loop>,
}

impl Default for Net {
    fn default() -> Net {
        let mut net = Net {
            kinds: Vec::new(),
            wires_from: vec![0],
            wires: Vec::new(),
            table: HashTable::new(),
            loops: Vec::new(),
        };
        net.push(Kind::True, &[]);
        net
    }
}

fn hash_wires(wires: &[Lit]) -> u64 {
    let mut hasher = FxHasher::default();
    wires.iter().for_each(|&w| hasher.write_u32(w));
    hasher.finish()
}

impl Net {
    /// Number of nodes.
    pub(crate) fn len(&self) -> usize {
        self.kinds.len()
    }

    /// The kind of a node.
    pub(crate) fn kind(&self, node: usize) -> Kind {
        self.kinds[node]
    }

    /// A gate's wires, sorted; empty for other nodes.
    #[inline]
    pub(crate) fn wires(&self, node: usize) -> &[Lit] {
        &self.wires[self.wires_from[node] as usize..self.wires_from[node + 1] as usize]
    }

    /// Number of gates.
    #[cfg(test)]
    pub(crate) fn gates(&self) -> usize {
        self.kinds.iter().filter(|k| **k == Kind::And).count()
    }

    /// Number of wires into gates.
    #[cfg(test)]
    pub(crate) fn literals(&self) -> usize {
        self.wires.len()
    }

    fn push(&mut self, kind: Kind, wires: &[Lit]) -> Lit {
        self.kinds.push(kind);
        self.wires.extend_from_slice(wires);
        self.wires_from.push(self.wires.len() as u32);
        (self.kinds.len() as u32 - 1) << 1
    }

    /// A new node that is no gate.
    pub(crate) fn leaf(&mut self, kind: Kind) -> Lit {
        self.push(kind, &[])
    }

    /// All of these wires; sorts and may shorten the argument.
    pub(crate) fn and(&mut self, wires: &mut Vec<Lit>) -> Lit {
        wires.sort_unstable();
        wires.dedup();
        if wires.first() == Some(&TRUE) {
            wires.remove(0);
        }
        // The constant's wires sort first; a wire and its negation stand side by side.
        if wires.first() == Some(&FALSE) || wires.windows(2).any(|w| w[0] ^ 1 == w[1]) {
            return FALSE;
        }
        match wires.as_slice() {
            [] => return TRUE,
            [one] => return *one,
            _ => {}
        }
        let hash = hash_wires(wires);
        if let Some(&known) = self.table.find(hash, |&n| self.wires(n as usize) == wires.as_slice())
        {
            return known << 1;
        }
        let lit = self.push(Kind::And, wires);
        let (from, all) = (&self.wires_from, &self.wires);
        let rehash =
            |&n: &u32| hash_wires(&all[from[n as usize] as usize..from[n as usize + 1] as usize]);
        self.table.insert_unique(hash, lit >> 1, rehash);
        lit
    }

    /// Any of these wires; uses the argument as scratch space.
    pub(crate) fn or(&mut self, wires: &mut Vec<Lit>) -> Lit {
        wires.iter_mut().for_each(|w| *w ^= 1);
        self.and(wires) ^ 1
    }

    /// Values of all nodes for given leaves, by the definition: the oracle of the fast engines.
    pub(crate) fn evaluate(&self, leaf: impl Fn(Kind) -> bool) -> Vec<bool> {
        let mut value = vec![false; self.len()];
        let on = |value: &[bool], lit: Lit| value[node(lit)] != (lit & 1 == 1);
        // Latches start false; loops are stable when a sweep over all changes nothing, and
        // each loop must be stable before a later loop (which may negate it) begins.
        for stable in 0..=self.loops.len() {
            loop {
                for n in 0..self.len() {
                    match self.kinds[n] {
                        Kind::True => value[n] = true,
                        Kind::And => value[n] = self.wires(n).iter().all(|&w| on(&value, w)),
                        Kind::Latch(_) => {}
                        kind => value[n] = leaf(kind),
                    }
                }
                let Some(current) = self.loops.get(stable) else { break };
                let mut changed = false;
                for &(latch, def) in &current.latches {
                    if !value[latch as usize] && on(&value, def) {
                        value[latch as usize] = true;
                        changed = true;
                    }
                }
                if !changed {
                    break;
                }
            }
        }
        value
    }

    /// Marks every node that the wires depend on.
    pub(crate) fn cone(&self, roots: impl IntoIterator<Item = Lit>) -> Vec<bool> {
        let mut mark = vec![false; self.len()];
        let mut todo: Vec<usize> = roots.into_iter().map(node).collect();
        while let Some(n) = todo.pop() {
            if std::mem::replace(&mut mark[n], true) {
                continue;
            }
            todo.extend(self.wires(n).iter().map(|&w| node(w)));
            if let Kind::Latch(l) = self.kinds[n] {
                // All latches of a loop live together.
                for &(latch, def) in &self.loops[l as usize].latches {
                    todo.push(latch as usize);
                    todo.push(node(def));
                }
            }
        }
        mark
    }

    /// Copies the logic under `roots` into a new net, with some leaves replaced by constants.
    /// Returns the net and the new wire for each root.
    pub(crate) fn rebuild(
        &self,
        roots: &[Lit],
        fixed: impl Fn(Kind) -> Option<bool>,
    ) -> (Net, Vec<Lit>) {
        let mark = self.cone(roots.iter().copied());
        let mut net = Net::default();
        let mut map: Vec<Lit> = vec![FALSE; self.len()];
        let mut pad = Vec::new();
        let mut open_loops: Vec<Option<usize>> = vec![None; self.loops.len()];
        // A loop's latches are copied on first sight, its definitions once all their gates are.
        let mut last_of: Vec<(usize, usize)> = self
            .loops
            .iter()
            .enumerate()
            .filter(|(_, l)| l.latches.first().is_some_and(|x| mark[x.0 as usize]))
            .map(|(i, l)| {
                let last =
                    l.latches.iter().map(|&(latch, def)| node(def).max(latch as usize)).max();
                (last.unwrap_or(0), i)
            })
            .collect();
        last_of.sort_unstable();
        let mut closing = last_of.into_iter().peekable();
        for n in 0..self.len() {
            if mark[n] {
                map[n] = match self.kinds[n] {
                    Kind::True => TRUE,
                    Kind::And => {
                        pad.clear();
                        pad.extend(self.wires(n).iter().map(|&w| map[node(w)] ^ (w & 1)));
                        net.and(&mut pad)
                    }
                    Kind::Latch(l) => {
                        let l = l as usize;
                        let new = *open_loops[l].get_or_insert_with(|| {
                            net.loops.push(Loop::default());
                            net.loops.len() - 1
                        });
                        net.leaf(Kind::Latch(new as u32))
                    }
                    kind => match fixed(kind) {
                        Some(true) => TRUE,
                        Some(false) => FALSE,
                        None => net.leaf(kind),
                    },
                };
            }
            while let Some(&(_, l)) = closing.peek().filter(|&&(last, _)| last == n) {
                closing.next();
                if let Some(new) = open_loops[l] {
                    net.loops[new].latches = self.loops[l]
                        .latches
                        .iter()
                        .map(|&(latch, def)| (map[latch as usize] >> 1, map[node(def)] ^ (def & 1)))
                        .collect();
                }
            }
        }
        let roots = roots.iter().map(|&r| map[node(r)] ^ (r & 1)).collect();
        (net, roots)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_logic_is_one_node() {
        let mut net = Net::default();
        let a = net.leaf(Kind::Base(0));
        let b = net.leaf(Kind::Base(1));
        let and = net.and(&mut vec![a, b, TRUE, a]);
        assert_eq!(net.and(&mut vec![b, a]), and);
        // a or b == not (not a and not b)
        let nor = net.and(&mut vec![a ^ 1, b ^ 1]);
        assert_eq!(net.or(&mut vec![a, b]), nor ^ 1);
        assert_eq!(net.and(&mut vec![a, a ^ 1]), FALSE);
        assert_eq!(net.or(&mut vec![a, TRUE]), TRUE);
        assert_eq!(net.and(&mut vec![]), TRUE);
        assert_eq!(net.gates(), 2);
    }

    #[test]
    fn a_loop_is_the_least_fixpoint() {
        // x <- y, y <- x, y <- a: false without a, although x = y = true would be consistent.
        let mut net = Net::default();
        let a = net.leaf(Kind::Base(0));
        let x = net.leaf(Kind::Latch(0));
        let y = net.leaf(Kind::Latch(0));
        let def_y = net.or(&mut vec![x, a]);
        net.loops.push(Loop { latches: vec![(x >> 1, y), (y >> 1, def_y)] });
        for input in [false, true] {
            let value = net.evaluate(|_| input);
            assert_eq!(value[node(x)], input);
        }
        let (again, roots) = net.rebuild(&[x], |_| None);
        assert!(again.evaluate(|_| true)[node(roots[0])]);
        assert!(!again.evaluate(|_| false)[node(roots[0])]);
    }
}
