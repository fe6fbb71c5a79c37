//! The files of a release: named sections of fixed rows and texts, used in place through a memory map.
//!
//! A file is `MARQUEE1`, the number of sections, their directory, then the sections, each on a multiple of eight bytes.
//! All numbers are little-endian.

mod map;
mod rows;
mod texts;
mod writer;

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use memmap2::Mmap;
use zerocopy::little_endian::U64;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use crate::ReleaseError;

pub use rows::{Row, Rows};
pub use texts::Texts;
pub use writer::FileWriter;

const MAGIC: [u8; 8] = *b"MARQUEE1";

const ALIGNMENT: usize = 8;

/// The longest name of a section.
const NAME_BYTES: usize = 64;

/// The beginning of a file.
#[derive(Clone, Copy, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Header {
    magic: [u8; 8],
    sections: U64,
}

/// Where a section is.
#[derive(Clone, Copy, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Entry {
    /// Padded with zeros.
    name: [u8; NAME_BYTES],
    offset: U64,
    bytes: U64,
}

/// An open file of a release.
#[derive(Clone, Debug)]
pub struct SectionFile {
    name: String,
    map: Arc<Mmap>,
    sections: BTreeMap<String, Range<usize>>,
}

impl SectionFile {
    /// Opens a file and reads its directory; the sections stay where they are.
    pub fn open(path: &Path) -> Result<Self, ReleaseError> {
        let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let refuse = |reason: String| ReleaseError::new(&name, reason);
        let map = map::read_only(path).map_err(|error| refuse(error.to_string()))?;
        let sections = directory(&map).ok_or_else(|| refuse("is not a whole file of a release".to_owned()))?;
        Ok(Self { name, map: Arc::new(map), sections })
    }

    /// Returns the rows of a section.
    pub fn rows<T: Row>(&self, section: &str) -> Result<Rows<T>, ReleaseError> {
        let range = self.section(section)?;
        Rows::new(Arc::clone(&self.map), range)
            .ok_or_else(|| self.refuse(format!("the section {section} is not made of whole rows")))
    }

    /// Returns the texts of a section.
    pub fn texts(&self, section: &str) -> Result<Texts, ReleaseError> {
        let bytes = self.rows(section)?;
        let ends = self.rows(&texts::ends_of(section))?;
        Texts::new(ends, bytes).ok_or_else(|| self.refuse(format!("the texts of {section} are cut off")))
    }

    /// Says that the file cannot be used, and why.
    pub fn refuse(&self, reason: impl Into<String>) -> ReleaseError {
        ReleaseError::new(&self.name, reason)
    }

    fn section(&self, section: &str) -> Result<Range<usize>, ReleaseError> {
        let range = self.sections.get(section).cloned();
        range.ok_or_else(|| self.refuse(format!("has no section {section}")))
    }
}

/// Reads the directory; `None` when a part of it, or of a section, lies outside the file.
fn directory(map: &[u8]) -> Option<BTreeMap<String, Range<usize>>> {
    let (header, rest) = Header::read_from_prefix(map).ok()?;
    let count = usize::try_from(header.sections.get()).ok()?;
    let length = count.checked_mul(size_of::<Entry>())?;
    if header.magic != MAGIC {
        return None;
    }
    let entries = <[Entry]>::ref_from_bytes(rest.get(..length)?).ok()?;
    entries
        .iter()
        .map(|entry| {
            let name = std::str::from_utf8(&entry.name).ok()?.trim_end_matches('\0').to_owned();
            let start = usize::try_from(entry.offset.get()).ok()?;
            let end = start.checked_add(usize::try_from(entry.bytes.get()).ok()?)?;
            (end <= map.len()).then_some((name, start..end))
        })
        .collect()
}
