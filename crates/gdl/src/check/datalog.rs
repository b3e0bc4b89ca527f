//! Checks that any Datalog program must pass: arities, ground facts, safety, the shape of bodies.

use super::each_atom;
use crate::rules::{Atom, Literal, LiteralKind, Rule, Rules, Term, TermKind};
use crate::symbol::{Sym, Symbols, kw};
use ludex_core::diagnostic::{Diagnostic, Span};
use rustc_hash::{FxHashMap, FxHashSet};

pub(super) fn check(rules: &Rules, found: &mut Vec<Diagnostic>) {
    let mut arities = Arities { relations: FxHashMap::default(), functions: FxHashMap::default() };
    let mut facts: FxHashMap<String, Span> = FxHashMap::default();
    for rule in &rules.rules {
        arities.atom(&rule.head, &rules.symbols, found);
        for literal in &rule.body {
            arities.literal(literal, &rules.symbols, found);
        }
        shape(rule, found);
        safety(rule, &rules.symbols, found);
        if rule.body.is_empty() {
            let text = rule.head.text(&rules.symbols).to_lowercase();
            if facts.insert(text, rule.span).is_some() {
                found.push(
                    Diagnostic::warning("D214", rule.span, "this fact stands here a second time")
                        .with_hint("delete one of them"),
                );
            }
        }
    }
}

/// Each relation and each function has one number of arguments.
struct Arities {
    relations: FxHashMap<Sym, (usize, Span)>,
    functions: FxHashMap<Sym, (usize, Span)>,
}

impl Arities {
    fn atom(&mut self, atom: &Atom, symbols: &Symbols, found: &mut Vec<Diagnostic>) {
        if keyword_arity(atom.pred).is_none() {
            let known = *self.relations.entry(atom.pred).or_insert((atom.args.len(), atom.span));
            differ("relation", atom.pred, known, atom.args.len(), atom.span, symbols, found);
        }
        for arg in &atom.args {
            self.term(arg, symbols, found);
        }
    }

    fn term(&mut self, term: &Term, symbols: &Symbols, found: &mut Vec<Diagnostic>) {
        if let TermKind::Fun(name, args) = &term.kind {
            let known = *self.functions.entry(*name).or_insert((args.len(), term.span));
            differ("function", *name, known, args.len(), term.span, symbols, found);
            args.iter().for_each(|arg| self.term(arg, symbols, found));
        }
    }

    fn literal(&mut self, literal: &Literal, symbols: &Symbols, found: &mut Vec<Diagnostic>) {
        match &literal.kind {
            LiteralKind::Pos(atom) => self.atom(atom, symbols, found),
            LiteralKind::Not(inner) => self.literal(inner, symbols, found),
            LiteralKind::Distinct(a, b) => {
                self.term(a, symbols, found);
                self.term(b, symbols, found);
            }
            LiteralKind::Or(parts) | LiteralKind::And(parts) => {
                parts.iter().for_each(|part| self.literal(part, symbols, found));
            }
        }
    }
}

fn differ(
    what: &str,
    name: Sym,
    (known, first): (usize, Span),
    now: usize,
    span: Span,
    symbols: &Symbols,
    found: &mut Vec<Diagnostic>,
) {
    if known != now {
        let name = symbols.name(name);
        found.push(
            Diagnostic::error(
                "D201",
                span,
                format!("the {what} `{name}` has {now} arguments here and {known} before"),
            )
            .with_hint(format!("each {what} has one number of arguments"))
            .with_note(first, format!("`{name}` has {known} arguments here")),
        );
    }
}

/// The number of arguments of the relations with a meaning in GDL.
pub(super) fn keyword_arity(pred: Sym) -> Option<usize> {
    match pred {
        kw::ROLE | kw::INIT | kw::TRUE | kw::NEXT | kw::BASE => Some(1),
        kw::LEGAL | kw::DOES | kw::GOAL | kw::INPUT | kw::SEES => Some(2),
        kw::TERMINAL => Some(0),
        _ => None,
    }
}

/// The shape of a rule: what may stand where.
fn shape(rule: &Rule, found: &mut Vec<Diagnostic>) {
    if rule.arrow && rule.body.is_empty() {
        found.push(
            Diagnostic::warning("D212", rule.span, "a rule without conditions")
                .with_hint("write it as a fact, without `<=`"),
        );
    }
    if matches!(rule.head.pred, kw::NOT | kw::OR | kw::AND | kw::DISTINCT | kw::IF) {
        found.push(
            Diagnostic::error("D207", rule.head.span, "this can't be the head of a rule")
                .with_hint("`not`, `or`, `and` and `distinct` are conditions: move it to the body"),
        );
    }
    parens(&rule.head, found);
    for literal in &rule.body {
        literal_shape(literal, false, found);
    }
}

