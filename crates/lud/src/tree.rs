//! The expanded text as a tree: `(…)` and `{…}` with words, numbers, strings and labels in them.

use crate::expand::scan::{is_delimiter, skip_string};
use crate::source::Text;
use ludex_core::diagnostic::{Diagnostic, Span};

/// The content of a node.
#[derive(Clone, Debug, PartialEq)]
pub enum Form {
    /// `(keyword arguments…)`.
    Call(Vec<Node>),
    /// `{…}`.
    List(Vec<Node>),
    /// `"…"`.
    Str(String),
    /// A whole number.
    Int(i32),
    /// A number with a point.
    Float(f32),
    /// Anything else.
    Word(String),
    /// Something that could not be read and was reported. It stands for anything, or for nothing.
    Bad,
}

/// A node of the tree.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// `label:` in front.
    pub label: Option<String>,
    /// The content.
    pub form: Form,
    /// Where it is written; of a call or list the opening bracket, with the keyword if it follows.
    pub span: Span,
}

impl Node {
    /// The keyword of a call.
    pub fn keyword(&self) -> Option<&str> {
        match &self.form {
            Form::Call(items) => match &items.first()?.form {
                Form::Word(word) => Some(word),
                _ => None,
            },
            _ => None,
        }
    }

    /// The parts of a call or list, the keyword of a call included.
    pub fn items(&self) -> &[Node] {
        match &self.form {
            Form::Call(items) | Form::List(items) => items,
            _ => &[],
        }
    }

    /// Appends the words, numbers and brackets that it is written with, without comments and layout.
    pub fn words(&self, out: &mut Vec<String>) {
        out.extend(self.label.iter().map(|label| format!("{label}:")));
        let (open, items, close) = match &self.form {
            Form::Call(items) => ("(", items, ")"),
            Form::List(items) => ("{", items, "}"),
            Form::Str(text) => return out.push(format!("{text:?}")),
            Form::Int(number) => return out.push(number.to_string()),
            Form::Float(number) => return out.push(number.to_string()),
            Form::Word(word) => return out.push(word.clone()),
            Form::Bad => return,
        };
        out.push(open.into());
        items.iter().for_each(|item| item.words(out));
        out.push(close.into());
    }

    /// The arguments of a call.
    pub fn args(&self) -> &[Node] {
        match &self.form {
            Form::Call(items) => items.get(1..).unwrap_or_default(),
            _ => &[],
        }
    }

    /// All nodes from here on, parents first.
    pub fn walk<'a>(&'a self, f: &mut impl FnMut(&'a Node)) {
        let mut stack = vec![self];
        while let Some(node) = stack.pop() {
            f(node);
            stack.extend(node.items().iter().rev());
        }
    }
}

/// Brackets nest no deeper.
const DEEPEST: usize = 400;
/// A range stands for no more numbers.
const LONGEST_RANGE: i64 = 10_000;

/// The trees of a text, one after the other. What can't be read is reported; the reader goes on behind
/// it, but not behind brackets that do not match (code `UNBALANCED`).
///
/// ```
/// use ludex_lud::{source::Text, tree};
/// let text = Text::of_file(0, "(game \"X\" (players 2) {1..3})");
/// let (trees, found) = tree::read(&text);
/// assert_eq!(trees[0].keyword(), Some("game"));
/// assert_eq!(trees[0].args()[2].items().len(), 3);
/// assert!(found.is_empty());
/// ```
pub fn read(text: &Text) -> (Vec<Node>, Vec<Diagnostic>) {
    let (open, top, found) = (Vec::new(), Vec::new(), Vec::new());
    let mut reader = Reader { text, open, top, label: None, range: None, found };
    let ended = reader.read();
    reader.found.extend(ended.err());
    (reader.top, reader.found)
}

/// The codes of brackets or quotes that do not match. The reader stops there: what follows would be
/// read as part of something else.
pub(crate) const UNBALANCED: [&str; 3] = ["L001", "L002", "L003"];

