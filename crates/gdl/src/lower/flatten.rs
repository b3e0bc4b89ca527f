//! Relations split by the shapes of their arguments, so that no function terms are left.

use rustc_hash::{FxHashMap, FxHashSet};

use super::normalise::{Cond, PlainRule};
use super::{Arg, Clause, FlatAtom, FlatLit, PredId, Program, Shape};
use crate::rules::{Atom, Term, TermKind};
use crate::symbol::{Sym, kw};
use ludex_core::diagnostic::{Diagnostic, Span};

/// Refuse rule sheets with more forms than this: terms that grow without end.
const MAX_FORMS: usize = 50_000;
/// Refuse terms deeper than this for the same reason.
const MAX_TERM_DEPTH: usize = 12;
/// Refuse rule sheets that flatten to more clauses than this.
const MAX_CLAUSES: usize = 2_000_000;

/// A term whose variables have been given shapes: its leaves are flat arguments.
#[derive(Clone, Debug, PartialEq)]
enum Shaped {
    Leaf(Arg),
    Fun(Sym, Vec<Shaped>),
}

impl Shaped {
    fn shape(&self) -> Shape {
        match self {
            Shaped::Leaf(_) => Shape::Leaf,
            Shaped::Fun(f, args) => Shape::Fun(*f, args.iter().map(Shaped::shape).collect()),
        }
    }

    fn has_shape(&self, shape: &Shape) -> bool {
        match (self, shape) {
            (Shaped::Leaf(_), Shape::Leaf) => true,
            (Shaped::Fun(f, xs), Shape::Fun(g, ys)) => {
                f == g && xs.len() == ys.len() && xs.iter().zip(ys).all(|(x, y)| x.has_shape(y))
            }
            _ => false,
        }
    }

    fn leaves(&self, into: &mut Vec<Arg>) {
        match self {
            Shaped::Leaf(arg) => into.push(*arg),
            Shaped::Fun(_, args) => args.iter().for_each(|a| a.leaves(into)),
        }
    }
}

/// The values of the variables of a rule in the current choice of forms.
#[derive(Default)]
struct Env {
    bound: Vec<(Sym, Shaped)>,
    vars: u32,
}

impl Env {
    fn get(&self, var: Sym) -> Option<&Shaped> {
        self.bound.iter().find(|(v, _)| *v == var).map(|(_, s)| s)
    }

    fn fresh(&mut self, shape: &Shape) -> Shaped {
        match shape {
            Shape::Leaf => {
                self.vars += 1;
                Shaped::Leaf(Arg::Var(self.vars - 1))
            }
            Shape::Fun(f, args) => Shaped::Fun(*f, args.iter().map(|a| self.fresh(a)).collect()),
        }
    }

    fn matches(&mut self, term: &Term, shape: &Shape) -> bool {
        match &term.kind {
            TermKind::Var(v) => match self.get(*v) {
                Some(known) => known.has_shape(shape),
                None => {
                    let fresh = self.fresh(shape);
                    self.bound.push((*v, fresh));
                    true
                }
            },
            TermKind::Const(_) => *shape == Shape::Leaf,
            TermKind::Fun(f, args) => match shape {
                Shape::Fun(g, shapes) => {
                    f == g
                        && args.len() == shapes.len()
                        && args.iter().zip(shapes).all(|(a, s)| self.matches(a, s))
                }
                Shape::Leaf => false,
            },
        }
    }

    /// The term with its variables replaced; they are all bound (rules are safe by now).
    fn resolve(&self, term: &Term) -> Option<Shaped> {
        Some(match &term.kind {
            TermKind::Var(v) => self.get(*v)?.clone(),
            TermKind::Const(c) => Shaped::Leaf(Arg::Const(*c)),
            TermKind::Fun(f, args) => {
                Shaped::Fun(*f, args.iter().map(|a| self.resolve(a)).collect::<Option<_>>()?)
            }
        })
    }
}

pub(super) struct Flattener {
    pub(super) program: Program,
    /// `None` while the shapes are still being found.
    pub(super) clauses: Option<Vec<Clause>>,
    /// The forms by relation and number of arguments.
    pub(super) forms_at: FxHashMap<(Sym, usize), Vec<PredId>>,
}

