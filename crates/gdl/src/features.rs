//! The static features of a rule sheet for a model: counts of its parts.

use crate::rules::{Atom, Literal, LiteralKind, Rules, Term, TermKind};
use crate::symbol::{Sym, kw};
use std::collections::BTreeSet;

/// The counts in the rules.
#[derive(Default)]
struct Count {
    relations: BTreeSet<Sym>,
    constants: BTreeSet<Sym>,
    functions: BTreeSet<Sym>,
    literals: usize,
    negations: usize,
    distincts: usize,
    choices: usize,
    /// The constants of `true` and `init`: the kinds of facts that a state has.
    fluents: BTreeSet<Sym>,
    widest: usize,
}

impl Count {
    fn term(&mut self, term: &Term) {
        match &term.kind {
            TermKind::Var(_) => {}
            TermKind::Const(name) => {
                self.constants.insert(*name);
            }
            TermKind::Fun(name, args) => {
                self.functions.insert(*name);
                args.iter().for_each(|arg| self.term(arg));
            }
        }
    }

    fn atom(&mut self, atom: &Atom) {
        self.relations.insert(atom.pred);
        if [kw::TRUE, kw::INIT, kw::NEXT].contains(&atom.pred)
            && let Some(TermKind::Const(name) | TermKind::Fun(name, _)) =
                atom.args.first().map(|arg| &arg.kind)
        {
            self.fluents.insert(*name);
            if let Some(TermKind::Fun(_, args)) = atom.args.first().map(|arg| &arg.kind) {
                self.widest = self.widest.max(args.len());
            }
        }
        atom.args.iter().for_each(|arg| self.term(arg));
    }

    fn literal(&mut self, literal: &Literal) {
        self.literals += 1;
        match &literal.kind {
            LiteralKind::Pos(atom) => self.atom(atom),
            LiteralKind::Not(inner) => {
                self.negations += 1;
                self.literal(inner);
            }
            LiteralKind::Distinct(a, b) => {
                self.distincts += 1;
                self.term(a);
                self.term(b);
            }
            LiteralKind::Or(parts) => {
                self.choices += 1;
                parts.iter().for_each(|part| self.literal(part));
            }
            LiteralKind::And(parts) => parts.iter().for_each(|part| self.literal(part)),
        }
    }
}

/// The features of a rule sheet.
pub(crate) fn of(rules: &Rules) -> Vec<(&'static str, f64)> {
    let mut count = Count::default();
    for rule in &rules.rules {
        count.atom(&rule.head);
        rule.body.iter().for_each(|literal| count.literal(literal));
    }
    let heads = |pred: Sym| rules.rules.iter().filter(move |rule| rule.head.pred == pred);
    let facts = rules.rules.iter().filter(|rule| rule.body.is_empty()).count();
    let goals: BTreeSet<Sym> = heads(kw::GOAL)
        .filter_map(|rule| match rule.head.args.get(1)?.kind {
            TermKind::Const(value) => Some(value),
            _ => None,
        })
        .collect();
    let whole = (rules.rules.len() - facts).max(1) as f64;
    vec![
        ("GdlRules", whole),
        ("GdlFacts", facts as f64),
        ("GdlLiteralsPerRule", count.literals as f64 / whole),
        ("GdlRelations", count.relations.len() as f64),
        ("GdlConstants", count.constants.len() as f64),
        ("GdlFunctions", count.functions.len() as f64),
        ("GdlFluents", count.fluents.len() as f64),
        ("GdlWidestFluent", count.widest as f64),
        ("GdlNegations", count.negations as f64),
        ("GdlDistincts", count.distincts as f64),
        ("GdlChoices", count.choices as f64),
        ("GdlInit", heads(kw::INIT).count() as f64),
        ("GdlLegal", heads(kw::LEGAL).count() as f64),
        ("GdlNext", heads(kw::NEXT).count() as f64),
        ("GdlTerminal", heads(kw::TERMINAL).count() as f64),
        ("GdlGoalValues", goals.len() as f64),
        ("GdlSees", heads(kw::SEES).count() as f64),
    ]
}

#[cfg(test)]
mod tests {
    use crate::game::{GdlGame, Options};
    use ludex_core::Game;

    #[test]
    fn a_sheet_is_counted() {
        let text = "(role x) (init (cell 1 b)) (init (step 0)) (succ 0 1)
            (<= (legal x (mark ?n)) (true (cell ?n b)) (not (true (step 1))))
            (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
            (<= (next (cell ?n ?v)) (true (cell ?n ?v)) (distinct ?v b))
            (<= (goal x 100) (true (step 1))) (<= (goal x 0) (not (true (step 1))))
            (<= terminal (true (step 1)))";
        let game = GdlGame::load("counted", text, &Options::default()).unwrap();
        let features = game.features();
        for (name, value) in [
            ("GdlRules", 6.0),
            ("GdlFacts", 4.0),
            ("GdlFluents", 2.0),
            ("GdlWidestFluent", 2.0),
            ("GdlNegations", 2.0),
            ("GdlDistincts", 1.0),
            ("GdlGoalValues", 2.0),
            ("GdlInit", 2.0),
        ] {
            assert_eq!(features.get(name), Some(value), "{name}");
        }
    }
}
