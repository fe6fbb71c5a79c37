//! A memory-mapped file that consists of named sections.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use memmap2::Mmap;

use super::ascending::{Ascending, PACKED};
use super::directory::Directory;
use super::map;
use super::rows::{Row, Rows};
use super::texts::{ENDS, Texts};
use crate::release::error::{Fault, ReleaseError};

/// A memory-mapped release file.
#[derive(Clone, Debug)]
pub(crate) struct SectionFile {
    name: String,
    map: Arc<Mmap>,
    directory: Directory,
}

/// Returns the full name of a subsection: the section's name, a dot, and the subsection's name.
pub(crate) fn subsection(section: &str, name: &str) -> String {
    format!("{section}.{name}")
}

impl SectionFile {
    /// Maps a file into memory and reads its directory. The sections themselves aren't read yet.
    pub(crate) fn open(path: &Path) -> Result<Self, ReleaseError> {
        let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let refuse = |fault: Fault| ReleaseError::new(&name, fault);
        let map = map::read_only(path).map_err(|error| refuse(Fault::Unreadable(error.to_string())))?;
        let directory = Directory::read(&map).ok_or_else(|| refuse(Fault::CutOff))?;
        Ok(Self { name, map: Arc::new(map), directory })
    }

    /// Returns the rows in a section.
    pub(crate) fn rows<T: Row>(&self, section: &str) -> Result<Rows<T>, ReleaseError> {
        let range = self.section(section)?;
        let rows = Rows::new(Arc::clone(&self.map), range);
        rows.ok_or_else(|| ReleaseError::new(&self.name, Fault::BrokenRows(section.to_owned())))
    }

    /// Returns the ascending numbers in a section.
    pub(crate) fn ascending(&self, section: &str) -> Result<Ascending, ReleaseError> {
        Ok(Ascending::new(self.rows(section)?, self.rows(&subsection(section, PACKED))?))
    }

    /// Returns the strings in a section.
    pub(crate) fn texts(&self, section: &str) -> Result<Texts, ReleaseError> {
        let texts = Texts::new(self.rows(&subsection(section, ENDS))?, self.rows(section)?);
        texts.ok_or_else(|| ReleaseError::new(&self.name, Fault::BrokenTexts(section.to_owned())))
    }

    /// Creates the error for inconsistent contents of this file.
    pub(crate) fn inconsistent(&self, reason: impl Into<String>) -> ReleaseError {
        ReleaseError::inconsistent(&self.name, reason)
    }

    fn section(&self, section: &str) -> Result<Range<usize>, ReleaseError> {
        let range = self.directory.find(section);
        range.ok_or_else(|| ReleaseError::new(&self.name, Fault::NoSection(section.to_owned())))
    }
}
