//! Rows of the files of one import, to be named where two of them contradict each other.

use std::path::{Path, PathBuf};

/// A row of one of the files of an import.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FileRow {
    /// Which of the files, counted from 1.
    file: usize,
    line: u64,
}

/// The files of an import, as far as they were read.
#[derive(Debug, Default)]
pub(crate) struct Files(Vec<PathBuf>);

impl Files {
    /// Goes on with a file.
    pub(crate) fn begin(&mut self, file: &Path) {
        self.0.push(file.to_owned());
    }

    /// Returns a row of the file that is being read.
    pub(crate) fn row(&self, line: u64) -> FileRow {
        FileRow { file: self.0.len(), line }
    }

    /// Names a row to a reader of the file that is being read.
    pub(crate) fn name(&self, FileRow { file, line }: FileRow) -> String {
        match self.0.get(file.wrapping_sub(1)) {
            Some(other) if file < self.0.len() => format!("row {line} of {}", other.display()),
            _ => format!("row {line} of the file"),
        }
    }
}
