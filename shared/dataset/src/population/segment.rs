//! A cohort as stored in a release.

use uuid::Uuid;

use crate::cohorts::ShareSource;

/// The position of a segment in the release's catalogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SegmentIndex(u16);

impl SegmentIndex {
    pub const fn raw(self) -> u16 {
        self.0
    }

    /// Wraps a position from a file of the same release.
    pub const fn from_raw(raw: u16) -> Self {
        Self(raw)
    }
}

/// A cohort in the catalogue of a release.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment<'a> {
    /// The position in the catalogue.
    pub index: SegmentIndex,
    /// The id, which is the same in every release.
    pub id: Uuid,
    /// The name for programs, for example `age_18_34`.
    pub key: &'a str,
    /// `Demographics` or `Households`.
    pub kind: &'a str,
    /// The category, for example `Age`.
    pub category: &'a str,
    /// The name for people, for example `Adults 18-34`.
    pub description: &'a str,
    /// Whether place reports include the cohort.
    pub anytime: bool,
    pub shares: ShareSource<'a>,
}
