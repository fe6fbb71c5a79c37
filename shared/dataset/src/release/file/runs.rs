//! A list of byte strings in a mapped file, stored back to back.

use super::ascending::Ascending;
use super::rows::Rows;
use super::section_file::{SectionFile, subsection};
use super::writer::FileWriter;
use crate::release::error::ReleaseError;

const ENDS: &str = "ends";

/// The byte strings in a section, numbered from 0.
#[derive(Clone, Debug)]
pub(crate) struct Runs {
    ends: Ascending,
    bytes: Rows<u8>,
}

impl Runs {
    pub(crate) fn open(file: &SectionFile, section: &str) -> Result<Self, ReleaseError> {
        Ok(Self { ends: file.ascending(&subsection(section, ENDS))?, bytes: file.rows(section)? })
    }

    /// Writes byte strings to a section.
    ///
    /// # Panics
    ///
    /// Panics if the total length is 4 GiB or more.
    pub(crate) fn write<'a>(file: &mut FileWriter, section: &str, runs: impl IntoIterator<Item = &'a [u8]>) {
        let (mut bytes, mut ends) = (Vec::new(), Vec::new());
        for run in runs {
            bytes.extend_from_slice(run);
            ends.push(u32::try_from(bytes.len()).expect("the byte strings take less than 4 GiB"));
        }
        file.bytes(section, bytes);
        file.ascending(&subsection(section, ENDS), &ends);
    }

    /// Returns the byte string at an index. Returns an empty byte string if the index is out of range, or if
    /// the string extends beyond the end of the section.
    pub(crate) fn get(&self, index: usize) -> &[u8] {
        let range = self.ends.range(index);
        range.and_then(|range| self.bytes.get(range)).unwrap_or_default()
    }
}
