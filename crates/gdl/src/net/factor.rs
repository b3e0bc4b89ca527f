//! Literal factoring: common parts of gates become gates of their own.
//!
//! First gates that feed a single other gate without negation are merged into it; then the pair
//! of wires that occurs together in most gates is taken out, again and again, while that saves
//! wires and the work stays within bounds.

use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use crate::net::{FALSE, Kind, Lit, Net, TRUE, node};

/// A pair in fewer gates saves nothing.
const LEAST: u32 = 3;
/// Pairs counted at most, to bound memory.
const MOST_PAIRS: usize = 3_000_000;
/// Steps of work at most.
const MOST_WORK: usize = 8_000_000;

/// A smaller net with the same values on the roots' wires. Nets with loops stay as they are.
pub(crate) fn factor(net: &Net, roots: &[Lit]) -> (Net, Vec<Lit>) {
    if !net.loops.is_empty() {
        return (net.clone(), roots.to_vec());
    }
    let mut gates = merged(net, roots);
    take_pairs_out(&mut gates);
    rebuild(net, &gates, roots)
}

/// The gates' wires, sorted, by node; gates with a single plain use are merged into their user.
fn merged(net: &Net, roots: &[Lit]) -> Vec<Vec<Lit>> {
    let mark = net.cone(roots.iter().copied());
    let mut uses = vec![0u32; net.len()];
    for n in (0..net.len()).filter(|&n| mark[n]) {
        net.wires(n).iter().for_each(|&w| uses[node(w)] += 1);
    }
    roots.iter().for_each(|&r| uses[node(r)] += 1);
    let mut gates: Vec<Vec<Lit>> = vec![Vec::new(); net.len()];
    for n in (0..net.len()).filter(|&n| mark[n] && net.kind(n) == Kind::And) {
        let mut wires = Vec::with_capacity(net.wires(n).len());
        for &w in net.wires(n) {
            if w & 1 == 0 && uses[node(w)] == 1 && net.kind(node(w)) == Kind::And {
                wires.append(&mut gates[node(w)]);
            } else {
                wires.push(w);
            }
        }
        wires.sort_unstable();
        wires.dedup();
        gates[n] = wires;
    }
    gates
}

fn pair(a: Lit, b: Lit) -> u64 {
    u64::from(a.min(b)) << 32 | u64::from(a.max(b))
}

fn take_pairs_out(gates: &mut Vec<Vec<Lit>>) {
    // Small gates have few pairs: count those first.
    let mut order: Vec<u32> =
        (0..gates.len() as u32).filter(|&g| gates[g as usize].len() > 2).collect();
    order.sort_by_key(|&g| gates[g as usize].len());
    let mut counts: FxHashMap<u64, u32> = FxHashMap::default();
    let mut counted = vec![false; gates.len()];
    let mut total = 0;
    for &g in &order {
        let wires = &gates[g as usize];
        total += wires.len() * (wires.len() - 1) / 2;
        if total > MOST_PAIRS {
            break;
        }
        counted[g as usize] = true;
        for (i, &a) in wires.iter().enumerate() {
            wires[i + 1..].iter().for_each(|&b| *counts.entry(pair(a, b)).or_default() += 1);
        }
    }
    let mut users: FxHashMap<Lit, Vec<u32>> = FxHashMap::default();
    for &g in &order {
        gates[g as usize].iter().for_each(|&w| users.entry(w).or_default().push(g));
    }
    // Ties go to the smaller pair, so that the result does not depend on the table's order.
    let rank = |count: u32, pair: u64| (count, !pair);
    let mut heap: BinaryHeap<(u32, u64)> =
        counts.iter().filter(|&(_, &c)| c >= LEAST).map(|(&p, &c)| rank(c, p)).collect();
    let mut work = 0;
    while let Some((count, key)) = heap.pop() {
        let key = !key;
        let now = counts.get(&key).copied().unwrap_or(0);
        if now != count {
            if now >= LEAST && now < count {
                heap.push(rank(now, key));
            }
            continue;
        }
        if work > MOST_WORK {
            break;
        }
        let (a, b) = ((key >> 32) as Lit, key as Lit);
        let new = (gates.len() as Lit) << 1;
        let (mut shared, rare) = {
            let uses = |w: &Lit| users.get(w).map_or(0, Vec::len);
            (Vec::new(), if uses(&a) <= uses(&b) { a } else { b })
        };
        for &g in users.get(&rare).into_iter().flatten() {
            work += 1;
            let wires = &gates[g as usize];
            // A gate that is just this pair stands for it.
            if wires.len() > 2 && wires.binary_search(&a).is_ok() && wires.binary_search(&b).is_ok()
            {
                shared.push(g);
            }
        }
        shared.sort_unstable();
        shared.dedup();
        counts.remove(&key);
        if shared.len() < LEAST as usize {
            continue;
        }
        gates.push(vec![a, b]);
        counted.push(false);
        for &g in &shared {
            let wires = &mut gates[g as usize];
            wires.retain(|&w| w != a && w != b);
            if counted[g as usize] {
                work += 4 * wires.len();
                for &x in wires.iter() {
                    for old in [pair(a, x), pair(b, x)] {
                        if let Some(c) = counts.get_mut(&old) {
                            *c = c.saturating_sub(1);
                        }
                    }
                    let c = counts.entry(pair(new, x)).or_default();
                    *c += 1;
                    if *c >= LEAST {
                        heap.push(rank(*c, pair(new, x)));
                    }
                }
            }
            // The new wire has the highest number, so the list stays sorted.
            wires.push(new);
            users.entry(new).or_default().push(g);
        }
    }
}

