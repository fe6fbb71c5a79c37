//! The start of a file: its header, and the names and ranges of its sections.

use std::ops::Range;

use zerocopy::little_endian::U64;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

pub(super) const MAGIC: [u8; 8] = *b"MARQUEE1";

pub(super) const ALIGNMENT: usize = 8;

/// The maximum length of a section name, in bytes.
pub(super) const NAME_BYTES: usize = 64;

#[derive(Clone, Copy, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct Header {
    pub(super) magic: [u8; 8],
    pub(super) sections: U64,
}

/// A directory entry: the name of a section and its range in the file.
#[derive(Clone, Copy, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct Entry {
    /// The name of the section, padded with zero bytes.
    pub(super) name: [u8; NAME_BYTES],
    pub(super) offset: U64,
    pub(super) bytes: U64,
}

/// The padded name and the range of each section, sorted by name.
#[derive(Clone, Debug)]
pub(super) struct Directory(Vec<([u8; NAME_BYTES], Range<usize>)>);

impl Directory {
    /// Reads the directory of a file. Returns `None` if the file doesn't start with [`MAGIC`], or if the
    /// directory or a section extends beyond the end of the file.
    pub(super) fn read(map: &[u8]) -> Option<Self> {
        let (header, rest) = Header::read_from_prefix(map).ok()?;
        let count = usize::try_from(header.sections.get()).ok()?;
        let length = count.checked_mul(size_of::<Entry>())?;
        if header.magic != MAGIC {
            return None;
        }
        let entries = <[Entry]>::ref_from_bytes(rest.get(..length)?).ok()?;
        let section = |entry: &Entry| {
            let start = usize::try_from(entry.offset.get()).ok()?;
            let end = start.checked_add(usize::try_from(entry.bytes.get()).ok()?)?;
            (end <= map.len()).then_some((entry.name, start..end))
        };
        let mut sections: Vec<_> = entries.iter().map(section).collect::<Option<_>>()?;
        sections.sort_unstable_by_key(|(name, _)| *name);
        Some(Self(sections))
    }

    pub(super) fn find(&self, section: &str) -> Option<Range<usize>> {
        let name = padded(section)?;
        let at = self.0.binary_search_by_key(&name, |(name, _)| *name).ok()?;
        Some(self.0[at].1.clone())
    }
}

/// Pads a section name with zero bytes. Returns `None` if the name is too long.
pub(super) fn padded(section: &str) -> Option<[u8; NAME_BYTES]> {
    let mut name = [0; NAME_BYTES];
    name.get_mut(..section.len())?.copy_from_slice(section.as_bytes());
    Some(name)
}
