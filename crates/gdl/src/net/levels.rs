//! The order in which a net can be evaluated.

use rustc_hash::FxHashMap;

use crate::net::{Kind, Net, node};

/// Marks nodes outside all loops.
pub(crate) const NO_LOOP: u32 = u32::MAX;

/// Levels: a node's value depends only on nodes of lower levels, except inside a loop, whose
/// latches and inner gates share one level.
#[derive(Clone, Debug)]
pub(crate) struct Levels {
    /// By node.
    pub level: Vec<u32>,
    /// By node: the loop it belongs to, or [`NO_LOOP`].
    pub in_loop: Vec<u32>,
    /// By loop: its latches and inner gates, ascending.
    pub members: Vec<Vec<u32>>,
}

impl Levels {
    /// Finds the levels of a net.
    pub(crate) fn new(net: &Net) -> Levels {
        let mut in_loop = vec![NO_LOOP; net.len()];
        let mut members = Vec::with_capacity(net.loops.len());
        for (number, l) in net.loops.iter().enumerate() {
            // Inner gates depend on a latch and feed a definition.
            let mut inside: FxHashMap<u32, bool> =
                l.latches.iter().map(|&(latch, _)| (latch, true)).collect();
            let lowest = l.latches.iter().map(|x| x.0).min().unwrap_or(0);
            let mut cone: Vec<u32> = Vec::new();
            let mut todo: Vec<u32> = l.latches.iter().map(|&(_, def)| def >> 1).collect();
            while let Some(n) = todo.pop() {
                if n < lowest || inside.contains_key(&n) || net.kind(n as usize) != Kind::And {
                    continue;
                }
                inside.insert(n, false);
                cone.push(n);
                todo.extend(net.wires(n as usize).iter().map(|&w| w >> 1));
            }
            cone.sort_unstable();
            for &n in &cone {
                let depends =
                    net.wires(n as usize).iter().any(|&w| inside.get(&(w >> 1)) == Some(&true));
                inside.insert(n, depends);
            }
            let mut own: Vec<u32> =
                inside.into_iter().filter(|&(_, is_in)| is_in).map(|(n, _)| n).collect();
            own.sort_unstable();
            own.iter().for_each(|&n| in_loop[n as usize] = number as u32);
            members.push(own);
        }
        let mut level = vec![0u32; net.len()];
        let mut loop_level = vec![0u32; net.loops.len()];
        loop {
            for n in 0..net.len() {
                level[n] = match (in_loop[n], net.kind(n)) {
                    (NO_LOOP, Kind::And) => {
                        1 + net.wires(n).iter().map(|&w| level[node(w)]).max().unwrap_or(0)
                    }
                    (NO_LOOP, _) => 0,
                    (l, _) => loop_level[l as usize],
                };
            }
            let mut changed = false;
            for (l, own) in members.iter().enumerate() {
                let inputs = own.iter().flat_map(|&n| net.wires(n as usize));
                let outside = inputs.filter(|&&w| in_loop[node(w)] != l as u32);
                let defs = net.loops[l].latches.iter().map(|(_, def)| def);
                let outside = outside.chain(defs.filter(|&&d| in_loop[node(d)] != l as u32));
                let at = 1 + outside.map(|&w| level[node(w)]).max().unwrap_or(0);
                changed |= loop_level[l] != at;
                loop_level[l] = at;
            }
            if !changed {
                break;
            }
        }
        Levels { level, in_loop, members }
    }
}
