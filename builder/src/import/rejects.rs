//! The rows that were not accepted.

use std::fs::File;
use std::path::{Path, PathBuf};

/// So many characters of a row are shown.
const SHOWN: usize = 1_000;

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
    pub fn create(path: &Path, source: &Path) -> Result<Self, String> {
        let is_source = match (path.canonicalize(), source.canonicalize()) {
            (Ok(path), Ok(source)) => path == source,
            _ => false,
        };
        if is_source {
            return Err(format!("{}: the rejected rows cannot be written over the rows that are read", path.display()));
        }
        let cannot = |error: &dyn std::fmt::Display| format!("{}: cannot be written: {error}", path.display());
        let mut file = csv::Writer::from_writer(File::create(path).map_err(|error| cannot(&error))?);
        file.write_record(["line", "reason", "row"]).map_err(|error| cannot(&error))?;
        Ok(Self { path: path.to_owned(), file, count: 0 })
    }

    /// Adds a row. Of a long one, the beginning is shown.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn add(&mut self, line: u64, reason: &str, original: &str) -> Result<(), String> {
        let shown = original.char_indices().nth(SHOWN).map_or(original, |(end, _)| &original[..end]);
        self.count += 1;
        let written = self.file.write_record([&line.to_string(), reason, shown]);
        written.map_err(|error| format!("{}: cannot be written: {error}", self.path.display()))
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
    pub fn finish(mut self) -> Result<(), String> {
        self.file.flush().map_err(|error| format!("{}: cannot be written: {error}", self.path.display()))
    }
}
