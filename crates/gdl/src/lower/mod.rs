//! From rules to flat clauses: what all engines run on.
//!
//! Two rewrites. First each rule becomes conjunctions of plain literals: `or` is multiplied out
//! (or, when that explodes, named by an auxiliary predicate), `not` is pushed inwards, equality
//! (`not distinct`) is unified away, variables that stand only under `not` are projected. Then the
//! function terms go: each relation is split by the *shape* of its arguments, so that
//! `(true (cell 1 1 b))` becomes a row `1 1 b` of the predicate `true(cell(_,_,_))`. The shapes
//! are found by running the rules on shapes instead of values until nothing new appears.

mod flatten;
mod normalise;

use rustc_hash::FxHashMap;

use self::flatten::Flattener;
use self::normalise::{Normaliser, positive_form};
use crate::rules::Rules;
use crate::symbol::{Sym, Symbols};
use ludex_core::diagnostic::{Diagnostic, Span};

/// Number of a flat predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct PredId(pub u32);

impl PredId {
    /// The symbol as an index.
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The shape of an argument: a constant, or a function of shapes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Shape {
    /// Some constant.
    Leaf,
    /// A function application.
    Fun(Sym, Vec<Shape>),
}

impl Shape {
    fn leaves(&self) -> usize {
        match self {
            Shape::Leaf => 1,
            Shape::Fun(_, args) => args.iter().map(Shape::leaves).sum(),
        }
    }

    fn depth(&self) -> usize {
        match self {
            Shape::Leaf => 0,
            Shape::Fun(_, args) => 1 + args.iter().map(Shape::depth).max().unwrap_or(0),
        }
    }
}

/// A flat predicate: a relation with its arguments' shapes. A row has one constant per leaf.
#[derive(Clone, Debug)]
pub(crate) struct Pred {
    /// The relation's name.
    pub(crate) name: Sym,
    /// The shapes of its arguments.
    pub(crate) shapes: Vec<Shape>,
    /// How many constants a row has.
    pub(crate) arity: usize,
}

/// An argument in a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Arg {
    /// Variable number, local to the clause.
    Var(u32),
    /// A constant.
    Const(Sym),
}

/// A predicate applied to variables and constants.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct FlatAtom {
    /// The predicate.
    pub(crate) pred: PredId,
    /// One argument per leaf.
    pub(crate) args: Vec<Arg>,
}

impl FlatAtom {
    /// The variables, in order, with repetitions.
    pub(crate) fn vars(&self) -> impl Iterator<Item = u32> + '_ {
        self.args.iter().filter_map(|arg| match arg {
            Arg::Var(v) => Some(*v),
            Arg::Const(_) => None,
        })
    }
}

/// A condition in a clause.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum FlatLit {
    /// The atom holds.
    Pos(FlatAtom),
    /// The atom does not hold.
    Neg(FlatAtom),
    /// The arguments differ.
    Distinct(Arg, Arg),
    /// Gives variables their range; wherever the head is used the atom is also required, so an
    /// engine may treat it as [`FlatLit::Pos`] or, once the variables are bound, as true.
    Dom(FlatAtom),
}

impl FlatLit {
    /// The variables, in order, with repetitions.
    pub(crate) fn vars(&self) -> Vec<u32> {
        match self {
            FlatLit::Pos(a) | FlatLit::Neg(a) | FlatLit::Dom(a) => a.vars().collect(),
            FlatLit::Distinct(a, b) => [a, b]
                .into_iter()
                .filter_map(|arg| match arg {
                    Arg::Var(v) => Some(*v),
                    Arg::Const(_) => None,
                })
                .collect(),
        }
    }

    /// True if a solution of this literal gives its variables values.
    pub(crate) fn binds(&self) -> bool {
        matches!(self, FlatLit::Pos(_) | FlatLit::Dom(_))
    }
}

/// A flat rule; every variable occurs in a literal that [binds](FlatLit::binds).
#[derive(Clone, Debug)]
pub(crate) struct Clause {
    /// The head of the clause.
    pub(crate) head: FlatAtom,
    /// From what.
    pub(crate) body: Vec<FlatLit>,
    /// Variables are numbered from 0 up to this.
    pub(crate) vars: u32,
    /// The rule it came from.
    pub(crate) span: Span,
}

/// A rule sheet as flat clauses.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The words; constants are words.
    pub(crate) symbols: Symbols,
    /// The flat predicates.
    pub(crate) preds: Vec<Pred>,
    /// The clauses, facts included.
    pub(crate) clauses: Vec<Clause>,
    by_name: FxHashMap<Sym, Vec<PredId>>,
    by_form: FxHashMap<(Sym, Vec<Shape>), PredId>,
}

impl Program {
    /// The flat predicates of a relation.
    pub(crate) fn preds_of(&self, name: Sym) -> &[PredId] {
        self.by_name.get(&name).map_or(&[], Vec::as_slice)
    }

    /// The predicate of the same shape under another name, e.g. `true` for `next`.
    pub(crate) fn twin(&self, pred: PredId, name: Sym) -> Option<PredId> {
        let shapes = &self.preds.get(pred.index())?.shapes;
        self.by_form.get(&(name, shapes.clone())).copied()
    }

    /// A predicate, new or known.
    pub(crate) fn pred(&mut self, name: Sym, shapes: Vec<Shape>) -> PredId {
        if let Some(&known) = self.by_form.get(&(name, shapes.clone())) {
            return known;
        }
        let id = PredId(self.preds.len() as u32);
        let arity = shapes.iter().map(Shape::leaves).sum();
        self.preds.push(Pred { name, shapes: shapes.clone(), arity });
        self.by_name.entry(name).or_default().push(id);
        self.by_form.insert((name, shapes), id);
        id
    }

