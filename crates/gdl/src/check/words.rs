//! Checks on the words as they are written: spelling, reserved words, characters.

use crate::kif::Sexp;
use ludex_core::diagnostic::{Diagnostic, Span};
use rustc_hash::FxHashMap;

pub(super) fn check(tree: &[Sexp], source: &str, found: &mut Vec<Diagnostic>) {
    let mut spelled: FxHashMap<String, String> = FxHashMap::default();
    for sexp in tree {
        each_word(sexp, false, &mut |word, span, first| {
            let known = spelled.entry(word.to_lowercase()).or_insert_with(|| word.to_owned());
            if known != word {
                found.push(
                    Diagnostic::error(
                        "W101",
                        span,
                        format!("`{word}` is spelled `{known}` elsewhere"),
                    )
                    .with_hint("words are the same in upper and lower case: spell each one way"),
                );
            }
            // An argument, not the name of a relation or function.
            if !first && is_datalog_word(word) {
                found.push(
                    Diagnostic::error("W102", span, format!("`{word}` is no constant"))
                        .with_hint("the words <= not or and distinct are reserved"),
                );
            } else if !first && is_keyword(word) {
                found.push(
                    Diagnostic::warning("W103", span, format!("`{word}` is used as a constant"))
                        .with_hint("choose a word without a meaning in GDL"),
                );
            }
            if let Some(c) = word.strip_prefix('?').unwrap_or(word).chars().find(|c| unusual(*c)) {
                found.push(
                    Diagnostic::warning("W104", span, format!("unusual character {c:?} in a word"))
                        .with_hint("letters, digits, `_`, `-`, `+` and `.` are safe everywhere"),
                );
            }
            if word == "?" {
                found.push(
                    Diagnostic::error("W105", span, "a variable without a name")
                        .with_hint("write `?x`"),
                );
            }
        });
    }
    if tree.is_empty() {
        let span = Span::new(0, source.len().min(1));
        found.push(
            Diagnostic::error("W106", span, "there are no rules here")
                .with_hint("a rule sheet begins with its roles: `(role white) (role black)`"),
        );
    }
}

/// Calls `visit` with each word, its place, and whether it names a relation, function or
/// operator: the first word of a list, or a sentence on its own.
fn each_word<'a>(sexp: &'a Sexp, argument: bool, visit: &mut impl FnMut(&'a str, Span, bool)) {
    match sexp {
        Sexp::Word(word, span) => visit(word, *span, !argument),
        Sexp::List(items, _) => {
            let operator = items.first().and_then(Sexp::word).is_some_and(|word| {
                matches!(word.to_lowercase().as_str(), "<=" | "not" | "or" | "and")
            });
            for (i, item) in items.iter().enumerate() {
                each_word(item, i > 0 && !operator, visit);
            }
        }
    }
}

fn is_datalog_word(word: &str) -> bool {
    ["<=", "not", "or", "and", "distinct"].iter().any(|known| word.eq_ignore_ascii_case(known))
}

fn is_keyword(word: &str) -> bool {
    let words = [
        "role", "init", "true", "next", "legal", "does", "goal", "terminal", "base", "input",
        "sees",
    ];
    words.iter().any(|known| word.eq_ignore_ascii_case(known))
}

fn unusual(c: char) -> bool {
    !(c.is_ascii_alphanumeric() || "_-+.<=>/*'!&%$#@^~|:".contains(c)) || !c.is_ascii()
}
