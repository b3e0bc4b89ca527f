//! From the name that a person types to a game, whatever language its rules are in.
//!
//! | name | what it opens |
//! |---|---|
//! | `connect4`, `nim(2,3,2)` | a native game |
//! | `kif:monty-hall`, `monty-hall` | a rule sheet of our own, built in |
//! | `kif:path/to/game.kif`, `path/to/game.kif` | a rule sheet in a file |
//! | `kif:NAME` | `NAME.kif` in a folder of `LUDEX_PATH` |
//! | `kif:NAME(engine=single)` | the same with a chosen engine: lanes, single, joins, naive |
//! | `kif:NAME(dialect=hrf)` | the same in another dialect: kif, hrf, capitals |
//! | `transit(draws=10)` | a variant, where the sheet declares options (see [`sheet_options`]) |
//! | `lud:hex`, `hex` | a ludeme description of our own, built in |
//! | `lud:path/to/game.lud`, `lud:NAME` | one in a file, or below a folder of `LUDEX_PATH` |
//! | `lud:NAME(options="Board Size/9x9")` | the same with options chosen, parted by `;` |
//!
//! ```
//! use ludex_core::Game;
//! let game = ludex_library::open("kif:tictactoe").unwrap();
//! assert_eq!(game.info().players, ["x", "o"]);
//! ```

mod ludemes;
mod sheets;
mod variants;

use ludex_core::diagnostic::Texts;
use ludex_core::error::did_you_mean;
use ludex_core::{AnyGame, Error, Result, Spec};
use ludex_gdl::game::{Engine, GdlGame, LoadError, Options};
use ludex_gdl::hrf::{Dialect, read_rules};
use std::path::{Path, PathBuf};

pub use ludemes::{DESCRIPTIONS, Description, defines_of, find_lud, load_lud, lud_files, open_lud};
pub use sheets::SHEETS;
pub use variants::{SheetOption, sheet_options};

/// The folders to look in for rule files, parted as in `PATH`.
pub const PATH_VARIABLE: &str = "LUDEX_PATH";

/// Opens a game by its name.
///
/// # Errors
/// A name that nothing answers to (with a suggestion), bad parameters, rules that can't be loaded.
pub fn open(name: &str) -> Result<AnyGame> {
    open_spec(&name.parse()?)
}

/// Opens a game by its parsed name.
///
/// # Errors
/// As [`open`].
pub fn open_spec(spec: &Spec) -> Result<AnyGame> {
    if let Some(rest) = spec.name.strip_prefix("kif:") {
        return open_kif(spec, rest);
    }
    if let Some(rest) = spec.name.strip_prefix("lud:") {
        return ludemes::open(spec, rest);
    }
    if ludex_games::catalog().iter().any(|entry| entry.name == spec.name) {
        return ludex_games::open_spec(spec);
    }
    if spec.name.ends_with(".kif") || sheet(&spec.name).is_some() {
        return open_kif(spec, &spec.name);
    }
    if spec.name.ends_with(".lud") || DESCRIPTIONS.iter().any(|(name, _)| *name == spec.name) {
        return ludemes::open(spec, &spec.name);
    }
    if Path::new(&spec.name).exists() {
        let text = format!(
            "`{}` is no rule file: write kif:{0} for a rule sheet, or lud:{0} for a description",
            spec.name
        );
        return Err(Error::Unsupported(text));
    }
    let natives = ludex_games::catalog().iter().map(|entry| entry.name);
    let sheets = SHEETS.iter().chain(DESCRIPTIONS).map(|(name, _)| *name);
    let known = natives.chain(sheets);
    Err(Error::Unknown {
        what: "game",
        name: spec.name.clone(),
        hint: did_you_mean(&spec.name, known),
    })
}

