//! Points on the Z-order curve, stored as sorted keys.

use std::ops::Range;

use zerocopy::little_endian::U64;

use super::curve::{BOTTOM, Quadrant};
use crate::release::ReleaseError;
use crate::release::file::{FileWriter, Rows, SectionFile};

/// The keys of points on the curve, in ascending order.
#[derive(Clone, Debug)]
pub(crate) struct PointKeys(Rows<U64>);

impl PointKeys {
    pub(crate) fn open(file: &SectionFile, section: &str) -> Result<Self, ReleaseError> {
        file.rows(section).map(Self)
    }

    pub(crate) fn write(file: &mut FileWriter, section: &str, keys: impl Iterator<Item = u64>) {
        file.rows(section, &keys.map(U64::new).collect::<Vec<U64>>());
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = u64> {
        self.0.iter().map(|key| key.get())
    }

    /// Returns the range of points in a quadrant. `within` must include all of them.
    pub(crate) fn of_quadrant(&self, quadrant: Quadrant, within: Range<usize>) -> Range<usize> {
        let start = quadrant.keys().start;
        let start = within.start + self.0[within.clone()].partition_point(|key| key.get() < start);
        start..self.end_of(quadrant, start..within.end)
    }

    /// Returns the end of the range of points in a quadrant. `within` must start with these points.
    pub(crate) fn end_of(&self, quadrant: Quadrant, within: Range<usize>) -> usize {
        let end = quadrant.keys().end;
        within.start + self.0[within].partition_point(|key| key.get() < end)
    }

    /// Returns the bottom-level quadrant that contains the point at index `at`.
    pub(crate) fn quadrant(&self, at: usize) -> Quadrant {
        Quadrant::of_key(self.0[at].get())
    }

    /// Splits a range of points into one range per quadrant at the given zoom level. Empty quadrants are
    /// skipped.
    pub(crate) fn quadrants(&self, zoom: u8, range: Range<usize>) -> impl Iterator<Item = Range<usize>> {
        let shift = 2 * u32::from(BOTTOM - zoom);
        let mut start = range.start;
        std::iter::from_fn(move || {
            let rest = self.0[..range.end].get(start..).filter(|rest| !rest.is_empty())?;
            let quadrant = rest[0].get() >> shift;
            let from = start;
            start += rest.partition_point(|key| key.get() >> shift == quadrant);
            Some(from..start)
        })
    }
}