fn literal_shape(literal: &Literal, in_or: bool, found: &mut Vec<Diagnostic>) {
    match &literal.kind {
        LiteralKind::Pos(atom) => parens(atom, found),
        LiteralKind::Distinct(..) => {}
        LiteralKind::Not(inner) => {
            if !matches!(inner.kind, LiteralKind::Pos(_)) {
                let hint = "`not` takes a sentence; give the condition a name of its own";
                found.push(
                    Diagnostic::error(
                        "D208",
                        literal.span,
                        "`not` of something that is no sentence",
                    )
                    .with_hint(hint),
                );
            }
            literal_shape(inner, in_or, found);
        }
        LiteralKind::Or(parts) => {
            if in_or {
                found.push(
                    Diagnostic::warning("D211", literal.span, "an `or` inside an `or`")
                        .with_hint("one `or` with all its parts says the same"),
                );
            }
            if parts.is_empty() {
                found.push(
                    Diagnostic::warning("D215", literal.span, "an `or` of nothing never holds")
                        .with_hint("write at least one part"),
                );
            }
            parts.iter().for_each(|part| literal_shape(part, true, found));
        }
        LiteralKind::And(parts) => {
            found.push(
                Diagnostic::error("D210", literal.span, "`and` is not part of GDL")
                    .with_hint("conditions of a rule hold together as they stand"),
            );
            parts.iter().for_each(|part| literal_shape(part, in_or, found));
        }
    }
}

/// An atom without arguments is written without parentheses.
fn parens(atom: &Atom, found: &mut Vec<Diagnostic>) {
    if atom.parens && atom.args.is_empty() {
        found.push(
            Diagnostic::error("D209", atom.span, "parentheses around a sentence without arguments")
                .with_hint("write just the word"),
        );
    }
}

/// Safety (range restriction): each variable of the head, of a negated condition or of a
/// `distinct` occurs in a positive condition; in every branch where that is an `or`.
fn safety(rule: &Rule, symbols: &Symbols, found: &mut Vec<Diagnostic>) {
    if rule.body.is_empty() {
        for arg in rule.head.args.iter().filter(|arg| !arg.is_ground()) {
            found.push(
                Diagnostic::error("D203", arg.span, "a fact has no variables")
                    .with_hint("write a rule with `<=` whose body says which values are meant"),
            );
        }
        return;
    }
    let mut bound = FxHashSet::default();
    rule.body.iter().for_each(|literal| binds(literal, &mut bound));
    for arg in &rule.head.args {
        unbound(arg, &bound, "D204", "the head", symbols, found);
    }
    for literal in &rule.body {
        conditions(literal, &bound, symbols, found);
    }
}

/// The variables that a condition binds.
fn binds(literal: &Literal, bound: &mut FxHashSet<Sym>) {
    match &literal.kind {
        LiteralKind::Pos(atom) => atom.vars(&mut |v| {
            bound.insert(v);
        }),
        LiteralKind::Not(_) | LiteralKind::Distinct(..) => {}
        LiteralKind::And(parts) => parts.iter().for_each(|part| binds(part, bound)),
        LiteralKind::Or(parts) => {
            let mut branches = parts.iter().map(|part| {
                let mut branch = FxHashSet::default();
                binds(part, &mut branch);
                branch
            });
            if let Some(first) = branches.next() {
                let all = branches.fold(first, |all, branch| &all & &branch);
                bound.extend(all);
            }
        }
    }
}

/// Negated conditions and `distinct` use bound variables only. Inside an `or`, a branch may
/// also bind for itself.
fn conditions(
    literal: &Literal,
    bound: &FxHashSet<Sym>,
    symbols: &Symbols,
    found: &mut Vec<Diagnostic>,
) {
    match &literal.kind {
        LiteralKind::Pos(_) => {}
        LiteralKind::Not(inner) => each_atom(inner, true, &mut |atom, _| {
            for arg in &atom.args {
                unbound(arg, bound, "D205", "a `not`", symbols, found);
            }
        }),
        LiteralKind::Distinct(a, b) => {
            for term in [a, b] {
                unbound(term, bound, "D206", "a `distinct`", symbols, found);
            }
        }
        LiteralKind::Or(parts) => {
            for part in parts {
                let mut here = bound.clone();
                binds(part, &mut here);
                conditions(part, &here, symbols, found);
            }
        }
        LiteralKind::And(parts) => {
            parts.iter().for_each(|part| conditions(part, bound, symbols, found));
        }
    }
}

/// Reports the variables of a term that nothing binds, each where it stands.
fn unbound(
    term: &Term,
    bound: &FxHashSet<Sym>,
    code: &'static str,
    whose: &str,
    symbols: &Symbols,
    found: &mut Vec<Diagnostic>,
) {
    match &term.kind {
        TermKind::Const(_) => {}
        TermKind::Fun(_, args) => {
            args.iter().for_each(|arg| unbound(arg, bound, code, whose, symbols, found));
        }
        TermKind::Var(v) if bound.contains(v) => {}
        TermKind::Var(v) => {
            let name = symbols.name(*v);
            found.push(
                Diagnostic::error(
                    code,
                    term.span,
                    format!("the variable `{name}` of {whose} has no value"),
                )
                .with_hint(format!(
                    "add a positive condition with `{name}` (in every branch, where it is an `or`)"
                )),
            );
        }
    }
}
