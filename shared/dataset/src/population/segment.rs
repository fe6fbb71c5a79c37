//! A cohort in the catalog of a release.

use uuid::Uuid;

use crate::cohorts::ShareSource;

/// The position of a segment in its release's catalog, which is the ordered list of all segments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SegmentIndex(u16);

impl SegmentIndex {
    pub const fn raw(self) -> u16 {
        self.0
    }

    /// Creates an index from a position that's stored in a file of the same release.
    pub const fn from_raw(raw: u16) -> Self {
        Self(raw)
    }
}

/// A cohort in the catalog of a release. The API calls it a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment<'a> {
    /// The position in the release's catalog.
    pub index: SegmentIndex,
    /// The ID of the cohort, which is the same in every release.
    pub id: Uuid,
    /// The stable key that the ID is derived from, such as `age_18_34`.
    pub key: &'a str,
    /// `Demographics` or `Households`.
    pub kind: &'a str,
    /// The category, such as `Age`.
    pub category: &'a str,
    /// The display name, such as `Adults 18-34`.
    pub description: &'a str,
    /// Whether place reports include the cohort.
    pub anytime: bool,
    pub shares: ShareSource<'a>,
}
