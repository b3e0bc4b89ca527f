//! From rules to flat clauses: what all engines run on.
//!
//! Two rewrites. First each rule becomes conjunctions of plain literals: `or` is multiplied out
//! (or, when that explodes, named by an auxiliary predicate), `not` is pushed inwards, equality
//! (`not distinct`) is unified away, variables that stand only under `not` are projected. Then the
//! function terms go: each relation is split by the *shape* of its arguments, so that
//! `(true (cell 1 1 b))` becomes a row `1 1 b` of the predicate `true(cell(_,_,_))`. The shapes
//! are found by running the rules on shapes instead of values until nothing new appears.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::diagnostic::{Diagnostic, Span};
use crate::rules::{Atom, Literal, LiteralKind, Rules, Term, TermKind};
use crate::symbol::{Sym, Symbols, kw};

/// Number of a flat predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PredId(pub u32);

impl PredId {
    /// As an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The shape of an argument: a constant, or a function of shapes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
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
pub struct Pred {
    /// The relation's name.
    pub name: Sym,
    /// The shapes of its arguments.
    pub shapes: Vec<Shape>,
    /// How many constants a row has.
    pub arity: usize,
}

/// An argument in a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Arg {
    /// Variable number, local to the clause.
    Var(u32),
    /// A constant.
    Const(Sym),
}

/// A predicate applied to variables and constants.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FlatAtom {
    /// The predicate.
    pub pred: PredId,
    /// One argument per leaf.
    pub args: Vec<Arg>,
}

impl FlatAtom {
    /// The variables, in order, with repetitions.
    pub fn vars(&self) -> impl Iterator<Item = u32> + '_ {
        self.args.iter().filter_map(|arg| match arg {
            Arg::Var(v) => Some(*v),
            Arg::Const(_) => None,
        })
    }
}

/// A condition in a clause.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum FlatLit {
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
    pub fn vars(&self) -> Vec<u32> {
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
    pub fn binds(&self) -> bool {
        matches!(self, FlatLit::Pos(_) | FlatLit::Dom(_))
    }
}

/// A flat rule; every variable occurs in a literal that [binds](FlatLit::binds).
#[derive(Clone, Debug)]
pub struct Clause {
    /// What follows.
    pub head: FlatAtom,
    /// From what.
    pub body: Vec<FlatLit>,
    /// Variables are numbered from 0 up to this.
    pub vars: u32,
    /// The rule it came from.
    pub span: Span,
}

/// A rule sheet as flat clauses.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The words; constants are words.
    pub symbols: Symbols,
    /// The flat predicates.
    pub preds: Vec<Pred>,
    /// The clauses, facts included.
    pub clauses: Vec<Clause>,
    by_name: FxHashMap<Sym, Vec<PredId>>,
    by_form: FxHashMap<(Sym, Vec<Shape>), PredId>,
}

impl Program {
    /// The flat predicates of a relation.
    pub fn preds_of(&self, name: Sym) -> &[PredId] {
        self.by_name.get(&name).map_or(&[], Vec::as_slice)
    }

    /// The predicate of the same shape under another name, e.g. `true` for `next`.
    pub fn twin(&self, pred: PredId, name: Sym) -> Option<PredId> {
        let shapes = &self.preds.get(pred.index())?.shapes;
        self.by_form.get(&(name, shapes.clone())).copied()
    }

    /// A predicate, new or known.
    pub fn pred(&mut self, name: Sym, shapes: Vec<Shape>) -> PredId {
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
    pub fn auxiliary(&mut self, stem: &str, arity: usize) -> PredId {
        let name = self.symbols.fresh(stem);
        self.pred(name, vec![Shape::Leaf; arity])
    }

    /// The argument `index` of a row as KIF text, e.g. `(cell 1 1 b)` for `true`.
    pub fn argument_text(&self, pred: PredId, index: usize, row: &[Sym]) -> String {
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

/// More conjunctions than this for one rule are named by auxiliary predicates instead.
const MAX_PRODUCT: usize = 12;
/// Refuse rule sheets with more forms than this: terms that grow without end.
const MAX_FORMS: usize = 50_000;
/// Refuse terms deeper than this for the same reason.
const MAX_TERM_DEPTH: usize = 12;
/// Refuse rule sheets that flatten to more clauses than this.
const MAX_CLAUSES: usize = 2_000_000;

/// Flattens a rule sheet.
///
/// ```
/// use ludex_gdl::{lower::lower, rules::Rules, symbol::kw};
/// let (rules, _) = Rules::read("(init (cell 1 b)) (<= (next ?f) (true ?f))");
/// let (program, found) = lower(&rules);
/// assert!(found.is_empty());
/// let cell = program.preds_of(kw::TRUE)[0];
/// assert_eq!(program.preds[cell.index()].arity, 2);
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

/// A condition with `not` pushed inwards: no `not` over anything but an atom.
#[derive(Clone, Debug)]
enum Cond {
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

fn positive_form(literal: &Literal) -> Cond {
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
struct PlainRule {
    head: Atom,
    body: Vec<Cond>,
    span: Span,
}

struct Normaliser<'a> {
    symbols: &'a mut Symbols,
    done: Vec<PlainRule>,
    found: Vec<Diagnostic>,
}

impl Normaliser<'_> {
    fn rule(&mut self, head: &Atom, body: Vec<Cond>, span: Span) {
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

/// What the variables of a rule stand for in the current choice of forms.
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

struct Flattener {
    program: Program,
    /// `None` while the shapes are still being found.
    clauses: Option<Vec<Clause>>,
    /// The forms by relation and number of arguments.
    forms_at: FxHashMap<(Sym, usize), Vec<PredId>>,
}

impl Flattener {
    fn run(&mut self, rules: &[PlainRule]) -> Result<(), Diagnostic> {
        // Which rules use a relation.
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
        // What may be true or done has the shape of what may come next or be legal.
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

#[cfg(test)]
mod tests {
    use super::*;

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
