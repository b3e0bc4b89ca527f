//! Rules as conjunctions of plain literals: `or` multiplied out or named, `not` pushed inwards, equality
//! unified away.

use rustc_hash::FxHashSet;

use crate::rules::{Atom, Literal, LiteralKind, Term, TermKind};
use crate::symbol::{Sym, Symbols, kw};
use ludex_core::diagnostic::{Diagnostic, Span};

/// More conjunctions than this for one rule are named by auxiliary predicates instead.
const MAX_PRODUCT: usize = 12;

/// A condition with `not` pushed inwards: no `not` over anything but an atom.
#[derive(Clone, Debug)]
pub(super) enum Cond {
    Pos(Atom),
    Neg(Atom),
    Distinct(Term, Term),
    Equal(Term, Term),
    Dom(Atom),
    Or(Vec<Cond>),
    And(Vec<Cond>),
}

impl Cond {
    fn vars(&self, f: &mut impl FnMut(Sym)) {
        match self {
            Cond::Pos(a) | Cond::Neg(a) | Cond::Dom(a) => a.vars(f),
            Cond::Distinct(a, b) | Cond::Equal(a, b) => {
                a.vars(f);
                b.vars(f);
            }
            Cond::Or(parts) | Cond::And(parts) => parts.iter().for_each(|p| p.vars(f)),
        }
    }

    fn var_set(&self) -> FxHashSet<Sym> {
        let mut set = FxHashSet::default();
        self.vars(&mut |v| {
            set.insert(v);
        });
        set
    }

    /// How many conjunctions it multiplies out to.
    fn product(&self) -> usize {
        match self {
            Cond::Or(parts) => parts.iter().map(Cond::product).fold(0, usize::saturating_add),
            Cond::And(parts) => parts.iter().map(Cond::product).fold(1, usize::saturating_mul),
            _ => 1,
        }
    }
}

pub(super) fn positive_form(literal: &Literal) -> Cond {
    match &literal.kind {
        LiteralKind::Pos(atom) => Cond::Pos(atom.clone()),
        LiteralKind::Not(inner) => negative_form(inner),
        LiteralKind::Distinct(a, b) => Cond::Distinct(a.clone(), b.clone()),
        LiteralKind::Or(parts) => Cond::Or(parts.iter().map(positive_form).collect()),
        LiteralKind::And(parts) => Cond::And(parts.iter().map(positive_form).collect()),
    }
}

fn negative_form(literal: &Literal) -> Cond {
    match &literal.kind {
        LiteralKind::Pos(atom) => Cond::Neg(atom.clone()),
        LiteralKind::Not(inner) => positive_form(inner),
        LiteralKind::Distinct(a, b) => Cond::Equal(a.clone(), b.clone()),
        LiteralKind::Or(parts) => Cond::And(parts.iter().map(negative_form).collect()),
        LiteralKind::And(parts) => Cond::Or(parts.iter().map(negative_form).collect()),
    }
}

/// A rule whose body is a conjunction of `Pos`, `Neg`, `Distinct` and `Dom`.
pub(super) struct PlainRule {
    pub(super) head: Atom,
    pub(super) body: Vec<Cond>,
    pub(super) span: Span,
}

pub(super) struct Normaliser<'a> {
    pub(super) symbols: &'a mut Symbols,
    pub(super) done: Vec<PlainRule>,
    pub(super) found: Vec<Diagnostic>,
}

