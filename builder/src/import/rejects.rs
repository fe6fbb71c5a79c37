//! The rows that were not accepted.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// So many characters of a row are shown.
const SHOWN: usize = 1_000;

/// Why rejected rows are not written.
#[derive(Debug, Error)]
pub enum RejectsError {
    #[error("{}: the rejected rows cannot be written over the rows that are read", .0.display())]
    IsSource(PathBuf),
    #[error("{}: cannot be written: {source}", file.display())]
    Unwritable { file: PathBuf, source: csv::Error },
}

/// A CSV file of the rows that were not accepted, and why: `line,reason,row`.
#[derive(Debug)]
pub struct Rejects {
    path: PathBuf,
    file: csv::Writer<File>,
    count: u64,
}

impl Rejects {
    /// Begins the file; one that was there is replaced.
    ///
    /// # Errors
    ///
    /// When it cannot be written, or is the very file that rows are read from.
    pub fn create(path: &Path, source: &Path) -> Result<Self, RejectsError> {
        let is_source = match (path.canonicalize(), source.canonicalize()) {
            (Ok(path), Ok(source)) => path == source,
            _ => false,
        };
        if is_source {
            return Err(RejectsError::IsSource(path.to_owned()));
        }
        let file = File::create(path).map_err(|error| unwritable(path, error))?;
        let mut rejects = Self { path: path.to_owned(), file: csv::Writer::from_writer(file), count: 0 };
        rejects.write(["line", "reason", "row"])?;
        Ok(rejects)
    }

    /// Adds a row. Of a long one, the beginning is shown.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn add(&mut self, line: u64, reason: &str, original: &str) -> Result<(), RejectsError> {
        let shown = original.char_indices().nth(SHOWN).map_or(original, |(end, _)| &original[..end]);
        self.count += 1;
        self.write([&line.to_string(), reason, shown])
    }

    /// Returns how many rows there are.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Ends the file.
    ///
    /// # Errors
    ///
    /// When the last rows cannot be written.
    pub fn finish(mut self) -> Result<(), RejectsError> {
        self.file.flush().map_err(|error| unwritable(&self.path, error))
    }

    fn write(&mut self, cells: [&str; 3]) -> Result<(), RejectsError> {
        let written = self.file.write_record(cells);
        written.map_err(|source| RejectsError::Unwritable { file: self.path.clone(), source })
    }
}

fn unwritable(file: &Path, error: io::Error) -> RejectsError {
    RejectsError::Unwritable { file: file.to_owned(), source: error.into() }
}
