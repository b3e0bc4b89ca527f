//! The rule sheet as its author wrote it: atoms, literals and rules with their places.
//!
//! Nothing is rewritten here, so that a validator can speak of the source; [`crate::lower`] turns
//! it into the flat clauses that the engines run on.

use ludex_core::{Language, Source};

use crate::kif::{self, Sexp};
use crate::symbol::{Sym, Symbols};
use ludex_core::diagnostic::{Diagnostic, Severity, Span};

/// The kinds of terms.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TermKind {
    /// A variable; its word begins with `?`.
    Var(Sym),
    /// A constant.
    Const(Sym),
    /// A function applied to arguments.
    Fun(Sym, Vec<Term>),
}

/// A term with its place. Equality and hash ignore the place.
#[derive(Clone, Debug)]
pub struct Term {
    /// Variable, constant or function.
    pub kind: TermKind,
    /// Where it stands.
    pub span: Span,
}

impl PartialEq for Term {
    fn eq(&self, other: &Term) -> bool {
        self.kind == other.kind
    }
}
impl Eq for Term {}
impl std::hash::Hash for Term {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.kind.hash(state);
    }
}

impl Term {
    /// Calls `f` for each variable, in order, with repetitions.
    pub(crate) fn vars(&self, f: &mut impl FnMut(Sym)) {
        match &self.kind {
            TermKind::Var(v) => f(*v),
            TermKind::Const(_) => {}
            TermKind::Fun(_, args) => args.iter().for_each(|arg| arg.vars(f)),
        }
    }

    /// True if it has no variable.
    pub(crate) fn is_ground(&self) -> bool {
        let mut ground = true;
        self.vars(&mut |_| ground = false);
        ground
    }

    /// The text in KIF.
    pub(crate) fn text(&self, symbols: &Symbols) -> String {
        match &self.kind {
            TermKind::Var(s) | TermKind::Const(s) => symbols.name(*s).to_owned(),
            TermKind::Fun(f, args) => apply_text(symbols.name(*f), args, symbols),
        }
    }
}

fn apply_text(name: &str, args: &[Term], symbols: &Symbols) -> String {
    let mut text = format!("({name}");
    for arg in args {
        text.push(' ');
        text.push_str(&arg.text(symbols));
    }
    text.push(')');
    text
}

/// A relation applied to terms, e.g. `(true (cell 1 1 b))` or `terminal`.
#[derive(Clone, Debug)]
pub struct Atom {
    /// The relation.
    pub pred: Sym,
    /// Its arguments.
    pub args: Vec<Term>,
    /// Where it stands.
    pub span: Span,
    /// Written with parentheses (the specification wants none around an atom without arguments).
    pub(crate) parens: bool,
}

impl Atom {
    /// Calls `f` for each variable, in order, with repetitions.
    pub(crate) fn vars(&self, f: &mut impl FnMut(Sym)) {
        self.args.iter().for_each(|arg| arg.vars(f));
    }

    /// The text in KIF.
    pub(crate) fn text(&self, symbols: &Symbols) -> String {
        if self.args.is_empty() {
            return symbols.name(self.pred).to_owned();
        }
        apply_text(symbols.name(self.pred), &self.args, symbols)
    }
}

/// The kinds of literals.
#[derive(Clone, Debug)]
pub enum LiteralKind {
    /// The atom holds.
    Pos(Atom),
    /// The literal does not hold.
    Not(Box<Literal>),
    /// The terms differ.
    Distinct(Term, Term),
    /// At least one holds.
    Or(Vec<Literal>),
    /// All hold. Not in the specification; found in public files.
    And(Vec<Literal>),
}

/// A condition in a rule's body.
#[derive(Clone, Debug)]
pub struct Literal {
    /// The condition.
    pub kind: LiteralKind,
    /// Where it stands.
    pub span: Span,
}

impl Literal {
    /// Calls `f` for each variable, in order, with repetitions.
    pub(crate) fn vars(&self, f: &mut impl FnMut(Sym)) {
        match &self.kind {
            LiteralKind::Pos(atom) => atom.vars(f),
            LiteralKind::Not(inner) => inner.vars(f),
            LiteralKind::Distinct(a, b) => {
                a.vars(f);
                b.vars(f);
            }
            LiteralKind::Or(parts) | LiteralKind::And(parts) => {
                parts.iter().for_each(|part| part.vars(f));
            }
        }
    }
}

