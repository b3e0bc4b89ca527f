//! The constants that can stand in each column of a predicate, each column for itself: clauses are run column by
//! column, without negation.

use crate::lower::{Arg, Clause, FlatLit, PredId};

/// A set of constants, by their numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Domain(Vec<u64>);

impl Domain {
    /// Adds a constant; true if it is new.
    pub(crate) fn insert(&mut self, c: u32) -> bool {
        let (word, bit) = (c as usize / 64, 1u64 << (c % 64));
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        let new = self.0[word] & bit == 0;
        self.0[word] |= bit;
        new
    }

    pub(crate) fn contains(&self, c: u32) -> bool {
        self.0.get(c as usize / 64).is_some_and(|w| w >> (c % 64) & 1 == 1)
    }

    pub(crate) fn len(&self) -> usize {
        self.0.iter().map(|w| w.count_ones() as usize).sum()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().all(|&w| w == 0)
    }

    /// Ascending.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        let bits = |w: u64| (0..64u32).filter(move |b| w >> b & 1 == 1);
        self.0.iter().enumerate().flat_map(move |(i, &w)| bits(w).map(move |b| i as u32 * 64 + b))
    }

    /// Adds all of another set; true if one of them is new.
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
}

/// The domains of all columns of all predicates.
#[derive(Clone, Debug, Default)]
pub(crate) struct Columns {
    domains: Vec<Vec<Domain>>,
    /// By predicate: can it hold? One without columns has no domain that could say so.
    possible: Vec<bool>,
}

impl Columns {
    /// Grows the columns from the facts through the clauses until nothing changes. Rows of a
    /// link's first predicate also count for its second (`next` for `true`, `legal` for `does`).
    pub(crate) fn new(arities: &[usize], clauses: &[&Clause], links: &[(usize, usize)]) -> Columns {
        let mut columns = Columns {
            domains: arities.iter().map(|&arity| vec![Domain::default(); arity]).collect(),
            possible: vec![false; arities.len()],
        };
        let (mut changed, mut first) = (true, true);
        while changed {
            changed = false;
            for clause in clauses.iter().filter(|clause| first || !clause.body.is_empty()) {
                changed |= columns.derive(clause);
            }
            for &(from, to) in links {
                changed |= columns.link(from, to);
            }
            first = false;
        }
        columns
    }

    /// Adds what a clause concludes; true if something is new.
    fn derive(&mut self, clause: &Clause) -> bool {
        let Some(vars) = self.of_clause(clause) else { return false };
        let head = clause.head.pred.index();
        let mut changed = !std::mem::replace(&mut self.possible[head], true);
        for (column, arg) in self.domains[head].iter_mut().zip(&clause.head.args) {
            changed |= match arg {
                Arg::Const(c) => column.insert(c.0),
                Arg::Var(v) => column.extend(&vars[*v as usize]),
            };
        }
        changed
    }

    fn link(&mut self, from: usize, to: usize) -> bool {
        let mut changed = self.possible[from] && !std::mem::replace(&mut self.possible[to], true);
        let source = self.domains[from].clone();
        for (column, more) in self.domains[to].iter_mut().zip(&source) {
            changed |= column.extend(more);
        }
        changed
    }

    /// The domains of a clause's variables; empty for variables that no positive condition binds.
    /// `None` if the clause can conclude nothing.
    pub(crate) fn of_clause(&self, clause: &Clause) -> Option<Vec<Domain>> {
        let mut vars: Vec<Option<Domain>> = vec![None; clause.vars as usize];
        for lit in &clause.body {
            let (FlatLit::Pos(atom) | FlatLit::Dom(atom)) = lit else { continue };
            if !self.possible[atom.pred.index()] {
                return None;
            }
            for (column, arg) in self.of(atom.pred).iter().zip(&atom.args) {
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

    /// The domains of a predicate's columns.
    pub(crate) fn of(&self, pred: PredId) -> &[Domain] {
        &self.domains[pred.index()]
    }

    /// Adds a predicate behind all others that are known here: the columns of its rows, or nothing
    /// if it can't hold.
    pub(crate) fn add(&mut self, pred: PredId, arity: usize, columns: Option<Vec<Domain>>) {
        self.domains.resize(pred.index(), Vec::new());
        self.possible.resize(pred.index(), false);
        self.possible.push(columns.is_some());
        self.domains.push(columns.unwrap_or_else(|| vec![Domain::default(); arity]));
    }
}
