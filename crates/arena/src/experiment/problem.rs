//! A problem in a file of an experiment, with its place.

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use ludex_core::error::did_you_mean;
use std::fmt;
use std::ops::Range;
use toml::de::{DeTable, DeValue};

/// One step of the path to a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Key {
    /// A key of a table.
    Name(&'static str),
    /// A place in a list.
    At(usize),
}

impl From<&'static str> for Key {
    fn from(name: &'static str) -> Self {
        Key::Name(name)
    }
}

/// A problem in the file of an experiment, a plan or a description.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    message: String,
    hint: Option<String>,
    path: Vec<Key>,
    span: Option<Range<usize>>,
    /// The text with the place, after [`Problem::at`].
    shown: Option<String>,
}

impl std::error::Error for Problem {}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.shown {
            Some(text) => f.write_str(text),
            None => {
                f.write_str(&self.message)?;
                self.hint.as_ref().map_or(Ok(()), |hint| write!(f, " ({hint})"))
            }
        }
    }
}

impl Problem {
    pub(super) fn of<const N: usize>(path: [Key; N], message: impl fmt::Display) -> Self {
        Problem {
            message: message.to_string(),
            hint: None,
            path: path.into(),
            span: None,
            shown: None,
        }
    }

    /// A problem with the value of a key.
    pub fn of_key(key: &'static str, message: impl fmt::Display) -> Self {
        Problem::of([key.into()], format!("{key}: {message}"))
    }

    #[must_use]
    pub(super) fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The problem of a TOML error.
    pub fn in_toml(error: &toml::de::Error) -> Self {
        let mut problem = Problem::of([], error.message());
        problem.span = error.span();
        problem.suggest();
        problem
    }

    /// The problem of a JSON error.
    pub(super) fn in_json(error: &serde_json::Error, text: &str) -> Self {
        let full = error.to_string();
        let message = full.rsplit_once(" at line ").map_or(full.as_str(), |(message, _)| message);
        let mut problem = Problem::of([], message);
        let line: usize =
            text.split_inclusive('\n').take(error.line().max(1) - 1).map(str::len).sum();
        let at = (line + error.column().saturating_sub(1)).min(text.len());
        problem.span = Some(at..at);
        problem.suggest();
        problem
    }

    /// Replaces "unknown field `x`, expected one of ..." by a suggestion.
    fn suggest(&mut self) {
        let quoted: Vec<String> =
            self.message.split('`').skip(1).step_by(2).map(str::to_string).collect();
        let Some((found, known)) = quoted.split_first() else { return };
        let (what, unknown) = match self.message.as_str() {
            m if m.starts_with("unknown field") => ("key", true),
            m if m.starts_with("unknown variant") => ("choice", true),
            _ => ("", false),
        };
        if !unknown {
            return;
        }
        let meant = did_you_mean(found, known.iter().map(String::as_str));
        self.message = format!("unknown {what} `{found}`{meant}");
        self.hint = Some(format!("there are {}", known.join(", ")));
    }

    /// The problem with its place: `file:line:column: what`, the line, and a hint.
    #[must_use]
    pub fn at(mut self, file: &str, text: &str) -> Self {
        let span = self.span.clone().or_else(|| find(text, &self.path)).unwrap_or(0..0);
        let start = floor(text, span.start);
        let end = floor(text, span.end.max(start)).max(start);
        let before = &text[..start];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line = before.matches('\n').count() + 1;
        let column = before[line_start..].chars().count() + 1;
        let snippet =
            Snippet::source(text).path(file).annotation(AnnotationKind::Primary.span(start..end));
        let mut group = Level::ERROR.primary_title(self.message.as_str()).element(snippet);
        if let Some(hint) = &self.hint {
            group = group.element(Level::HELP.message(hint.as_str()));
        }
        let shown = Renderer::plain().render(&[group]);
        self.shown = Some(format!("{file}:{line}:{column}: {shown}"));
        self.span = Some(span);
        self
    }

    /// The problem in one line, without its place.
    pub fn message(&self) -> &str {
        &self.message
    }
}

/// The largest character boundary of `text` that is at most `at`.
fn floor(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The place of the value at this path in TOML, or of its key in JSON.
fn find(text: &str, path: &[Key]) -> Option<Range<usize>> {
    let Ok(document) = DeTable::parse(text) else {
        let Some(Key::Name(name)) = path.first() else { return None };
        let quoted = format!("\"{name}\"");
        return text.find(&quoted).map(|at| at..at + quoted.len());
    };
    let (first, rest) = path.split_first()?;
    let Key::Name(first) = first else { return None };
    let mut place = document.get_ref().iter().find(|(key, _)| key.get_ref() == first)?.1;
    for key in rest {
        let inner = match (key, place.get_ref()) {
            (Key::At(i), DeValue::Array(items)) => items.get(*i),
            (Key::Name(name), DeValue::Table(table)) => {
                table.iter().find(|(key, _)| key.get_ref() == name).map(|(_, value)| value)
            }
            _ => None,
        };
        // A missing value is shown at the table or list that should hold it.
        let Some(inner) = inner else { break };
        place = inner;
    }
    Some(place.span())
}
