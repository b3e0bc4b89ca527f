//! Components of the predicates in the order of evaluation.
//!
//! Public sheets write `(<= (goal ?r 0) (not (goal ?r 100)))`: by names a cycle through `not`, by
//! arguments none. Such predicates are split by the constants of a column until the cycle is gone.

use rustc_hash::FxHashMap;

use crate::lower::{Arg, Clause, FlatAtom, FlatLit, PredId};
use crate::scc;
use crate::symbol::Sym;
use ludex_core::diagnostic::{Diagnostic, Span};

/// Clauses over numbered predicates.
#[derive(Clone)]
pub(super) struct Graph {
    /// How many constants a row has, by predicate.
    pub(super) arities: Vec<usize>,
    pub(super) clauses: Vec<Clause>,
}

impl Graph {
    /// The predicates, each component after what it depends on.
    pub(super) fn components(&self) -> Vec<Vec<u32>> {
        let mut edges: Vec<Vec<u32>> = vec![Vec::new(); self.arities.len()];
        for clause in &self.clauses {
            for lit in &clause.body {
                if let FlatLit::Pos(a) | FlatLit::Neg(a) | FlatLit::Dom(a) = lit {
                    edges[clause.head.pred.index()].push(a.pred.0);
                }
            }
        }
        scc::components(edges.len(), |n| edges[n as usize].as_slice())
    }

    /// Splits predicates until no component depends on its own negation.
    pub(super) fn stratify(&mut self) -> Result<(), Diagnostic> {
        let mut done: Vec<PredId> = Vec::new();
        while let Some((component, span)) = self.negative_cycle() {
            let Some((pred, column)) = self.constant_column(&component, &done) else {
                return Err(Diagnostic::error("L004", span, "a cycle through `not`")
                    .with_hint("no relation may depend on its own negation"));
            };
            self.split(pred, column);
            done.push(pred);
        }
        Ok(())
    }

    /// Does some component depend on its own negation?
    pub(super) fn has_negative_cycle(&self) -> bool {
        self.negative_cycle().is_some()
    }

    /// The predicates of a component with a negation inside, and the clause to blame.
    fn negative_cycle(&self) -> Option<(Vec<u32>, Span)> {
        let components = self.components();
        let mut component_of = vec![0; self.arities.len()];
        for (i, component) in components.iter().enumerate() {
            component.iter().for_each(|&p| component_of[p as usize] = i);
        }
        self.clauses.iter().find_map(|clause| {
            let home = component_of[clause.head.pred.index()];
            let inside = |lit: &FlatLit| {
                matches!(lit, FlatLit::Neg(a) if component_of[a.pred.index()] == home)
            };
            clause.body.iter().any(inside).then(|| (components[home].clone(), clause.span))
        })
    }

    /// A predicate of the component and a column that is a constant in all its heads, several
    /// constants among them.
    fn constant_column(&self, component: &[u32], done: &[PredId]) -> Option<(PredId, usize)> {
        for &pred in component.iter().filter(|p| !done.contains(&PredId(**p))) {
            for column in (0..self.arities[pred as usize]).rev() {
                let mut heads = self
                    .clauses
                    .iter()
                    .filter(|c| c.head.pred.0 == pred)
                    .map(|c| c.head.args[column]);
                let Some(first @ Arg::Const(_)) = heads.next() else { continue };
                let mut several = false;
                let constant = heads.all(|arg| {
                    several |= arg != first;
                    matches!(arg, Arg::Const(_))
                });
                if constant && several {
                    return Some((PredId(pred), column));
                }
            }
        }
        None
    }

    fn split(&mut self, pred: PredId, column: usize) {
        let arity = self.arities[pred.index()];
        let mut parts: FxHashMap<Sym, PredId> = FxHashMap::default();
        let mut unions = Vec::new();
        for clause in &mut self.clauses {
            if clause.head.pred != pred {
                continue;
            }
            let Arg::Const(value) = clause.head.args.remove(column) else { continue };
            clause.head.pred = *parts.entry(value).or_insert_with(|| {
                let part = PredId(self.arities.len() as u32);
                self.arities.push(arity - 1);
                let vars: Vec<Arg> = (0..arity as u32 - 1).map(Arg::Var).collect();
                let mut whole = vars.clone();
                whole.insert(column, Arg::Const(value));
                unions.push(Clause {
                    head: FlatAtom { pred, args: whole },
                    body: vec![FlatLit::Pos(FlatAtom { pred: part, args: vars })],
                    vars: arity as u32 - 1,
                    span: clause.span,
                });
                part
            });
        }
        // Conditions on one constant ask the part.
        self.clauses.retain_mut(|clause| {
            let mut possible = true;
            clause.body.retain_mut(|lit| {
                let positive = lit.binds();
                let (FlatLit::Pos(atom) | FlatLit::Neg(atom) | FlatLit::Dom(atom)) = lit else {
                    return true;
                };
                if atom.pred != pred {
                    return true;
                }
                let Arg::Const(value) = atom.args[column] else { return true };
                match parts.get(&value) {
                    Some(&part) => {
                        atom.pred = part;
                        atom.args.remove(column);
                        true
                    }
                    None => {
                        possible &= !positive;
                        false
                    }
                }
            });
            possible
        });
        self.clauses.append(&mut unions);
    }
}