impl Normaliser<'_> {
    pub(super) fn rule(&mut self, head: &Atom, body: Vec<Cond>, span: Span) {
        let product = body.iter().map(Cond::product).fold(1, usize::saturating_mul);
        let body = if product > MAX_PRODUCT { self.name_disjunctions(head, body) } else { body };
        for conjunction in multiply_out(&body) {
            self.conjunction(head.clone(), conjunction, span);
        }
    }

    /// Replaces each `or` by an auxiliary atom over the variables that it shares with the rest.
    fn name_disjunctions(&mut self, head: &Atom, body: Vec<Cond>) -> Vec<Cond> {
        let mut flat = Vec::new();
        for cond in body {
            match cond {
                Cond::And(parts) => flat.extend(parts),
                other => flat.push(other),
            }
        }
        let mut result = flat.clone();
        for (i, cond) in flat.iter().enumerate() {
            let Cond::Or(branches) = cond else { continue };
            let mut outside = FxHashSet::default();
            head.vars(&mut |v| {
                outside.insert(v);
            });
            for (j, other) in flat.iter().enumerate() {
                if j != i {
                    outside.extend(other.var_set());
                }
            }
            let mut shared: Vec<Sym> =
                cond.var_set().into_iter().filter(|v| outside.contains(v)).collect();
            shared.sort_unstable();
            let name = self.symbols.fresh("or");
            let span = head.span;
            let args =
                shared.iter().map(|&v| Term { kind: TermKind::Var(v), span }).collect::<Vec<_>>();
            let aux = Atom { pred: name, args, span, parens: true };
            for branch in branches {
                // Bind what the branch leaves open by the atoms beside the `or`.
                let mut body = vec![branch.clone()];
                let mut bound = bound_vars(&body);
                for other in &flat {
                    if let Cond::Pos(atom) = other
                        && other.var_set().iter().any(|v| shared.contains(v) && !bound.contains(v))
                    {
                        body.push(Cond::Dom(atom.clone()));
                        bound.extend(other.var_set());
                    }
                }
                self.rule(&aux, body, span);
            }
            result[i] = Cond::Pos(aux);
        }
        result
    }

    fn conjunction(&mut self, mut head: Atom, mut body: Vec<Cond>, span: Span) {
        // Equality first: unify and substitute.
        while let Some(at) = body.iter().position(|c| matches!(c, Cond::Equal(..))) {
            let Cond::Equal(a, b) = body.remove(at) else { return };
            let mut bindings = Vec::new();
            if !unify(&a, &b, &mut bindings) {
                return;
            }
            for (var, value) in bindings {
                substitute_atom(&mut head, var, &value);
                body.iter_mut().for_each(|c| substitute(c, var, &value));
            }
        }
        let mut bound = bound_vars(&body);
        // An open player in the head means every role (public GDL-II files leave it out).
        if matches!(head.pred, kw::SEES | kw::LEGAL | kw::GOAL)
            && let Some(Term { kind: TermKind::Var(v), span }) = head.args.first()
            && !bound.contains(v)
        {
            let who = Term { kind: TermKind::Var(*v), span: *span };
            bound.insert(*v);
            body.push(Cond::Pos(Atom {
                pred: kw::ROLE,
                args: vec![who],
                span: *span,
                parens: true,
            }));
        }
        let mut open = None;
        head.vars(&mut |v| {
            if !bound.contains(&v) {
                open.get_or_insert(v);
            }
        });
        for cond in &mut body {
            match cond {
                Cond::Distinct(a, b) => {
                    let mut check = |v| {
                        if !bound.contains(&v) {
                            open.get_or_insert(v);
                        }
                    };
                    a.vars(&mut check);
                    b.vars(&mut check);
                }
                Cond::Neg(atom) => {
                    let mut inner: Vec<Sym> = Vec::new();
                    let mut projects = false;
                    atom.vars(&mut |v| {
                        if !bound.contains(&v) {
                            projects = true;
                        } else if !inner.contains(&v) {
                            inner.push(v);
                        }
                    });
                    if projects {
                        // `not p(x, free)`: no value of `free` makes p true.
                        let span = atom.span;
                        let args = inner
                            .iter()
                            .map(|&v| Term { kind: TermKind::Var(v), span })
                            .collect::<Vec<_>>();
                        let pred = self.symbols.fresh("some");
                        let aux = Atom { pred, args, span, parens: true };
                        let some = std::mem::replace(atom, aux.clone());
                        self.done.push(PlainRule { head: aux, body: vec![Cond::Pos(some)], span });
                    }
                }
                _ => {}
            }
        }
        if let Some(var) = open {
            let name = self.symbols.name(var).to_owned();
            self.found.push(
                Diagnostic::error(
                    "L001",
                    span,
                    format!("{name} occurs in no positive condition of this rule"),
                )
                .with_hint("add a condition that says which values it ranges over"),
            );
            return;
        }
        self.done.push(PlainRule { head, body, span });
    }
}

fn bound_vars(body: &[Cond]) -> FxHashSet<Sym> {
    let mut bound = FxHashSet::default();
    for cond in body {
        match cond {
            Cond::Pos(atom) | Cond::Dom(atom) => atom.vars(&mut |v| {
                bound.insert(v);
            }),
            Cond::And(parts) => bound.extend(bound_vars(parts)),
            _ => {}
        }
    }
    bound
}

fn multiply_out(body: &[Cond]) -> Vec<Vec<Cond>> {
    let mut result = vec![Vec::new()];
    for cond in body {
        let choices: Vec<Vec<Cond>> = match cond {
            Cond::Or(parts) => {
                parts.iter().flat_map(|p| multiply_out(std::slice::from_ref(p))).collect()
            }
            Cond::And(parts) => multiply_out(parts),
            plain => vec![vec![plain.clone()]],
        };
        result = result
            .iter()
            .flat_map(|left| {
                choices.iter().map(move |right| left.iter().chain(right).cloned().collect())
            })
            .collect();
    }
    result
}

fn unify(a: &Term, b: &Term, bindings: &mut Vec<(Sym, Term)>) -> bool {
    let resolve = |t: &Term, bindings: &[(Sym, Term)]| {
        let mut t = t.clone();
        for (var, value) in bindings {
            substitute_term(&mut t, *var, value);
        }
        t
    };
    let (a, b) = (resolve(a, bindings), resolve(b, bindings));
    match (&a.kind, &b.kind) {
        (TermKind::Var(x), TermKind::Var(y)) if x == y => true,
        (TermKind::Var(x), _) | (_, TermKind::Var(x)) => {
            let value = if matches!(a.kind, TermKind::Var(_)) { &b } else { &a };
            let mut occurs = false;
            value.vars(&mut |v| occurs |= v == *x);
            if occurs {
                return false;
            }
            bindings.push((*x, value.clone()));
            true
        }
        (TermKind::Const(x), TermKind::Const(y)) => x == y,
        (TermKind::Fun(f, xs), TermKind::Fun(g, ys)) => {
            f == g && xs.len() == ys.len() && xs.iter().zip(ys).all(|(x, y)| unify(x, y, bindings))
        }
        _ => false,
    }
}

fn substitute_term(term: &mut Term, var: Sym, value: &Term) {
    match &mut term.kind {
        TermKind::Var(v) if *v == var => *term = value.clone(),
        TermKind::Fun(_, args) => args.iter_mut().for_each(|a| substitute_term(a, var, value)),
        _ => {}
    }
}

fn substitute_atom(atom: &mut Atom, var: Sym, value: &Term) {
    atom.args.iter_mut().for_each(|a| substitute_term(a, var, value));
}

fn substitute(cond: &mut Cond, var: Sym, value: &Term) {
    match cond {
        Cond::Pos(a) | Cond::Neg(a) | Cond::Dom(a) => substitute_atom(a, var, value),
        Cond::Distinct(a, b) | Cond::Equal(a, b) => {
            substitute_term(a, var, value);
            substitute_term(b, var, value);
        }
        Cond::Or(parts) | Cond::And(parts) => {
            parts.iter_mut().for_each(|p| substitute(p, var, value));
        }
    }
}
