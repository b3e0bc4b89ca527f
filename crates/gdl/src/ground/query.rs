//! Queries: all solutions of a clause's body over a set of relations, by joins.
//!
//! A [`Plan`] orders the literals greedily (tests as soon as their variables are bound, then the
//! literal with the fewest expected rows) and looks rows up by hash indices on what is bound. As
//! soon as all *wanted* variables have values the rest of the body is only asked for existence.

use std::cell::Cell;
use std::time::Instant;

use super::relation::Relation;
use crate::lower::{Arg, FlatAtom, FlatLit};
use crate::symbol::Sym;

/// The rows of a relation that a literal ranges over (semi-naive evaluation).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// All rows.
    All,
    /// The rows of earlier rounds.
    Old,
    /// The rows of the last round.
    Delta,
}

/// The relations of a program, by predicate number.
#[derive(Clone, Debug, Default)]
pub(crate) struct Db {
    /// Rows by predicate.
    pub rels: Vec<Relation>,
    /// Where the last round's rows begin, by predicate.
    pub delta: Vec<usize>,
    /// How many more rows may be visited.
    pub fuel: Cell<u64>,
    /// When to give up (as if the fuel had run out).
    pub deadline: Option<Instant>,
}

impl Db {
    fn range(&self, pred: usize, part: Part) -> (usize, usize) {
        let (delta, end) = (self.delta[pred], self.rels[pred].len());
        match part {
            Part::All => (0, end),
            Part::Old => (0, delta),
            Part::Delta => (delta, end),
        }
    }
}

#[derive(Clone, Debug)]
enum Step {
    /// Rows of a relation: those with the key in the index, or all.
    Scan { pred: usize, part: Part, index: Option<usize>, key: Vec<Arg>, bind: Vec<(usize, Bind)> },
    /// The row is there (or, negated, is not).
    Test { atom: FlatAtom, part: Part, negated: bool },
    /// The values differ.
    Distinct(Arg, Arg),
}

#[derive(Clone, Copy, Debug)]
enum Bind {
    /// First meeting: take the value.
    Set(u32),
    /// Seen before in the same row: must be equal.
    Same(u32),
}

/// An order of evaluation for one body.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    steps: Vec<Step>,
    /// From this step on only existence matters.
    wanted_from: usize,
}

/// The receiver of solutions.
pub(super) trait Sink {
    /// The wanted variables have values: is this combination of no interest?
    fn skip(&mut self, values: &[Sym]) -> bool;
    /// The combination exists.
    fn found(&mut self, values: &[Sym]);
}

/// Body literal with the part of the relation it ranges over.
pub(super) type Ranged<'a> = (&'a FlatLit, Part);

