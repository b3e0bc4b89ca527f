//! The expanded text as a tree: `(…)` and `{…}` with words, numbers, strings and labels in them.

use crate::error::Fault;
use crate::expand::scan::{is_delimiter, skip_string};
use crate::source::{Place, Text};

/// What stands at a node.
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
}

/// A node of the tree.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// `label:` in front.
    pub label: Option<String>,
    /// What it is.
    pub form: Form,
    /// Where it begins.
    pub place: Place,
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

    /// What is inside a call or list, the keyword of a call included.
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

/// The trees of a text, one after the other.
///
/// ```
/// use ludex_lud::{source::Text, tree};
/// let text = Text::of_file(0, "(game \"X\" (players 2) {1..3})");
/// let trees = tree::read(&text).unwrap();
/// assert_eq!(trees[0].keyword(), Some("game"));
/// assert_eq!(trees[0].args()[2].items().len(), 3);
/// ```
pub fn read(text: &Text) -> Result<Vec<Node>, Fault> {
    let mut reader = Reader { text, open: Vec::new(), top: Vec::new(), label: None, range: None };
    reader.read()?;
    Ok(reader.top)
}

/// The game that a text describes; what stands beside it does not matter.
pub fn game(text: &Text) -> Result<Node, Fault> {
    let mut trees = read(text)?.into_iter();
    trees.find(|tree| matches!(tree.keyword(), Some("game" | "match"))).ok_or_else(|| {
        Fault::new("L006", text.place(0), "there is no (game …) here")
            .with_hint("a description holds (game \"Name\" (players …) (equipment …) (rules …))")
    })
}

struct Open {
    round: bool,
    label: Option<String>,
    place: Place,
    items: Vec<Node>,
}

struct Reader<'a> {
    text: &'a Text,
    open: Vec<Open>,
    top: Vec<Node>,
    label: Option<(String, Place)>,
    /// Where a range begins whose end is still to come.
    range: Option<String>,
}

impl Reader<'_> {
    fn read(&mut self) -> Result<(), Fault> {
        let bytes = self.text.bytes();
        let mut i = 0;
        while i < bytes.len() {
            let place = self.text.place(i);
            match bytes[i] {
                byte if byte.is_ascii_whitespace() => i += 1,
                b'(' | b'{' => {
                    if self.open.len() >= DEEPEST {
                        return Err(Fault::new("L002", place, "brackets nest too deeply"));
                    }
                    let label = self.label.take().map(|(label, _)| label);
                    self.open.push(Open {
                        round: bytes[i] == b'(',
                        label,
                        place,
                        items: Vec::new(),
                    });
                    i += 1;
                }
                b')' | b'}' => {
                    self.close(bytes[i] == b')', place)?;
                    i += 1;
                }
                b'"' => {
                    let end = skip_string(bytes, i);
                    if end <= i + 1 || bytes[end - 1] != b'"' {
                        return Err(Fault::new("L003", place, "this string has no end"));
                    }
                    let value = self.text.str(i + 1, end - 1);
                    i = end;
                    if bytes[i..].starts_with(b"..\"") {
                        let last = skip_string(bytes, i + 2);
                        let to = self.text.str(i + 3, last.saturating_sub(1));
                        for label in rectangle(&value, &to).ok_or_else(|| {
                            Fault::new(
                                "L005",
                                place,
                                "a range of sites goes from a label such as \"A1\" to another",
                            )
                        })? {
                            self.put(Form::Str(label), place);
                        }
                        i = last;
                    } else {
                        self.put(Form::Str(value), place);
                    }
                }
                _ => {
                    let start = i;
                    while i < bytes.len() && !is_delimiter(bytes[i]) && bytes[i] != b':' {
                        i += 1;
                    }
                    let word = self.text.str(start, i);
                    if bytes.get(i) == Some(&b':') && !word.is_empty() {
                        if let Some((label, at)) = &self.label {
                            let message = format!("{label}: is followed by another label");
                            return Err(Fault::new("L004", *at, message));
                        }
                        self.label = Some((word, place));
                        i += 1;
                    } else if word.is_empty() {
                        return Err(Fault::new("L004", place, "a colon without a label"));
                    } else {
                        self.word(&word, place)?;
                    }
                }
            }
        }
        if let Some(open) = self.open.last() {
            return Err(Fault::new("L001", open.place, "this bracket is never closed"));
        }
        self.no_label()
    }

    fn no_label(&self) -> Result<(), Fault> {
        match &self.label {
            Some((label, at)) => {
                Err(Fault::new("L004", *at, format!("nothing follows the label {label}:")))
            }
            None => Ok(()),
        }
    }

    fn put(&mut self, form: Form, place: Place) {
        let label = self.label.take().map(|(label, _)| label);
        self.push(Node { label, form, place });
    }

    fn push(&mut self, node: Node) {
        match self.open.last_mut() {
            Some(open) => open.items.push(node),
            None => self.top.push(node),
        }
    }

    fn close(&mut self, round: bool, place: Place) -> Result<(), Fault> {
        self.no_label()?;
        let Some(open) = self.open.pop() else {
            return Err(Fault::new("L001", place, "this bracket was never opened"));
        };
        if open.round != round {
            let (is, was) = if round { (')', '{') } else { ('}', '(') };
            return Err(Fault::new("L001", place, format!("{is} closes what {was} opened")));
        }
        let Open { label, place, mut items, .. } = open;
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
            let place = first.place;
            items.insert(0, Node { label: None, form: Form::Word(word), place });
        }
        let form = if round { Form::Call(items) } else { Form::List(items) };
        self.push(Node { label, form, place });
        Ok(())
    }

    fn word(&mut self, word: &str, place: Place) -> Result<(), Fault> {
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
            return Ok(());
        }
        if let Some((from, to)) = word.split_once("..")
            && let (Ok(from), Ok(to)) = (from.parse::<i64>(), to.parse::<i64>())
        {
            if to.saturating_sub(from).saturating_abs() > LONGEST_RANGE {
                return Err(Fault::new("L005", place, "this range is too long"));
            }
            let step = if from <= to { 1 } else { -1 };
            for k in 0..=(to - from).abs() {
                self.put(Form::Int((from + step * k) as i32), place);
            }
            return Ok(());
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
        self.put(form, place);
        Ok(())
    }
}

/// The labels from one corner to another: `A1` to `C2` gives six.
fn rectangle(from: &str, to: &str) -> Option<Vec<String>> {
    let part = |label: &str| {
        let digits = label.find(|c: char| c.is_ascii_digit())?;
        let (letters, number) = label.split_at(digits);
        let column = letters.bytes().try_fold(0u32, |n, b| {
            b.is_ascii_uppercase().then(|| n * 26 + u32::from(b - b'A') + 1)
        })?;
        (column > 0 && column < 1000).then_some(())?;
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
