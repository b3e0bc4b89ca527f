//! What Ludii calls the ludemes of a description: `Line_game.functions.booleans.is.IsLineType`.
//!
//! Public data on Ludii's games name ludemes by class. Here a form is known by its type and keyword, a
//! word by the form or enumeration that it stands in; `classes.txt` has the classes of both.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use crate::compile::table::{CONSTANTS, Kind, Table};
use crate::compile::{Ludeme, Value};

/// A ludeme as public data name it: what it is called, and the class that it is an object of.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Named {
    /// The name of the class of a form, or a word of an enumeration.
    pub name: String,
    /// The class, with its package.
    pub class: String,
}

impl Named {
    fn new(name: &str, class: &str) -> Self {
        Named { name: name.to_owned(), class: class.to_owned() }
    }

    /// `NAME_CLASS`, the column of public data.
    pub(crate) fn column(&self) -> String {
        format!("{}_{}", self.name, self.class)
    }

    /// Is it what a rule of `concepts.txt` calls `term`: a word with its class, `Line:IsLineType`, or the
    /// end of a form's class, `effect.Hop`?
    pub(crate) fn is(&self, term: &str) -> bool {
        match term.split_once(':') {
            Some((word, class)) => {
                word == self.name && self.class.rsplit('.').next() == Some(class)
            }
            None => {
                let rest = self.class.strip_suffix(term);
                rest.is_some_and(|rest| rest.ends_with('.')) && self.class.ends_with(&self.name)
            }
        }
    }
}

/// The classes of forms and words.
#[derive(Default)]
struct Classes {
    /// By type and keyword.
    forms: FxHashMap<(String, String), String>,
    /// By type, keyword and word.
    words: FxHashMap<(String, String, String), String>,
    /// By enumeration.
    enums: FxHashMap<String, String>,
}

impl Classes {
    fn get() -> &'static Classes {
        static CLASSES: OnceLock<Classes> = OnceLock::new();
        CLASSES.get_or_init(|| Classes::read(include_str!("classes.txt")))
    }

    fn read(text: &str) -> Classes {
        let mut classes = Classes::default();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let mut parts = line.split_whitespace();
            let (Some(kind), Some(keyword), Some(class)) =
                (parts.next(), parts.next(), parts.next())
            else {
                continue;
            };
            let class = format!("game.{class}");
            if kind == "enum" {
                classes.enums.insert(keyword.to_owned(), class);
                continue;
            }
            let package = class.rsplit_once('.').map_or("game", |(package, _)| package);
            for (word, at) in parts.filter_map(|part| part.split_once('=')) {
                let at = match at.contains('.') {
                    true => format!("game.{at}"),
                    false => format!("{package}.{at}"),
                };
                let key = (kind.to_owned(), keyword.to_owned(), word.to_owned());
                classes.words.insert(key, at);
            }
            classes.forms.insert((kind.to_owned(), keyword.to_owned()), class);
        }
        classes
    }

    fn form(&self, ludeme: &Ludeme) -> Option<Named> {
        let form = ludeme.signature();
        let class = self.forms.get(&(form.result.clone(), form.keyword.clone()))?;
        // A player who looks somewhere belongs to the players, any other to a move.
        let faces = form.keyword == "player" && ludeme.typed("directionFacing").is_some();
        let class = if faces { FACING } else { class };
        let puzzle = ["Solved", "Unique", "isPuzzleRegionResultType"];
        let of_puzzle = form.keyword == "is"
            && puzzle.iter().any(|w| form.text.starts_with(&format!("is {w}")));
        let class = if of_puzzle { PUZZLE } else { class };
        Some(Named::new(class.rsplit('.').next()?, class))
    }

    fn word(&self, ludeme: &Ludeme, kind: &Kind, word: &str) -> Option<Named> {
        let form = ludeme.signature();
        match kind {
            Kind::Literal(_) => {
                let key = (form.result.clone(), form.keyword.clone(), word.to_owned());
                Some(Named::new(word, self.words.get(&key)?))
            }
            Kind::List(of) => self.word(ludeme, of, word),
            Kind::Type(name) if name == "int" && CONSTANTS.contains(&word) => {
                Some(Named::new(word, "int"))
            }
            Kind::Type(name) => {
                let some: &[&str] = match name.as_str() {
                    "direction" => &["absoluteDirection", "relativeDirection"],
                    "directionFacing" => &[
                        "compassDirection",
                        "rotationalDirection",
                        "relativeDirection",
                        "spatialDirection",
                    ],
                    other => &[other],
                };
                let known = |name: &&&str| Table::get().has_word(name, word);
                let found = some.iter().find(known)?;
                Some(Named::new(word, self.enums.get(*found)?))
            }
        }
    }
}

