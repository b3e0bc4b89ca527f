//! The whole net of a game in code for lanes, percepts included, for states of any phase.

use super::values::ON;
use crate::net::Kind;
use crate::net::code::{Code, Compiler};
use crate::net::levels::Levels;
use crate::net::propnet::Propnet;

/// The code, and where its ends are. Wires are slot times two plus sign; fluent `i` is in slot `1 + i`, the move
/// `m` in slot `1 + fluents + m`.
#[derive(Debug, Clone)]
pub(crate) struct Whole {
    pub(crate) bases: Vec<u32>,
    /// Legality and terminality.
    pub(crate) view: Code,
    /// The next state and the percepts.
    pub(crate) step: Code,
    pub(crate) terminal: u32,
    /// By role: legality, slot and number of each move.
    pub(crate) choices: Vec<Vec<(u32, u32, u32)>>,
    pub(crate) next: Vec<u32>,
    /// By role: its percepts, number and wire.
    pub(crate) sees: Vec<Vec<(u32, u32)>>,
    pub(crate) slots: usize,
}

impl Whole {
    /// With the percepts of the roles that `sees` picks.
    pub(crate) fn new(propnet: &Propnet, sees: impl Fn(usize) -> bool) -> Whole {
        let (bases, moves) = (propnet.bases.len() as u32, propnet.moves.len() as u32);
        let percepts: Vec<u32> = (0..propnet.sees.len() as u32)
            .filter(|&i| sees(propnet.sees[i as usize].role as usize))
            .collect();
        let mut roots = propnet.legal.clone();
        roots.push(propnet.terminal);
        let view_roots = roots.len();
        roots.extend_from_slice(&propnet.next);
        roots.extend(percepts.iter().map(|&i| propnet.sees[i as usize].wire));
        let (net, roots) = propnet.net.rebuild(&roots, |_| None);
        let levels = Levels::new(&net);
        let mut compiler = Compiler::new(&net, &levels, 1 + bases + moves, |kind| match kind {
            Kind::Base(base) => 1 + base,
            Kind::Does(mv) => 1 + bases + mv,
            _ => ON,
        });
        let (view, step) = roots.split_at(view_roots);
        let view = compiler.compile(view, step);
        let step = compiler.compile(step, &[]);
        let wires: Vec<u32> = roots.iter().map(|&wire| compiler.wire(wire)).collect();
        let choices = (0..propnet.roles.len())
            .map(|role| {
                let moves = propnet.moves_of(role);
                moves.map(|m| (wires[m], 1 + bases + m as u32, m as u32)).collect()
            })
            .collect();
        let after = view_roots + bases as usize;
        let mut sees = vec![Vec::new(); propnet.roles.len()];
        for (&percept, &wire) in percepts.iter().zip(&wires[after..]) {
            sees[propnet.sees[percept as usize].role as usize].push((percept, wire));
        }
        Whole {
            bases: (0..bases).collect(),
            terminal: wires[moves as usize],
            choices,
            next: wires[view_roots..after].to_vec(),
            sees,
            slots: compiler.slots(),
            view,
            step,
        }
    }
}
