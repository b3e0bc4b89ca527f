//! From a file to one plain description: comments, options, rulesets, defines, metadata.

mod comments;
mod defines;
mod options;
pub(crate) mod scan;

use std::path::{Path, PathBuf};

pub use self::options::{Item, OptionGroup, Ruleset};

use self::defines::{Defines, Expansion};
use self::scan::{forms, skip_string};
use crate::source::{Text, files};
use ludex_core::diagnostic::{Diagnostic, Span, Texts};

/// The defines of a folder, for all descriptions.
#[derive(Clone, Debug, Default)]
pub struct Library {
    texts: Texts,
    defines: Defines,
    /// The folder of descriptions beside that of the defines.
    descriptions: Option<PathBuf>,
}

impl Library {
    /// Reads every `.def` file under a folder. Files that can't be read as defines are named in
    /// the second part of the answer.
    pub fn read(folder: &Path) -> (Library, Vec<String>) {
        let descriptions = folder.parent().map(|parent| parent.join("lud"));
        let mut library = Library { descriptions, ..Library::default() };
        let (files, mut problems) = files(folder, ".def");
        for path in files {
            let name = path.display().to_string();
            match std::fs::read_to_string(&path) {
                Ok(text) => {
                    let found = library.add(&name, &text);
                    problems.extend(found.iter().map(|finding| finding.render(&library.texts)));
                }
                Err(error) => problems.push(format!("{name}: {error}")),
            }
        }
        (library, problems)
    }

    /// Adds the defines of one text; returns its faults.
    pub fn add(&mut self, name: &str, text: &str) -> Vec<Diagnostic> {
        let file = self.texts.add(name, text);
        let text = comments::strip(&Text::of_file(file, text));
        let mut found = Vec::new();
        defines::take(&text, &mut self.defines, &mut found);
        found
    }

    /// The file of a description, by its name: beside a file, or in the folder of descriptions. A name that leads to another
    /// folder has none: a description must not read files elsewhere.
    pub(crate) fn description(&self, name: &str, beside: &Path) -> Option<PathBuf> {
        if Path::new(name).file_name().is_none_or(|file| file != name) {
            return None;
        }
        let is = |path: &PathBuf| path.file_stem().is_some_and(|stem| stem == name);
        let near = beside.parent().map(|folder| folder.join(format!("{name}.lud")));
        near.filter(|path| path.is_file()).or_else(|| {
            let folder = self.descriptions.as_ref().filter(|folder| folder.is_dir())?;
            files(folder, ".lud").0.into_iter().find(is)
        })
    }

    /// How many defines there are.
    pub fn len(&self) -> usize {
        self.defines.len()
    }

    /// True without any define.
    pub fn is_empty(&self) -> bool {
        self.defines.is_empty()
    }
}

/// A description with nothing left to expand.
#[derive(Clone, Debug, Default)]
pub struct Expanded {
    /// The texts that it was made of.
    pub texts: Texts,
    /// The game.
    pub game: Text,
    /// The metadata, which are not part of the rules.
    pub metadata: Text,
    /// The options.
    pub options: Vec<OptionGroup>,
    /// The chosen item of each option.
    pub chosen: Vec<usize>,
    /// Named sets of choices.
    pub rulesets: Vec<Ruleset>,
    /// The names of the defines that the description could use.
    pub(crate) defines: Vec<String>,
}

/// Expands a description; `choices` are `Heading/Item` each, or the name of a ruleset. What can't be
/// understood is left out and reported.
///
/// ```
/// use ludex_lud::expand::{Library, expand};
/// let source = r#"
///     (define "Place" (move Add (to (sites #1))))
///     (game "Tiny" (players 2) (equipment { (board (square <Size>)) }) (rules (play ("Place" Empty))))
///     (option "Size" <Size> args:{ <n> } { (item "Three" <3> "")* (item "Five" <5> "") })"#;
/// let (expanded, found) = expand("tiny.lud", source, &Library::default(), &["Size/Five".into()]);
/// let text = expanded.game.str(0, expanded.game.len());
/// assert!(text.contains("(square 5)") && text.contains("(move Add (to (sites Empty)))"));
/// assert!(found.is_empty());
/// ```
pub fn expand(
    name: &str,
    source: &str,
    library: &Library,
    choices: &[String],
) -> (Expanded, Vec<Diagnostic>) {
    let mut found = Vec::new();
    let mut texts = library.texts.clone();
    let file = texts.add(name, source);
    let text = comments::strip(&Text::of_file(file, source));
    let start = text.span(0, 1);
    let (text, options) = options::take(&text, &mut found);
    let (text, rulesets) = options::take_rulesets(&text);
    let (chosen, unknown) = choose(&options, &rulesets, choices);
    let unknown = unknown.into_iter();
    found.extend(unknown.map(|(m, hint)| Diagnostic::error("L012", start, m).with_hint(hint)));
    let text = options::substitute(&text, &options, &chosen);
    let mut own = Defines::default();
    let text = defines::take(&text, &mut own, &mut found);
    let (mut game, mut metadata) = (Text::default(), Text::default());
    let mut from = 0;
    for (open, close) in forms(text.bytes(), "metadata") {
        game.extend(&text, from, open);
        metadata.extend(&text, open, close);
        from = close;
    }
    game.extend(&text, from, text.len());
    let mut expansion = Expansion {
        defines: [&own, &library.defines],
        texts: &mut texts,
        uses: 0,
        out: Text::default(),
    };
    found.extend(expansion.expand(&game, 0).err());
    let game = expansion.out;
    let defines = own.keys().chain(library.defines.keys()).cloned().collect();
    (Expanded { texts, game, metadata, options, chosen, rulesets, defines }, found)
}

