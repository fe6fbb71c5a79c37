//! Maps the areas and cohorts in an old release to those in a new release.

use std::collections::HashMap;

use dataset::{Folder, Geographies, GeographyIndex, Part, Population, ReleaseError, Segment, SegmentIndex};

use super::differs;

/// Each old area's index in the new release, or `None` if both releases have the same areas.
pub(super) struct Areas(Option<Vec<Option<GeographyIndex>>>);

impl Areas {
    pub(super) fn open(old: &Folder, new: &Folder) -> Result<Self, ReleaseError> {
        if !differs(old, new, &[Part::Geographies])? {
            return Ok(Self(None));
        }
        let (old, new) = (Geographies::open(old)?, Geographies::open(new)?);
        let of_old = (0..u32::try_from(old.len()).expect("positions fit")).map(GeographyIndex::from_raw);
        Ok(Self(Some(of_old.map(|index| new.find(&old.get(index).id)).collect())))
    }

    /// Returns an area's index in the new release, or `None` if the area isn't in the new release.
    pub(super) fn of(&self, old: GeographyIndex) -> Option<GeographyIndex> {
        match &self.0 {
            Some(positions) => positions.get(old.position()).copied().flatten(),
            None => Some(old),
        }
    }

    /// Returns whether an area in the old release is the same as an area in the new release.
    pub(super) fn are_same(&self, old: Option<GeographyIndex>, new: Option<GeographyIndex>) -> bool {
        match (old, new) {
            (Some(old), Some(new)) => self.of(old) == Some(new),
            (None, None) => true,
            _ => false,
        }
    }
}

/// Each old cohort's index in the new release, or `None` if both releases have the same cohorts.
pub(super) struct Segments(Option<HashMap<SegmentIndex, SegmentIndex>>);

impl Segments {
    pub(super) fn open(old: &Folder, new: &Folder) -> Result<Self, ReleaseError> {
        if !differs(old, new, &[Part::Population])? {
            return Ok(Self(None));
        }
        let (old, new) = (Population::open(old)?, Population::open(new)?);
        let positions = |segment: Segment<'_>| Some((segment.index, new.find(&segment.id)?));
        Ok(Self(Some(old.segments().filter_map(positions).collect())))
    }

    /// Returns a cohort's index in the new release, or `None` if the cohort isn't in the new release.
    pub(super) fn of(&self, old: SegmentIndex) -> Option<SegmentIndex> {
        match &self.0 {
            Some(positions) => positions.get(&old).copied(),
            None => Some(old),
        }
    }
}
