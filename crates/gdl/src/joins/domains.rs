//! Which constants can stand in which column: clauses run column by column, without negation.

use crate::lower::{Arg, Clause, FlatLit};

/// A set of constants, ascending.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Domain(Vec<u64>);

impl Domain {
    pub(super) fn insert(&mut self, c: u32) -> bool {
        let (word, bit) = (c as usize / 64, 1u64 << (c % 64));
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        let new = self.0[word] & bit == 0;
        self.0[word] |= bit;
        new
    }

    pub(super) fn contains(&self, c: u32) -> bool {
        self.0.get(c as usize / 64).is_some_and(|w| w >> (c % 64) & 1 == 1)
    }

    pub(super) fn len(&self) -> usize {
        self.0.iter().map(|w| w.count_ones() as usize).sum()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        let bits = |w: u64| (0..64u32).filter(move |b| w >> b & 1 == 1);
        self.0.iter().enumerate().flat_map(move |(i, &w)| bits(w).map(move |b| i as u32 * 64 + b))
    }

    fn extend(&mut self, other: &Domain) -> bool {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        let mut grew = false;
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            grew |= *theirs & !*mine != 0;
            *mine |= theirs;
        }
        grew
    }

    fn intersect(&mut self, other: &Domain) {
        self.0.truncate(other.0.len());
        self.0.iter_mut().zip(&other.0).for_each(|(mine, theirs)| *mine &= theirs);
    }

    fn is_empty(&self) -> bool {
        self.0.iter().all(|&w| w == 0)
    }
}

/// The domains of all columns of all predicates. Rows of a link's first predicate also count for
/// its second (`next` for `true`, `legal` for `does`).
pub(super) fn columns(
    arities: &[usize],
    clauses: &[Clause],
    links: &[(usize, usize)],
) -> Vec<Vec<Domain>> {
    let mut columns: Vec<Vec<Domain>> =
        arities.iter().map(|&arity| vec![Domain::default(); arity]).collect();
    // A predicate without columns has no domain that could say whether it can hold.
    let mut possible = vec![false; arities.len()];
    let mut changed = true;
    let mut first = true;
    while changed {
        changed = false;
        for clause in clauses {
            if clause.body.is_empty() && !first {
                continue;
            }
            let Some(vars) = of_clause(&columns, &possible, clause) else { continue };
            let head = clause.head.pred.index();
            changed |= !std::mem::replace(&mut possible[head], true);
            for (column, arg) in columns[head].iter_mut().zip(&clause.head.args) {
                changed |= match arg {
                    Arg::Const(c) => column.insert(c.0),
                    Arg::Var(v) => column.extend(&vars[*v as usize]),
                };
            }
        }
        for &(from, to) in links {
            if possible[from] {
                changed |= !std::mem::replace(&mut possible[to], true);
            }
            let source = columns[from].clone();
            for (column, more) in columns[to].iter_mut().zip(&source) {
                changed |= column.extend(more);
            }
        }
        first = false;
    }
    columns
}

fn of_clause(columns: &[Vec<Domain>], possible: &[bool], clause: &Clause) -> Option<Vec<Domain>> {
    let mut vars: Vec<Option<Domain>> = vec![None; clause.vars as usize];
    for lit in &clause.body {
        let (FlatLit::Pos(atom) | FlatLit::Dom(atom)) = lit else { continue };
        if !possible[atom.pred.index()] {
            return None;
        }
        for (column, arg) in columns[atom.pred.index()].iter().zip(&atom.args) {
            match arg {
                Arg::Const(c) if !column.contains(c.0) => return None,
                Arg::Const(_) => {}
                Arg::Var(v) => match &mut vars[*v as usize] {
                    Some(known) => known.intersect(column),
                    open => *open = Some(column.clone()),
                },
            }
        }
    }
    if vars.iter().flatten().any(Domain::is_empty) {
        return None;
    }
    Some(vars.into_iter().map(Option::unwrap_or_default).collect())
}
