//! The reader: KIF text to s-expressions with exact byte spans.
//!
//! The reader never fails: it returns what it understood together with its findings. Nesting is
//! bounded by [`MAX_DEPTH`], so that no later pass can overflow the stack on hostile input.

use crate::diagnostic::{Diagnostic, Span};

/// Lists nested deeper than this are refused.
pub const MAX_DEPTH: usize = 200;

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
/// ```
/// let (tree, found) = ludex_gdl::kif::read("(role white) ; a comment\n(role black)");
/// assert_eq!(tree.len(), 2);
/// assert_eq!(tree[1].to_string(), "(role black)");
/// assert!(found.is_empty());
/// ```
pub fn read(source: &str) -> (Vec<Sexp>, Vec<Diagnostic>) {
    let bytes = source.as_bytes();
    let mut found = Vec::new();
    let mut top = Vec::new();
    // Open lists: their items so far and where their parenthesis stands.
    let mut open: Vec<(Vec<Sexp>, usize)> = Vec::new();
    // Levels opened beyond MAX_DEPTH: read over, not built.
    let mut too_deep = 0usize;
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b';' => {
                while at < bytes.len() && bytes[at] != b'\n' {
                    at += 1;
                }
            }
            b'(' => {
                if too_deep > 0 || open.len() == MAX_DEPTH {
                    if too_deep == 0 {
                        found.push(
                            Diagnostic::error(
                                "K003",
                                Span::new(at, at + 1),
                                format!("lists are nested deeper than {MAX_DEPTH}"),
                            )
                            .with_hint("no rule needs this; look for a missing `)` above"),
                        );
                    }
                    too_deep += 1;
                } else {
                    open.push((Vec::new(), at));
                }
                at += 1;
            }
            b')' => {
                at += 1;
                if too_deep > 0 {
                    too_deep -= 1;
                } else if let Some((items, start)) = open.pop() {
                    let list = Sexp::List(items, Span::new(start, at));
                    open.last_mut().map_or(&mut top, |(items, _)| items).push(list);
                } else {
                    found.push(
                        Diagnostic::error("K002", Span::new(at - 1, at), "unmatched `)`")
                            .with_hint("delete it, or add the `(` that it should close"),
                    );
                }
            }
            byte if byte.is_ascii_whitespace() => at += 1,
            _ => {
                let start = at;
                while at < bytes.len() && !is_delimiter(bytes[at]) {
                    at += 1;
                }
                if too_deep == 0 {
                    let word = Sexp::Word(source[start..at].to_owned(), Span::new(start, at));
                    open.last_mut().map_or(&mut top, |(items, _)| items).push(word);
                }
            }
        }
    }
    // Unclosed lists: report each, keep what they hold, innermost first.
    while let Some((items, start)) = open.pop() {
        found.push(
            Diagnostic::error("K001", Span::new(start, start + 1), "this `(` is never closed")
                .with_hint("add the missing `)`"),
        );
        let list = Sexp::List(items, Span::new(start, bytes.len()));
        open.last_mut().map_or(&mut top, |(items, _)| items).push(list);
    }
    (top, found)
}

fn is_delimiter(byte: u8) -> bool {
    matches!(byte, b'(' | b')' | b';') || byte.is_ascii_whitespace()
}

#[cfg(test)]
mod tests {
    use super::*;
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
            for finding in &found {
                finding.render("x.kif", &text);
            }
            // What was read prints and reads back to the same tree text.
            for sexp in &tree {
                let (again, _) = read(&sexp.to_string());
                prop_assert_eq!(again[0].to_string(), sexp.to_string());
            }
        }
    }
}
