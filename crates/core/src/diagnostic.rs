//! Findings about a text of rules: what is wrong, where, and what to do about it.
//!
//! Every rule language reports its findings as [`Diagnostic`] values. Reading and checking never
//! stop at the first one: they return what they understood together with everything they found.

use annotate_snippets::{Annotation, AnnotationKind, Level, Renderer, Snippet};

/// A range of bytes in one of the texts that were read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The text, by its number in [`Texts`].
    pub file: u32,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// The use of a definition that copied this part into the rules, by its number in [`Texts`];
    /// 0 for a part that is read where it was written.
    pub frame: u32,
}

impl Span {
    /// The bytes of the first text from `start` up to, not including, `end`.
    pub fn new(start: usize, end: usize) -> Span {
        Span { file: 0, start: start as u32, end: end as u32, frame: 0 }
    }

    /// The smallest span that holds both, which must be of one text.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end), ..self }
    }
}

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The rules can be used; their author should look.
    Warning,
    /// The rules cannot be used.
    Error,
}

impl std::fmt::Display for Severity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Severity::Warning => "warning",
            Severity::Error => "error",
        })
    }
}

/// Another place that helps to understand a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The place.
    pub span: Span,
    /// The message at this place.
    pub message: String,
}

/// One finding about a text of rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Stable short code, e.g. `K001`.
    pub code: &'static str,
    /// Error or warning.
    pub severity: Severity,
    /// Where it is.
    pub span: Span,
    /// The fault.
    pub message: String,
    /// A way to mend the fault, where one is known.
    pub hint: Option<String>,
    /// Other places that belong to it.
    pub notes: Vec<Note>,
}

impl Diagnostic {
    /// An error without a hint.
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        let message = message.into();
        Diagnostic { code, severity: Severity::Error, span, message, hint: None, notes: Vec::new() }
    }

    /// A warning without a hint.
    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(code, span, message) }
    }

    /// The finding with advice added.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Diagnostic {
        self.hint = Some(hint.into());
        self
    }

    /// The finding with another place that belongs to it.
    #[must_use]
    pub fn with_note(mut self, span: Span, message: impl Into<String>) -> Diagnostic {
        self.notes.push(Note { span, message: message.into() });
        self
    }

    /// True for errors.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// One line: `file:line:column: error[CODE]: text`.
    pub fn line(&self, texts: &Texts) -> String {
        let place = texts.locate(self.span);
        format!("{place}: {}[{}]: {}", self.severity, self.code, self.message)
    }

    /// For people: `file:line:column: error[CODE]: text`, the source line, the other places, the
    /// definitions whose use copied the part here, the hint.
    ///
    /// ```
    /// use ludex_core::diagnostic::{Diagnostic, Span, Texts};
    /// let texts = Texts::one("game.kif", "(role white");
    /// let found = Diagnostic::error("K001", Span::new(0, 1), "this `(` is never closed");
    /// assert!(found.render(&texts).starts_with("game.kif:1:1: error[K001]: this"));
    /// ```
    pub fn render(&self, texts: &Texts) -> String {
        let level = match self.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let snippet = texts.snippet(self.span, AnnotationKind::Primary);
        let mut group = level.primary_title(self.message.as_str()).id(self.code).element(snippet);
        let notes = texts.notes(self);
        for note in &notes {
            let place = texts.snippet(note.span, AnnotationKind::Context);
            group = group.element(Level::NOTE.message(note.message.as_str())).element(place);
        }
        if let Some(hint) = &self.hint {
            group = group.element(Level::HELP.message(hint.as_str()));
        }
        format!("{}: {}", texts.locate(self.span), Renderer::plain().render(&[group]))
    }
}

/// A use of a definition: its name, and where it was used.
#[derive(Clone, Debug)]
struct Frame {
    name: String,
    at: Span,
}

/// The texts that were read, and the uses of definitions that copied parts of them elsewhere.
#[derive(Clone, Debug, Default)]
pub struct Texts {
    files: Vec<(String, String)>,
    frames: Vec<Frame>,
}

impl Texts {
    /// One text with its name.
    pub fn one(name: impl Into<String>, text: impl Into<String>) -> Texts {
        Texts { files: vec![(name.into(), text.into())], frames: Vec::new() }
    }