/// The columns of all ludemes, sorted.
pub(crate) fn columns() -> &'static [String] {
    static COLUMNS: OnceLock<Vec<String>> = OnceLock::new();
    COLUMNS.get_or_init(|| {
        let classes = Classes::get();
        let mut all = BTreeSet::new();
        let forms = classes.forms.values().map(String::as_str);
        for class in forms.chain([FACING, PUZZLE]) {
            all.insert(Named::new(class.rsplit('.').next().unwrap_or(class), class).column());
        }
        for ((_, _, word), class) in &classes.words {
            all.insert(Named::new(word, class).column());
        }
        for (name, class) in &classes.enums {
            let words = Table::get().words(name);
            all.extend(words.iter().map(|word| Named::new(word, class).column()));
        }
        all.extend(CONSTANTS.iter().map(|word| Named::new(word, "int").column()));
        all.insert(Named::new("String", "java.lang.String").column());
        all.insert(Named::new("int", "int").column());
        all.into_iter().collect()
    })
}

/// The class of a player who looks somewhere.
const FACING: &str = "game.players.Player";
/// The class of conditions of puzzles.
const PUZZLE: &str = "game.functions.booleans.deductionPuzzle.is.Is";

/// The classes of a ludeme and of its words, without those below it.
pub(crate) fn named(ludeme: &Ludeme) -> Vec<Named> {
    let classes = Classes::get();
    let mut found: Vec<Named> = classes.form(ludeme).into_iter().collect();
    for (slot, arg) in ludeme.slots() {
        let Some((choice, value)) = arg else { continue };
        let Some(choice) = slot.choices.get(*choice) else { continue };
        words(value, &choice.kind, &mut |kind, word| {
            found.extend(match word {
                Some(word) => classes.word(ludeme, kind, word),
                None if matches!(value, Value::Str(_)) => {
                    Some(Named::new("String", "java.lang.String"))
                }
                None => Some(Named::new("int", "int")),
            });
        });
    }
    found
}

/// The plain values in a value: words, or `None` for texts and whole numbers.
fn words<'a>(value: &'a Value, kind: &'a Kind, f: &mut impl FnMut(&'a Kind, Option<&'a str>)) {
    match (value, kind) {
        (Value::Word(word), _) => f(kind, Some(word)),
        (Value::Int(_) | Value::Str(_), _) => f(kind, None),
        (Value::List(items), Kind::List(of)) => items.iter().for_each(|item| words(item, of, f)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_and_enumeration_has_a_class() {
        let classes = Classes::get();
        for form in &Table::get().signatures {
            let key = (form.result.clone(), form.keyword.clone());
            assert!(classes.forms.contains_key(&key), "({})", form.text);
        }
        assert!(columns().len() > 700);
    }

    #[test]
    fn ludemes_have_the_names_of_public_data() {
        let text = crate::source::Text::of_file(
            0,
            "(game \"X\" (players 2) (equipment {(board (square 3)) (piece \"Disc\" Each)})
             (rules (play (move Add (to (sites Empty)))) (end (if (is Line 3) (result Mover Win)))))",
        );
        let game = crate::compile::compile(&crate::tree::game(&text).0.unwrap()).0.unwrap();
        let outline = crate::concepts::Outline::of(&game);
        let all: Vec<String> = outline.named().iter().map(|named| named.column()).collect();
        for column in [
            "Line_game.functions.booleans.is.IsLineType",
            "Is_game.functions.booleans.is.Is",
            "Add_game.rules.play.moves.decision.MoveSiteType",
            "Each_game.types.play.RoleType",
            "Square_game.functions.graph.generators.basis.square.Square",
            "Win_game.types.play.ResultType",
        ] {
            assert!(all.contains(&column.to_owned()), "{column} is not in {all:?}");
        }
        assert!(all.iter().all(|column| columns().contains(column)));
    }
}
