//! From a file to one plain description: comments, options, rulesets, defines, metadata.

mod comments;
mod defines;
mod options;
pub(crate) mod scan;

use std::path::Path;

pub use self::options::{Item, OptionGroup, Ruleset};

use self::defines::{Defines, Expansion};
use self::scan::forms;
use crate::error::Fault;
use crate::source::{Sources, Text, files};

/// The defines of a folder, for all descriptions.
#[derive(Clone, Debug, Default)]
pub struct Library {
    sources: Sources,
    defines: Defines,
}

impl Library {
    /// Reads every `.def` file under a folder. Files that can't be read as defines are named in
    /// the second part of the answer.
    pub fn read(folder: &Path) -> (Library, Vec<String>) {
        let mut library = Library::default();
        let (files, mut problems) = files(folder, ".def");
        for path in files {
            let name = path.display().to_string();
            match std::fs::read_to_string(&path) {
                Ok(text) => {
                    if let Err(fault) = library.add(&name, &text) {
                        problems.push(fault.render(&library.sources));
                    }
                }
                Err(error) => problems.push(format!("{name}: {error}")),
            }
        }
        (library, problems)
    }

    /// Adds the defines of one text.
    pub fn add(&mut self, name: &str, text: &str) -> Result<(), Fault> {
        let file = self.sources.add(name, text);
        let text = comments::strip(&Text::of_file(file, text));
        defines::take(&text, &mut self.defines).map(|_| ())
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
#[derive(Clone, Debug)]
pub struct Expanded {
    /// Where everything comes from.
    pub sources: Sources,
    /// The game.
    pub game: Text,
    /// What is said about the game: not part of its rules.
    pub metadata: Text,
    /// What can be chosen.
    pub options: Vec<OptionGroup>,
    /// The chosen item of each option.
    pub chosen: Vec<usize>,
    /// Named sets of choices.
    pub rulesets: Vec<Ruleset>,
}

/// A fault, and the sources in which it is.
#[derive(Clone, Debug)]
pub struct Located {
    /// What is wrong.
    pub fault: Fault,
    /// With what it can be shown.
    pub sources: Sources,
}

impl std::fmt::Display for Located {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.fault.render(&self.sources))
    }
}

impl std::error::Error for Located {}

/// Expands a description; `choices` are `Heading/Item` each, or the name of a ruleset.
///
/// ```
/// use ludex_lud::expand::{Library, expand};
/// let source = r#"
///     (define "Place" (move Add (to (sites #1))))
///     (game "Tiny" (players 2) (equipment { (board (square <Size>)) }) (rules (play ("Place" Empty))))
///     (option "Size" <Size> args:{ <n> } { (item "Three" <3> "")* (item "Five" <5> "") })"#;
/// let expanded = expand("tiny.lud", source, &Library::default(), &["Size/Five".into()]).unwrap();
/// let text = expanded.game.str(0, expanded.game.len());
/// assert!(text.contains("(square 5)") && text.contains("(move Add (to (sites Empty)))"));
/// ```
pub fn expand(
    name: &str,
    source: &str,
    library: &Library,
    choices: &[String],
) -> Result<Expanded, Box<Located>> {
    let mut sources = library.sources.clone();
    let file = sources.add(name, source);
    match expand_file(Text::of_file(file, source), library, choices, &mut sources) {
        Ok(expanded) => Ok(Expanded { sources, ..expanded }),
        Err(fault) => Err(Box::new(Located { fault, sources })),
    }
}

fn expand_file(
    text: Text,
    library: &Library,
    choices: &[String],
    sources: &mut Sources,
) -> Result<Expanded, Fault> {
    let text = comments::strip(&text);
    let start = text.place(0);
    let (text, options) = options::take(&text)?;
    let (text, rulesets) = options::take_rulesets(&text);
    let chosen = choose(&options, &rulesets, choices)
        .map_err(|(message, hint)| Fault::new("L012", start, message).with_hint(hint))?;
    let text = options::substitute(&text, &options, &chosen);
    let mut own = Defines::default();
    let text = defines::take(&text, &mut own)?;
    let (mut game, mut metadata) = (Text::default(), Text::default());
    let mut from = 0;
    for (open, close) in forms(text.bytes(), "metadata") {
        game.extend(&text, from, open);
        metadata.extend(&text, open, close);
        from = close;
    }
    game.extend(&text, from, text.len());
    let mut expansion =
        Expansion { defines: [&own, &library.defines], sources, uses: 0, out: Text::default() };
    expansion.expand(&game, 0)?;
    let game = expansion.out;
    Ok(Expanded { sources: Sources::default(), game, metadata, options, chosen, rulesets })
}

/// The chosen items; an error with a hint for a choice that does not exist.
fn choose(
    options: &[OptionGroup],
    rulesets: &[Ruleset],
    choices: &[String],
) -> Result<Vec<usize>, (String, String)> {
    let default = |group: &OptionGroup| {
        let most = group.items.iter().map(|item| item.stars).max().unwrap_or(0);
        group.items.iter().position(|item| item.stars == most).unwrap_or(0)
    };
    let mut chosen: Vec<usize> = options.iter().map(default).collect();
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
        match found {
            Some((group, Some(item))) => chosen[group] = item,
            Some((group, None)) => {
                let names: Vec<&str> =
                    options[group].items.iter().map(|item| item.name.as_str()).collect();
                return Err((
                    format!("there is no option {choice}"),
                    format!("choose one of {}", names.join(", ")),
                ));
            }
            None => {
                let headings: Vec<&str> =
                    options.iter().map(|group| group.heading.as_str()).collect();
                let hint = if headings.is_empty() {
                    "this game has no options".to_owned()
                } else {
                    format!("options are written Heading/Item; headings: {}", headings.join(", "))
                };
                return Err((format!("there is no option {choice}"), hint));
            }
        }
    }
    Ok(chosen)
}
