//! What is wrong with a rule sheet, and where: diagnostics as values.

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

/// A range of bytes in a source text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The bytes from `start` up to, not including, `end`.
    pub fn new(start: usize, end: usize) -> Span {
        Span { start: start as u32, end: end as u32 }
    }

    /// The smallest span that holds both.
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The rule sheet can be used; its author should look.
    Warning,
    /// The rule sheet cannot be used.
    Error,
}

/// One finding about a rule sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Stable short code, e.g. `K001`.
    pub code: &'static str,
    /// Error or warning.
    pub severity: Severity,
    /// Where in the source.
    pub span: Span,
    /// What is wrong.
    pub message: String,
    /// What to do about it, if there is something to say.
    pub hint: Option<String>,
}

impl Diagnostic {
    /// An error without a hint.
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { code, severity: Severity::Error, span, message: message.into(), hint: None }
    }

    /// A warning without a hint.
    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(code, span, message) }
    }

    /// The same finding with advice.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Diagnostic {
        self.hint = Some(hint.into());
        self
    }

    /// True for errors.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// For people: `file:line:col: error[CODE]: text`, the source line, the hint.
    ///
    /// ```
    /// let source = "(role white";
    /// let (_, found) = ludex_gdl::kif::read(source);
    /// let text = found[0].render("game.kif", source);
    /// assert!(text.starts_with("game.kif:1:1: error[K001]: "));
    /// ```
    pub fn render(&self, file: &str, source: &str) -> String {
        let (line, column) = line_column(source, self.span.start as usize);
        let level = match self.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let start = floor_boundary(source, self.span.start as usize);
        let end = floor_boundary(source, (self.span.end as usize).max(start));
        let snippet = Snippet::source(source)
            .path(file)
            .annotation(AnnotationKind::Primary.span(start..end.max(start)));
        let mut group = level.primary_title(self.message.as_str()).id(self.code).element(snippet);
        if let Some(hint) = &self.hint {
            group = group.element(Level::HELP.message(hint.as_str()));
        }
        format!("{file}:{line}:{column}: {}", Renderer::plain().render(&[group]))
    }
}

/// The largest character boundary of `source` that is at most `at`.
fn floor_boundary(source: &str, at: usize) -> usize {
    let mut at = at.min(source.len());
    while !source.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Line and column (both from 1, columns in characters) of a byte offset.
pub fn line_column(source: &str, at: usize) -> (usize, usize) {
    let before = &source[..floor_boundary(source, at)];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_from_one_in_characters() {
        let source = "ab\nçd\n";
        assert_eq!(line_column(source, 0), (1, 1));
        assert_eq!(line_column(source, 3), (2, 1));
        assert_eq!(line_column(source, 5), (2, 2));
        assert_eq!(line_column(source, 999), (3, 1));
    }

    #[test]
    fn rendering_shows_place_code_line_and_hint() {
        let source = "(role white)\n(rol black)\n";
        let text = Diagnostic::error("X001", Span::new(14, 17), "unknown word")
            .with_hint("did you mean `role`?")
            .render("a.kif", source);
        assert!(text.starts_with("a.kif:2:2: error[X001]: unknown word"), "{text}");
        assert!(text.contains("(rol black)") && text.contains("did you mean"), "{text}");
    }
}
