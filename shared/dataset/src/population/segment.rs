//! A cohort in a release.

use uuid::Uuid;

use crate::cohorts::ShareSource;

/// A segment's position in its release's catalogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SegmentIndex(u16);

impl SegmentIndex {
    pub const fn raw(self) -> u16 {
        self.0
    }

    /// Takes a position that a file of the same release holds.
    pub const fn from_raw(raw: u16) -> Self {
        Self(raw)
    }
}

/// A cohort whose persons a release says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment<'a> {
    /// Its position in the catalogue.
    pub index: SegmentIndex,
    /// Its id, which is the same in every release.
    pub id: Uuid,
    /// Its name for programs, such as `age_18_34`.
    pub key: &'a str,
    /// `Demographics` or `Households`.
    pub kind: &'a str,
    /// What it divides people by, such as `Age`.
    pub category: &'a str,
    /// Its name for readers, such as `Adults 18-34`.
    pub description: &'a str,
    /// Whether the reports of places carry it too.
    pub anytime: bool,
    pub shares: ShareSource<'a>,
}