impl Flattener {
    pub(super) fn run(&mut self, rules: &[PlainRule]) -> Result<(), Diagnostic> {
        // The rules that use a relation.
        let mut users: FxHashMap<(Sym, usize), Vec<usize>> = FxHashMap::default();
        for (i, rule) in rules.iter().enumerate() {
            for cond in &rule.body {
                if let Cond::Pos(atom) | Cond::Dom(atom) = cond {
                    users.entry((atom.pred, atom.args.len())).or_default().push(i);
                }
            }
        }
        let mut todo: Vec<usize> = (0..rules.len()).collect();
        while !todo.is_empty() {
            let mut again = FxHashSet::default();
            for i in todo {
                let before = self.program.preds.len();
                self.rule(&rules[i])?;
                for new in before..self.program.preds.len() {
                    let pred = &self.program.preds[new];
                    let key = (pred.name, pred.shapes.len());
                    again.extend(users.get(&key).into_iter().flatten().copied());
                }
            }
            todo = again.into_iter().collect();
            todo.sort_unstable();
        }
        self.clauses = Some(Vec::new());
        for rule in rules {
            self.rule(rule)?;
        }
        self.program.clauses = self.clauses.take().unwrap_or_default();
        Ok(())
    }

    fn form(&mut self, name: Sym, shapes: Vec<Shape>, span: Span) -> Result<PredId, Diagnostic> {
        if let Some(&known) = self.program.by_form.get(&(name, shapes.clone())) {
            return Ok(known);
        }
        if self.program.preds.len() >= MAX_FORMS
            || shapes.iter().any(|s| s.depth() > MAX_TERM_DEPTH)
        {
            return Err(Diagnostic::error("L002", span, "terms grow without end in this rule")
                .with_hint("a recursive rule may not build ever larger function terms"));
        }
        let mut add = |name: Sym, shapes: Vec<Shape>| {
            let key = (name, shapes.len());
            let known = self.program.preds.len();
            let id = self.program.pred(name, shapes);
            if id.index() == known {
                self.forms_at.entry(key).or_default().push(id);
            }
            id
        };
        // A term of `true` or `does` has the shape of a term of `next` or `legal`.
        match name {
            kw::INIT | kw::NEXT => {
                add(kw::TRUE, shapes.clone());
            }
            kw::LEGAL => {
                add(kw::DOES, shapes.clone());
            }
            _ => {}
        }
        Ok(add(name, shapes))
    }

    fn rule(&mut self, rule: &PlainRule) -> Result<(), Diagnostic> {
        let positives: Vec<&Atom> = rule
            .body
            .iter()
            .filter_map(|c| match c {
                Cond::Pos(atom) | Cond::Dom(atom) => Some(atom),
                _ => None,
            })
            .collect();
        let mut env = Env::default();
        self.choose(rule, &positives, 0, &mut env, &mut Vec::new())
    }

    /// Tries every form of the positive atoms from number `at` on.
    fn choose(
        &mut self,
        rule: &PlainRule,
        positives: &[&Atom],
        at: usize,
        env: &mut Env,
        chosen: &mut Vec<PredId>,
    ) -> Result<(), Diagnostic> {
        let Some(atom) = positives.get(at) else { return self.emit(rule, env, chosen) };
        let count = self.forms_at.get(&(atom.pred, atom.args.len())).map_or(0, Vec::len);
        for i in 0..count {
            let form = self.forms_at[&(atom.pred, atom.args.len())][i];
            let (bound, vars) = (env.bound.len(), env.vars);
            let shapes = std::mem::take(&mut self.program.preds[form.index()].shapes);
            let fits = atom.args.iter().zip(&shapes).all(|(a, s)| env.matches(a, s));
            self.program.preds[form.index()].shapes = shapes;
            if fits {
                chosen.push(form);
                self.choose(rule, positives, at + 1, env, chosen)?;
                chosen.pop();
            }
            env.bound.truncate(bound);
            env.vars = vars;
        }
        Ok(())
    }

