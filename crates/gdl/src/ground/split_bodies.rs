//! Body splitting: long rule bodies as chains of short ones.
//!
//! A variable that does not occur in the head is eliminated by joining only the literals that
//! mention it into an auxiliary predicate over their other variables, as early as that makes the
//! expected number of ground instances smaller (variable elimination on the rule's hypergraph,
//! the idea of lpopt in answer set programming): n^k instances become n^(treewidth+1).

use rustc_hash::FxHashMap;

use crate::columns::{Columns, Domain};
use crate::lower::{Arg, Clause, FlatAtom, FlatLit, PredId, Program};

/// The facts about predicates that splitting needs.
pub(super) trait Known {
    /// The number of rows, where it is known already.
    fn size(&self, pred: PredId) -> Option<usize>;
    /// Does it depend neither on the state nor on moves?
    fn is_static(&self, pred: PredId) -> bool;
}

/// Splits clauses; makes auxiliary predicates in `program`.
pub(super) struct Splitter<'a, K: Known> {
    /// Where new predicates go.
    pub(super) program: &'a mut Program,
    /// Grows with the new predicates.
    pub(super) columns: &'a mut Columns,
    /// Sizes known so far.
    pub(super) known: &'a K,
    /// For each predicate made here: is it static?
    pub(super) made: &'a mut FxHashMap<PredId, bool>,
    /// Equal bodies get the same predicate.
    pub(super) cache: FxHashMap<(Vec<FlatLit>, Vec<u32>), PredId>,
}

/// Clauses with fewer expected instances stay whole.
const SMALL: f64 = 48.0;

impl<K: Known> Splitter<'_, K> {
    fn is_static(&self, pred: PredId) -> bool {
        self.made.get(&pred).copied().unwrap_or_else(|| self.known.is_static(pred))
    }

    /// Splits one clause into an equivalent chain, appended to `out`.
    pub(super) fn split(&mut self, mut clause: Clause, out: &mut Vec<Clause>) {
        while let Some(var) = self.best_variable(&clause) {
            let (bucket, rest): (Vec<&FlatLit>, Vec<&FlatLit>) =
                clause.body.iter().partition(|lit| lit.vars().contains(&var));
            let keep = kept(&clause, &bucket, &rest);
            let bucket = bucket.into_iter().cloned().collect();
            let rest = rest.into_iter().cloned().collect();
            let (pred, _) = self.join(&clause, bucket, &keep, "join", out);
            let aux = FlatAtom { pred, args: keep.iter().map(|&v| Arg::Var(v)).collect() };
            clause.body = rest;
            clause.body.push(FlatLit::Pos(aux));
        }
        out.push(clause);
    }

    /// An auxiliary predicate over `keep` that holds where the bucket does.
    fn join(
        &mut self,
        clause: &Clause,
        mut bucket: Vec<FlatLit>,
        keep: &[u32],
        stem: &str,
        out: &mut Vec<Clause>,
    ) -> (PredId, bool) {
        // Variables that the bucket tests but does not bind range over what binds them outside.
        let open = unbound(&bucket);
        for v in open {
            if let Some(domain) = self.domain_literal(clause, v, out) {
                bucket.push(domain);
            }
        }
        // Number the variables anew, in order of appearance, so that equal buckets look equal.
        let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
        let body: Vec<FlatLit> = bucket.iter().map(|lit| renumber(lit, &mut numbers)).collect();
        let head_vars: Vec<u32> = keep.iter().map(|v| numbers[v]).collect();
        let is_static = body.iter().all(|lit| match lit {
            FlatLit::Pos(a) | FlatLit::Neg(a) | FlatLit::Dom(a) => self.is_static(a.pred),
            FlatLit::Distinct(..) => true,
        });
        let key = (body, head_vars);
        if let Some(&known) = self.cache.get(&key) {
            return (known, is_static);
        }
        let pred = self.program.auxiliary(stem, keep.len());
        self.made.insert(pred, is_static);
        let head = FlatAtom { pred, args: key.1.iter().map(|&v| Arg::Var(v)).collect() };
        let made =
            Clause { head, body: key.0.clone(), vars: numbers.len() as u32, span: clause.span };
        let of = |vars: Vec<Domain>| key.1.iter().map(|&v| vars[v as usize].clone()).collect();
        let columns = self.columns.of_clause(&made).map(of);
        self.columns.add(pred, keep.len(), columns);
        self.cache.insert(key, pred);
        out.push(made);
        (pred, is_static)
    }

    /// A literal that lets `var` range over the values which the clause can give it.
    fn domain_literal(
        &mut self,
        clause: &Clause,
        var: u32,
        out: &mut Vec<Clause>,
    ) -> Option<FlatLit> {
        let binder = clause
            .body
            .iter()
            .filter(|lit| lit.binds() && lit.vars().contains(&var))
            .min_by_key(|lit| {
                let FlatLit::Pos(atom) = lit else { return (2, usize::MAX) };
                (usize::from(!self.is_static(atom.pred)), atom.vars().count())
            })?
            .clone();
        let (pred, _) = self.join(clause, vec![binder], &[var], "domain", out);
        Some(FlatLit::Dom(FlatAtom { pred, args: vec![Arg::Var(var)] }))
    }

    /// The variable whose elimination saves most, if any saves.
    fn best_variable(&self, clause: &Clause) -> Option<u32> {
        let vars = self.columns.of_clause(clause)?;
        // A variable that nothing binds has no values to count.
        if clause.body.iter().flat_map(FlatLit::vars).any(|v| vars[v as usize].is_empty()) {
            return None;
        }
        let sizes: Vec<f64> = vars.iter().map(|d| (d.len() as f64).max(1.0)).collect();
        let all: Vec<&FlatLit> = clause.body.iter().collect();
        let total = self.expected(&all, &sizes, &[]);
        if total <= SMALL {
            return None;
        }
        let mut best: Option<(f64, u32)> = None;
        for var in 0..clause.vars {
            if clause.head.vars().any(|v| v == var) {
                continue;
            }
            let (bucket, rest): (Vec<&FlatLit>, Vec<&FlatLit>) =
                clause.body.iter().partition(|lit| lit.vars().contains(&var));
            if rest.is_empty() || bucket.is_empty() || !bucket.iter().any(|lit| lit.binds()) {
                continue;
            }
            let kept = kept(clause, &bucket, &rest);
            let joined = self.expected(&bucket, &sizes, &[]);
            let left = self.expected(&rest, &sizes, &kept);
            let cost = joined * bucket.len() as f64 + left * (rest.len() + 1) as f64;
            let whole = total * clause.body.len() as f64;
            if cost < 0.7 * whole && best.is_none_or(|(c, _)| cost < c) {
                best = Some((cost, var));
            }
        }
        best.map(|(_, var)| var)
    }

    /// Expected number of solutions: the product of the variables' domains, thinned out by the
    /// relations whose sizes are known, as if independent.
    fn expected(&self, lits: &[&FlatLit], sizes: &[f64], more: &[u32]) -> f64 {
        let mut seen = vec![false; sizes.len()];
        let mut product = 1.0;
        for v in lits.iter().flat_map(|l| l.vars()).chain(more.iter().copied()) {
            if !std::mem::replace(&mut seen[v as usize], true) {
                product *= sizes[v as usize];
            }
        }
        for lit in lits {
            let (FlatLit::Pos(atom) | FlatLit::Dom(atom)) = lit else { continue };
            let Some(rows) = self.known.size(atom.pred) else { continue };
            let mut rows = rows as f64;
            let mut cells = 1.0;
            let mut counted: Vec<u32> = Vec::new();
            for (column, arg) in self.columns.of(atom.pred).iter().zip(&atom.args) {
                match arg {
                    Arg::Const(_) => rows /= (column.len() as f64).max(1.0),
                    Arg::Var(v) if counted.contains(v) => rows /= (column.len() as f64).max(1.0),
                    Arg::Var(v) => {
                        counted.push(*v);
                        cells *= sizes[*v as usize];
                    }
                }
            }
            product *= (rows / cells).min(1.0);
        }
        product.max(1.0)
    }
}