/// The names of all games that are known here: native ones in the versions that their examples
/// name, built-in rule sheets, and rule files in the folders of `LUDEX_PATH`.
pub fn names() -> Vec<String> {
    let natives = ludex_games::catalog().iter().flat_map(|entry| entry.examples.iter());
    let mut names: Vec<String> = natives.map(|name| (*name).to_string()).collect();
    names.extend(SHEETS.iter().map(|(name, _)| format!("kif:{name}")));
    // Some descriptions wait for ludemes that have no meaning yet.
    let ludemes = DESCRIPTIONS.iter().map(|(name, _)| format!("lud:{name}"));
    names.extend(ludemes.filter(|name| open(name).is_ok()));
    for folder in std::env::var_os(PATH_VARIABLE).iter().flat_map(std::env::split_paths) {
        for file in kif_files(&folder).unwrap_or_default() {
            names.push(Spec::new(format!("kif:{}", file.display())).to_string());
        }
        for file in lud_files(&folder) {
            names.push(Spec::new(format!("lud:{}", file.display())).to_string());
        }
    }
    names
}

/// The text of a rule sheet and where it came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The file, or the built-in name.
    pub origin: String,
    /// The rules.
    pub text: String,
}

/// Finds a rule sheet: a file, a built-in sheet, a file in a folder of `LUDEX_PATH`.
///
/// # Errors
/// Nothing there, or a file that can't be read.
pub fn find_kif(name: &str) -> Result<Source> {
    let path = Path::new(name);
    if path.is_file() {
        return read(path);
    }
    if let Some(text) = sheet(name) {
        return Ok(Source { origin: format!("games/{name}.kif"), text: text.to_string() });
    }
    for folder in std::env::var_os(PATH_VARIABLE).iter().flat_map(std::env::split_paths) {
        for file in [folder.join(name), folder.join(format!("{name}.kif"))] {
            if file.is_file() {
                return read(&file);
            }
        }
    }
    if path.is_dir() {
        return Err(Error::Unsupported(format!("`{name}` is a directory, not a rule sheet")));
    }
    let hint = did_you_mean(name, SHEETS.iter().map(|(name, _)| *name));
    Err(Error::Unknown { what: "rule sheet", name: name.to_string(), hint })
}

fn sheet(name: &str) -> Option<&'static str> {
    SHEETS.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

fn read(path: &Path) -> Result<Source> {
    let failed = |reason: String| Error::BadParameter { name: path.display().to_string(), reason };
    let bytes = std::fs::read(path).map_err(|e| failed(e.to_string()))?;
    // Old sheets come in old encodings; only comments differ.
    let text = String::from_utf8(bytes)
        .unwrap_or_else(|e| e.into_bytes().iter().map(|&b| char::from(b)).collect());
    Ok(Source { origin: path.display().to_string(), text })
}

/// The rule sheet that a name such as `transit(draws=10)` opens, in the variant that it names.
///
/// # Errors
/// As [`find_kif`], and a parameter that neither all sheets nor this one has.
pub fn find_variant(spec: &Spec) -> Result<Source> {
    let bad = |reason: String| Error::BadParameter { name: spec.name.clone(), reason };
    let mut source = find_kif(spec.name.strip_prefix("kif:").unwrap_or(&spec.name))?;
    let options = sheet_options(&source.text);
    let names = options.iter().map(|option| option.name.as_str());
    let known: Vec<&str> = COMMON.into_iter().chain(names).collect();
    spec.expect(&known, 0)?;
    let chosen = spec.args.iter().filter_map(|arg| {
        let key = arg.key.clone().filter(|key| !COMMON.contains(&key.as_str()))?;
        Some((key, arg.value.to_string()))
    });
    let chosen: Vec<(String, String)> = chosen.collect();
    if !options.is_empty() {
        source.text = variants::choose(&source.text, &chosen).map_err(bad)?;
    }
    Ok(source)
}

/// The parameters that every rule sheet has.
const COMMON: [&str; 2] = ["engine", "dialect"];

