//! From the text of a description to a game, with everything that is wrong with it.

use ludex_core::diagnostic::{Diagnostic, Texts, did_you_mean};

use std::path::Path;

use crate::compile;
use crate::concepts::Facts;
use crate::engine::Lud;
use crate::engine::matched::{self, Subgame};
use crate::expand::{Expanded, Library, expand, left_open};
use crate::game::LudGame;
use crate::graphics::Graphics;
use crate::tree::{self, Node, UNBALANCED};

/// A description that was read as far as possible.
#[derive(Debug)]
pub struct Loaded {
    /// The game, if there is no error.
    pub game: Option<LudGame>,
    /// The findings, in the order of the text.
    pub found: Vec<Diagnostic>,
    /// The texts that the findings speak of.
    pub texts: Texts,
}

impl Loaded {
    /// The game, or all errors as text for people.
    ///
    /// # Errors
    /// Every finding, rendered with its place.
    pub fn into_game(self) -> Result<LudGame, String> {
        let Loaded { game, found, texts } = self;
        let all = || found.iter().map(|f| f.render(&texts)).collect::<Vec<_>>().join("\n");
        game.ok_or_else(all)
    }
}

/// Loads a description: `name` opens the game again, `origin` names the text in findings, `choices` are
/// options as `Heading/Item`, or a ruleset.
///
/// ```
/// use ludex_lud::{expand::Library, load::load};
/// let text = "(game \"Bad\" (players 2)
///     (equipment {(board (squar 3)) (piece \"Disc\" Each)})
///     (rules (play (move Add (to (sites Emty)))) (end (if (is Line 3) (result Mover Win)))))";
/// let loaded = load("lud:bad", "bad.lud", text, &Library::default(), &[]);
/// let places: Vec<String> = loaded.found.iter().map(|f| loaded.texts.locate(f.span)).collect();
/// assert_eq!(places, ["bad.lud:2:24", "bad.lud:3:39"]);
/// ```
pub fn load(name: &str, origin: &str, text: &str, library: &Library, choices: &[String]) -> Loaded {
    let (expanded, mut found) = expand(origin, text, library, choices);
    let expands = found.is_empty();
    let (tree, more) = game_of(&expanded);
    let reads = more.is_empty();
    found.extend(more);
    let mut game = None;
    let (metadata, _) = tree::read(&expanded.metadata);
    let facts = Facts::beside(&metadata, &expanded.texts.used());
    if let Some(tree) = tree {
        match made(name, origin, &tree, library, facts) {
            Ok(made) => {
                let made = made.with_graphics(Graphics::read(&expanded.metadata));
                game = Some(made).filter(|_| expands && reads);
            }
            Err(more) => found.extend(more),
        }
    }
    // The tags of an option that could not be read are no mistakes of their own.
    if found.iter().any(|finding| matches!(finding.code, "L010" | "L011")) {
        found.retain(|finding| finding.code != "L013");
    }
    suggest_defines(&mut found, &expanded);
    found.sort_by_key(|finding| (finding.span.file, finding.span.start));
    debug_assert!(game.is_some() || !found.is_empty(), "a refusal without a reason");
    Loaded { game, found, texts: expanded.texts }
}

/// The game of a tree, which may be a match of several games.
fn made(
    name: &str,
    origin: &str,
    tree: &Node,
    library: &Library,
    facts: Facts,
) -> Result<LudGame, Vec<Diagnostic>> {
    if tree.keyword() != Some("match") {
        return LudGame::described(name, tree, facts);
    }
    let (call, found) = compile::compile(tree);
    let call = call.filter(|_| found.is_empty()).ok_or(found)?;
    let (mut luds, mut found, mut words) = (Vec::new(), Vec::new(), Vec::new());
    tree.words(&mut words);
    let mut table = None;
    for subgame in matched::subgames(&call) {
        let fault = |message: String| Diagnostic::error("L053", call.span, message);
        let Some(tree) = subgame_tree(&subgame, origin, library) else {
            let message = format!("the game {} of this match is not found", subgame.name);
            let hint = "put its description beside that of the match, or into the library";
            found.push(fault(message).with_hint(hint));
            continue;
        };
        let refused = |mut why: Vec<Diagnostic>| {
            let why = why.drain(..).next().map(|first| first.message).unwrap_or_default();
            fault(format!("the game {} of this match does not load: {why}", subgame.name))
        };
        match tree.and_then(|tree| Ok((Lud::new(&tree)?, tree))) {
            Ok((lud, tree)) => {
                tree.words(&mut words);
                luds.push(lud);
                table = table.or(Some(tree));
            }
            Err(why) => found.push(refused(why)),
        }
    }
    if !found.is_empty() {
        return Err(found);
    }
    let table = table.ok_or_else(|| {
        vec![Diagnostic::error("L053", call.span, "a match needs a game".to_owned())]
    })?;
    LudGame::of_match(name, Lud::of_match(&call, Lud::new(&table)?, luds)?, words)
}

/// The tree of a game of a match, or its faults; nothing where no file has the game's name.
fn subgame_tree(
    subgame: &Subgame,
    origin: &str,
    library: &Library,
) -> Option<Result<Node, Vec<Diagnostic>>> {
    let path = library.description(&subgame.name, Path::new(origin))?;
    let text = std::fs::read_to_string(&path).ok()?;
    let options: Vec<String> = subgame.option.iter().filter(|o| !o.is_empty()).cloned().collect();
    let (expanded, found) = expand(&path.display().to_string(), &text, library, &options);
    if !found.is_empty() {
        return Some(Err(found));
    }
    let (tree, found) = game_of(&expanded);
    Some(tree.filter(|tree| found.is_empty() && tree.keyword() == Some("game")).ok_or(found))
}

/// The tree of an expanded description.
///
/// Where brackets do not match, the layout of the text as it was written often shows which one is
/// missing; the reader alone would name one that merely comes last.
fn game_of(expanded: &Expanded) -> (Option<Node>, Vec<Diagnostic>) {
    let (tree, mut found) = tree::game(&expanded.game);
    for finding in found.iter_mut().filter(|finding| UNBALANCED.contains(&finding.code)) {
        if let Some(span) = left_open(&expanded.texts, finding.span.file) {
            let hint = "the layout of the lines that follow suggests that it should be";
            *finding =
                Diagnostic::error("L001", span, "this bracket is never closed").with_hint(hint);
        }
    }
    (tree, found)
}

/// Adds the closest name of a define to strings that mean nothing.
fn suggest_defines(found: &mut [Diagnostic], expanded: &Expanded) {
    for finding in found.iter_mut().filter(|f| matches!(f.code, "L023" | "L040")) {
        let text = expanded.texts.file(finding.span.file).1;
        let bytes = finding.span.start as usize..finding.span.end as usize;
        let quoted = text.get(bytes).and_then(|t| t.strip_prefix('"')?.strip_suffix('"'));
        let names = expanded.defines.iter().map(String::as_str);
        if let Some(hint) = quoted.and_then(|name| did_you_mean(name, names)) {
            finding.hint = Some(hint);
        }
    }
}
