//! The table of ludemes: what each is called, what it is, and what it takes.
//!
//! The table is made of the registry in `src/ludemes`: every file lists its forms. `ludemes.txt` is the table as text, for
//! people; a test keeps it up to date. It lists, under the name of a type, the forms that make a value of it:
//!
//! ```text
//! boolean
//!   is Line [siteType] int [absoluteDirection] ([through:int] | [throughAny:region])
//!
//! enum siteType
//!   Vertex Edge Cell
//! ```
//!
//! `[x]` may be left out, `{x}` is a list, `label:x` is written with its label, `(a | b)` is one of
//! them, and a word with a capital stands for itself. The compiler, its error messages and the
//! documentation all come from here.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use crate::ludemes::{Form, Read};

/// The words that stand for numbers.
pub const CONSTANTS: [&str; 7] =
    ["Off", "End", "Undefined", "Infinity", "Unused", "Nobody", "Repeat"];

/// Words for signs.
const SIGNS: [(&str, &str); 11] = [
    ("mul", "*"),
    ("div", "/"),
    ("sub", "-"),
    ("mod", "%"),
    ("pow", "^"),
    ("equals", "="),
    ("notEqual", "!="),
    ("lt", "<"),
    ("le", "<="),
    ("gt", ">"),
    ("ge", ">="),
];

/// The kinds of values that a slot takes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A word for itself.
    Literal(String),
    /// A value of a type.
    Type(String),
    /// A list.
    List(Box<Kind>),
}

impl std::fmt::Display for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Kind::Literal(word) => f.write_str(word),
            Kind::Type(name) => write!(f, "<{name}>"),
            Kind::List(of) => write!(f, "{{{of}}}"),
        }
    }
}

/// One of the things that a slot takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The label in front, its first letter small.
    pub label: Option<String>,
    /// The expected kind of value.
    pub kind: Kind,
}

/// A place for an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    /// Can it be left out?
    pub optional: bool,
    /// One of these.
    pub choices: Vec<Choice>,
}

/// A form of a ludeme.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// The type of what it makes.
    pub result: String,
    /// The keyword of the form.
    pub keyword: String,
    /// The arguments of the form.
    pub slots: Vec<Slot>,
    /// The form as the table writes it.
    pub text: String,
}

/// A ludeme of the registry: a form, or some words of a form that stands for several ludemes.
#[derive(Debug)]
pub(crate) struct Entry {
    /// The words that the form begins with; none where it stands for one ludeme.
    pub(crate) words: Vec<&'static str>,
    /// The ludeme.
    pub(crate) form: &'static Form,
}

/// The meaning of a ludeme.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meaning {
    /// The form, with its own words.
    pub text: String,
    /// The meaning of the form.
    pub meaning: &'static str,
    /// A part of a description that uses it.
    pub example: &'static str,
}

/// The numbers of forms of the language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Census {
    /// Forms of which every use is read.
    pub whole: usize,
    /// Forms of which some uses are refused.
    pub partly: usize,
    /// Forms without a reader.
    pub refused: usize,
}

/// All ludemes.
#[derive(Debug, Default)]
pub struct Table {
    /// In the order of the table.
    pub signatures: Vec<Signature>,
    /// By form: the ludemes of the registry that it is.
    pub(crate) entries: Vec<Vec<Entry>>,
    /// By keyword: its forms.
    by_keyword: FxHashMap<String, Vec<usize>>,
    /// By name: the words of an enumeration.
    enums: FxHashMap<String, Vec<String>>,
}