fn open_kif(spec: &Spec, name: &str) -> Result<AnyGame> {
    let bad = |reason: String| Error::BadParameter { name: spec.name.clone(), reason };
    let source = find_variant(spec)?;
    if !spec.budget.is_empty() {
        return Err(bad("a game takes no budget".into()));
    }
    let engine = match spec.get("engine") {
        None => None,
        Some(value) => Some(value.name.parse::<Engine>().map_err(bad)?),
    };
    let dialect = match spec.get("dialect") {
        None => Dialect::Kif,
        Some(value) => value.name.parse::<Dialect>().map_err(bad)?,
    };
    let mut canonical = spec.clone();
    canonical.name = format!("kif:{name}");
    let options = Options { engine, ..Options::default() };
    let (rules, found) = read_rules(&source.text, dialect);
    let loaded = if found.iter().any(|d| d.is_error()) {
        Err(LoadError::Rules(found))
    } else {
        GdlGame::from_rules(&canonical.to_string(), &rules, &options)
    };
    match loaded {
        Ok(game) => Ok(AnyGame::new(game)),
        Err(LoadError::Rules(found)) => {
            let texts = Texts::one(source.origin, source.text);
            let first = found.iter().find(|d| d.is_error()).map(|d| d.line(&texts));
            Err(bad(format!("{} (`ludex check` shows all)", first.unwrap_or_default())))
        }
        Err(error) => Err(bad(error.to_string())),
    }
}

/// The rule files in a folder, sorted.
pub fn kif_files(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)?
        .filter_map(|entry| entry.ok().map(|e| e.path()))
        .filter(|path| path.extension().is_some_and(|ending| ending == "kif"))
        .collect();
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_core::Game;

    #[test]
    fn every_sheet_in_the_folder_is_built_in() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("games");
        let files = kif_files(&folder).unwrap();
        let mut names: Vec<String> =
            files.iter().map(|f| f.file_stem().unwrap().to_string_lossy().into_owned()).collect();
        names.sort_unstable();
        let mut known: Vec<&str> = SHEETS.iter().map(|(name, _)| *name).collect();
        known.sort_unstable();
        assert_eq!(names, known);
    }

    #[test]
    fn every_listed_name_opens_a_game() {
        let names = names();
        assert!(names.len() > 30 && names.contains(&"kif:tictactoe".to_string()));
        for name in names.iter().filter(|name| !name.contains("8")) {
            assert!(open(name).is_ok(), "{name}");
        }
    }

    #[test]
    fn a_name_opens_the_same_game_again() {
        for name in
            ["nim(2,3)", "monty-hall", "lud:hex", "kif:tictactoe", "kif:tictactoe(engine=single)"]
        {
            let game = open(name).unwrap();
            assert_eq!(open(&game.info().name).unwrap().info(), game.info());
        }
        assert_eq!(open("kif:tictactoe(engine=single)").unwrap().info().engine, "single");
    }

    #[test]
    fn every_variant_of_a_sheet_opens_and_the_default_is_the_sheet_as_it_stands() {
        let mut variants = 0;
        for (name, text) in SHEETS {
            assert_eq!(variants::choose(text, &[]).unwrap(), *text, "{name}");
            for option in sheet_options(text) {
                for value in option.values.iter().skip(1) {
                    let variant = format!("kif:{name}({}={value})", option.name);
                    let game = open(&variant).unwrap_or_else(|e| panic!("{variant}: {e}"));
                    assert_eq!(game.info().name, variant);
                    variants += 1;
                }
            }
        }
        assert!(variants > 20, "{variants}");
        let says = |name: &str| open(name).expect_err("an error").to_string();
        assert!(says("transit(draws=eleven)").contains("one of"));
        assert!(says("transit(size=3)").contains("it takes engine, dialect, draws"));
    }

    #[test]
    fn files_are_found_and_their_errors_have_a_place() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("odd (1).kif");
        std::fs::write(&file, "(role a)\n(<= (legal a ?x)").unwrap();
        let name = format!("kif:\"{}\"", file.display());
        let error = open(&name).expect_err("an error").to_string();
        assert!(error.contains("odd (1).kif:2:1: error[K001]"), "{error}");
    }

    #[test]
    fn what_is_not_there_is_said_with_a_suggestion() {
        let says = |name: &str| open(name).expect_err("an error").to_string();
        assert!(says("monty-hal").contains("did you mean `monty-hall`"));
        assert!(says("kif:tictacto").contains("did you mean `tictactoe`"));
        assert!(says("kif:tictactoe(engine=warp)").contains("unknown engine `warp`"));
        assert!(says("kif:tictactoe(speed=9)").contains("no parameter `speed`"));
        assert!(says("lud:gomuku").contains("did you mean `gomoku`"));
        assert!(says("lud:hex(size=9)").contains("there is no option `size=9`"));
    }
}