/// The bracket that lacks its other half, as far as the layout tells. Either a line begins no further
/// to the right than an open bracket that begins a line, or a closing bracket that begins a line
/// stands to the left of the one that it closes.
pub(crate) fn left_open(texts: &Texts, file: u32) -> Option<Span> {
    let text = comments::strip(&Text::of_file(file, texts.file(file).1));
    let bytes = text.bytes();
    // Open brackets: where they are, and their column if they begin a line.
    let mut open: Vec<(usize, Option<usize>)> = Vec::new();
    // The column, as long as the line holds nothing but space.
    let mut indent = Some(0);
    let mut i = 0;
    while let Some(&byte) = bytes.get(i) {
        let first = indent.filter(|_| !byte.is_ascii_whitespace());
        indent = match byte {
            b'\n' => Some(0),
            b'\t' => indent.map(|column| column + 4),
            byte if byte.is_ascii_whitespace() => indent.map(|column| column + 1),
            _ => None,
        };
        let suspect = match byte {
            b')' | b'}' => {
                let closed = open.pop();
                closed.filter(|(_, own)| own.zip(first).is_some_and(|(own, here)| own > here))
            }
            _ => first.and_then(|here| {
                open.iter().find(|(_, own)| own.is_some_and(|own| own >= here)).copied()
            }),
        };
        if let Some((at, _)) = suspect {
            return Some(text.span(at, at + 1));
        }
        if matches!(byte, b'(' | b'{') {
            open.push((i, first));
        }
        i = if byte == b'"' { skip_string(bytes, i) } else { i + 1 };
    }
    None
}

/// The chosen items, and a fault with a hint for each choice that does not exist.
fn choose(
    options: &[OptionGroup],
    rulesets: &[Ruleset],
    choices: &[String],
) -> (Vec<usize>, Vec<(String, String)>) {
    let default = |group: &OptionGroup| {
        let most = group.items.iter().map(|item| item.stars).max().unwrap_or(0);
        group.items.iter().position(|item| item.stars == most).unwrap_or(0)
    };
    let mut chosen: Vec<usize> = options.iter().map(default).collect();
    let mut unknown = Vec::new();
    let mut wanted: Vec<&str> = Vec::new();
    for choice in choices {
        let name = choice.strip_prefix("Ruleset/").unwrap_or(choice);
        match rulesets.iter().find(|ruleset| ruleset.name == name) {
            Some(ruleset) => wanted.extend(ruleset.choices.iter().map(String::as_str)),
            None => wanted.push(choice),
        }
    }
    for choice in wanted {
        let found = options.iter().enumerate().find_map(|(g, group)| {
            let item = choice.strip_prefix(group.heading.as_str())?.strip_prefix('/')?;
            Some((g, group.items.iter().position(|i| i.name == item)))
        });
        let hint = match found {
            Some((group, Some(item))) => {
                chosen[group] = item;
                continue;
            }
            Some((group, None)) => {
                let items = options[group].items.iter().map(|item| item.name.as_str());
                format!("choose one of {}", items.collect::<Vec<_>>().join(", "))
            }
            None if options.is_empty() => "this game has no options".to_owned(),
            None => {
                let headings = options.iter().map(|group| group.heading.as_str());
                let headings = headings.collect::<Vec<_>>().join(", ");
                format!("options are written Heading/Item; headings: {headings}")
            }
        };
        unknown.push((format!("there is no option {choice}"), hint));
    }
    (chosen, unknown)
}