    /// Adds a text; returns its number.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> u32 {
        self.files.push((name.into(), text.into()));
        self.files.len() as u32 - 1
    }

    /// Adds a use of a definition; returns its number.
    pub fn frame(&mut self, name: &str, at: Span) -> u32 {
        self.frames.push(Frame { name: name.to_owned(), at });
        self.frames.len() as u32
    }

    /// The names of the definitions that were used, as often as they were.
    pub fn used(&self) -> Vec<&str> {
        self.frames.iter().map(|frame| frame.name.as_str()).collect()
    }

    /// Name and text of a file; empty for a number without a file.
    pub fn file(&self, file: u32) -> (&str, &str) {
        self.files.get(file as usize).map_or(("", ""), |(name, text)| (name, text))
    }

    /// Line and column of the start of a span, both from 1, columns in characters.
    pub fn line_column(&self, span: Span) -> (usize, usize) {
        line_column(self.file(span.file).1, span.start as usize)
    }

    /// `file:line:column` of the start of a span.
    pub fn locate(&self, span: Span) -> String {
        let (line, column) = self.line_column(span);
        format!("{}:{line}:{column}", self.file(span.file).0)
    }

    /// The notes of a finding, then one note for each use of a definition that copied its part here,
    /// innermost first.
    pub fn notes(&self, of: &Diagnostic) -> Vec<Note> {
        let mut notes = of.notes.clone();
        let mut number = of.span.frame;
        while let Some(frame) = number.checked_sub(1).and_then(|n| self.frames.get(n as usize)) {
            let message = format!("in \"{}\", used here", frame.name);
            notes.push(Note { span: frame.at, message });
            number = frame.at.frame;
        }
        notes
    }

    fn snippet(&self, span: Span, kind: AnnotationKind) -> Snippet<'_, Annotation<'_>> {
        let (name, text) = self.file(span.file);
        let start = floor_boundary(text, span.start as usize);
        let end = floor_boundary(text, span.end as usize).max(start);
        Snippet::source(text).path(name).annotation(kind.span(start..end))
    }
}

/// The largest character boundary of `text` that is at most `at`.
fn floor_boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Line and column (both from 1, columns in characters) of a byte offset.
pub fn line_column(text: &str, at: usize) -> (usize, usize) {
    let before = &text[..floor_boundary(text, at)];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}

/// The hint for a word that nothing is called: the closest of the `known` ones, if one is close.
/// Words of one or two letters are all close to each other, so they get no hint.
///
/// ```
/// use ludex_core::diagnostic::did_you_mean;
/// assert_eq!(did_you_mean("legall", ["legal", "goal"]).unwrap(), "did you mean `legal`?");
/// assert_eq!(did_you_mean("Lien", ["Even", "Line"]).unwrap(), "did you mean `Line`?");
/// assert_eq!(did_you_mean("p", ["q", "legal"]), None);
/// ```
pub fn did_you_mean<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    if word.chars().count() < 3 {
        return None;
    }
    let known: Vec<&str> = known.into_iter().collect();
    // Two letters in the wrong order are the commonest slip, and edit distance counts it as two.
    if let Some(meant) = known.iter().find(|other| swapped(word, other)) {
        return Some(format!("did you mean `{meant}`?"));
    }
    let hint = crate::error::did_you_mean(word, known);
    hint.strip_prefix(": ").map(str::to_owned)
}

/// Do two words differ in the order of two neighbouring letters alone?
fn swapped(a: &str, b: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    match a.iter().zip(&b).position(|(a, b)| a != b) {
        Some(at) if a.len() == b.len() && at + 1 < a.len() => {
            a[at] == b[at + 1] && a[at + 1] == b[at] && a[at + 2..] == b[at + 2..]
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_from_one_in_characters() {
        let text = "ab\nçd\n";
        assert_eq!(line_column(text, 0), (1, 1));
        assert_eq!(line_column(text, 3), (2, 1));
        assert_eq!(line_column(text, 5), (2, 2));
        assert_eq!(line_column(text, 999), (3, 1));
    }

    #[test]
    fn rendering_shows_place_code_line_and_hint() {
        let texts = Texts::one("a.kif", "(role white)\n(rol black)\n");
        let found = Diagnostic::error("X001", Span::new(14, 17), "unknown word")
            .with_hint("did you mean `role`?")
            .with_note(Span::new(1, 5), "written right here");
        let text = found.render(&texts);
        assert!(text.starts_with("a.kif:2:2: error[X001]: unknown word"), "{text}");
        assert!(text.contains("(rol black)") && text.contains("did you mean"), "{text}");
        assert!(text.contains("written right here"), "{text}");
        assert_eq!(found.line(&texts), "a.kif:2:2: error[X001]: unknown word");
    }

    #[test]
    fn a_part_that_was_copied_shows_every_use_on_the_way() {
        let mut texts = Texts::one("lib", "(inner)");
        let file = texts.add("game", "(outer)");
        let outer = texts.frame("Outer", Span { file, ..Span::new(1, 6) });
        let inner = texts.frame("Inner", Span { frame: outer, ..Span::new(1, 6) });
        let found =
            Diagnostic::error("X001", Span { frame: inner, ..Span::new(0, 1) }, "a bad part");
        let notes: Vec<String> = texts.notes(&found).into_iter().map(|n| n.message).collect();
        assert_eq!(notes, ["in \"Inner\", used here", "in \"Outer\", used here"]);
        assert!(found.render(&texts).contains("game:1:2"));
    }

    #[test]
    fn a_span_outside_of_the_text_is_shown_at_its_end() {
        let texts = Texts::one("a", "é");
        let text = Diagnostic::warning("X002", Span::new(1, 900), "odd").render(&texts);
        assert!(text.starts_with("a:1:1: warning[X002]"), "{text}");
    }
}