    /// A new predicate of our own over constants.
    pub(crate) fn auxiliary(&mut self, stem: &str, arity: usize) -> PredId {
        let name = self.symbols.fresh(stem);
        self.pred(name, vec![Shape::Leaf; arity])
    }

    /// The argument `index` of a row as KIF text, e.g. `(cell 1 1 b)` for `true`.
    pub(crate) fn argument_text(&self, pred: PredId, index: usize, row: &[Sym]) -> String {
        let shapes = &self.preds[pred.index()].shapes;
        let skip: usize = shapes[..index].iter().map(Shape::leaves).sum();
        let mut text = String::new();
        self.shape_text(&shapes[index], &mut row[skip..].iter(), &mut text);
        text
    }

    fn shape_text(&self, shape: &Shape, row: &mut std::slice::Iter<'_, Sym>, text: &mut String) {
        match shape {
            Shape::Leaf => text.push_str(row.next().map_or("?", |&c| self.symbols.name(c))),
            Shape::Fun(f, args) => {
                text.push('(');
                text.push_str(self.symbols.name(*f));
                for arg in args {
                    text.push(' ');
                    self.shape_text(arg, row, text);
                }
                text.push(')');
            }
        }
    }
}

/// Flattens a rule sheet.
///
/// ```
/// use ludex_gdl::{lower::lower, rules::Rules};
/// let (rules, _) = Rules::read("(init (cell 1 b)) (<= (next ?f) (true ?f))");
/// let (_program, found) = lower(&rules);
/// assert!(found.is_empty());
/// ```
pub fn lower(rules: &Rules) -> (Program, Vec<Diagnostic>) {
    let mut symbols = rules.symbols.clone();
    let mut normaliser = Normaliser { symbols: &mut symbols, done: Vec::new(), found: Vec::new() };
    for rule in &rules.rules {
        let body = rule.body.iter().map(positive_form).collect();
        normaliser.rule(&rule.head, body, rule.span);
    }
    let (flat_rules, mut found) = (normaliser.done, normaliser.found);
    let mut flattener = Flattener {
        program: Program { symbols, ..Program::default() },
        clauses: None,
        forms_at: FxHashMap::default(),
    };
    if let Err(error) = flattener.run(&flat_rules) {
        found.push(error);
    }
    (flattener.program, found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symbol::kw;

    fn flatten(source: &str) -> (Program, Vec<Diagnostic>) {
        let (rules, found) = Rules::read(source);
        assert!(found.is_empty(), "{found:?}");
        lower(&rules)
    }

    #[test]
    fn a_variable_over_fluents_is_split_by_shape() {
        let (program, found) =
            flatten("(init (cell 1 b)) (init step) (<= (next ?f) (true ?f) (distinct ?f step))");
        assert!(found.is_empty());
        assert_eq!(program.preds_of(kw::TRUE).len(), 2);
        // The frame rule for cells (distinct holds), and for the constant (distinct is tested).
        let next: Vec<&Clause> = program
            .clauses
            .iter()
            .filter(|c| program.preds[c.head.pred.index()].name == kw::NEXT)
            .collect();
        assert_eq!(next.len(), 2);
        let tests: usize = next
            .iter()
            .map(|c| c.body.iter().filter(|l| matches!(l, FlatLit::Distinct(..))).count())
            .sum();
        assert_eq!(tests, 1);
    }

    #[test]
    fn equality_from_not_distinct_is_unified_away() {
        let (program, found) = flatten("(q a) (<= (p ?x ?y) (q ?x) (q ?y) (not (distinct ?x ?y)))");
        assert!(found.is_empty());
        let clause = program.clauses.last().expect("the rule");
        assert_eq!(clause.head.args[0], clause.head.args[1]);
    }

    #[test]
    fn an_open_variable_is_an_error_at_its_rule_but_means_every_role_in_sees() {
        let (_, found) = flatten("(q a) (<= (p ?x) (q a))");
        assert_eq!((found[0].code, found[0].span.start), ("L001", 6));
        let (program, found) = flatten("(role a) (role b) (<= (sees ?p hello) (role a))");
        assert!(found.is_empty());
        assert_eq!(program.clauses.last().expect("the rule").body.len(), 2);
    }

    #[test]
    fn large_disjunctions_are_named_not_multiplied_out() {
        let or = |v: &str| format!("(or (q {v}) (r {v}) (s {v}) (t {v}))");
        let source = format!(
            "(q 1) (r 1) (s 1) (t 1) (u 1) (<= (p ?x ?y ?z) (u ?x) (u ?y) (u ?z) {} {} {})",
            or("?x"),
            or("?y"),
            or("?z")
        );
        let (program, found) = flatten(&source);
        assert!(found.is_empty());
        assert!(program.clauses.len() < 25, "{}", program.clauses.len());
    }

    #[test]
    fn terms_that_grow_are_refused() {
        let (_, found) = flatten("(n z) (<= (n (s ?x)) (n ?x))");
        assert_eq!(found[0].code, "L002");
    }

    #[test]
    fn rows_print_as_terms() {
        let (mut program, _) = flatten("(init (at (pos 1 2) b))");
        let pred = program.preds_of(kw::TRUE)[0];
        let row: Vec<Sym> = ["1", "2", "b"].iter().map(|w| program.symbols.intern(w)).collect();
        assert_eq!(program.argument_text(pred, 0, &row), "(at (pos 1 2) b)");
    }
}
