//! Join plans: in which order a clause's conditions are looked up, and by which index.
//!
//! For each literal as the first one the rest is ordered greedily by expected rows; the cheapest
//! of these orders wins. Sizes are those measured in play, so plans fit the game at hand.

use super::table::{Layout, Weights};
use crate::lower::{Arg, Clause, FlatAtom, FlatLit};

/// A column's weights with the slot of the frame that holds its value.
pub(super) type Key = Vec<(u16, u32)>;

/// How the rows of a literal are found.
#[derive(Debug)]
pub(super) enum Access {
    All,
    /// The rows of the last round of a recursion.
    Delta,
    /// The rows of a key.
    Index(usize, Key),
}

/// One condition.
#[derive(Debug)]
pub(super) enum Step {
    Scan {
        pred: usize,
        access: Access,
        /// Values to take: column, slot.
        bind: Vec<(u16, u16)>,
        /// Values to compare after that: column, slot.
        same: Vec<(u16, u16)>,
    },
    /// A row with an address is there (or not).
    Test {
        pred: usize,
        key: Key,
        negated: bool,
    },
    /// A row without an address is there (or not).
    TestHashed {
        pred: usize,
        slots: Vec<u16>,
        negated: bool,
    },
    /// The row can be proved (or not) from its relation's clauses: the relation is not stored.
    Ask {
        pred: usize,
        slots: Vec<u16>,
        negated: bool,
    },
    Distinct(u16, u16),
}

/// An order of evaluation for one clause. Variables and constants live in a frame of slots.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) steps: Vec<Step>,
    /// From this step on the head is known and only existence matters.
    pub(super) wanted: usize,
    pub(super) head: usize,
    pub(super) head_slots: Vec<u16>,
    /// The head's address, where it has one.
    pub(super) head_key: Option<Key>,
    /// The frame at the beginning.
    pub(super) frame: Vec<u32>,
    /// Plans of relations that are only asked: the columns of the question to take (the slot) and
    /// then to compare. `None` if solutions are stored.
    pub(super) given: Option<Given>,
}

/// How a question enters a frame: columns and slots.
#[derive(Debug, Default)]
pub(super) struct Given {
    pub(super) bind: Vec<(u16, u16)>,
    pub(super) same: Vec<(u16, u16)>,
}

/// Expected sizes of relations and of their columns.
#[derive(Clone, Debug, Default)]
pub(super) struct Sizes {
    pub(super) rows: Vec<f64>,
    pub(super) distinct: Vec<Vec<f64>>,
}

/// The data that planning needs and changes.
pub(super) struct Planner<'a> {
    pub(super) layouts: &'a mut [Layout],
    pub(super) weights: &'a mut Weights,
    pub(super) constants: usize,
    pub(super) sizes: &'a Sizes,
    /// By predicate: not stored, only asked about rows.
    pub(super) asked: &'a [bool],
}

fn is_bound(arg: Arg, bound: &[bool]) -> bool {
    match arg {
        Arg::Var(v) => bound[v as usize],
        Arg::Const(_) => true,
    }
}

