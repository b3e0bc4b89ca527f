//! The reader: KIF text to s-expressions with exact byte spans.
//!
//! The reader never fails: it returns what it understood together with its findings. Nesting is
//! bounded by `MAX_DEPTH`, so that no later pass can overflow the stack on hostile input.

use ludex_core::diagnostic::{Diagnostic, Span, line_column};

/// Lists nested deeper than this are refused.
pub(crate) const MAX_DEPTH: usize = 200;

/// An s-expression: a word or a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sexp {
    /// A word as written.
    Word(String, Span),
    /// A parenthesised list.
    List(Vec<Sexp>, Span),
}

impl Sexp {
    /// Where it stands in the source.
    pub fn span(&self) -> Span {
        match self {
            Sexp::Word(_, span) | Sexp::List(_, span) => *span,
        }
    }

    /// The word, if it is one.
    pub fn word(&self) -> Option<&str> {
        match self {
            Sexp::Word(text, _) => Some(text),
            Sexp::List(..) => None,
        }
    }
}

impl std::fmt::Display for Sexp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Sexp::Word(text, _) => f.write_str(text),
            Sexp::List(items, _) => {
                f.write_str("(")?;
                for (i, item) in items.iter().enumerate() {
                    if i > 0 {
                        f.write_str(" ")?;
                    }
                    item.fmt(f)?;
                }
                f.write_str(")")
            }
        }
    }
}

/// Reads every s-expression of `source`. Comments run from `;` to the end of the line.
///
/// Where a `)` is missing, a `(` in the first column begins a new sentence, so that one mistake
/// does not swallow the rest of the text.
///
/// ```
/// let (tree, found) = ludex_gdl::kif::read("(role white) ; a comment\n(role black)");
/// assert_eq!(tree.len(), 2);
/// assert_eq!(tree[1].to_string(), "(role black)");
/// assert!(found.is_empty());
/// ```
pub fn read(source: &str) -> (Vec<Sexp>, Vec<Diagnostic>) {
    let whole = Reader::new(source, false).read();
    if whole.found.iter().any(|finding| finding.code == UNCLOSED) {
        let parts = Reader::new(source, true).read();
        return (parts.top, parts.found);
    }
    (whole.top, whole.found)
}

/// The code of a `(` that is never closed.
pub(crate) const UNCLOSED: &str = "K001";

struct Reader<'a> {
    source: &'a str,
    /// Does a `(` in the first column begin a new sentence although lists are open?
    restarts: bool,
    at: usize,
    top: Vec<Sexp>,
    /// Open lists: their items so far and where their parenthesis stands.
    open: Vec<(Vec<Sexp>, usize)>,
    /// Levels opened beyond [`MAX_DEPTH`]: read over, not built.
    too_deep: usize,
    found: Vec<Diagnostic>,
}

impl<'a> Reader<'a> {
    fn new(source: &'a str, restarts: bool) -> Reader<'a> {
        let (top, open, found) = (Vec::new(), Vec::new(), Vec::new());
        Reader { source, restarts, at: 0, top, open, too_deep: 0, found }
    }

    fn read(mut self) -> Reader<'a> {
        let bytes = self.source.as_bytes();
        while let Some(&byte) = bytes.get(self.at) {
            match byte {
                b';' => self.skip(|byte| byte != b'\n'),
                b'(' => self.open(),
                b')' => self.close(),
                byte if byte.is_ascii_whitespace() => self.at += 1,
                _ => {
                    let start = self.at;
                    self.skip(|byte| !is_delimiter(byte));
                    if self.too_deep == 0 {
                        let word = self.source[start..self.at].to_owned();
                        self.put(Sexp::Word(word, Span::new(start, self.at)));
                    }
                }
            }
        }
        self.end_unclosed(None);
        self
    }

    fn skip(&mut self, over: impl Fn(u8) -> bool) {
        let rest = &self.source.as_bytes()[self.at..];
        self.at += rest.iter().position(|&byte| !over(byte)).unwrap_or(rest.len());
    }

    fn put(&mut self, sexp: Sexp) {
        self.open.last_mut().map_or(&mut self.top, |(items, _)| items).push(sexp);
    }

