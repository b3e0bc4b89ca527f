//! The games that the server offers. A name from the page never becomes a path: it is looked up in a list of native games,
//! built-in rules, files below the folders of `LUDEX_PATH` that were found at the start, and drafts of the editor.

use crate::drafts::Drafts;
use crate::error::{Error, Result};
use crate::rules;
use crate::wire::{GameCard, GameFacts, GameList, OptionInfo, ParamInfo, word};
use ludex_core::error::did_you_mean;
use ludex_core::schema::{Kind, Param};
use ludex_core::{AnyGame, Game, Spec};
use ludex_gdl::game::{GdlGame, Options};
use ludex_library::{DESCRIPTIONS, Description, SHEETS};
use ludex_lud::expand::{Library, expand};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Games that stay loaded.
const MOST_LOADED: usize = 96;
/// Drafts of the editor that stay loaded.
const MOST_DRAFTS: usize = 64;
/// The longest name of a game that is read.
const LONGEST_NAME: usize = 400;

/// All games by name.
#[derive(Default)]
pub(crate) struct Shelf {
    cards: Mutex<Vec<GameCard>>,
    complete: std::sync::atomic::AtomicBool,
    files: HashMap<String, PathBuf>,
    loaded: Mutex<HashMap<String, AnyGame>>,
    libraries: Mutex<BTreeMap<PathBuf, Arc<Library>>>,
    drafts: Mutex<Vec<(String, AnyGame)>>,
    /// The drafts that outlive the server.
    pub(crate) kept: Drafts,
}

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shelf {
    /// Lists the games, without loading them.
    pub(crate) fn new(kept: Drafts) -> Shelf {
        let card = |name: String, title: &str, kind: &str, folder: &str| GameCard {
            name,
            title: title.into(),
            kind: kind.into(),
            folder: folder.into(),
            facts: None,
        };
        let mut cards: Vec<GameCard> = ludex_games::catalog()
            .iter()
            .map(|entry| card(entry.name.into(), entry.title, "native", ""))
            .collect();
        cards.extend(SHEETS.iter().map(|(name, _)| card(format!("kif:{name}"), name, "kif", "")));
        let ludemes = DESCRIPTIONS.iter();
        cards.extend(ludemes.map(|(name, _)| card(format!("lud:{name}"), name, "lud", "")));
        let mut files = HashMap::new();
        let variable = std::env::var_os(ludex_library::PATH_VARIABLE);
        for root in variable.iter().flat_map(std::env::split_paths) {
            let kif = ludex_library::kif_files(&root).unwrap_or_default();
            let found = kif.into_iter().chain(ludex_library::lud_files(&root));
            for path in found {
                let Some((name, kind, folder, title)) = shelf_name(&root, &path) else { continue };
                if files.insert(name.clone(), path).is_none() {
                    let name = Spec::new(name).to_string();
                    cards.push(card(name, &title, &kind, &folder));
                }
            }
        }
        Shelf { cards: Mutex::new(cards), files, kept, ..Shelf::default() }
    }

    /// The cards of all games.
    pub(crate) fn list(&self) -> GameList {
        let complete = self.complete.load(std::sync::atomic::Ordering::Relaxed);
        GameList { games: locked(&self.cards).clone(), complete }
    }

    /// Loads one game after the other and notes its facts.
    pub(crate) fn survey(&self) {
        let names: Vec<String> = locked(&self.cards).iter().map(|c| c.name.clone()).collect();
        for (index, name) in names.iter().enumerate() {
            let opened = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                self.load(name).map(|game| (facts(&game), game.info().title.clone()))
            }));
            let (facts, title) = match opened {
                Ok(Ok((facts, title))) => (facts, Some(title)),
                Ok(Err(error)) => {
                    let text = error.to_string();
                    let first = text.lines().next().unwrap_or_default().to_string();
                    (GameFacts { error: Some(first), ..GameFacts::default() }, None)
                }
                Err(panic) => {
                    let error = Some(crate::error::panic_text(&*panic));
                    (GameFacts { error, ..GameFacts::default() }, None)
                }
            };
            if let Some(card) = locked(&self.cards).get_mut(index) {
                if let Some(title) = title.filter(|title| !title.is_empty()) {
                    card.title = title;
                }
                card.facts = Some(facts);
            }
        }
        self.complete.store(true, std::sync::atomic::Ordering::Relaxed);
    }

    /// Opens a game by the name that the page sent.
    ///
    /// # Errors
    /// An unknown name, bad parameters, or rules that cannot be loaded.
    pub(crate) fn open(&self, name: &str) -> Result<AnyGame> {
        if let Some(game) = locked(&self.loaded).get(name) {
            return Ok(game.clone());
        }
        let game = self.load(name)?;
        let mut loaded = locked(&self.loaded);
        if loaded.len() >= MOST_LOADED {
            loaded.clear();
        }
        loaded.insert(name.to_string(), game.clone());
        Ok(game)
    }

    /// Loads a game anew.
    ///
    /// # Errors
    /// As [`Shelf::open`].
    pub(crate) fn load(&self, name: &str) -> Result<AnyGame> {
        if name.len() > LONGEST_NAME {
            return Err(Error::Bad("the name of the game is too long".into()));
        }
        let spec: Spec = name.parse()?;
        if spec.name.starts_with("draft:") {
            return self.draft(&spec.name);
        }
        if ludex_games::catalog().iter().any(|entry| entry.name == spec.name) {
            return Ok(ludex_games::open_spec(&spec)?);
        }
        let bare = spec.name.strip_prefix("kif:").or_else(|| spec.name.strip_prefix("lud:"));
        let bare = bare.unwrap_or(&spec.name);
        if !spec.name.starts_with("lud:") && SHEETS.iter().any(|(known, _)| *known == bare) {
            return Ok(ludex_library::open_spec(&Spec { name: format!("kif:{bare}"), ..spec })?);
        }
        if !spec.name.starts_with("kif:")
            && let Some((_, text)) = DESCRIPTIONS.iter().find(|(known, _)| *known == bare)
        {
            let origin = format!("games/{bare}.lud");
            let text = (*text).to_string();
            return self.load_lud(&spec, &Description { origin, text, defines: None });
        }
        match self.files.get(&spec.name) {
            Some(path) if spec.name.starts_with("kif:") => load_kif(&spec, path),
            Some(path) => self.load_lud(&spec, &describe(path)?),
            None => Err(self.unknown(&spec.name)),
        }
    }

    /// A draft of the editor: one that is loaded, or one that was kept.
    fn draft(&self, name: &str) -> Result<AnyGame> {
        let loaded = locked(&self.drafts).iter().find(|(id, _)| id == name).cloned();
        if let Some((_, game)) = loaded {
            return Ok(game);
        }
        let kept = self.kept.read(name).and_then(|rules| rules::game(&rules));
        kept.ok_or_else(|| {
            Error::Missing("this draft is gone; open it from the editor again".into())
        })
    }

    fn unknown(&self, name: &str) -> Error {
        let cards = locked(&self.cards);
        let hint = did_you_mean(name, cards.iter().map(|card| card.name.as_str()));
        Error::Game(ludex_core::Error::Unknown { what: "game", name: name.into(), hint })
    }

    fn load_lud(&self, spec: &Spec, description: &Description) -> Result<AnyGame> {
        spec.expect(&["options"], 0)?;
        let options: Vec<String> = match spec.get("options") {
            None => Vec::new(),
            Some(value) => value.name.split(';').map(|o| o.trim().to_owned()).collect(),
        };
        let library = self.library(description);
        let name = spec.to_string();
        let loaded = ludex_library::load_lud(&name, description, &library, &options);
        Ok(AnyGame::new(loaded.into_game().map_err(Error::Bad)?))
    }

    /// The defines of a folder, read once.
    fn library(&self, description: &Description) -> Arc<Library> {
        let Some(folder) = &description.defines else { return Arc::default() };
        let mut libraries = locked(&self.libraries);
        let read = || Arc::new(Library::read(folder).0);
        libraries.entry(folder.clone()).or_insert_with(read).clone()
    }

    /// Keeps a game of the editor and returns the name that opens it.
    pub(crate) fn keep_draft(&self, name: &str, game: AnyGame) {
        let mut drafts = locked(&self.drafts);
        drafts.retain(|(id, _)| id != name);
        if drafts.len() >= MOST_DRAFTS {
            drafts.remove(0);
        }
        drafts.push((name.to_string(), game));
    }

    /// The text of the rules of a game and its options.
    pub(crate) fn text(&self, name: &str) -> Option<(String, Vec<OptionInfo>)> {
        let spec: Spec = name.parse().ok()?;
        if spec.name.starts_with("draft:") {
            return self.kept.read(&spec.name).map(|rules| (rules.text, Vec::new()));
        }
        let bare = spec.name.split_once(':').map_or(spec.name.as_str(), |(_, bare)| bare);
        let sheet = SHEETS.iter().find(|(known, _)| *known == bare);
        if let Some((_, text)) = sheet.filter(|_| spec.name.starts_with("kif:")) {
            return Some(((*text).to_string(), Vec::new()));
        }
        let built_in = DESCRIPTIONS.iter().find(|(known, _)| *known == bare);
        let description = match (built_in, self.files.get(&spec.name)) {
            (Some((_, text)), _) if spec.name.starts_with("lud:") => {
                Description { origin: bare.into(), text: (*text).into(), defines: None }
            }
            (_, Some(path)) => describe(path).ok()?,
            _ => return None,
        };
        let options = if spec.name.starts_with("lud:") {
            options(&description, &self.library(&description))
        } else {
            Vec::new()
        };
        Some((description.text, options))
    }
}

