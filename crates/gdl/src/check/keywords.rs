//! Checks on the words with a meaning in GDL: where they may stand and what must be there.

use super::datalog::keyword_arity;
use super::each_atom;
use crate::rules::{Atom, Rule, Rules, Term, TermKind};
use crate::symbol::{Sym, Symbols, kw};
use ludex_core::diagnostic::{Diagnostic, Severity, Span, did_you_mean};
use rustc_hash::FxHashSet;

pub(super) fn check(rules: &Rules, found: &mut Vec<Diagnostic>) {
    let symbols = &rules.symbols;
    for rule in &rules.rules {
        head(rule, symbols, found);
        arity(&rule.head, symbols, found);
        functions(&rule.head.args, symbols, found);
        for literal in &rule.body {
            each_atom(literal, false, &mut |atom, _| {
                body(atom, symbols, found);
                arity(atom, symbols, found);
                functions(&atom.args, symbols, found);
            });
        }
    }
}

fn head(rule: &Rule, symbols: &Symbols, found: &mut Vec<Diagnostic>) {
    let head = &rule.head;
    match head.pred {
        kw::TRUE | kw::DOES => found.push(
            Diagnostic::error(
                "G303",
                head.span,
                format!("`{}` can't be concluded", symbols.name(head.pred)),
            )
            .with_hint("`true` and `does` stand in bodies; for the next state write `next`"),
        ),
        kw::ROLE if !rule.body.is_empty() => found.push(
            Diagnostic::error("G301", head.span, "a role must be a plain fact")
                .with_hint("write `(role name)` without conditions"),
        ),
        kw::GOAL => {
            if let Some(Term { kind: TermKind::Const(value), span }) = head.args.get(1) {
                let text = symbols.name(*value);
                if !text.parse::<u8>().is_ok_and(|n| n <= 100) {
                    found.push(
                        Diagnostic::error("G307", *span, format!("the goal value `{text}`"))
                            .with_hint("goal values are whole numbers from 0 to 100"),
                    );
                }
            } else if let Some(Term { kind: TermKind::Fun(..), span }) = head.args.get(1) {
                found.push(
                    Diagnostic::error("G307", *span, "a function as goal value")
                        .with_hint("goal values are whole numbers from 0 to 100"),
                );
            }
        }
        _ => {}
    }
}

fn body(atom: &Atom, symbols: &Symbols, found: &mut Vec<Diagnostic>) {
    let code = match atom.pred {
        kw::NEXT => "G304",
        kw::SEES => "G313",
        kw::INIT => "G305",
        kw::BASE | kw::INPUT => "G306",
        _ => return,
    };
    let name = symbols.name(atom.pred);
    let finding = Diagnostic::error(code, atom.span, format!("`{name}` in a body"))
        .with_hint("it stands in heads only; name what both need by a relation of its own");
    found.push(match atom.pred {
        // Not forbidden, only unusual: base and input describe, they don't decide.
        kw::BASE | kw::INPUT => Diagnostic { severity: Severity::Warning, ..finding },
        _ => finding,
    });
}

fn arity(atom: &Atom, symbols: &Symbols, found: &mut Vec<Diagnostic>) {
    if let Some(wanted) = keyword_arity(atom.pred)
        && wanted != atom.args.len()
    {
        let name = symbols.name(atom.pred);
        found.push(
            Diagnostic::error(
                "D202",
                atom.span,
                format!("`{name}` has {} arguments, not {wanted}", atom.args.len()),
            )
            .with_hint(usage(atom.pred)),
        );
    }
}

fn usage(pred: Sym) -> &'static str {
    match pred {
        kw::ROLE => "write `(role name)`",
        kw::INIT => "write `(init fluent)`",
        kw::TRUE => "write `(true fluent)`",
        kw::NEXT => "write `(next fluent)`",
        kw::BASE => "write `(base fluent)`",
        kw::LEGAL => "write `(legal role move)`",
        kw::DOES => "write `(does role move)`",
        kw::GOAL => "write `(goal role value)`",
        kw::INPUT => "write `(input role move)`",
        kw::SEES => "write `(sees role percept)`",
        _ => "write `terminal`",
    }
}

