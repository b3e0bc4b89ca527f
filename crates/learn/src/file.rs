//! Errors of files that learning reads and writes.

use crate::table::TableError;
use std::path::{Path, PathBuf};

/// A file that failed.
#[derive(Debug, thiserror::Error)]
#[error("{}: {reason}", path.display())]
pub struct FileError {
    /// The file or folder.
    pub path: PathBuf,
    /// Why it failed.
    pub reason: FileFault,
}

/// Why a file failed.
#[derive(Debug, thiserror::Error)]
pub enum FileFault {
    /// The file can't be read or written.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// The text of the file is not the expected table.
    #[error("{0}")]
    Table(#[from] TableError),
}

impl FileError {
    /// An error of this file.
    pub fn new(path: &Path, reason: impl Into<FileFault>) -> Self {
        FileError { path: path.to_path_buf(), reason: reason.into() }
    }

    /// Could the file be read, so that its text is at fault?
    pub fn is_text(&self) -> bool {
        matches!(self.reason, FileFault::Table(_))
    }
}

impl From<csv::Error> for FileFault {
    fn from(error: csv::Error) -> Self {
        if !error.is_io_error() {
            return FileFault::Table(TableError::Csv(error));
        }
        match error.into_kind() {
            csv::ErrorKind::Io(error) => FileFault::Io(error),
            other => FileFault::Io(std::io::Error::other(format!("{other:?}"))),
        }
    }
}
