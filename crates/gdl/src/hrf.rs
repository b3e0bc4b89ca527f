//! Other dialects, read into the same s-expressions as KIF, with the places of the source.
//!
//! - *HRF*, the infix form: `legal(P, mark(X, Y)) :- true(cell(X, Y, b)) & ~true(over)`. Capitalised
//!   words and words with `?` are variables, `&` or `,` join conditions, `|` is `or`, `~` is `not`,
//!   `%` and `;` begin comments, a full stop after a rule may stand or not.
//! - *Capitals*: KIF whose variables are capitalised words instead of `?x`.

use crate::kif::{self, MAX_DEPTH, Sexp};
use crate::rules::Rules;
use ludex_core::diagnostic::{Diagnostic, Span};

/// How a rule sheet is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// Prefix form, variables `?x`.
    #[default]
    Kif,
    /// Infix form.
    Hrf,
    /// Prefix form, variables capitalised.
    Capitals,
}

impl std::str::FromStr for Dialect {
    type Err = String;

    fn from_str(text: &str) -> Result<Dialect, String> {
        match text {
            "kif" => Ok(Dialect::Kif),
            "hrf" => Ok(Dialect::Hrf),
            "capitals" => Ok(Dialect::Capitals),
            _ => Err(format!("unknown dialect `{text}`: kif, hrf or capitals")),
        }
    }
}

/// Reads s-expressions in a dialect.
///
/// ```
/// use ludex_gdl::hrf::{Dialect, read};
/// let (tree, found) = read("next(cell(X,w)) :- does(P,mark(X)) & ~true(over)", Dialect::Hrf);
/// assert!(found.is_empty());
/// assert_eq!(
///     tree[0].to_string(),
///     "(<= (next (cell ?X w)) (does ?P (mark ?X)) (not (true over)))"
/// );
/// ```
pub fn read(source: &str, dialect: Dialect) -> (Vec<Sexp>, Vec<Diagnostic>) {
    match dialect {
        Dialect::Kif => kif::read(source),
        Dialect::Capitals => {
            let (mut tree, found) = kif::read(source);
            tree.iter_mut().for_each(|sexp| capitals(sexp, true));
            (tree, found)
        }
        Dialect::Hrf => {
            let tokens = tokens(source);
            let mut parser =
                Parser { tokens: &tokens, at: 0, found: Vec::new(), end: source.len() };
            let tree = parser.rules();
            (tree, parser.found)
        }
    }
}

/// Reads a rule sheet in a dialect.
pub fn read_rules(source: &str, dialect: Dialect) -> (Rules, Vec<Diagnostic>) {
    let (tree, mut found) = read(source, dialect);
    let (rules, more) = Rules::from_tree(&tree);
    found.extend(more);
    (rules, found)
}

fn is_variable(word: &str) -> bool {
    word.starts_with('?') || word.chars().next().is_some_and(char::is_uppercase)
}

fn variable(word: &str) -> String {
    if word.starts_with('?') { word.to_owned() } else { format!("?{word}") }
}