/// Words with a meaning as function names inside terms.
fn functions(args: &[Term], symbols: &Symbols, found: &mut Vec<Diagnostic>) {
    for arg in args {
        let TermKind::Fun(name, inner) = &arg.kind else { continue };
        if name.is_keyword() {
            let name = symbols.name(*name);
            found.push(
                Diagnostic::error("G302", arg.span, format!("`{name}` is used as a function"))
                    .with_hint("choose a word without a meaning in GDL"),
            );
        }
        functions(inner, symbols, found);
    }
}

/// A game has roles, moves, an end and a result.
pub(super) fn required(rules: &Rules, source: &str, found: &mut Vec<Diagnostic>) {
    if rules.rules.is_empty() {
        return;
    }
    let end = Span::new(source.trim_end().len().saturating_sub(1), source.trim_end().len());
    for (pred, what) in [
        (kw::ROLE, "nobody plays: there is no `role`"),
        (kw::LEGAL, "nobody can move: there is no `legal`"),
        (kw::TERMINAL, "the game can't end: there is no `terminal`"),
        (kw::GOAL, "there is no result: no `goal`"),
    ] {
        if !rules.rules.iter().any(|rule| rule.head.pred == pred) {
            found.push(Diagnostic::error("G312", end, what).with_hint(usage(pred)));
        }
    }
}

/// Relations that are used but never concluded, or concluded but never used.
pub(super) fn produced(rules: &Rules, found: &mut Vec<Diagnostic>) {
    let heads: FxHashSet<Sym> = rules.rules.iter().map(|rule| rule.head.pred).collect();
    let mut used: FxHashSet<Sym> = FxHashSet::default();
    let mut told: FxHashSet<Sym> = FxHashSet::default();
    for rule in &rules.rules {
        for literal in &rule.body {
            each_atom(literal, false, &mut |atom, _| {
                used.insert(atom.pred);
                let given = matches!(atom.pred, kw::TRUE | kw::DOES);
                if !given && !heads.contains(&atom.pred) && told.insert(atom.pred) {
                    let name = rules.symbols.name(atom.pred);
                    let known = heads.iter().copied().chain([kw::TRUE, kw::DOES]);
                    let hint = closest(name, known, &rules.symbols)
                        .unwrap_or_else(|| "it never holds: is it misspelled?".to_owned());
                    let message = format!("nothing concludes `{name}`");
                    found.push(Diagnostic::warning("G314", atom.span, message).with_hint(hint));
                }
            });
        }
    }
    for rule in &rules.rules {
        let pred = rule.head.pred;
        if keyword_arity(pred).is_none() && !used.contains(&pred) && told.insert(pred) {
            let name = rules.symbols.name(pred);
            let known = CONCLUDED.iter().copied().chain(used.iter().copied());
            let hint = closest(name, known, &rules.symbols)
                .unwrap_or_else(|| "delete it, or is it misspelled?".to_owned());
            let message = format!("nothing uses `{name}`");
            found.push(Diagnostic::warning("G315", rule.head.span, message).with_hint(hint));
        }
    }
}

/// The words with a meaning that rules conclude.
const CONCLUDED: [Sym; 9] = [
    kw::ROLE,
    kw::INIT,
    kw::NEXT,
    kw::LEGAL,
    kw::GOAL,
    kw::TERMINAL,
    kw::BASE,
    kw::INPUT,
    kw::SEES,
];

/// `did you mean ...?` with the closest of some relations; the first by name of equally close ones.
fn closest(name: &str, known: impl Iterator<Item = Sym>, symbols: &Symbols) -> Option<String> {
    did_you_mean(name, known.map(|sym| symbols.name(sym)).filter(|&other| other != name))
}