/// A rule: the head holds if the whole body does. A fact has an empty body.
#[derive(Clone, Debug)]
pub struct Rule {
    /// The conclusion.
    pub head: Atom,
    /// The conditions.
    pub body: Vec<Literal>,
    /// Where it stands.
    pub span: Span,
    /// Written with `<=` (a fact may be written either way).
    pub(crate) arrow: bool,
}

/// A rule sheet.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// The words.
    pub symbols: Symbols,
    /// The rules and facts in the order of the source.
    pub rules: Vec<Rule>,
    /// The text and the digest that tell these rules from others.
    pub(crate) source: Source,
}

impl Rules {
    /// Reads a rule sheet in KIF. What cannot be understood is left out and reported.
    ///
    /// ```
    /// use ludex_gdl::rules::Rules;
    /// let (rules, found) = Rules::read("(role white) (<= terminal (not (true (alive white))))");
    /// assert_eq!(rules.rules.len(), 2);
    /// assert!(found.is_empty());
    /// ```
    pub fn read(source: &str) -> (Rules, Vec<Diagnostic>) {
        let (tree, mut found) = kif::read(source);
        let (rules, more) = Rules::from_tree(&tree);
        found.extend(more);
        (rules, found)
    }

    /// Understands s-expressions as rules.
    pub fn from_tree(tree: &[Sexp]) -> (Rules, Vec<Diagnostic>) {
        let mut reader = Reader { symbols: Symbols::default(), found: Vec::new() };
        // A whole rule sheet may come wrapped in one list (START messages of the GGP protocol).
        let tree = match tree {
            [Sexp::List(items, _)]
                if items.len() > 1 && items.iter().all(|i| matches!(i, Sexp::List(..))) =>
            {
                items
            }
            _ => tree,
        };
        let rules = tree.iter().filter_map(|sexp| reader.rule(sexp)).collect();
        let source = Source::of_text(Language::Gdl, tree.iter().map(Sexp::to_string));
        (Rules { symbols: reader.symbols, rules, source }, reader.found)
    }
}

/// Reads one ground or open term; used for moves and facts given as text.
pub(crate) fn read_term(text: &str, symbols: &mut Symbols) -> Result<Term, Diagnostic> {
    let (tree, found) = kif::read(text);
    if let Some(error) = found.into_iter().find(|d| d.severity == Severity::Error) {
        return Err(error);
    }
    let [sexp] = tree.as_slice() else {
        return Err(Diagnostic::error("R001", Span::new(0, text.len()), "expected one term"));
    };
    let mut reader = Reader { symbols: std::mem::take(symbols), found: Vec::new() };
    let term = reader.term(sexp);
    *symbols = reader.symbols;
    match (term, reader.found.pop()) {
        (Some(term), None) => Ok(term),
        (_, Some(error)) => Err(error),
        (None, None) => Err(Diagnostic::error("R001", sexp.span(), "expected a term")),
    }
}

struct Reader {
    symbols: Symbols,
    found: Vec<Diagnostic>,
}

impl Reader {
    fn error(&mut self, code: &'static str, span: Span, message: &str, hint: &str) {
        self.found.push(Diagnostic::error(code, span, message).with_hint(hint));
    }

    fn rule(&mut self, sexp: &Sexp) -> Option<Rule> {
        let span = sexp.span();
        if let Sexp::List(items, _) = sexp
            && items.first().and_then(Sexp::word) == Some("<=")
        {
            let Some(head) = items.get(1) else {
                self.error("R002", span, "a rule without a head", "write `(<= head body ...)`");
                return None;
            };
            let head = self.atom(head)?;
            let before = self.found.len();
            let body = items[2..].iter().filter_map(|item| self.literal(item)).collect();
            // A rule with an unreadable condition would say something else: leave it out.
            return (self.found.len() == before).then_some(Rule { head, body, span, arrow: true });
        }
        let head = self.atom(sexp)?;
        Some(Rule { head, body: Vec::new(), span, arrow: false })
    }

