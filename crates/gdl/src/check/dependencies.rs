//! Checks on what depends on what: stratification, the recursion restriction, and what the words
//! with a meaning may depend on.

use super::each_atom;
use crate::rules::{Atom, Literal, Rule, Rules, Term, TermKind};
use crate::symbol::{Sym, kw};
use ludex_core::diagnostic::Diagnostic;
use rustc_hash::{FxHashMap, FxHashSet};

pub(super) fn check(rules: &Rules, found: &mut Vec<Diagnostic>) {
    let graph = Graph::new(rules);
    for (number, rule) in rules.rules.iter().enumerate() {
        for literal in &rule.body {
            each_atom(literal, false, &mut |atom, negated| {
                if !graph.same_cycle(rule.head.pred, atom.pred) {
                } else if negated {
                    found.push(unstratified(rules, number, atom, literal));
                } else {
                    recursion(rule, atom, rules, &graph, found);
                }
            });
        }
    }
    constants(rules, &graph, found);
    before_moves(rules, &graph, found);
}

/// A cycle through `not` among relations. It is harmless where the arguments break it, as in
/// `(<= (goal ?p 0) (not (goal ?p 100)))`: then no rule that could conclude the negated sentence
/// depends on this rule.
fn unstratified(rules: &Rules, number: usize, atom: &Atom, literal: &Literal) -> Diagnostic {
    let name = |rule: &Rule| rules.symbols.name(rule.head.pred).to_owned();
    let mut seen = FxHashSet::default();
    let mut todo: Vec<usize> = concluding(rules, atom);
    while let Some(at) = todo.pop() {
        if seen.insert(at) {
            for literal in &rules.rules[at].body {
                each_atom(literal, false, &mut |atom, _| todo.extend(concluding(rules, atom)));
            }
        }
    }
    let (head, pred) = (name(&rules.rules[number]), rules.symbols.name(atom.pred));
    if seen.contains(&number) {
        let message = format!("`{head}` depends on `not {pred}`, which depends on `{head}`");
        return Diagnostic::error("D216", literal.span, message)
            .with_hint("a cycle through `not` has no meaning (stratification)");
    }
    let message = format!("only its arguments keep this `not {pred}` out of a cycle with `{head}`");
    Diagnostic::warning("D218", literal.span, message)
        .with_hint("strict readers look at names alone: use a relation of another name")
}

/// The rules whose head could be this sentence.
fn concluding(rules: &Rules, atom: &Atom) -> Vec<usize> {
    let fits = |rule: &Rule| {
        rule.head.pred == atom.pred
            && rule.head.args.len() == atom.args.len()
            && rule.head.args.iter().zip(&atom.args).all(|(a, b)| compatible(a, b))
    };
    (0..rules.rules.len()).filter(|&i| fits(&rules.rules[i])).collect()
}

/// Could the two terms be the same? (Variables are taken one by one.)
fn compatible(a: &Term, b: &Term) -> bool {
    match (&a.kind, &b.kind) {
        (TermKind::Var(_), _) | (_, TermKind::Var(_)) => true,
        (TermKind::Const(a), TermKind::Const(b)) => a == b,
        (TermKind::Fun(f, a), TermKind::Fun(g, b)) => {
            f == g && a.len() == b.len() && a.iter().zip(b).all(|(a, b)| compatible(a, b))
        }
        _ => false,
    }
}

/// The dependencies between relations, and their cycles.
struct Graph {
    reaches: FxHashMap<Sym, FxHashSet<Sym>>,
}

impl Graph {
    fn new(rules: &Rules) -> Graph {
        let mut edges: FxHashMap<Sym, FxHashSet<Sym>> = FxHashMap::default();
        for rule in &rules.rules {
            let targets = edges.entry(rule.head.pred).or_default();
            for literal in &rule.body {
                each_atom(literal, false, &mut |atom, _| {
                    targets.insert(atom.pred);
                });
            }
        }
        // The transitive closure, by a search from each relation: sheets have some hundred.
        let reaches = edges
            .keys()
            .map(|&from| {
                let mut seen = FxHashSet::default();
                let mut todo = vec![from];
                while let Some(at) = todo.pop() {
                    for &to in edges.get(&at).into_iter().flatten() {
                        if seen.insert(to) {
                            todo.push(to);
                        }
                    }
                }
                (from, seen)
            })
            .collect();
        Graph { reaches }
    }