/// Builds the net of the gates, sharing equal ones.
fn rebuild(old: &Net, gates: &[Vec<Lit>], roots: &[Lit]) -> (Net, Vec<Lit>) {
    let mut net = Net::default();
    let mut map: Vec<Option<Lit>> = vec![None; gates.len()];
    // Leaves keep their order.
    for (n, slot) in map.iter_mut().enumerate().take(old.len()) {
        *slot = match old.kind(n) {
            Kind::True => Some(TRUE),
            Kind::And | Kind::Latch(_) => None,
            kind => Some(net.leaf(kind)),
        };
    }
    let mut pad = Vec::new();
    let mut stack: Vec<(usize, bool)> = Vec::new();
    for &root in roots {
        stack.push((node(root), false));
        while let Some((n, ready)) = stack.pop() {
            if map[n].is_some() {
                continue;
            }
            if !ready {
                stack.push((n, true));
                stack.extend(gates[n].iter().map(|&w| (node(w), false)));
                continue;
            }
            pad.clear();
            pad.extend(gates[n].iter().map(|&w| map[node(w)].unwrap_or(FALSE) ^ (w & 1)));
            map[n] = Some(net.and(&mut pad));
        }
    }
    let roots = roots.iter().map(|&r| map[node(r)].unwrap_or(FALSE) ^ (r & 1)).collect();
    (net, roots)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_core::Seed;

    #[test]
    fn factoring_keeps_the_values_and_saves_wires() {
        let mut rng = Seed(4).rng();
        let mut net = Net::default();
        let mut wires: Vec<Lit> = (0..12).map(|i| net.leaf(Kind::Base(i))).collect();
        for _ in 0..200 {
            let mut own: Vec<Lit> = (0..2 + rng.index(6))
                .map(|_| wires[rng.index(wires.len().min(40))] ^ (rng.bits() & 1) as Lit)
                .collect();
            let gate = net.and(&mut own);
            if gate > FALSE {
                wires.push(gate);
            }
        }
        let roots: Vec<Lit> = wires.iter().rev().take(60).map(|&w| w ^ 1).collect();
        let (small, new_roots) = factor(&net, &roots);
        let (plain, _) = net.rebuild(&roots, |_| None);
        assert!(small.literals() < plain.literals());
        for _ in 0..200 {
            let bits = rng.bits();
            let leaf = |kind| matches!(kind, Kind::Base(i) if bits >> i & 1 == 1);
            let (before, after) = (net.evaluate(leaf), small.evaluate(leaf));
            for (&a, &b) in roots.iter().zip(&new_roots) {
                let on = |values: &[bool], w: Lit| values[node(w)] != (w & 1 == 1);
                assert_eq!(on(&before, a), on(&after, b));
            }
        }
    }
}