impl Planner<'_> {
    /// Plans a clause. `delta` is the literal that ranges over the last round's rows.
    pub(super) fn plan(&mut self, clause: &Clause, delta: Option<usize>) -> Plan {
        let mut bound = vec![false; clause.vars as usize];
        let mut given = self.asked[clause.head.pred.index()].then(Given::default);
        if given.is_some() {
            clause.head.vars().for_each(|v| bound[v as usize] = true);
        }
        let order = self.order(clause, delta, &bound);
        let mut frame = vec![0; clause.vars as usize];
        let wanted_vars: Vec<u32> = clause.head.vars().collect();
        let all_bound = |bound: &[bool]| wanted_vars.iter().all(|&v| bound[v as usize]);
        let mut wanted = all_bound(&bound).then_some(0);
        let mut steps = Vec::with_capacity(order.len());
        for i in order {
            let step = match &clause.body[i] {
                FlatLit::Distinct(a, b) => {
                    Step::Distinct(slot(*a, &mut frame), slot(*b, &mut frame))
                }
                FlatLit::Neg(atom) => self.test(atom, &mut frame, true),
                FlatLit::Pos(atom) | FlatLit::Dom(atom) => {
                    if delta != Some(i) && atom.args.iter().all(|&a| is_bound(a, &bound)) {
                        self.test(atom, &mut frame, false)
                    } else {
                        self.scan(atom, delta == Some(i), &mut frame, &mut bound)
                    }
                }
            };
            steps.push(step);
            if wanted.is_none() && all_bound(&bound) {
                wanted = Some(steps.len());
            }
        }
        let head = clause.head.pred.index();
        let head_slots: Vec<u16> = clause.head.args.iter().map(|&a| slot(a, &mut frame)).collect();
        let head_key = self.layouts[head]
            .row_weights()
            .map(|w| head_slots.iter().copied().zip(w.iter().copied()).collect());
        if let Some(given) = &mut given {
            for (column, &slot) in head_slots.iter().enumerate() {
                let known = usize::from(slot) >= clause.vars as usize
                    || given.bind.iter().any(|&(_, other)| other == slot);
                let list = if known { &mut given.same } else { &mut given.bind };
                list.push((column as u16, slot));
            }
        }
        let head_key = if given.is_some() { None } else { head_key };
        let wanted = wanted.unwrap_or(steps.len());
        Plan { steps, wanted, head, head_slots, head_key, frame, given }
    }

    fn order(&self, clause: &Clause, delta: Option<usize>, bound: &[bool]) -> Vec<usize> {
        let binding: Vec<usize> =
            (0..clause.body.len()).filter(|&i| self.stored(&clause.body[i])).collect();
        let firsts = match delta {
            Some(first) => vec![Some(first)],
            None if binding.is_empty() || binding.len() > 24 => vec![None],
            None => binding.into_iter().map(Some).collect(),
        };
        let mut best: Option<(f64, Vec<usize>)> = None;
        for first in firsts {
            let (cost, order) = self.order_from(clause, first, bound);
            if best.as_ref().is_none_or(|(known, _)| cost < *known) {
                best = Some((cost, order));
            }
        }
        best.map_or_else(Vec::new, |(_, order)| order)
    }

    /// Can a literal give variables values?
    fn stored(&self, lit: &FlatLit) -> bool {
        matches!(lit, FlatLit::Pos(a) | FlatLit::Dom(a) if !self.asked[a.pred.index()])
    }

    /// The greedy order that begins with a literal, and its expected work.
    fn order_from(
        &self,
        clause: &Clause,
        first: Option<usize>,
        bound: &[bool],
    ) -> (f64, Vec<usize>) {
        let mut bound = bound.to_vec();
        let mut todo: Vec<usize> = (0..clause.body.len()).collect();
        let mut order = Vec::with_capacity(todo.len());
        let (mut ways, mut work) = (1.0f64, 0.0f64);
        while !todo.is_empty() {
            let chosen = match first {
                Some(first) if order.is_empty() => todo.iter().position(|&i| i == first),
                _ => None,
            };
            let at = chosen.unwrap_or_else(|| {
                let cost = |&i: &usize| self.fan_out(&clause.body[i], &bound);
                let costs: Vec<f64> = todo.iter().map(cost).collect();
                (0..todo.len()).min_by(|&a, &b| costs[a].total_cmp(&costs[b])).unwrap_or(0)
            });
            let i = todo.remove(at);
            let lit = &clause.body[i];
            let fan_out = self.fan_out(lit, &bound);
            ways *= fan_out.min(1e12);
            // Looking is work too, even if nothing is found.
            work += ways + 0.01;
            order.push(i);
            if lit.binds() {
                lit.vars().into_iter().for_each(|v| bound[v as usize] = true);
            }
        }
        (work, order)
    }

    /// The expected rows of a literal under these bindings.
    fn fan_out(&self, lit: &FlatLit, bound: &[bool]) -> f64 {
        let ready = |args: &[Arg]| args.iter().all(|&a| is_bound(a, bound));
        match lit {
            FlatLit::Distinct(a, b) if ready(&[*a, *b]) => 0.05,
            FlatLit::Neg(atom) if ready(&atom.args) => 0.1,
            FlatLit::Distinct(..) | FlatLit::Neg(_) => f64::INFINITY,
            FlatLit::Pos(atom) | FlatLit::Dom(atom) if self.asked[atom.pred.index()] => {
                if ready(&atom.args) { 0.5 } else { f64::INFINITY }
            }
            FlatLit::Pos(atom) | FlatLit::Dom(atom) => {
                let pred = atom.pred.index();
                let mut rows = self.sizes.rows[pred] + 0.3;
                for (column, &arg) in atom.args.iter().enumerate() {
                    if is_bound(arg, bound) {
                        rows /= self.sizes.distinct[pred][column].max(1.0);
                    }
                }
                if ready(&atom.args) { rows.clamp(0.02, 0.9) } else { rows.max(0.05) }
            }
        }
    }

    fn test(&self, atom: &FlatAtom, frame: &mut Vec<u32>, negated: bool) -> Step {
        let pred = atom.pred.index();
        let slots: Vec<u16> = atom.args.iter().map(|&a| slot(a, frame)).collect();
        if self.asked[pred] {
            return Step::Ask { pred, slots, negated };
        }
        match self.layouts[pred].row_weights() {
            Some(weights) => Step::Test {
                pred,
                key: slots.into_iter().zip(weights.iter().copied()).collect(),
                negated,
            },
            None => Step::TestHashed { pred, slots, negated },
        }
    }

    fn scan(
        &mut self,
        atom: &FlatAtom,
        delta: bool,
        frame: &mut Vec<u32>,
        bound: &mut [bool],
    ) -> Step {
        let pred = atom.pred.index();
        let before = bound.to_vec();
        let columns: Vec<usize> =
            (0..atom.args.len()).filter(|&c| is_bound(atom.args[c], &before)).collect();
        let (mut bind, mut same) = (Vec::new(), Vec::new());
        let mut in_key = vec![false; atom.args.len()];
        let access = if delta {
            Access::Delta
        } else if columns.is_empty() {
            Access::All
        } else {
            let (index, key) = self.layouts[pred].index_on(&columns, self.weights, self.constants);
            let mut slots = Vec::with_capacity(key.len());
            for (column, weights) in key {
                in_key[column] = true;
                slots.push((slot(atom.args[column], frame), weights));
            }
            if slots.is_empty() { Access::All } else { Access::Index(index, slots) }
        };
        for (column, &arg) in atom.args.iter().enumerate() {
            match arg {
                Arg::Var(v) if !before[v as usize] => {
                    let seen = std::mem::replace(&mut bound[v as usize], true);
                    let list = if seen { &mut same } else { &mut bind };
                    list.push((column as u16, v as u16));
                }
                _ if in_key[column] => {}
                _ => same.push((column as u16, slot(arg, frame))),
            }
        }
        Step::Scan { pred, access, bind, same }
    }
}

/// The slot of an argument; constants get slots after the variables.
fn slot(arg: Arg, frame: &mut Vec<u32>) -> u16 {
    match arg {
        Arg::Var(v) => v as u16,
        Arg::Const(c) => {
            frame.push(c.0);
            (frame.len() - 1) as u16
        }
    }
}
