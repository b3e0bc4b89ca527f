//! The validator: every rule of the GDL and GDL-II specifications that can be checked by reading
//! the sheet. `docs/gdl-checks.md` lists the codes.
//!
//! Strict mode holds a sheet to the specification. Lenient mode turns into warnings what public
//! sheets do and every engine here understands.

mod datalog;
mod dependencies;
pub mod dynamic;
mod keywords;
mod words;

use crate::hrf::{self, Dialect};
use crate::kif::{Sexp, UNCLOSED};
use crate::rules::{Literal, LiteralKind, Rules};
use ludex_core::diagnostic::{Diagnostic, Severity, Span};

/// How much is forgiven.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// The specification.
    #[default]
    Strict,
    /// A mistake that public sheets make is only a warning.
    Lenient,
}

/// The codes of errors that lenient mode forgives: the loader rewrites or ignores them.
const FORGIVEN: [&str; 12] = [
    "W101", "D201", "D204", "D208", "D209", "D210", "D217", "G302", "G304", "G309", "G310", "G313",
];

/// Checks a rule sheet and returns what it found, in the order of the source.
///
/// ```
/// use ludex_gdl::check::{Mode, check};
/// let found = check("(role x) (<= (legal x go) (true ?f))", Mode::Strict);
/// assert!(found.iter().any(|d| d.code == "G312")); // no `terminal`, no `goal`
/// ```
pub fn check(source: &str, mode: Mode) -> Vec<Diagnostic> {
    check_dialect(source, Dialect::Kif, mode)
}

/// [`check`] for a sheet in another dialect.
pub fn check_dialect(source: &str, dialect: Dialect, mode: Mode) -> Vec<Diagnostic> {
    let (tree, mut found) = hrf::read(source, dialect);
    let broken = Broken::new(&tree, &found);
    let (mut rules, mut more) = Rules::from_tree(&tree);
    words::check(&tree, source, &mut more);
    found.extend(more.into_iter().filter(|finding| !broken.holds(finding.span)));
    // Every rule counts where words are missing or unused; the other checks see whole rules only.
    keywords::required(&rules, source, &mut found);
    keywords::produced(&rules, &mut found);
    rules.rules.retain(|rule| !broken.holds(rule.span));
    datalog::check(&rules, &mut found);
    keywords::check(&rules, &mut found);
    dependencies::check(&rules, &mut found);
    if mode == Mode::Lenient {
        for finding in &mut found {
            if FORGIVEN.contains(&finding.code) {
                finding.severity = Severity::Warning;
            }
        }
    }
    found.sort_by_key(|d| (d.span.start, d.span.end, d.code));
    found.dedup();
    found
}

/// The sentences that lack a `)`. What stands in them is not checked: the reader had to guess where
/// they end, and every finding about the guess would be a consequence of the one mistake.
struct Broken(Vec<Span>);

impl Broken {
    fn new(tree: &[Sexp], found: &[Diagnostic]) -> Broken {
        let unclosed = |span: Span| {
            found.iter().any(|finding| finding.code == UNCLOSED && finding.span.start == span.start)
        };
        Broken(tree.iter().map(Sexp::span).filter(|&span| unclosed(span)).collect())
    }

    fn holds(&self, span: Span) -> bool {
        self.0.iter().any(|whole| whole.start <= span.start && span.end <= whole.end)
    }
}

/// Calls `visit` for each atom of a condition with whether it stands under a `not`.
fn each_atom<'a>(
    literal: &'a Literal,
    negated: bool,
    visit: &mut impl FnMut(&'a crate::rules::Atom, bool),
) {
    match &literal.kind {
        LiteralKind::Pos(atom) => visit(atom, negated),
        LiteralKind::Not(inner) => each_atom(inner, true, visit),
        LiteralKind::Distinct(..) => {}
        LiteralKind::Or(parts) | LiteralKind::And(parts) => {
            parts.iter().for_each(|part| each_atom(part, negated, visit));
        }
    }
}
