//! What is wrong with a description, and where.

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use crate::source::{Place, Sources};

/// A fault of a description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Stable short code, e.g. `L001`.
    pub code: &'static str,
    /// Where it was written.
    pub place: Place,
    /// How many bytes it spans.
    pub length: u32,
    /// What is wrong.
    pub message: String,
    /// What to do about it, if there is something to say.
    pub hint: Option<String>,
}

impl Fault {
    /// A fault without a hint.
    pub fn new(code: &'static str, place: Place, message: impl Into<String>) -> Fault {
        Fault { code, place, length: 1, message: message.into(), hint: None }
    }

    /// The same with advice.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Fault {
        self.hint = Some(hint.into());
        self
    }

    /// For people: `file:line:col: error[CODE]: text`, the source line, the defines through which
    /// it came here, the hint.
    pub fn render(&self, sources: &Sources) -> String {
        let mut group = Level::ERROR
            .primary_title(self.message.as_str())
            .id(self.code)
            .element(snippet(sources, self.place, self.length, AnnotationKind::Primary));
        let uses = sources.uses(self.place);
        let notes: Vec<String> =
            uses.iter().map(|(name, _)| format!("in \"{name}\", used here")).collect();
        for ((_, at), note) in uses.iter().zip(&notes) {
            let here = snippet(sources, *at, 1, AnnotationKind::Context);
            group = group.element(Level::NOTE.message(note.as_str())).element(here);
        }
        if let Some(hint) = &self.hint {
            group = group.element(Level::HELP.message(hint.as_str()));
        }
        let groups: [Group<'_>; 1] = [group];
        format!("{}: {}", sources.locate(self.place), Renderer::plain().render(&groups))
    }
}

fn snippet<'a>(
    sources: &'a Sources,
    place: Place,
    length: u32,
    kind: AnnotationKind,
) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
    let (name, text) = sources.file(place.file);
    let floor = |mut at: usize| {
        at = at.min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let start = floor(place.offset as usize);
    let end = floor(place.offset as usize + length as usize).max(start);
    Snippet::source(text).path(name).annotation(kind.span(start..end))
}