    fn open(&mut self) {
        let first_column = self.at == 0 || self.source.as_bytes()[self.at - 1] == b'\n';
        if self.restarts && first_column {
            self.end_unclosed(Some(self.at));
        }
        if self.too_deep == 0 && self.open.len() == MAX_DEPTH {
            let span = Span::new(self.at, self.at + 1);
            let text = format!("lists are nested deeper than {MAX_DEPTH}");
            self.found.push(
                Diagnostic::error("K003", span, text)
                    .with_hint("no rule needs this; look for a missing `)` above"),
            );
        }
        if self.open.len() == MAX_DEPTH {
            self.too_deep += 1;
        } else {
            self.open.push((Vec::new(), self.at));
        }
        self.at += 1;
    }

    fn close(&mut self) {
        self.at += 1;
        if self.too_deep > 0 {
            self.too_deep -= 1;
        } else if let Some((items, start)) = self.open.pop() {
            self.put(Sexp::List(items, Span::new(start, self.at)));
        } else {
            self.found.push(
                Diagnostic::error("K002", Span::new(self.at - 1, self.at), "unmatched `)`")
                    .with_hint("delete it, or add the `(` that it should close"),
            );
        }
    }

    /// Closes the lists that are still open at the end of the text, or where the next sentence
    /// begins. They are one mistake: the outermost of them is reported.
    fn end_unclosed(&mut self, next: Option<usize>) {
        self.too_deep = 0;
        while let Some((items, start)) = self.open.pop() {
            if self.open.is_empty() {
                let hint = match next.map(|at| line_column(self.source, at)) {
                    Some((line, _)) => format!("add the missing `)` before line {line}"),
                    None => "add the missing `)`".to_owned(),
                };
                let span = Span::new(start, start + 1);
                let finding = Diagnostic::error(UNCLOSED, span, "this `(` is never closed");
                self.found.push(finding.with_hint(hint));
            }
            self.put(Sexp::List(items, Span::new(start, self.at)));
        }
    }
}

fn is_delimiter(byte: u8) -> bool {
    matches!(byte, b'(' | b')' | b';') || byte.is_ascii_whitespace()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_core::diagnostic::Texts;
    use proptest::prelude::*;

    #[test]
    fn spans_are_exact() {
        let source = "(a  (b c)) ; (d\n e";
        let (tree, found) = read(source);
        assert!(found.is_empty());
        assert_eq!(tree.len(), 2);
        assert_eq!(tree[0].span(), Span::new(0, 10));
        let Sexp::List(items, _) = &tree[0] else { panic!("a list") };
        assert_eq!(items[1].span(), Span::new(4, 9));
        assert_eq!(tree[1].span(), Span::new(17, 18));
    }

    #[test]
    fn unbalanced_parentheses_are_reported_where_they_stand() {
        let (_, found) = read("(a (b)");
        assert_eq!((found[0].code, found[0].span), ("K001", Span::new(0, 1)));
        let (tree, found) = read("(a)) (b)");
        assert_eq!((found[0].code, found[0].span), ("K002", Span::new(3, 4)));
        assert_eq!(tree.len(), 2);
    }

    #[test]
    fn a_list_without_an_end_ends_before_the_next_line_that_begins_with_a_parenthesis() {
        let (tree, found) = read("(a (b)\n  (c)\n(d)\n(e (f\n(g)");
        let texts: Vec<String> = tree.iter().map(Sexp::to_string).collect();
        assert_eq!(texts, ["(a (b) (c))", "(d)", "(e (f))", "(g)"]);
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].hint.as_deref(), Some("add the missing `)` before line 3"));
        assert_eq!(found[1].span, Span::new(17, 18));
        // Where nothing is missing, the first column means nothing.
        assert_eq!(read("(a\n(b))").0.len(), 1);
    }

    #[test]
    fn a_million_open_parentheses_are_one_finding_and_no_crash() {
        let (_, found) = read(&"(".repeat(1_000_000));
        assert_eq!(found.iter().filter(|d| d.code == "K003").count(), 1);
        let nested = "(".repeat(500) + &")".repeat(500) + "(role x)";
        let (tree, found) = read(&nested);
        assert_eq!((tree.len(), found.len()), (2, 1));
    }

    proptest! {
        #[test]
        fn any_text_is_read_without_panic(text in "[()?a ;\n\"<=é]{0,200}") {
            let (tree, found) = read(&text);
            let texts = Texts::one("x.kif", text.as_str());
            for finding in &found {
                finding.render(&texts);
            }
            // A tree prints as a text that reads back as the same tree.
            for sexp in &tree {
                let (again, _) = read(&sexp.to_string());
                prop_assert_eq!(again[0].to_string(), sexp.to_string());
            }
        }
    }
}