/// The game that a text describes. Other trees beside it are ignored.
pub fn game(text: &Text) -> (Option<Node>, Vec<Diagnostic>) {
    let (trees, mut found) = read(text);
    if found.iter().any(|finding| UNBALANCED.contains(&finding.code)) {
        return (None, found);
    }
    let is_game = |tree: &Node| matches!(tree.keyword(), Some("game" | "match"));
    let game = trees.into_iter().find(is_game);
    if game.is_none() {
        found.push(
            Diagnostic::error("L006", text.span(0, 1), "there is no (game …) here").with_hint(
                "a description holds (game \"Name\" (players …) (equipment …) (rules …))",
            ),
        );
    }
    (game, found)
}

struct Open {
    round: bool,
    label: Option<String>,
    span: Span,
    items: Vec<Node>,
}

struct Reader<'a> {
    text: &'a Text,
    open: Vec<Open>,
    top: Vec<Node>,
    label: Option<(String, Span)>,
    /// Where a range begins whose end is still to come.
    range: Option<String>,
    found: Vec<Diagnostic>,
}

impl Reader<'_> {
    fn read(&mut self) -> Result<(), Diagnostic> {
        let bytes = self.text.bytes();
        let mut i = 0;
        while i < bytes.len() {
            match bytes[i] {
                byte if byte.is_ascii_whitespace() => i += 1,
                b'(' | b'{' => {
                    let span = self.text.span(i, i + 1);
                    if self.open.len() >= DEEPEST {
                        return Err(Diagnostic::error("L002", span, "brackets nest too deeply"));
                    }
                    let label = self.label.take().map(|(label, _)| label);
                    let round = bytes[i] == b'(';
                    self.open.push(Open { round, label, span, items: Vec::new() });
                    i += 1;
                }
                b')' | b'}' => {
                    self.close(bytes[i] == b')', self.text.span(i, i + 1))?;
                    i += 1;
                }
                b'"' => i = self.string(i)?,
                _ => {
                    let start = i;
                    while i < bytes.len() && !is_delimiter(bytes[i]) && bytes[i] != b':' {
                        i += 1;
                    }
                    let (word, span) = (self.text.str(start, i), self.text.span(start, i));
                    if bytes.get(i) != Some(&b':') {
                        self.word(&word, span);
                        continue;
                    }
                    i += 1;
                    if word.is_empty() {
                        self.bad("L004", span, "a colon without a label");
                    } else {
                        self.no_label(|label| format!("{label}: is followed by another label"));
                        self.label = Some((word, span));
                    }
                }
            }
        }
        if let Some(open) = self.open.last() {
            return Err(Diagnostic::error("L001", open.span, "this bracket is never closed"));
        }
        self.no_label(|label| format!("nothing follows the label {label}:"));
        Ok(())
    }

    /// Reads the string at a byte, or the range of labels that begins with it; returns the byte behind.
    fn string(&mut self, at: usize) -> Result<usize, Diagnostic> {
        let bytes = self.text.bytes();
        let end = skip_string(bytes, at);
        let span = self.text.span(at, end);
        if end <= at + 1 || bytes[end - 1] != b'"' {
            let span = self.text.span(at, at + 1);
            return Err(Diagnostic::error("L003", span, "this string has no end"));
        }
        let value = self.text.str(at + 1, end - 1);
        if !bytes[end..].starts_with(b"..\"") {
            self.put(Form::Str(value), span);
            return Ok(end);
        }
        let last = skip_string(bytes, end + 2);
        let to = self.text.str(end + 3, last.saturating_sub(1));
        match rectangle(&value, &to) {
            Some(labels) => labels.into_iter().for_each(|l| self.put(Form::Str(l), span)),
            None => {
                let message = "a range of sites goes from a label such as \"A1\" to another";
                self.bad("L005", span, message);
            }
        }
        Ok(last)
    }

    /// Reports something and puts a node there that fits everywhere.
    fn bad(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.found.push(Diagnostic::error(code, span, message));
        self.put(Form::Bad, span);
    }

    /// Reports a label without a value.
    fn no_label(&mut self, message: impl Fn(&str) -> String) {
        if let Some((label, at)) = self.label.take() {
            self.bad("L004", at, message(&label));
        }
    }

    fn put(&mut self, form: Form, span: Span) {
        let label = self.label.take().map(|(label, _)| label);
        self.push(Node { label, form, span });
    }

    fn push(&mut self, node: Node) {
        match self.open.last_mut() {
            Some(open) => open.items.push(node),
            None => self.top.push(node),
        }
    }

    fn close(&mut self, round: bool, at: Span) -> Result<(), Diagnostic> {
        self.no_label(|label| format!("nothing follows the label {label}:"));
        let Some(open) = self.open.pop() else {
            return Err(Diagnostic::error("L001", at, "this bracket was never opened"));
        };
        if open.round != round {
            let (is, was) = if round { (')', '{') } else { ('}', '(') };
            let message = format!("{is} closes what {was} opened");
            let finding = Diagnostic::error("L001", at, message);
            return Err(finding.with_note(open.span, "opened here"));
        }
        let Open { label, mut span, mut items, .. } = open;
        // A define used inside brackets leaves doubled ones: what has no keyword is no call.
        let no_keyword = items
            .first()
            .is_some_and(|first| first.label.is_none() && matches!(first.form, Form::Call(_)));
        if round && no_keyword && (items.len() == 1 || label.is_none()) {
            let only = items.len() == 1;
            for mut item in items {
                if only {
                    item.label.clone_from(&label);
                }
                self.push(item);
            }
            return Ok(());
        }
        // Some write `(where: …)` for `(where …)`.
        if round
            && let Some(first) = items.first_mut()
            && let Some(word) = first.label.take()
        {
            let span = first.span;
            items.insert(0, Node { label: None, form: Form::Word(word), span });
        }
        if let Some(Node { form: Form::Word(_), span: word, .. }) = items.first()
            && (word.file, word.start, word.frame) == (span.file, span.end, span.frame)
        {
            span.end = word.end;
        }
        let form = if round { Form::Call(items) } else { Form::List(items) };
        self.push(Node { label, form, span });
        Ok(())
    }

    fn word(&mut self, word: &str, span: Span) {
        // A range may stand apart: `3.. 7`.
        let joined;
        let mut word = word;
        if let Some(from) = self.range.take() {
            joined = format!("{from}..{word}");
            word = &joined;
        } else if let Some(from) = word.strip_suffix("..")
            && from.parse::<i64>().is_ok()
        {
            self.range = Some(from.to_owned());
            return;
        }
        if let Some((from, to)) = word.split_once("..")
            && let (Ok(from), Ok(to)) = (from.parse::<i64>(), to.parse::<i64>())
        {
            if to.saturating_sub(from).saturating_abs() > LONGEST_RANGE {
                return self.bad("L005", span, "this range is too long");
            }
            let step = if from <= to { 1 } else { -1 };
            for k in 0..=(to - from).abs() {
                self.put(Form::Int((from + step * k) as i32), span);
            }
            return;
        }
        let form = if let Ok(int) = word.parse::<i32>() {
            Form::Int(int)
        } else if word.starts_with(|c: char| c.is_ascii_digit() || "-.".contains(c))
            && let Ok(float) = word.parse::<f32>()
        {
            Form::Float(float)
        } else {
            Form::Word(word.to_owned())
        };
        self.put(form, span);
    }
}

