//! Ludeme descriptions by name: built in, in files, in folders of `LUDEX_PATH`.

use super::PATH_VARIABLE;
use ludex_core::error::did_you_mean;
use ludex_core::{AnyGame, Error, Result, Spec};

use ludex_lud::expand::{Item, Library, OptionGroup, expand};
use ludex_lud::game::LudGame;
use ludex_lud::load::{Loaded, load};
use std::path::{Path, PathBuf};

/// Name and text of each description of our own.
pub static DESCRIPTIONS: &[(&str, &str)] = &include!(concat!(env!("OUT_DIR"), "/descriptions.rs"));

/// A description, where it came from, and the folder of defines that it may use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Description {
    /// The file, or the built-in name.
    pub origin: String,
    /// The text of the description.
    pub text: String,
    /// Where the defines of its library are.
    pub defines: Option<PathBuf>,
}

/// All descriptions in a folder and the folders in it, sorted.
pub fn lud_files(folder: &Path) -> Vec<PathBuf> {
    ludex_lud::source::files(folder, ".lud").0
}

/// The folder `def` beside one of the folders that a path is in.
pub fn defines_of(path: &Path) -> Option<PathBuf> {
    let absolute = std::fs::canonicalize(path).ok()?;
    absolute.ancestors().skip(1).map(|folder| folder.join("def")).find(|def| def.is_dir())
}

/// Finds a description: a file, a built-in one, a file below a folder of `LUDEX_PATH`.
///
/// # Errors
/// Nothing there, or a file that can't be read.
pub fn find_lud(name: &str) -> Result<Description> {
    let read = |path: &Path| {
        let failed =
            |reason: String| Error::BadParameter { name: path.display().to_string(), reason };
        let text = std::fs::read_to_string(path).map_err(|e| failed(e.to_string()))?;
        let origin = path.display().to_string();
        Ok(Description { origin, text, defines: defines_of(path) })
    };
    let path = Path::new(name);
    if path.is_file() {
        return read(path);
    }
    if let Some((_, text)) = DESCRIPTIONS.iter().find(|(known, _)| *known == name) {
        let origin = format!("games/{name}.lud");
        return Ok(Description { origin, text: (*text).to_owned(), defines: None });
    }
    let wanted = name.to_lowercase();
    for folder in std::env::var_os(PATH_VARIABLE).iter().flat_map(std::env::split_paths) {
        let file = lud_files(&folder).into_iter().find(|file| {
            let stem = file.file_stem().map(|s| s.to_string_lossy().to_lowercase());
            stem.is_some_and(|stem| stem == wanted)
        });
        if let Some(file) = file {
            return read(&file);
        }
    }
    let hint = did_you_mean(name, DESCRIPTIONS.iter().map(|(name, _)| *name));
    Err(Error::Unknown { what: "description", name: name.to_string(), hint })
}

/// Loads a description with options `Heading/Item` or a ruleset chosen.
pub fn load_lud(
    name: &str,
    description: &Description,
    library: &Library,
    options: &[String],
) -> Loaded {
    load(name, &description.origin, &description.text, library, options)
}

/// Opens a description such as `lud:hex`, with what it became.
///
/// # Errors
/// A name without `lud:`, nothing there, or a description with errors.
pub fn open_lud(name: &str) -> Result<LudGame> {
    let spec: Spec = name.parse()?;
    match spec.name.strip_prefix("lud:") {
        Some(description) => lud_game(&spec, description),
        None => {
            let reason = "only descriptions have code: their names begin with lud:".into();
            Err(Error::BadParameter { name: name.to_owned(), reason })
        }
    }
}

pub(super) fn open(spec: &Spec, name: &str) -> Result<AnyGame> {
    lud_game(spec, name).map(AnyGame::new)
}

fn lud_game(spec: &Spec, name: &str) -> Result<LudGame> {
    let bad = |reason: String| Error::BadParameter { name: spec.name.clone(), reason };
    if !spec.budget.is_empty() {
        return Err(bad("a game takes no budget".into()));
    }
    let description = find_lud(name)?;
    let library = match &description.defines {
        Some(folder) => Library::read(folder).0,
        None => Library::default(),
    };
    let options = options(spec, &description, &library)?;
    let mut canonical = spec.clone();
    canonical.name = format!("lud:{name}");
    let loaded = load_lud(&canonical.to_string(), &description, &library, &options);
    loaded.into_game().map_err(bad)
}

/// The options that a name chooses: `options="Board Size/13x13;..."` as descriptions write them, or short, by the heading
/// (`board=13`) or by the item alone (`13`).
fn options(spec: &Spec, description: &Description, library: &Library) -> Result<Vec<String>> {
    let mut chosen: Vec<String> = match spec.get("options") {
        None => Vec::new(),
        Some(value) => value.name.split(';').map(|o| o.trim().to_owned()).collect(),
    };
    let short = spec.args.iter().filter(|arg| arg.key.as_deref() != Some("options"));
    let short: Vec<_> = short.collect();
    if short.is_empty() {
        return Ok(chosen);
    }
    let groups = expand(&description.origin, &description.text, library, &[]).0.options;
    for arg in short {
        let wanted = plain(&arg.value.to_string());
        let fits = |group: &&OptionGroup| {
            arg.key.as_ref().is_none_or(|key| plain(&group.heading).starts_with(&plain(key)))
        };
        let items = groups.iter().filter(fits).flat_map(|group| {
            let item = |item: &Item| (plain(&item.name) == wanted, group, item.name.clone());
            group.items.iter().map(item).collect::<Vec<_>>()
        });
        let items: Vec<_> = items.filter(|(same, ..)| *same).collect();
        match items.as_slice() {
            [(_, group, item)] => chosen.push(format!("{}/{item}", group.heading)),
            _ => {
                let key = arg.key.as_ref().map(|key| format!("{key}=")).unwrap_or_default();
                let wish = format!("{key}{}", arg.value);
                return Err(no_option(spec, &wish, &groups, items.len()));
            }
        }
    }
    Ok(chosen)
}

/// Letters and digits alone, in lower case; of a size such as `9x9` the first number.
fn plain(text: &str) -> String {
    let lower = text.to_lowercase();
    let size = lower.split_once('x').filter(|(a, b)| a == b && a.parse::<u32>().is_ok());
    let lower = size.map_or(lower.as_str(), |(side, _)| side);
    lower.chars().filter(|c| c.is_alphanumeric()).collect()
}

fn no_option(spec: &Spec, value: &str, groups: &[OptionGroup], found: usize) -> Error {
    let list = |group: &OptionGroup| {
        let items: Vec<&str> = group.items.iter().map(|item| item.name.as_str()).collect();
        format!("{}: {}", group.heading, items.join(", "))
    };
    let options: Vec<String> = groups.iter().map(list).collect();
    let reason = match (groups.is_empty(), found) {
        (true, _) => "this game has no options".into(),
        (_, 0) => format!("there is no option `{value}`; the options are {}", options.join("; ")),
        _ => format!("`{value}` is an item of several options; write heading=item"),
    };
    Error::BadParameter { name: spec.name.clone(), reason }
}