impl Plan {
    /// Plans a body. `first`, if given, is the literal to begin with (the one over new rows);
    /// `bound` are variables that have values already; `wanted` the variables whose every
    /// combination of values is asked for.
    pub(super) fn new(
        db: &mut Db,
        body: &[Ranged<'_>],
        first: Option<usize>,
        vars: u32,
        bound_before: &[u32],
        wanted: &[u32],
    ) -> Plan {
        let mut bound = vec![false; vars as usize];
        for &v in bound_before {
            bound[v as usize] = true;
        }
        let mut todo: Vec<usize> = (0..body.len()).collect();
        let mut steps = Vec::with_capacity(body.len());
        let all_bound = |bound: &[bool]| wanted.iter().all(|&v| bound[v as usize]);
        let mut wanted_from = if all_bound(&bound) { Some(0) } else { None };
        while !todo.is_empty() {
            let (at, _) = todo
                .iter()
                .enumerate()
                .map(|(at, &i)| (at, cost(db, body[i], Some(i) == first, &bound)))
                .min_by(|a, b| a.1.total_cmp(&b.1))
                .unwrap_or((0, 0.0));
            let (lit, part) = body[todo.remove(at)];
            steps.push(step(db, lit, part, &mut bound));
            if wanted_from.is_none() && all_bound(&bound) {
                wanted_from = Some(steps.len());
            }
        }
        let wanted_from = wanted_from.unwrap_or(steps.len());
        Plan { steps, wanted_from }
    }

    /// Reports each combination of the wanted variables' values once per way to reach it; stops
    /// early, with an incomplete answer, when [`Db::fuel`] runs out.
    pub(super) fn run(&self, db: &Db, values: &mut [Sym], sink: &mut impl Sink) {
        self.go(db, 0, values, sink);
    }

    fn go(&self, db: &Db, at: usize, values: &mut [Sym], sink: &mut impl Sink) -> bool {
        if at == self.wanted_from && sink.skip(values) {
            return false;
        }
        let Some(step) = self.steps.get(at) else {
            sink.found(values);
            return true;
        };
        let value = |arg: Arg, values: &[Sym]| match arg {
            Arg::Var(v) => values[v as usize],
            Arg::Const(c) => c,
        };
        match step {
            Step::Distinct(a, b) => {
                value(*a, values) != value(*b, values) && self.go(db, at + 1, values, sink)
            }
            Step::Test { atom, part, negated } => {
                let mut row = [Sym(0); 16];
                let holds = with_row(&mut row, &atom.args, values, |row| {
                    let pred = atom.pred.index();
                    let (from, to) = db.range(pred, *part);
                    db.rels[pred].find(row).is_some_and(|r| r >= from && r < to)
                });
                holds != *negated && self.go(db, at + 1, values, sink)
            }
            Step::Scan { pred, part, index, key, bind } => {
                let rel = &db.rels[*pred];
                let (from, to) = db.range(*pred, *part);
                let mut any = false;
                let mut visit = |row: usize, values: &mut [Sym]| -> bool {
                    let fuel = db.fuel.get();
                    if fuel == 0 {
                        return true;
                    }
                    db.fuel.set(fuel - 1);
                    if fuel.is_multiple_of(65_536)
                        && db.deadline.is_some_and(|d| Instant::now() > d)
                    {
                        db.fuel.set(0);
                    }
                    let cells = rel.row(row);
                    for &(column, bind) in bind {
                        match bind {
                            Bind::Set(v) => values[v as usize] = cells[column],
                            Bind::Same(v) if values[v as usize] != cells[column] => return false,
                            Bind::Same(_) => {}
                        }
                    }
                    let hit = self.go(db, at + 1, values, sink);
                    any |= hit;
                    hit && at >= self.wanted_from
                };
                match index {
                    None => {
                        for row in from..to {
                            if visit(row, values) {
                                break;
                            }
                        }
                    }
                    Some(index) => {
                        let mut buffer = [Sym(0); 16];
                        let mut row =
                            with_row(&mut buffer, key, values, |key| rel.newest(*index, key));
                        while let Some(r) = row {
                            if r < from || (r < to && visit(r, values)) {
                                break;
                            }
                            row = rel.older(*index, r);
                        }
                    }
                }
                any
            }
        }
    }
}

/// Calls `f` with the arguments' values, on the stack where they fit.
#[inline]
fn with_row<T>(
    buffer: &mut [Sym; 16],
    args: &[Arg],
    values: &[Sym],
    f: impl FnOnce(&[Sym]) -> T,
) -> T {
    let value = |arg: &Arg| match arg {
        Arg::Var(v) => values[*v as usize],
        Arg::Const(c) => *c,
    };
    if args.len() <= buffer.len() {
        for (slot, arg) in buffer.iter_mut().zip(args) {
            *slot = value(arg);
        }
        f(&buffer[..args.len()])
    } else {
        f(&args.iter().map(value).collect::<Vec<_>>())
    }
}

fn is_bound(arg: Arg, bound: &[bool]) -> bool {
    match arg {
        Arg::Var(v) => bound[v as usize],
        Arg::Const(_) => true,
    }
}

/// The expected rows of a literal under these bindings. A test that can run costs nothing, a test that cannot run yet
/// costs infinitely much.
fn cost(db: &Db, (lit, part): Ranged<'_>, first: bool, bound: &[bool]) -> f64 {
    if first {
        return -1.0;
    }
    let ready = |args: &[Arg]| args.iter().all(|&a| is_bound(a, bound));
    match lit {
        FlatLit::Distinct(a, b) if ready(&[*a, *b]) => 0.0,
        FlatLit::Neg(atom) if ready(&atom.args) => 0.2,
        FlatLit::Distinct(..) | FlatLit::Neg(_) => f64::INFINITY,
        FlatLit::Pos(atom) | FlatLit::Dom(atom) => {
            let (from, to) = db.range(atom.pred.index(), part);
            let rows = (to - from) as f64;
            let arity = atom.args.len().max(1) as f64;
            let free = atom.args.iter().filter(|&&a| !is_bound(a, bound)).count() as f64;
            if free == 0.0 { 0.1 } else { 0.5 + rows.max(0.1).powf(free / arity) }
        }
    }
}

fn step(db: &mut Db, lit: &FlatLit, part: Part, bound: &mut [bool]) -> Step {
    match lit {
        FlatLit::Distinct(a, b) => Step::Distinct(*a, *b),
        FlatLit::Neg(atom) => Step::Test { atom: atom.clone(), part, negated: true },
        FlatLit::Pos(atom) | FlatLit::Dom(atom) => {
            if atom.args.iter().all(|&a| is_bound(a, bound)) {
                return Step::Test { atom: atom.clone(), part, negated: false };
            }
            let (mut columns, mut key, mut bind) = (Vec::new(), Vec::new(), Vec::new());
            let before = bound.to_vec();
            for (column, &arg) in atom.args.iter().enumerate() {
                match arg {
                    Arg::Var(v) if !before[v as usize] => {
                        let seen = std::mem::replace(&mut bound[v as usize], true);
                        bind.push((column, if seen { Bind::Same(v) } else { Bind::Set(v) }));
                    }
                    _ => {
                        columns.push(column);
                        key.push(arg);
                    }
                }
            }
            let pred = atom.pred.index();
            let index = (!columns.is_empty()).then(|| db.rels[pred].index_on(&columns));
            Step::Scan { pred, part, index, key, bind }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lower::PredId;

    #[test]
    fn a_triangle_query_finds_each_wanted_combination_once() {
        let mut edge = Relation::new(2);
        for (a, b) in [(1, 2), (2, 3), (3, 1), (2, 4)] {
            edge.insert(&[Sym(a), Sym(b)]);
        }
        let mut db = Db { rels: vec![edge], delta: vec![0], fuel: Cell::new(1000), deadline: None };
        let atom =
            |a, b| FlatLit::Pos(FlatAtom { pred: PredId(0), args: vec![Arg::Var(a), Arg::Var(b)] });
        let body =
            [atom(0, 1), atom(1, 2), atom(2, 0), FlatLit::Distinct(Arg::Var(0), Arg::Var(1))];
        let ranged: Vec<Ranged<'_>> = body.iter().map(|l| (l, Part::All)).collect();
        let plan = Plan::new(&mut db, &ranged, None, 3, &[], &[0]);
        struct Corners(Vec<Sym>);
        impl Sink for Corners {
            fn skip(&mut self, _: &[Sym]) -> bool {
                false
            }
            fn found(&mut self, values: &[Sym]) {
                self.0.push(values[0]);
            }
        }
        let mut corners = Corners(Vec::new());
        plan.run(&db, &mut [Sym(0); 3], &mut corners);
        let mut corners = corners.0;
        corners.sort_unstable();
        assert_eq!(corners, [Sym(1), Sym(2), Sym(3)]);
    }
}
