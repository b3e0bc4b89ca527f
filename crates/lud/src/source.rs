//! Where every character of an expanded description comes from.
//!
//! Ludeme descriptions are expanded as text: options and defines are put in the place of their
//! names. A [`Text`] knows of each byte where it was written, and which use of a define copied it.

use ludex_core::diagnostic::Span;
use std::path::{Path, PathBuf};

/// The files in a folder and its subfolders whose names have an ending, sorted; and the folders that
/// could not be read, with the reason.
///
/// ```
/// let (files, problems) = ludex_lud::source::files("no such folder".as_ref(), ".lud");
/// assert!(files.is_empty() && problems.len() == 1);
/// ```
pub fn files(folder: &Path, ending: &str) -> (Vec<PathBuf>, Vec<String>) {
    let (mut files, mut problems) = (Vec::new(), Vec::new());
    let mut todo = vec![folder.to_owned()];
    while let Some(path) = todo.pop() {
        let entries = match std::fs::read_dir(&path) {
            Ok(entries) => entries,
            Err(error) => {
                problems.push(format!("{}: {error}", path.display()));
                continue;
            }
        };
        for path in entries.flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                todo.push(path);
            } else if path.to_string_lossy().ends_with(ending) {
                files.push(path);
            }
        }
    }
    files.sort();
    (files, problems)
}

/// Where a byte was written, and the use of a define that copied it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Place {
    /// The file, by its number in [`Texts`](ludex_core::diagnostic::Texts).
    file: u32,
    /// The byte in it.
    offset: u32,
    /// See [`Span::frame`].
    frame: u32,
}

/// A text with the places of its bytes.
#[derive(Clone, Debug, Default)]
pub struct Text {
    bytes: Vec<u8>,
    places: Vec<Place>,
}

impl Text {
    /// All of a file.
    pub fn of_file(file: u32, text: &str) -> Text {
        let places = (0..text.len() as u32).map(|offset| Place { file, offset, frame: 0 });
        Text { bytes: text.bytes().collect(), places: places.collect() }
    }

    /// The bytes of the text.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// How many bytes.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// True without any byte.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Where the bytes from `from` up to, not including, `to` were written: as many of them as stand
    /// side by side in one file. Behind the end it is the last byte.
    pub fn span(&self, from: usize, to: usize) -> Span {
        let from = from.min(self.places.len().saturating_sub(1));
        let Some(&first) = self.places.get(from) else { return Span::default() };
        let rest = self.places.get(from..to.min(self.places.len())).unwrap_or_default();
        let together = |&(i, place): &(usize, &Place)| {
            *place == Place { offset: first.offset + i as u32, ..first }
        };
        let length = rest.iter().enumerate().take_while(together).count().max(1) as u32;
        let Place { file, offset: start, frame } = first;
        Span { file, start, end: start + length, frame }
    }

    /// The part between two bytes as characters.
    pub fn str(&self, from: usize, to: usize) -> String {
        String::from_utf8_lossy(self.bytes.get(from..to).unwrap_or_default()).into_owned()
    }

    /// The part between two bytes.
    pub fn part(&self, from: usize, to: usize) -> Text {
        let (from, to) = (from.min(self.len()), to.min(self.len()));
        let to = to.max(from);
        Text { bytes: self.bytes[from..to].to_vec(), places: self.places[from..to].to_vec() }
    }

    /// Appends the part of a text between two bytes.
    pub fn extend(&mut self, text: &Text, from: usize, to: usize) {
        let to = to.min(text.len());
        if from < to {
            self.bytes.extend_from_slice(&text.bytes[from..to]);
            self.places.extend_from_slice(&text.places[from..to]);
        }
    }

    /// Appends the part of a define's body between two bytes, as brought by a use of it.
    pub fn extend_framed(&mut self, text: &Text, from: usize, to: usize, frame: u32) {
        let start = self.len();
        self.extend(text, from, to);
        self.places[start..].iter_mut().for_each(|place| place.frame = frame);
    }
}
