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

use crate::diagnostic::{Diagnostic, Severity};
use crate::hrf::{self, Dialect};
use crate::rules::{Literal, LiteralKind, Rules};

/// How much is forgiven.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// The specification.
    #[default]
    Strict,
    /// What public sheets do is a warning.
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
    words::check(&tree, source, &mut found);
    let (rules, more) = Rules::from_tree(&tree);
    found.extend(more);
    datalog::check(&rules, &mut found);
    keywords::check(&rules, source, &mut found);
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