impl Table {
    /// The table of this crate.
    pub fn get() -> &'static Table {
        static TABLE: OnceLock<Table> = OnceLock::new();
        TABLE.get_or_init(|| Table::new(crate::ludemes::FORMS.iter().copied().flatten()))
    }

    /// The table of some forms. Ludemes that are words of the same form share it.
    fn new(forms: impl Iterator<Item = &'static Form>) -> Table {
        let mut table = Table::default();
        for form in forms {
            let (text, words) = form.split();
            let same = |own: &Signature| own.result == form.makes && own.text == text;
            let at = table.signatures.iter().position(same).unwrap_or_else(|| {
                let signature = Signature::read(form.makes, &text);
                let list = table.by_keyword.entry(signature.keyword.clone()).or_default();
                list.push(table.signatures.len());
                table.signatures.push(signature);
                table.entries.push(Vec::new());
                table.signatures.len() - 1
            });
            table.entries[at].push(Entry { words, form });
        }
        for (name, words) in crate::ludemes::words() {
            let words = words.split_whitespace().map(str::to_owned);
            table.enums.insert(name.to_owned(), words.collect());
        }
        table
    }

    /// The table as text.
    pub fn text(&self) -> String {
        let mut types: Vec<&str> = Vec::new();
        for signature in &self.signatures {
            if !types.contains(&signature.result.as_str()) {
                types.push(&signature.result);
            }
        }
        let mut sections = Vec::new();
        for name in types {
            let forms = self.signatures.iter().filter(|signature| signature.result == name);
            let lines = forms.map(|signature| format!("  {}\n", signature.text));
            sections.push(format!("{name}\n{}", lines.collect::<String>()));
        }
        let words = crate::ludemes::words();
        sections.extend(words.map(|(name, words)| format!("enum {name}\n  {words}\n")));
        sections.join("\n")
    }

    /// What the ludemes of a form mean: how each is written, its meaning and an example. A form that has no meaning yet
    /// is refused where it is used.
    pub fn meanings(&self, form: usize) -> Vec<Meaning> {
        let entries = self.entries.get(form).into_iter().flatten();
        let meaning = |entry: &Entry| {
            let known = !matches!(entry.form.read, Read::Unsupported);
            known.then(|| Meaning {
                text: entry.form.plain(),
                meaning: entry.form.meaning,
                example: entry.form.example,
            })
        };
        entries.filter_map(meaning).collect()
    }

    /// Why uses of a form are refused: all uses, where it has no reader, or some.
    pub fn refusals(&self, form: usize) -> Vec<&'static str> {
        let entries = self.entries.get(form).into_iter().flatten();
        let mut reasons: Vec<_> = entries.map(|entry| entry.form.refuses).collect();
        reasons.retain(|reason| !reason.is_empty());
        reasons.dedup();
        reasons
    }

    /// How many forms are read, read in part, and refused.
    pub fn census(&self) -> Census {
        let mut census = Census::default();
        for form in crate::ludemes::FORMS.iter().copied().flatten() {
            match (&form.read, form.refuses) {
                (Read::Unsupported, _) => census.refused += 1,
                (_, "") => census.whole += 1,
                _ => census.partly += 1,
            }
        }
        census
    }

    /// The forms of a keyword; signs can also be written as words.
    pub fn forms(&self, keyword: &str) -> &[usize] {
        let known = self.by_keyword.get(keyword);
        let sign = || {
            let (_, sign) = SIGNS.iter().find(|(word, _)| *word == keyword)?;
            self.by_keyword.get(*sign)
        };
        known.or_else(sign).map_or(&[], Vec::as_slice)
    }

    /// All keywords.
    pub fn keywords(&self) -> impl Iterator<Item = &str> {
        self.by_keyword.keys().map(String::as_str)
    }

    /// The words of an enumeration.
    pub fn words(&self, name: &str) -> &[String] {
        self.enums.get(name).map_or(&[], Vec::as_slice)
    }

    /// Is there such a word in an enumeration, or in one that stands for it?
    pub fn has_word(&self, kind: &str, word: &str) -> bool {
        let has =
            |name: &str| self.enums.get(name).is_some_and(|words| words.iter().any(|w| w == word));
        match kind {
            "int" => CONSTANTS.contains(&word),
            "boolean" => matches!(word, "True" | "False"),
            "direction" => has("absoluteDirection") || has("relativeDirection"),
            "directionFacing" => {
                has("compassDirection")
                    || has("rotationalDirection")
                    || has("relativeDirection")
                    || has("spatialDirection")
            }
            _ => has(kind),
        }
    }

    /// Does a form of this type fit where that one is expected?
    pub fn fits(&self, signature: &Signature, expected: &str) -> bool {
        let result = signature.result.as_str();
        match expected {
            "moves" => matches!(result, "moves" | "effect"),
            "if" => result == "endRule" && signature.keyword == "if",
            "apply" | "step" => result == "effect" && signature.keyword == expected,
            "rotations" => result == "ints" && signature.keyword == expected,
            _ => result == expected,
        }
    }
}

impl Signature {
    /// A form as the table writes it, e.g. `is Line [siteType] int`.
    pub fn read(result: &str, form: &str) -> Signature {
        let mut tokens = split(form).into_iter();
        let keyword = tokens.next().unwrap_or_default();
        let slots = tokens.map(|token| slot(&token)).collect();
        Signature { result: result.to_owned(), keyword, slots, text: form.trim().to_owned() }
    }
}

