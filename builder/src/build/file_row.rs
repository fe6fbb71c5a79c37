//! Locations of rows in a source's files, for messages.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// The location of a row in one of a source's files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileRow {
    /// The 1-based number of the file.
    file: u32,
    line: u64,
}

/// A source's files, up to the one being read.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Files(Vec<PathBuf>);

impl Files {
    /// Makes a file the current one.
    pub(crate) fn begin(&mut self, file: &Path) {
        self.0.push(file.to_owned());
    }

    /// Returns the location of a row in the current file.
    pub(crate) fn row(&self, line: u64) -> FileRow {
        FileRow { file: u32::try_from(self.0.len()).expect("file counts fit in 32 bits"), line }
    }

    /// Describes a row and its file for messages, such as `row 3 of units.csv`.
    pub(crate) fn name(&self, FileRow { file, line }: FileRow) -> String {
        format!("row {line} of {}", self.0[file as usize - 1].display())
    }

    /// Describes a row for messages about the current file. Includes the file name only if the row is in a
    /// different file.
    pub(crate) fn name_here(&self, row: FileRow) -> String {
        if row.file as usize == self.0.len() { format!("row {}", row.line) } else { self.name(row) }
    }
}