/// The name of a file below a folder of `LUDEX_PATH`, its language, its folder and its title.
fn shelf_name(root: &Path, path: &Path) -> Option<(String, String, String, String)> {
    let kind = path.extension()?.to_str()?.to_string();
    let relative = path.strip_prefix(root).ok()?.with_extension("");
    let title = relative.file_name()?.to_string_lossy().into_owned();
    let parts: Vec<_> = relative.iter().map(|part| part.to_string_lossy()).collect();
    let folder = parts.get(..parts.len().saturating_sub(1))?.join("/");
    Some((format!("{kind}:{}", parts.join("/")), kind, folder, title))
}

fn describe(path: &Path) -> Result<Description> {
    let bytes = std::fs::read(path)
        .map_err(|_| Error::Missing("the file of this game cannot be read any more".into()))?;
    let text = String::from_utf8(bytes)
        .unwrap_or_else(|e| e.into_bytes().iter().map(|&b| char::from(b)).collect());
    let origin = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    Ok(Description { origin, text, defines: ludex_library::defines_of(path) })
}

fn load_kif(spec: &Spec, path: &Path) -> Result<AnyGame> {
    spec.expect(&[], 0)?;
    let text = describe(path)?.text;
    let game = GdlGame::load(&spec.to_string(), &text, &Options::default());
    Ok(AnyGame::new(game.map_err(|error| Error::Bad(error.to_string()))?))
}

