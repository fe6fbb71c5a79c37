//! The numbers by which a release knows its rows.

use std::fmt;

/// The position of a geography in a release's table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GeographyIndex(u32);

impl GeographyIndex {
    /// Takes a position as it is stored.
    pub(crate) const fn from_raw(raw: u32) -> Self {
        Self(raw)
    }

    /// Returns the position.
    pub const fn raw(self) -> u32 {
        self.0
    }
}

/// The position of a cohort in a release's catalogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SegmentIndex(u16);

impl SegmentIndex {
    /// Takes a position as it is stored.
    pub(crate) const fn from_raw(raw: u16) -> Self {
        Self(raw)
    }

    /// Returns the position.
    pub const fn raw(self) -> u16 {
        self.0
    }
}

/// The id of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlaceId(u64);

impl PlaceId {
    /// Takes an id as it is stored.
    pub(crate) const fn from_raw(raw: u64) -> Self {
        Self(raw)
    }

    /// Returns the number.
    pub const fn raw(self) -> u64 {
        self.0
    }
}

impl fmt::Display for PlaceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}