    fn emit(&mut self, rule: &PlainRule, env: &Env, chosen: &[PredId]) -> Result<(), Diagnostic> {
        let resolve = |atom: &Atom| -> Option<Vec<Shaped>> {
            atom.args.iter().map(|a| env.resolve(a)).collect()
        };
        let flat = |pred: PredId, args: &[Shaped]| {
            let mut leaves = Vec::new();
            args.iter().for_each(|a| a.leaves(&mut leaves));
            FlatAtom { pred, args: leaves }
        };
        let Some(head_args) = resolve(&rule.head) else { return Ok(()) };
        let shapes = head_args.iter().map(Shaped::shape).collect();
        let head = self.form(rule.head.pred, shapes, rule.span)?;
        if self.clauses.is_none() {
            return Ok(());
        }
        // Distinct over functions is a disjunction, so there may be several bodies.
        let mut bodies: Vec<Vec<FlatLit>> = vec![Vec::new()];
        let mut chosen = chosen.iter();
        for cond in &rule.body {
            match cond {
                Cond::Pos(atom) | Cond::Dom(atom) => {
                    let (Some(args), Some(&form)) = (resolve(atom), chosen.next()) else {
                        return Ok(());
                    };
                    let atom = flat(form, &args);
                    let lit = match cond {
                        Cond::Pos(_) => FlatLit::Pos(atom),
                        _ => FlatLit::Dom(atom),
                    };
                    bodies.iter_mut().for_each(|b| b.push(lit.clone()));
                }
                Cond::Neg(atom) => {
                    let Some(args) = resolve(atom) else { return Ok(()) };
                    let shapes: Vec<Shape> = args.iter().map(Shaped::shape).collect();
                    // A form that nothing produces never holds.
                    if let Some(&form) = self.program.by_form.get(&(atom.pred, shapes)) {
                        let lit = FlatLit::Neg(flat(form, &args));
                        bodies.iter_mut().for_each(|b| b.push(lit.clone()));
                    }
                }
                Cond::Distinct(a, b) => {
                    let (Some(a), Some(b)) = (env.resolve(a), env.resolve(b)) else {
                        return Ok(());
                    };
                    let Some(pairs) = differences(&a, &b) else { continue };
                    bodies = bodies
                        .iter()
                        .flat_map(|body| {
                            pairs.iter().map(move |&(x, y)| {
                                let mut body = body.clone();
                                body.push(FlatLit::Distinct(x, y));
                                body
                            })
                        })
                        .collect();
                }
                Cond::Equal(..) | Cond::Or(_) | Cond::And(_) => return Ok(()),
            }
        }
        let head = flat(head, &head_args);
        let clauses = self.clauses.get_or_insert_default();
        for body in bodies {
            if clauses.len() >= MAX_CLAUSES {
                let text = "the rules flatten to too many clauses";
                return Err(Diagnostic::error("L003", rule.span, text));
            }
            let (head, span) = (head.clone(), rule.span);
            clauses.push(Clause { head, body, vars: env.vars, span });
        }
        Ok(())
    }
}

/// The pairs of leaves one of which must differ; `None` if the terms differ in any case.
fn differences(a: &Shaped, b: &Shaped) -> Option<Vec<(Arg, Arg)>> {
    fn walk(a: &Shaped, b: &Shaped, pairs: &mut Vec<(Arg, Arg)>) -> bool {
        match (a, b) {
            (Shaped::Leaf(x), Shaped::Leaf(y)) => {
                if let (Arg::Const(c), Arg::Const(d)) = (x, y)
                    && c != d
                {
                    return true;
                }
                if x != y {
                    pairs.push((*x, *y));
                }
                false
            }
            (Shaped::Fun(f, xs), Shaped::Fun(g, ys)) => {
                f != g || xs.len() != ys.len() || xs.iter().zip(ys).any(|(x, y)| walk(x, y, pairs))
            }
            _ => true,
        }
    }
    let mut pairs = Vec::new();
    (!walk(a, b, &mut pairs)).then_some(pairs)
}
