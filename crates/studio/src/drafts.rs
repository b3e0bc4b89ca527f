//! Drafts of rules that outlive the server: one JSON file a draft in a folder of the user's data.
//!
//! The name of a draft is `draft:` and 16 hexadecimal digits of the digest of its rules. Only these digits become a part of a
//! path, so that no name from a page reaches another file.

use crate::error::{Error, Result};
use crate::wire::{DraftInfo, RulesText};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// The most drafts that are kept. Where there are more, the oldest one goes.
const MOST: usize = 200;
/// The number of digits in the name of a draft.
const DIGITS: usize = 16;

/// The folder of the drafts.
#[derive(Debug, Default)]
pub(crate) struct Drafts {
    /// `None`: drafts live as long as the server.
    folder: Option<PathBuf>,
}

/// A draft as its file has it.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Kept {
    title: String,
    language: String,
    saved_ms: i64,
    text: String,
}

impl Drafts {
    pub(crate) fn new(folder: Option<PathBuf>) -> Drafts {
        Drafts { folder }
    }

    /// The file of a draft; `None` for a name that is not the name of a draft.
    fn file(&self, name: &str) -> Option<PathBuf> {
        let digits = name.strip_prefix("draft:")?;
        let known = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        let fits = digits.len() == DIGITS && digits.bytes().all(known);
        Some(self.folder.as_ref().filter(|_| fits)?.join(format!("{digits}.json")))
    }

    /// Keeps a draft.
    ///
    /// # Errors
    /// There is no folder, or it cannot be written.
    pub(crate) fn keep(&self, name: &str, title: &str, rules: &RulesText) -> Result<DraftInfo> {
        let (Some(folder), Some(file)) = (&self.folder, self.file(name)) else {
            return Err(Error::Bad("this server keeps no drafts".into()));
        };
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let kept = Kept {
            title: title.into(),
            language: rules.language.clone(),
            saved_ms: since.as_millis() as i64,
            text: rules.text.clone(),
        };
        let text = serde_json::to_string(&kept).map_err(|error| Error::Fault(error.to_string()))?;
        let failed = |error| Error::Busy(format!("the draft cannot be written: {error}"));
        std::fs::create_dir_all(folder).map_err(failed)?;
        // A reader never sees half of a file.
        let part = file.with_extension("part");
        std::fs::write(&part, text).map_err(failed)?;
        std::fs::rename(&part, &file).map_err(failed)?;
        for old in self.list().iter().skip(MOST) {
            self.forget(&old.name)?;
        }
        Ok(info(name.into(), kept))
    }

    /// The text of a draft.
    pub(crate) fn read(&self, name: &str) -> Option<RulesText> {
        let Kept { language, text, .. } = read(&self.file(name)?)?;
        Some(RulesText { language, text })
    }

    /// The drafts, the newest first.
    pub(crate) fn list(&self) -> Vec<DraftInfo> {
        let entries = self.folder.iter().filter_map(|folder| std::fs::read_dir(folder).ok());
        let mut list: Vec<DraftInfo> = entries
            .flatten()
            .flatten()
            .filter_map(|entry| {
                let path = entry.path();
                let name = format!("draft:{}", path.file_stem()?.to_str()?);
                (self.file(&name)? == path).then_some(())?;
                Some(info(name, read(&path)?))
            })
            .collect();
        list.sort_by(|a, b| (b.saved_ms, &a.name).cmp(&(a.saved_ms, &b.name)));
        list
    }

    /// Deletes a draft.
    ///
    /// # Errors
    /// There is no such draft.
    pub(crate) fn forget(&self, name: &str) -> Result<()> {
        let removed = self.file(name).and_then(|file| std::fs::remove_file(file).ok());
        removed.ok_or_else(|| Error::Missing("there is no such draft".into()))
    }
}

fn read(path: &Path) -> Option<Kept> {
    serde_json::from_slice(&std::fs::read(path).ok()?).ok()
}

fn info(name: String, kept: Kept) -> DraftInfo {
    let Kept { title, language, saved_ms, .. } = kept;
    DraftInfo { name, title, language, saved_ms }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draft_is_read_again_by_another_server() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("drafts");
        let rules = RulesText { language: "kif".into(), text: "(role a)".into() };
        let name = "draft:0123456789abcdef";
        Drafts::new(Some(place.clone())).keep(name, "One", &rules).unwrap();
        let again = Drafts::new(Some(place));
        assert_eq!(again.read(name).unwrap(), rules);
        assert_eq!(again.list()[0].title, "One");
        again.forget(name).unwrap();
        assert!(again.list().is_empty() && again.read(name).is_none());
    }

    #[test]
    fn no_name_of_a_page_reaches_another_file() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("secret.json"), "{}").unwrap();
        let drafts = Drafts::new(Some(folder.path().join("drafts")));
        for name in [
            "draft:../secret",
            "draft:..%2f..%2fsecret",
            "draft:/etc/passwd",
            "draft:0123456789abcde/",
            "draft:0123456789ABCDEF",
            "draft:",
            "0123456789abcdef",
        ] {
            assert!(drafts.file(name).is_none(), "{name}");
        }
    }
}