fn options(description: &Description, library: &Library) -> Vec<OptionInfo> {
    let (expanded, _) = expand(&description.origin, &description.text, library, &[]);
    let groups = expanded.options.iter().enumerate().map(|(group, option)| {
        let mut items: Vec<String> = option.items.iter().map(|item| item.name.clone()).collect();
        let chosen = expanded.chosen.get(group).copied().unwrap_or(0);
        if chosen < items.len() {
            items[..=chosen].rotate_right(1);
        }
        OptionInfo { heading: option.heading.clone(), items }
    });
    groups.filter(|group| group.items.len() > 1).collect()
}

/// The properties of a game.
pub(crate) fn facts(game: &AnyGame) -> GameFacts {
    let (info, scene) = (game.info(), game.scene());
    GameFacts {
        players: info.players.clone(),
        hidden: info.hidden,
        chance: info.chance,
        simultaneous: info.simultaneous,
        sites: scene.sites.len() as u32,
        painter: word(scene.painter),
        error: None,
    }
}

/// Parameters for a form.
pub(crate) fn params(params: &[Param]) -> Vec<ParamInfo> {
    let info = |param: &Param| ParamInfo {
        key: param.key.into(),
        kind: param.kind.to_string(),
        words: match &param.kind {
            Kind::Word(words) => words.iter().map(|word| (*word).to_string()).collect(),
            Kind::Flag => vec!["true".into(), "false".into()],
            _ => Vec::new(),
        },
        default: param.default.clone(),
        meaning: param.meaning.clone(),
    };
    params.iter().map(info).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_built_in_games_open_and_paths_do_not() {
        let shelf = Shelf::new(Drafts::default());
        for name in ["tictactoe", "nim(2,3,2)", "kif:monty-hall", "monty-hall", "lud:hex", "hex"] {
            assert!(shelf.open(name).is_ok(), "{name}");
        }
        for name in [
            "kif:/etc/passwd",
            "kif:../../games/nim.kif",
            "lud:/etc/passwd",
            "/etc/passwd",
            "../nim.kif",
            "Cargo.toml",
            "kif:games/nim.kif",
            "exec:ls",
            "draft:none",
            "",
            "(",
        ] {
            assert!(shelf.open(name).is_err(), "{name}");
        }
    }

    #[test]
    fn an_unknown_name_gets_a_suggestion() {
        let error = Shelf::new(Drafts::default()).open("lud:gomuku").unwrap_err().to_string();
        assert!(error.contains("did you mean `lud:gomoku`"), "{error}");
    }
}