    fn depends(&self, on: Sym, from: Sym) -> bool {
        self.reaches.get(&from).is_some_and(|seen| seen.contains(&on))
    }

    fn same_cycle(&self, a: Sym, b: Sym) -> bool {
        self.depends(a, b) && self.depends(b, a)
    }
}

/// The recursion restriction (Love et al., definition 13): in p(t) <= .. q(v) .. with q in a
/// cycle with p, each v_j is ground, or one of t, or stands in a positive condition that is in no
/// cycle with p. It keeps terms from growing for ever.
fn recursion(rule: &Rule, atom: &Atom, rules: &Rules, graph: &Graph, found: &mut Vec<Diagnostic>) {
    let free_of_cycle = |var: Sym| {
        let mut holds = false;
        for literal in &rule.body {
            each_atom(literal, false, &mut |other, negated| {
                if !negated && !graph.same_cycle(rule.head.pred, other.pred) {
                    other.vars(&mut |v| holds |= v == var);
                }
            });
        }
        holds
    };
    for arg in &atom.args {
        let fine = arg.is_ground()
            || rule.head.args.contains(arg)
            || matches!(arg.kind, TermKind::Var(v) if free_of_cycle(v));
        if !fine {
            found.push(
                Diagnostic::error(
                    "D217",
                    arg.span,
                    format!(
                        "`{}` in the recursion of `{}` is bound by the recursion alone",
                        arg.text(&rules.symbols),
                        rules.symbols.name(rule.head.pred)
                    ),
                )
                .with_hint("make it an argument of the head, or bind it by another condition"),
            );
        }
    }
}

/// `init`, `base`, `input` and `role` don't depend on the state of play.
fn constants(rules: &Rules, graph: &Graph, found: &mut Vec<Diagnostic>) {
    const STATE: [Sym; 7] =
        [kw::TRUE, kw::DOES, kw::LEGAL, kw::NEXT, kw::SEES, kw::TERMINAL, kw::GOAL];
    for rule in &rules.rules {
        let code = match rule.head.pred {
            kw::INIT => "G309",
            kw::BASE | kw::INPUT => "G310",
            _ => continue,
        };
        let head = rules.symbols.name(rule.head.pred);
        for on in uses(rule, graph, &STATE) {
            let on = rules.symbols.name(on);
            found.push(
                Diagnostic::error(code, rule.head.span, format!("`{head}` depends on `{on}`"))
                    .with_hint("it is fixed before the game begins"),
            );
        }
    }
}

/// `legal`, `terminal` and `goal` are known before anybody moves; nothing depends on percepts.
fn before_moves(rules: &Rules, graph: &Graph, found: &mut Vec<Diagnostic>) {
    for rule in &rules.rules {
        if !matches!(rule.head.pred, kw::LEGAL | kw::TERMINAL | kw::GOAL) {
            continue;
        }
        let head = rules.symbols.name(rule.head.pred);
        for on in uses(rule, graph, &[kw::DOES]) {
            let on = rules.symbols.name(on);
            found.push(
                Diagnostic::error("G308", rule.head.span, format!("`{head}` depends on `{on}`"))
                    .with_hint("it must be known before anybody moves"),
            );
        }
    }
}

/// The relations among `preds` that the body of a rule uses, directly or not.
fn uses(rule: &Rule, graph: &Graph, preds: &[Sym]) -> Vec<Sym> {
    let mut used = FxHashSet::default();
    for literal in &rule.body {
        each_atom(literal, false, &mut |atom, _| {
            used.insert(atom.pred);
        });
    }
    let holds =
        |pred: &Sym| used.contains(pred) || used.iter().any(|&from| graph.depends(*pred, from));
    preds.iter().copied().filter(holds).collect()
}