/// The parts of a form: what spaces separate outside brackets.
fn split(form: &str) -> Vec<String> {
    let (mut parts, mut part, mut depth) = (Vec::new(), String::new(), 0);
    for c in form.chars() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ' ' if depth == 0 => {
                if !part.is_empty() {
                    parts.push(std::mem::take(&mut part));
                }
                continue;
            }
            _ => {}
        }
        part.push(c);
    }
    if !part.is_empty() {
        parts.push(part);
    }
    parts
}

fn slot(token: &str) -> Slot {
    match token.strip_prefix('(').and_then(|t| t.strip_suffix(')')) {
        Some(inside) => {
            let slots: Vec<Slot> = inside.split('|').map(|part| slot(part.trim())).collect();
            Slot {
                optional: slots.iter().any(|slot| slot.optional),
                choices: slots.into_iter().flat_map(|slot| slot.choices).collect(),
            }
        }
        None => {
            let optional = token.starts_with('[');
            let token = token.trim_start_matches('[').trim_end_matches(']');
            let (label, kind) = match token.split_once(':') {
                Some((label, kind)) => (Some(small(label)), kind),
                None => (None, token),
            };
            Slot { optional, choices: vec![Choice { label, kind: self::kind(kind) }] }
        }
    }
}

fn small(label: &str) -> String {
    let mut chars = label.chars();
    let first = chars.next().map(|c| c.to_ascii_lowercase());
    first.into_iter().chain(chars).collect()
}

fn kind(text: &str) -> Kind {
    if let Some(inside) = text.strip_prefix('{').and_then(|t| t.strip_suffix('}')) {
        Kind::List(Box::new(kind(inside)))
    } else if text.starts_with(|c: char| c.is_ascii_uppercase()) {
        Kind::Literal(text.to_owned())
    } else {
        Kind::Type(text.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile::fit_to;
    use crate::source::Text;
    use crate::tree;

    /// With `LUDEX_BLESS` set, the file is written anew.
    #[test]
    fn the_text_of_the_table_is_up_to_date() {
        let text = Table::get().text();
        if std::env::var_os("LUDEX_BLESS").is_some() {
            let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/compile/ludemes.txt");
            std::fs::write(path, &text).expect("ludemes.txt can be written");
            return;
        }
        assert!(include_str!("ludemes.txt") == text, "set LUDEX_BLESS to write ludemes.txt anew");
    }

    #[test]
    fn every_refused_form_has_a_reason() {
        let forms = crate::ludemes::FORMS.iter().copied().flatten();
        let mut refused = forms.filter(|form| matches!(form.read, Read::Unsupported));
        assert!(refused.all(|form| !form.refuses.is_empty()));
    }

    #[test]
    fn every_example_is_of_its_form() {
        let forms = crate::ludemes::FORMS.iter().copied().flatten();
        let forms = forms.filter(|form| !matches!(form.read, Read::Unsupported));
        let wrong: Vec<String> = forms.filter_map(wrong_example).collect();
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    /// The fault of a form's example, if it has one.
    fn wrong_example(form: &'static Form) -> Option<String> {
        let (trees, found) = tree::read(&Text::of_file(0, form.example));
        let [call] = &trees[..] else { return Some(format!("{form:?}: {found:?}")) };
        let kinds = std::iter::once(form.makes).chain(HOLDERS);
        let ludemes = kinds.filter_map(|kind| fit_to(call, kind));
        let mut seen = false;
        for ludeme in ludemes {
            ludeme.walk(&mut |part| {
                seen |= part.entry().is_some_and(|entry| std::ptr::eq(entry.form, form));
            });
        }
        let good = seen && found.is_empty() && !form.meaning.is_empty();
        (!good).then(|| format!("{form:?}: {}", form.example))
    }

    /// Types of examples that show a ludeme inside another.
    const HOLDERS: [&str; 14] = [
        "boolean",
        "int",
        "region",
        "moves",
        "play",
        "endRule",
        "end",
        "to",
        "from",
        "between",
        "then",
        "ints",
        "startRule",
        "direction",
    ];

    #[test]
    fn forms_read_as_they_are_written() {
        let table = Table::get();
        let mut forms = table.forms("is").iter().map(|&f| &table.signatures[f]);
        let line = forms
            .find(|s| s.slots[0].choices[0].kind == Kind::Literal("Line".into()))
            .expect("is Line");
        assert_eq!(line.result, "boolean");
        assert!(line.slots[1].optional && !line.slots[2].optional);
        let through = &line.slots[4];
        assert_eq!(through.choices.len(), 2);
        assert_eq!(through.choices[0].label.as_deref(), Some("through"));
        assert!(table.has_word("siteType", "Vertex"));
    }
}