/// Gives variables their `?`. A word that is itself a sentence, or a name, is none.
fn capitals(sexp: &mut Sexp, sentence: bool) {
    match sexp {
        Sexp::Word(word, _) => {
            if !sentence && is_variable(word) {
                *word = variable(word);
            }
        }
        Sexp::List(items, _) => {
            let operator = items.first().and_then(Sexp::word).map(str::to_lowercase);
            let of_sentences =
                sentence && matches!(operator.as_deref(), Some("<=" | "not" | "or" | "and"));
            items.iter_mut().skip(1).for_each(|item| capitals(item, of_sentences));
            if let Some(list @ Sexp::List(..)) = items.first_mut() {
                capitals(list, sentence);
            }
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
enum Kind {
    Word(String),
    Open,
    Close,
    Comma,
    And,
    Or,
    Not,
    If,
    Stop,
}

#[derive(Clone, Debug)]
struct Token {
    kind: Kind,
    span: Span,
    /// First of its line.
    first: bool,
}

fn tokens(source: &str) -> Vec<Token> {
    let bytes = source.as_bytes();
    let (mut list, mut at, mut first) = (Vec::new(), 0, true);
    let ends_word = |at: usize| match bytes.get(at) {
        None => true,
        Some(b'(' | b')' | b',' | b'&' | b'|' | b'~' | b'%' | b';') => true,
        Some(b':') => bytes.get(at + 1) == Some(&b'-'),
        Some(b'.') => bytes.get(at + 1).is_none_or(u8::is_ascii_whitespace),
        Some(byte) => byte.is_ascii_whitespace(),
    };
    while let Some(&byte) = bytes.get(at) {
        let start = at;
        at += 1;
        let kind = match byte {
            b'\n' => {
                first = true;
                continue;
            }
            b'%' | b';' => {
                while bytes.get(at).is_some_and(|&b| b != b'\n') {
                    at += 1;
                }
                continue;
            }
            byte if byte.is_ascii_whitespace() => continue,
            b'(' => Kind::Open,
            b')' => Kind::Close,
            b',' => Kind::Comma,
            b'&' => Kind::And,
            b'|' => Kind::Or,
            b'~' => Kind::Not,
            b':' if bytes.get(at) == Some(&b'-') => {
                at += 1;
                Kind::If
            }
            b'.' if ends_word(start) => Kind::Stop,
            _ => {
                while !ends_word(at) {
                    at += 1;
                }
                // Words end at ASCII characters, so the bounds are those of characters.
                Kind::Word(source.get(start..at).unwrap_or_default().to_owned())
            }
        };
        list.push(Token { kind, span: Span::new(start, at), first });
        first = false;
    }
    list
}

struct Parser<'a> {
    tokens: &'a [Token],
    at: usize,
    found: Vec<Diagnostic>,
    end: usize,
}

/// The rest of a rule is given up.
struct GiveUp;

impl Parser<'_> {
    fn peek(&self) -> Option<&Kind> {
        self.tokens.get(self.at).map(|t| &t.kind)
    }

    fn span(&self) -> Span {
        self.tokens.get(self.at).map_or(Span::new(self.end, self.end), |t| t.span)
    }

    fn take(&mut self, kind: &Kind) -> bool {
        let is = self.peek() == Some(kind);
        self.at += usize::from(is);
        is
    }

    fn rules(&mut self) -> Vec<Sexp> {
        let mut tree = Vec::new();
        while self.at < self.tokens.len() {
            if self.take(&Kind::Stop) {
                continue;
            }
            let before = self.at;
            match self.rule() {
                Ok(rule) => tree.push(rule),
                Err(GiveUp) => {
                    // Go on after a full stop or where a line begins with a word.
                    self.at = self.at.max(before + 1);
                    while let Some(token) = self.tokens.get(self.at) {
                        if token.kind == Kind::Stop
                            || (token.first && matches!(token.kind, Kind::Word(_)))
                        {
                            break;
                        }
                        self.at += 1;
                    }
                }
            }
        }
        tree
    }

    fn rule(&mut self) -> Result<Sexp, GiveUp> {
        let head = self.primary(0, true)?;
        let arrow = self.span();
        if !self.take(&Kind::If) {
            return Ok(head);
        }
        let mut items = vec![Sexp::Word("<=".to_owned(), arrow), head];
        loop {
            match self.either(0, true)? {
                // Conditions joined by `&` are the rule's own.
                Sexp::List(parts, _) if matches!(parts.first(), Some(Sexp::Word(word, _)) if word == "and") =>
                {
                    items.extend(parts.into_iter().skip(1));
                }
                condition => items.push(condition),
            }
            if !self.take(&Kind::Comma) {
                break;
            }
        }
        Ok(list(items))
    }

    fn either(&mut self, depth: usize, sentence: bool) -> Result<Sexp, GiveUp> {
        self.joined(depth, sentence, &Kind::Or, "or", |p, d, s| {
            p.joined(d, s, &Kind::And, "and", Self::negation)
        })
    }

    fn joined(
        &mut self,
        depth: usize,
        sentence: bool,
        by: &Kind,
        name: &str,
        part: impl Fn(&mut Self, usize, bool) -> Result<Sexp, GiveUp>,
    ) -> Result<Sexp, GiveUp> {
        let first = part(self, depth, sentence)?;
        if self.peek() != Some(by) {
            return Ok(first);
        }
        let mut items = vec![Sexp::Word(name.to_owned(), self.span()), first];
        while self.take(by) {
            items.push(part(self, depth, true)?);
        }
        Ok(list(items))
    }

    fn negation(&mut self, depth: usize, sentence: bool) -> Result<Sexp, GiveUp> {
        let span = self.span();
        if !self.take(&Kind::Not) {
            return self.primary(depth, sentence);
        }
        self.deeper(depth)?;
        let inner = self.negation(depth + 1, true)?;
        Ok(list(vec![Sexp::Word("not".to_owned(), span), inner]))
    }

    fn primary(&mut self, depth: usize, sentence: bool) -> Result<Sexp, GiveUp> {
        self.deeper(depth)?;
        let span = self.span();
        if self.take(&Kind::Open) {
            let inner = self.either(depth + 1, sentence)?;
            self.close(span)?;
            return Ok(inner);
        }
        let Some(Kind::Word(word)) = self.peek().cloned() else {
            let what =
                if self.at < self.tokens.len() { "unexpected sign" } else { "unexpected end" };
            let hint = "a rule is `head :- condition & condition`";
            self.found.push(Diagnostic::error("H501", span, what).with_hint(hint));
            return Err(GiveUp);
        };
        self.at += 1;
        let open = self.span();
        if !self.take(&Kind::Open) {
            let word = if !sentence && is_variable(&word) { variable(&word) } else { word };
            return Ok(Sexp::Word(word, span));
        }
        let sentences = sentence && matches!(word.as_str(), "not" | "or" | "and");
        let mut items = vec![Sexp::Word(word, span)];
        if self.peek() != Some(&Kind::Close) {
            items.push(self.either(depth + 1, sentences)?);
            while self.take(&Kind::Comma) {
                items.push(self.either(depth + 1, sentences)?);
            }
        }
        self.close(open)?;
        let end = self.tokens[self.at - 1].span;
        Ok(Sexp::List(items, span.to(end)))
    }

    fn close(&mut self, open: Span) -> Result<(), GiveUp> {
        if self.take(&Kind::Close) {
            return Ok(());
        }
        let error = Diagnostic::error("H502", open, "this `(` is not closed")
            .with_hint("add the missing `)`, or a comma between arguments");
        self.found.push(error);
        Err(GiveUp)
    }

    fn deeper(&mut self, depth: usize) -> Result<(), GiveUp> {
        if depth < MAX_DEPTH {
            return Ok(());
        }
        let text = format!("terms are nested deeper than {MAX_DEPTH}");
        self.found.push(Diagnostic::error("K003", self.span(), text));
        Err(GiveUp)
    }
}

/// A list that spans its items.
fn list(items: Vec<Sexp>) -> Sexp {
    let span = items.iter().map(Sexp::span).reduce(Span::to).unwrap_or_default();
    Sexp::List(items, span)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_core::diagnostic::Texts;
    use proptest::prelude::*;

    fn text(source: &str, dialect: Dialect) -> Vec<String> {
        let (tree, found) = read(source, dialect);
        assert!(found.is_empty(), "{found:?}");
        tree.iter().map(Sexp::to_string).collect()
    }

    #[test]
    fn the_infix_form_says_what_the_prefix_form_says() {
        let source = "% doors\nrole(candidate)\nrole(random).\n\
            legal(candidate, choose(D)) :- true(step(1)) & door(D), ~true(closed(?D))\n\
            terminal :- true(step(4)) | (true(over) & ~(true(a) | distinct(X, b)))\n\
            goal(P, 0) :- role(P) & or(true(x), ~true(y))";
        assert_eq!(
            text(source, Dialect::Hrf),
            [
                "(role candidate)",
                "(role random)",
                "(<= (legal candidate (choose ?D)) (true (step 1)) (door ?D) (not (true (closed ?D))))",
                "(<= terminal (or (true (step 4)) (and (true over) (not (or (true a) (distinct ?X b))))))",
                "(<= (goal ?P 0) (role ?P) (or (true x) (not (true y))))",
            ]
        );
    }

    #[test]
    fn capitalised_words_are_variables_but_for_names_and_sentences() {
        let source =
            "(<= (Legal R (Mark X ?y)) (true (cell X ?y B)) Open (not Closed) (distinct X Y))";
        assert_eq!(
            text(source, Dialect::Capitals),
            [
                "(<= (Legal ?R (Mark ?X ?y)) (true (cell ?X ?y ?B)) Open (not Closed) (distinct ?X ?Y))"
            ]
        );
    }

    #[test]
    fn places_are_those_of_the_infix_source() {
        let source = "p(a) :-\n  q(B) & ~r(B)";
        let (tree, _) = read(source, Dialect::Hrf);
        let Sexp::List(items, span) = &tree[0] else { panic!("a rule") };
        assert_eq!(*span, Span::new(0, source.len()));
        let places: Vec<&str> =
            items.iter().map(|i| &source[i.span().start as usize..i.span().end as usize]).collect();
        assert_eq!(places, [":-", "p(a)", "q(B)", "~r(B)"]);
    }

    #[test]
    fn errors_stand_where_they_are_and_the_next_rule_is_read() {
        let (tree, found) = read("p(a :- q\nrole(x)", Dialect::Hrf);
        assert_eq!((found[0].code, found[0].span), ("H502", Span::new(1, 2)));
        assert_eq!(tree.len(), 1);
        let (tree, found) = read("p :- & q\nrole(x)", Dialect::Hrf);
        assert_eq!((found[0].code, found[0].span), ("H501", Span::new(5, 6)));
        assert_eq!(tree.len(), 1);
        assert_eq!(read(&"f(".repeat(100_000), Dialect::Hrf).1[0].code, "K003");
        assert_eq!(read(&format!("p :- {}", "~".repeat(100_000)), Dialect::Hrf).1[0].code, "K003");
    }

    proptest! {
        #[test]
        fn any_text_is_read_without_panic(source in "[()?aB ,&|~:.%;\n-é]{0,120}") {
            for dialect in [Dialect::Kif, Dialect::Hrf, Dialect::Capitals] {
                let (rules, found) = read_rules(&source, dialect);
                prop_assert!(rules.rules.len() <= source.len());
                let texts = Texts::one("x", source.as_str());
                for finding in found {
                    finding.render(&texts);
                }
            }
        }
    }
}
