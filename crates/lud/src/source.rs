//! Where every character of an expanded description comes from.
//!
//! Ludeme descriptions are expanded as text: options and defines are put in the place of their
//! names. A [`Text`] carries for each byte its [`Place`]: the file and offset at which it was
//! written, and the chain of defines that brought it here.

use std::path::{Path, PathBuf};

/// All files in a folder and the folders in it whose names end so, sorted, and what could not be read.
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

/// A file's number.
pub type FileId = u32;

/// Where a byte was written, and by which define it came here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The file.
    pub file: FileId,
    /// The byte in it.
    pub offset: u32,
    /// The use of a define that brought it, as a number of [`Sources`]; 0 for none.
    pub frame: u32,
}

/// A text with the places of its bytes.
#[derive(Clone, Debug, Default)]
pub struct Text {
    bytes: Vec<u8>,
    places: Vec<Place>,
}

impl Text {
    /// All of a file.
    pub fn of_file(file: FileId, text: &str) -> Text {
        let places = (0..text.len() as u32).map(|offset| Place { file, offset, frame: 0 });
        Text { bytes: text.bytes().collect(), places: places.collect() }
    }

    /// Its bytes.
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

    /// Where a byte comes from; that of the last one for what lies behind the end.
    pub fn place(&self, at: usize) -> Place {
        self.places.get(at).or(self.places.last()).copied().unwrap_or_default()
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

    /// One more byte.
    pub fn push(&mut self, byte: u8, place: Place) {
        self.bytes.push(byte);
        self.places.push(place);
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

/// The use of a define.
#[derive(Clone, Debug)]
struct Frame {
    name: String,
    at: Place,
}

/// The files that were read and the defines that were used.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<(String, String)>,
    frames: Vec<Frame>,
}

impl Sources {
    /// Adds a file.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        self.files.push((name.into(), text.into()));
        self.files.len() as u32 - 1
    }

    /// A file's name and text.
    pub fn file(&self, file: FileId) -> (&str, &str) {
        self.files.get(file as usize).map_or(("", ""), |(name, text)| (name, text))
    }

    /// A new use of a define.
    pub fn frame(&mut self, name: &str, at: Place) -> u32 {
        self.frames.push(Frame { name: name.to_owned(), at });
        self.frames.len() as u32
    }

    /// The uses of defines that brought a place here, innermost first: name and place of use.
    pub fn uses(&self, place: Place) -> Vec<(&str, Place)> {
        let mut uses = Vec::new();
        let mut frame = place.frame;
        while let Some(f) = frame.checked_sub(1).and_then(|i| self.frames.get(i as usize)) {
            uses.push((f.name.as_str(), f.at));
            frame = f.at.frame;
        }
        uses
    }

    /// `file:line:column` of a place, both from 1, columns in characters.
    pub fn locate(&self, place: Place) -> String {
        let (name, text) = self.file(place.file);
        let (line, column) = line_column(text, place.offset as usize);
        format!("{name}:{line}:{column}")
    }
}

/// Line and column (both from 1, columns in characters) of a byte.
pub fn line_column(text: &str, at: usize) -> (usize, usize) {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    let before = &text[..at];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}