/// The labels from one corner to another: `A1` to `C2` gives six.
fn rectangle(from: &str, to: &str) -> Option<Vec<String>> {
    let part = |label: &str| {
        let digits = label.find(|c: char| c.is_ascii_digit())?;
        let (letters, number) = label.split_at(digits);
        let column = letters.bytes().try_fold(0u32, |n, b| {
            let next = b.is_ascii_uppercase().then(|| n * 26 + u32::from(b - b'A') + 1);
            next.filter(|&n| n < 1000)
        })?;
        (column > 0).then_some(())?;
        Some((column, number.parse::<u32>().ok().filter(|&n| n < 1000)?))
    };
    let ((c0, r0), (c1, r1)) = (part(from)?, part(to)?);
    let mut labels = Vec::new();
    for row in r0.min(r1)..=r0.max(r1) {
        for column in c0.min(c1)..=c0.max(c1) {
            labels.push(format!("{}{row}", letters(column)));
        }
    }
    Some(labels)
}

/// A column's name: A to Z, AA to ZZ.
pub(crate) fn letters(mut column: u32) -> String {
    let mut name = Vec::new();
    while column > 0 {
        name.push(b'A' + ((column - 1) % 26) as u8);
        column = (column - 1) / 26;
    }
    name.iter().rev().map(|&b| char::from(b)).collect()
}