/// The bucket's variables that the head or the rest of the body mention: all others leave with
/// the one that is eliminated.
fn kept(clause: &Clause, bucket: &[&FlatLit], rest: &[&FlatLit]) -> Vec<u32> {
    let mut kept: Vec<u32> = Vec::new();
    for v in bucket.iter().flat_map(|lit| lit.vars()) {
        let outside =
            clause.head.vars().any(|w| w == v) || rest.iter().any(|lit| lit.vars().contains(&v));
        if outside && !kept.contains(&v) {
            kept.push(v);
        }
    }
    kept
}

fn unbound(bucket: &[FlatLit]) -> Vec<u32> {
    let bound: Vec<u32> = bucket.iter().filter(|l| l.binds()).flat_map(FlatLit::vars).collect();
    let mut open = Vec::new();
    for v in bucket.iter().flat_map(FlatLit::vars) {
        if !bound.contains(&v) && !open.contains(&v) {
            open.push(v);
        }
    }
    open
}

fn renumber(lit: &FlatLit, numbers: &mut FxHashMap<u32, u32>) -> FlatLit {
    let mut arg = |a: &Arg| match a {
        Arg::Const(c) => Arg::Const(*c),
        Arg::Var(v) => {
            let next = numbers.len() as u32;
            Arg::Var(*numbers.entry(*v).or_insert(next))
        }
    };
    let mut atom =
        |a: &FlatAtom| FlatAtom { pred: a.pred, args: a.args.iter().map(&mut arg).collect() };
    match lit {
        FlatLit::Pos(a) => FlatLit::Pos(atom(a)),
        FlatLit::Neg(a) => FlatLit::Neg(atom(a)),
        FlatLit::Dom(a) => FlatLit::Dom(atom(a)),
        FlatLit::Distinct(a, b) => {
            let (a, b) = (arg(a), arg(b));
            FlatLit::Distinct(a, b)
        }
    }
}
