//! Identifies rows of a source's files in messages.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// A row in one of a source's files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileRow {
    /// The number of the file, counted from 1.
    file: u32,
    line: u64,
}

/// The files of a source that have been read so far.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Files(Vec<PathBuf>);

impl Files {
    /// Starts reading a file, which becomes the current file.
    pub(crate) fn begin(&mut self, file: &Path) {
        self.0.push(file.to_owned());
    }

    /// Returns a row of the current file.
    pub(crate) fn row(&self, line: u64) -> FileRow {
        FileRow { file: u32::try_from(self.0.len()).expect("file counts fit in 32 bits"), line }
    }

    /// Returns a row's name for messages, including its file.
    pub(crate) fn name(&self, FileRow { file, line }: FileRow) -> String {
        format!("row {line} of {}", self.0[file as usize - 1].display())
    }

    /// Returns a row's name for messages about the current file. Includes the file only if the row is in a
    /// different one.
    pub(crate) fn name_here(&self, row: FileRow) -> String {
        if row.file as usize == self.0.len() { format!("row {}", row.line) } else { self.name(row) }
    }
}
