//! Do players and chance ever choose in the same step?
//!
//! A player's move is legal only where certain fluents have certain values, which follow from the
//! net: those of all wires of an AND, and those that the wires of an OR have in common; and of fluents like
//! a round's number, of which at most one holds, the others don't. With these values
//! fixed most of chance's moves may turn out illegal. Where that leaves chance one move at most, for all
//! moves of a player but one, this player never has a choice together with chance. A proof, not a guess: where
//! it fails they may still be separate.

use crate::net::propnet::Propnet;
use crate::net::{FALSE, Kind, Lit, node};
use rustc_hash::FxHashMap;

/// Larger nets are not looked at.
const MOST_NODES: usize = 400_000;

/// Values of fluents beyond so many are left out, which proves less but nothing wrong.
const MOST_VALUES: usize = 48;

/// Different sets of values that are tried.
const MOST_SETS: usize = 200;

/// Fluents and their values, ascending.
type Values = Vec<(u32, bool)>;

/// Is it certain that no player has a choice in a step in which `random` has one?
pub(crate) fn chance_alone(propnet: &Propnet, random: usize) -> bool {
    let chance: Vec<Lit> = propnet.moves_of(random).map(|m| propnet.legal[m]).collect();
    if chance.iter().filter(|&&wire| wire != FALSE).count() < 2 {
        return true;
    }
    if propnet.net.len() > MOST_NODES {
        return false;
    }
    let implied = implied(propnet);
    let rivals = rivals(propnet, &implied);
    let mut known: FxHashMap<&Values, bool> = FxHashMap::default();
    for role in (0..propnet.roles.len()).filter(|&role| role != random) {
        let mut open = 0;
        for mv in propnet.moves_of(role) {
            let wire = propnet.legal[mv];
            if wire == FALSE {
                continue;
            }
            let values = &implied[wire as usize];
            if known.len() >= MOST_SETS {
                return false;
            }
            let choice = *known.entry(values).or_insert_with(|| {
                let mut fixed: FxHashMap<u32, bool> = FxHashMap::default();
                for &(base, value) in values {
                    let others = rivals.get(base as usize).filter(|_| value);
                    fixed.extend(others.into_iter().flatten().map(|&other| (other, false)));
                }
                fixed.extend(values.iter().copied());
                let fixed = |kind| match kind {
                    Kind::Base(base) => fixed.get(&base).copied(),
                    _ => None,
                };
                let (_, wires) = propnet.net.rebuild(&chance, fixed);
                wires.iter().filter(|&&wire| wire != FALSE).count() > 1
            });
            open += u32::from(choice);
            if open > 1 {
                return false;
            }
        }
    }
    true
}

/// By fluent: those that don't hold where it does. Of the fluents with one name at most one holds for ever if
/// at most one does at the start, and each follows from one of them, no two from the same.
fn rivals(propnet: &Propnet, implied: &[Values]) -> Vec<Vec<u32>> {
    let mut named: FxHashMap<&str, Vec<u32>> = FxHashMap::default();
    for (base, text) in propnet.bases.iter().enumerate() {
        let name = text.trim_start_matches('(').split([' ', ')']).next().unwrap_or(text);
        named.entry(name).or_default().push(base as u32);
    }
    let mut rivals = vec![Vec::new(); propnet.bases.len()];
    for group in named.values() {
        let first = group.iter().filter(|&&base| propnet.init[base as usize]).count();
        let mut sources = Vec::new();
        let follow = group.iter().map(|&base| propnet.next[base as usize]);
        let single = follow.filter(|&wire| wire != FALSE).all(|wire| {
            let from = |v: &&(u32, bool)| v.1 && group.binary_search(&v.0).is_ok();
            let source = implied[wire as usize].iter().find(from).map(|v| v.0);
            source.is_some_and(|source| {
                let fresh = !sources.contains(&source);
                sources.push(source);
                fresh
            })
        });
        if first <= 1 && single {
            for &base in group {
                rivals[base as usize] = group.iter().copied().filter(|&b| b != base).collect();
            }
        }
    }
    rivals
}

/// By wire: the values that fluents must have for it to be on.
fn implied(propnet: &Propnet) -> Vec<Values> {
    let net = &propnet.net;
    let mut implied: Vec<Values> = Vec::with_capacity(2 * net.len());
    for n in 0..net.len() {
        let (mut on, mut off) = (Values::new(), Values::new());
        match net.kind(n) {
            Kind::Base(base) => {
                on.push((base, true));
                off.push((base, false));
            }
            Kind::And => {
                let of = |wire: Lit| {
                    debug_assert!(node(wire) < n, "wires come from nodes before");
                    &implied[wire as usize]
                };
                for &wire in net.wires(n) {
                    on.extend_from_slice(of(wire));
                }
                on.sort_unstable();
                on.dedup();
                on.truncate(MOST_VALUES);
                let mut wires = net.wires(n).iter();
                if let Some(&first) = wires.next() {
                    off.clone_from(of(first ^ 1));
                    wires.for_each(|&wire| off.retain(|v| of(wire ^ 1).binary_search(v).is_ok()));
                }
            }
            _ => {}
        }
        implied.push(on);
        implied.push(off);
    }
    implied
}
