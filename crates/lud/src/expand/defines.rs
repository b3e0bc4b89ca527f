//! Defines: names for parts of descriptions, with holes `#1` to `#9` for arguments.

use rustc_hash::FxHashMap;

use super::scan::{forms, is_delimiter, skip_brackets, skip_space, skip_string};
use crate::source::Text;
use ludex_core::diagnostic::{Diagnostic, Span, Texts};

/// Bodies by name.
pub(crate) type Defines = FxHashMap<String, Text>;

/// Takes the defines out of a text. Defines that can't be read are reported and left out.
pub(crate) fn take(text: &Text, defines: &mut Defines, found: &mut Vec<Diagnostic>) -> Text {
    take_nested(text, defines, 0, found)
}

/// An option may put a define into the body of another one; it is known everywhere, too.
fn take_nested(
    text: &Text,
    defines: &mut Defines,
    depth: usize,
    found: &mut Vec<Diagnostic>,
) -> Text {
    let mut rest = Text::default();
    let mut from = 0;
    for (start, end) in forms(text.bytes(), "define") {
        rest.extend(text, from, start);
        from = end;
        let bytes = &text.bytes()[..end];
        let at = skip_space(bytes, skip_space(bytes, start + 1) + "define".len());
        let span = text.span(at, at + 1);
        if bytes.get(at) != Some(&b'"') {
            found.push(
                Diagnostic::error("L020", span, "a define begins with its name")
                    .with_hint("write (define \"Name\" …)"),
            );
            continue;
        }
        let behind = skip_string(bytes, at);
        let name = text.str(at + 1, behind.saturating_sub(1));
        if depth >= DEEPEST {
            found.push(Diagnostic::error("L021", span, "defines are nested too deeply"));
            continue;
        }
        let body = take_nested(&text.part(behind, end - 1), defines, depth + 1, found);
        defines.entry(name).or_insert(body);
    }
    rest.extend(text, from, text.len());
    rest
}

/// Bounds against descriptions that expand without end.
const DEEPEST: usize = 100;
const MOST_USES: usize = 50_000;
const LONGEST: usize = 8_000_000;

/// Puts bodies in the place of names.
pub(crate) struct Expansion<'a> {
    /// The defines of the description, then those of the library.
    pub(crate) defines: [&'a Defines; 2],
    pub(crate) texts: &'a mut Texts,
    pub(crate) uses: usize,
    pub(crate) out: Text,
}

/// Strings behind these words are names of games, never of defines.
const PROTECTED: [&str; 3] = ["game", "match", "instance"];

impl Expansion<'_> {
    /// Appends a text with its defines expanded.
    ///
    /// # Errors
    /// An expansion that grows beyond the bounds, which ends here.
    pub(crate) fn expand(&mut self, text: &Text, depth: usize) -> Result<(), Diagnostic> {
        let bytes = text.bytes();
        let mut from = 0;
        let mut i = 0;
        let mut word = 0..0;
        while i < bytes.len() {
            match bytes[i] {
                b'"' => {
                    let end = skip_string(bytes, i);
                    let name = text.str(i + 1, end.saturating_sub(1).max(i + 1));
                    let before = &bytes[word.clone()];
                    let protected = PROTECTED.iter().any(|p| p.as_bytes() == before);
                    word = end..end;
                    if protected || !self.knows(&name) {
                        i = end;
                        continue;
                    }
                    // A call `("Name" args)` is replaced with its brackets. One that is never
                    // closed stays as it is: the reader of the tree reports it.
                    let open = bytes[from..i].iter().rposition(|b| !b.is_ascii_whitespace());
                    let open = open.map(|p| p + from).filter(|&p| bytes[p] == b'(');
                    let (start, args, behind) = match open.map(|o| (o, skip_brackets(bytes, o))) {
                        Some((open, Some(close))) => (open, arguments(text, end, close - 1), close),
                        Some((_, None)) => {
                            i = end;
                            continue;
                        }
                        None => (i, Vec::new(), end),
                    };
                    self.put(text, from, start)?;
                    self.replace(&name, &args, text.span(i, end), depth)?;
                    (from, i) = (behind, behind);
                }
                byte if is_delimiter(byte) => i += 1,
                _ => {
                    let start = i;
                    while i < bytes.len() && !is_delimiter(bytes[i]) {
                        i += 1;
                    }
                    word = start..i;
                }
            }
        }
        self.put(text, from, bytes.len())
    }

    fn knows(&self, name: &str) -> bool {
        self.defines.iter().any(|defines| defines.contains_key(name))
    }

    fn put(&mut self, text: &Text, from: usize, to: usize) -> Result<(), Diagnostic> {
        self.out.extend(text, from, to);
        if self.out.len() > LONGEST {
            let message = format!("the description grows beyond {LONGEST} characters");
            return Err(Diagnostic::error("L022", text.span(from, from + 1), message));
        }
        Ok(())
    }

    fn replace(
        &mut self,
        name: &str,
        args: &[Text],
        at: Span,
        depth: usize,
    ) -> Result<(), Diagnostic> {
        self.uses += 1;
        if depth >= DEEPEST || self.uses > MOST_USES {
            let message = format!("\"{name}\" expands without end");
            return Err(Diagnostic::error("L021", at, message).with_hint("does it use itself?"));
        }
        let [own, library] = self.defines;
        let Some(body) = own.get(name).or_else(|| library.get(name)) else { return Ok(()) };
        let frame = self.texts.frame(name, at);
        let filled = fill(body, args, frame);
        self.expand(&filled, depth + 1)
    }
}

/// The arguments of a call: what white space separates outside brackets and strings; a label
/// belongs to what follows it.
fn arguments(text: &Text, from: usize, to: usize) -> Vec<Text> {
    let bytes = &text.bytes()[..to];
    let mut args = Vec::new();
    let mut i = skip_space(bytes, from);
    while i < to {
        let start = i;
        while i < to && !bytes[i].is_ascii_whitespace() {
            i = match bytes[i] {
                b'"' => skip_string(bytes, i),
                b'(' | b'{' => skip_brackets(bytes, i).unwrap_or(to),
                b':' => skip_space(bytes, i + 1),
                _ => i + 1,
            };
            // A string or bracket ends an argument, unless a range goes on.
            if i < to && matches!(bytes[i - 1], b'"' | b')' | b'}') && bytes[i] != b'.' {
                break;
            }
        }
        args.push(text.part(start, i.min(to)));
        i = skip_space(bytes, i);
    }
    args
}

/// The body with arguments in its holes; `~` and missing arguments leave nothing.
fn fill(body: &Text, args: &[Text], frame: u32) -> Text {
    let bytes = body.bytes();
    let mut out = Text::default();
    let (mut from, mut i) = (0, 0);
    while i + 1 < bytes.len() {
        if bytes[i] == b'#' && matches!(bytes[i + 1], b'1'..=b'9') {
            out.extend_framed(body, from, i, frame);
            if let Some(arg) = args.get(usize::from(bytes[i + 1] - b'1'))
                && arg.bytes() != b"~"
            {
                out.extend(arg, 0, arg.len());
            }
            i += 2;
            from = i;
        } else {
            i += 1;
        }
    }
    out.extend_framed(body, from, bytes.len(), frame);
    out
}