    fn literal(&mut self, sexp: &Sexp) -> Option<Literal> {
        let span = sexp.span();
        let operator = match sexp {
            Sexp::List(items, _) => items.first().and_then(Sexp::word).map(str::to_lowercase),
            Sexp::Word(..) => None,
        };
        let (Sexp::List(items, _), Some(operator)) = (sexp, operator.as_deref()) else {
            let atom = self.atom(sexp)?;
            return Some(Literal { kind: LiteralKind::Pos(atom), span });
        };
        let kind = match operator {
            "not" => {
                let [_, inner] = items.as_slice() else {
                    let hint = "write `(not (p ...))`";
                    self.error("R003", span, "`not` takes exactly one sentence", hint);
                    return None;
                };
                LiteralKind::Not(Box::new(self.literal(inner)?))
            }
            "distinct" => {
                let [_, a, b] = items.as_slice() else {
                    let hint = "write `(distinct ?x ?y)`";
                    self.error("R004", span, "`distinct` takes exactly two terms", hint);
                    return None;
                };
                LiteralKind::Distinct(self.term(a)?, self.term(b)?)
            }
            "or" | "and" => {
                let before = self.found.len();
                let parts: Vec<Literal> =
                    items[1..].iter().filter_map(|item| self.literal(item)).collect();
                if self.found.len() != before {
                    return None;
                }
                if operator == "or" { LiteralKind::Or(parts) } else { LiteralKind::And(parts) }
            }
            _ => LiteralKind::Pos(self.atom(sexp)?),
        };
        Some(Literal { kind, span })
    }

    fn atom(&mut self, sexp: &Sexp) -> Option<Atom> {
        let span = sexp.span();
        match sexp {
            Sexp::Word(word, _) => {
                let pred = self.relation_word(word, span)?;
                Some(Atom { pred, args: Vec::new(), span, parens: false })
            }
            Sexp::List(items, _) => {
                let Some(first) = items.first() else {
                    self.error("R005", span, "an empty list", "delete it");
                    return None;
                };
                let Some(word) = first.word() else {
                    let hint = "a sentence begins with a relation's name";
                    self.error("R006", first.span(), "a list where a name is needed", hint);
                    return None;
                };
                let pred = self.relation_word(word, first.span())?;
                let before = self.found.len();
                let args = items[1..].iter().filter_map(|item| self.term(item)).collect();
                (self.found.len() == before).then_some(Atom { pred, args, span, parens: true })
            }
        }
    }

    fn relation_word(&mut self, word: &str, span: Span) -> Option<Sym> {
        if word.starts_with('?') {
            let hint = "a relation or function has a fixed name";
            self.error("R007", span, "a variable where a name is needed", hint);
            return None;
        }
        Some(self.symbols.intern(word))
    }

    fn term(&mut self, sexp: &Sexp) -> Option<Term> {
        let span = sexp.span();
        let kind = match sexp {
            Sexp::Word(word, _) if word.starts_with('?') => {
                TermKind::Var(self.symbols.intern(word))
            }
            Sexp::Word(word, _) => TermKind::Const(self.symbols.intern(word)),
            Sexp::List(..) => {
                let atom = self.atom(sexp)?;
                // `(f)` is the constant f, as lenient readers have it.
                if atom.args.is_empty() {
                    TermKind::Const(atom.pred)
                } else {
                    TermKind::Fun(atom.pred, atom.args)
                }
            }
        };
        Some(Term { kind, span })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_keep_their_shape_and_place() {
        let source = "(<= (p ?x) (q ?x) (not (r ?x)) (distinct ?x a) (or (q b) (and (q c) t)))";
        let (rules, found) = Rules::read(source);
        assert!(found.is_empty(), "{found:?}");
        let rule = &rules.rules[0];
        assert_eq!(rule.body.len(), 4);
        assert!(matches!(rule.body[1].kind, LiteralKind::Not(_)));
        assert_eq!(rule.body[1].span, Span::new(18, 30));
        assert_eq!(rule.head.text(&rules.symbols), "(p ?x)");
        assert!(matches!(&rule.body[3].kind, LiteralKind::Or(parts) if parts.len() == 2));
    }

    #[test]
    fn bad_sentences_are_reported_where_they_stand_and_left_out() {
        for (source, code, start) in [
            ("(p) ()", "R005", 4),
            ("(<=)", "R002", 0),
            ("(<= (p) (not))", "R003", 8),
            ("(<= (p) (distinct a))", "R004", 8),
            ("((p) a)", "R006", 1),
            ("(<= (?p a))", "R007", 5),
        ] {
            let (_, found) = Rules::read(source);
            assert_eq!(found.len(), 1, "{source}: {found:?}");
            assert_eq!((found[0].code, found[0].span.start), (code, start), "{source}");
        }
    }

    #[test]
    fn terms_given_as_text_parse_back() {
        let mut symbols = Symbols::default();
        let term = read_term("( cell  1 (s 2) )", &mut symbols).expect("a term");
        assert_eq!(term.text(&symbols), "(cell 1 (s 2))");
        assert!(read_term("a b", &mut symbols).is_err());
        assert!(read_term("(", &mut symbols).is_err());
    }
}
